// Runs the members of a sweep; each thread has one. The model is kept between members as long as only the
// start, or parameters of a built-in system, change. Members that differ in their starts only are run side by
// side where the model can do that, the others one after the other.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sweep/members.hpp"
#include "sweep/work_queue.hpp"

namespace carom {

// What became of a member, in the exit codes of `carom run`.
enum class MemberStatus { completed = 0, refused = 2, failed = 3, stopped = 130 };

struct MemberOutcome {
  MemberStatus status = MemberStatus::completed;
  std::string reason = {};  // one line, unless completed
};

class MemberRunner {
 public:
  MemberRunner(const Members& members, std::function<bool()> stop);
  MemberRunner(const MemberRunner&) = delete;

  // Fills the rows with the members' numbers: NaN unless one completes. Those that were not run are
  // "stopped".
  std::vector<MemberOutcome> run(Span members, std::span<double> rows);
  // How many at a time are worth while, by those run last.
  std::size_t side_by_side() const { return side_by_side_; }

 private:
  // Keeps the series of a run, at the times that all members share.
  class Series : public RunRecords {
   public:
    explicit Series(const Members& members) : members_(members) {}
    void start(std::span<double> out) { out_ = out, next_ = 0; }
    void begin(const Layout& rows, const Layout& impacts, const Layout& changes) override;
    void row(std::span<const double> numbers) override;
    void impact(std::span<const double>, std::string_view) override {}
    void change(std::span<const double>, std::string_view) override {}

   private:
    const Members& members_;
    std::vector<std::optional<std::size_t>> columns_;
    std::span<double> out_;
    std::size_t next_ = 0;
  };

  // The members of one call of run().
  struct Part {
    Span members;
    std::span<double> rows;
    std::vector<MemberOutcome> outcomes;
    std::size_t next = 0;
    std::size_t member() const { return members.first + next; }
    std::span<double> row(std::size_t i) const {
      return rows.subspan(i * (rows.size() / members.count), rows.size() / members.count);
    }
  };
  // The first of them that are left, alone or as many as can be together; the latter answers whether any can.
  MemberOutcome run_alone(std::size_t member, std::span<double> row);
  bool run_together(Part& part);
  const Scenario* next_beside(const std::vector<std::size_t>& place, Part& part,
                              std::vector<std::size_t>& given);

  bool needs_new_model() const;
  bool differs_in_start_only(const std::vector<std::size_t>& place) const;
  void assign(const Change& change);
  void prepare();
  void load();
  MemberOutcome outcome_of(const RunResult& result, std::span<double> row) const;

  const Members& members_;
  Series series_;
  RunHooks hooks_;
  std::vector<std::size_t> place_, prepared_;  // along each axis; the latter is empty where there is no model
  Scenario scenario_;
  Model model_;
  Method method_;
  std::size_t side_by_side_ = 1;
};

}  // namespace carom
