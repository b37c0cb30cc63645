#include "formula/native.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <vector>

#include "formula/native_library.hpp"
#include "formula/to_c.hpp"
#include "scenario/scenario.hpp"

namespace carom {
namespace {

thread_local NativeScope* current = nullptr;

// A run that ends by impacts or a formula may take any number of steps; these are on the small side.
double expected_steps(const TimeSpec& time) {
  constexpr double per_impact = 100, without_end = 1e4;
  const double steps = time.end ? static_cast<double>(time.steps()) : without_end;
  return time.impacts ? std::min(time.end ? steps : max_steps, per_impact * *time.impacts) : steps;
}

// Of one run, interpreted: a step takes some evaluations of the largest program.
double expected_seconds(std::span<formula::Program* const> programs, const TimeSpec& time) {
  constexpr double evaluations = 4, seconds_per_instruction = 2.5e-9;
  std::size_t most = 0;
  for (const auto* program : programs) most = std::max(most, program->instructions().size());
  return expected_steps(time) * evaluations * seconds_per_instruction * static_cast<double>(most);
}

// Half of the time is gained or more.
bool is_worth_compiling(std::span<formula::Program* const> programs, double seconds) {
  constexpr double start_of_compiler = 0.1, per_instruction = 1e-4;
  std::size_t instructions = 0;
  for (const auto* program : programs) instructions += program->instructions().size();
  return seconds > 3 * (start_of_compiler + per_instruction * static_cast<double>(instructions));
}

// Tells programs apart in less time than their text does: a sweep asks before each of its runs.
class Digest {
 public:
  explicit Digest(std::span<formula::Program* const> programs) {
    for (const auto* program : programs) {
      add(static_cast<std::uint64_t>(program->inputs()));
      for (const auto& i : program->instructions())
        add(static_cast<std::uint64_t>(i.code) | std::uint64_t{i.to} << 16 | std::uint64_t{i.a} << 32 |
            std::uint64_t{i.b} << 48),
            add(i.c | std::uint64_t{i.d} << 16);
      for (const double k : program->constants()) add(std::bit_cast<std::uint64_t>(k));
      for (const auto r : program->results()) add(r);
    }
  }
  auto operator<=>(const Digest&) const = default;

 private:
  void add(std::uint64_t word) {
    words_[0] = (words_[0] ^ word) * 0x9e3779b97f4a7c15, words_[0] ^= words_[0] >> 29;
    words_[1] = (words_[1] + word) * 0xbf58476d1ce4e5b9, words_[1] ^= words_[1] >> 32;
  }
  std::array<std::uint64_t, 2> words_{0x0123456789abcdef, 0xfedcba9876543210};
};

// What this process has opened, or tried to; shared by its threads.
class OpenedLibraries {
 public:
  NativeLibrary find(std::span<formula::Program* const> programs, bool may_compile) {
    const std::lock_guard lock(mutex_);
    auto& [library, tried] = known_.try_emplace(Digest(programs)).first->second;
    const Tried needed = may_compile ? Tried::all : Tried::cache;
    if (library.functions || tried >= needed) return library;
    const std::vector<const formula::Program*> all(programs.begin(), programs.end());
    library = open_native(formula::to_c(all), may_compile);
    tried = needed;
    return library;
  }

 private:
  enum class Tried { nothing, cache, all };
  struct Known {
    NativeLibrary library;
    Tried tried = Tried::nothing;
  };
  std::mutex mutex_;
  std::map<Digest, Known> known_;
};

}  // namespace

NativeScope::NativeScope(NativeUse use, double runs) : use_(use), runs_(runs), outer_(current) {
  current = this;
}

NativeScope::~NativeScope() { current = outer_; }

void compile_formulas(std::span<formula::Program* const> programs, const TimeSpec& time) {
  static OpenedLibraries opened;
  if (!current) return;
  NativeScope& scope = *current;
  scope.formulas_ = "interpreted";
  if (scope.use_ == NativeUse::never) return;
  const bool wanted = scope.use_ == NativeUse::always;
  const double seconds = scope.runs_ * expected_seconds(programs, time);
  const auto library = opened.find(programs, wanted || is_worth_compiling(programs, seconds));
  if (!library.functions) {
    if (wanted)
      scope.warning_ =
          "--native: " + library.trouble + "; the formulas are interpreted, with the same results";
    return;
  }
  for (std::size_t i = 0; i < programs.size(); ++i) programs[i]->run_by(library.functions[i]);
  scope.formulas_ = "compiled";
}

}  // namespace carom
