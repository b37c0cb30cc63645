// Runs the members of a sweep one after the other; each thread has one. The model is kept between members as
// long as only the start, or parameters of a built-in system, change.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sweep/members.hpp"

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

  // Fills the row with the member's numbers: NaN unless it completes.
  MemberOutcome run(std::size_t member, std::span<double> row);

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

  bool needs_new_model() const;
  void assign(const Change& change);
  void prepare();
  MemberOutcome run_prepared(std::span<double> row);

  const Members& members_;
  Series series_;
  RunHooks hooks_;
  std::vector<std::size_t> place_, prepared_;  // along each axis; the latter is empty where there is no model
  Scenario scenario_;
  Model model_;
  Method method_;
};

}  // namespace carom
