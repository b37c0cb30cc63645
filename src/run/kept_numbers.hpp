// All numbers of a run under way, in one list that begins with their number: given to a checkpoint, or taken
// from one; and handed from one stepper to another. Tested through tests/cli/resume_test.py.
#pragma once

#include <vector>

#include "carom/run/stepper.hpp"
#include "records/table.hpp"

namespace carom {

class NumberWriter final : public KeptNumbers {
 public:
  std::vector<double> counted() {
    list.insert(list.begin(), static_cast<double>(list.size() + 1));
    return std::move(list);
  }
  void operator()(double& x) override { list.push_back(x); }
  void operator()(std::int64_t& x) override { list.push_back(static_cast<double>(x)); }

 private:
  std::vector<double> list;
};

class NumberReader final : public KeptNumbers {
 public:
  explicit NumberReader(const std::vector<double>& numbers) : list(numbers) {
    if (next() != static_cast<double>(list.size()))
      throw RecordError("checkpoint", "does not fit this scenario");
  }
  void operator()(double& x) override { x = next(); }
  void operator()(std::int64_t& x) override { x = static_cast<std::int64_t>(next()); }
  bool used_up() const { return at == list.size(); }

 private:
  double next() {
    if (at == list.size()) throw RecordError("checkpoint", "does not fit this scenario");
    return list[at++];
  }
  const std::vector<double>& list;
  std::size_t at = 0;
};

// What one stepper keeps from step to step, to another one of its kind.
inline void hand_over(Stepper& from, Stepper& to) {
  NumberWriter writer;
  from.numbers(writer);
  const std::vector<double> numbers = writer.counted();
  NumberReader reader(numbers);
  to.numbers(reader);
}

}  // namespace carom
