// Formulas at full speed: whether the programs of a run are compiled to machine code is decided here.
//
//   NativeScope (what the user wants) -> run -> compile_formulas() -> to_c() -> open_native() -> the programs
//
// Compiled or interpreted, the bits are the same; a run that gains nothing, or that no compiler helps, goes
// interpreted. Tested in tests/cli/native_test.py.
#pragma once

#include <span>
#include <string>

namespace carom {

namespace formula {
class Program;
}
struct TimeSpec;

enum class NativeUse { never, automatic, always };

// What the runs of this thread do while it lives; without one they are interpreted.
class NativeScope {
 public:
  explicit NativeScope(NativeUse use, double runs = 1);  // so many with the same formulas
  ~NativeScope();
  NativeScope(const NativeScope&) = delete;
  NativeScope& operator=(const NativeScope&) = delete;

  // How the formulas were run: "compiled" or "interpreted"; "" where there were none.
  const std::string& formulas() const { return formulas_; }
  // Why they were not compiled although the user asked for it; "" where that does not apply.
  const std::string& warning() const { return warning_; }

 private:
  friend void compile_formulas(std::span<formula::Program* const> programs, const TimeSpec& time);

  NativeUse use_;
  double runs_;
  NativeScope* outer_;
  std::string formulas_, warning_;
};

// Called with all programs of a system before it runs.
void compile_formulas(std::span<formula::Program* const> programs, const TimeSpec& time);

}  // namespace carom
