// The subcommands, each in a file of its own. They take plain options, so that CLI11 stays in parse.cpp and
// main.cpp, and return the exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formula/native.hpp"

namespace carom::cli {

// What an exit code means; 5 is the launcher's (packages missing).
enum ExitCode { done = 0, bad_scenario = 2, numerics_failed = 3, file_trouble = 4, interrupted = 130 };

// What every command takes that runs a scenario into a folder.
struct ScenarioOptions {
  std::string scenario;          // a path or a shipped name
  std::vector<std::string> set;  // "a.b=c"
  std::string out;               // empty: runs/NAME
  bool force = false, quiet = false, json = false;
  NativeUse native = NativeUse::automatic;  // whether formulas are compiled before they are run
};

inline constexpr double default_checkpoint_seconds = 60;

struct RunOptions : ScenarioOptions {
  std::optional<double> checkpoint;  // seconds between checkpoints
  std::string resume;                // the folder of a stopped run; then there is no scenario
};

// A method is a short name, flow or law, or "key=value,key=value" of the [method] table.
struct CompareOptions : ScenarioOptions {
  std::vector<std::string> methods;  // two at least, or one with several steps
  std::vector<double> steps;         // empty: the scenario's
};

struct ConvergeOptions : ScenarioOptions {
  std::vector<std::string> methods;  // empty: the scenario's
  std::vector<double> steps;         // three at least, two with a reference from a file
  std::string reference = "finest";  // or a file
};

struct SensitivityOptions : ScenarioOptions {
  std::vector<std::string>
      by;  // parameters, and "restitution"; empty: all parameters of a system in formulas; "start": none
  std::string of;  // one number at the end, by the adjoint; empty: all, and the times of impacts
};

struct OrbitOptions : ScenarioOptions {
  std::string along;         // a parameter to follow the orbit along; empty: one orbit
  std::optional<double> to;  // its last value
  double by = 0.01;          // how far it goes from orbit to orbit at most
  std::string period;        // a formula of the parameters; empty: the scenario's own time
  int settle = 0;            // values of it at which runs settle, beside the branch
};

struct SectionOptions : ScenarioOptions {
  std::string at;                  // a formula that vanishes there
  std::string passing = "rising";  // falling, both
};

struct LyapunovOptions : ScenarioOptions {
  int every = 10;   // steps between orthonormal directions
  double skip = 0;  // time that is left to the transient
};

struct OptimiseOptions {
  std::string problem;    // a file
  std::string out;        // empty: runs/NAME
  int iterations = 1000;  // at most
  bool force = false, quiet = false, json = false;
};

struct SweepOptions {
  std::string sweep;   // a file
  std::string resume;  // the folder of a stopped sweep; then there is no file
  std::string out;     // empty: runs/NAME
  int threads = 0;     // 0: as many as there are cores; of each rank, one
  bool force = false, quiet = false, json = false;
};

struct ReproduceOptions {
  std::vector<std::string> names;  // of items and papers
  bool all = false;
  bool quick = false;  // shortened horizons
  std::string out;     // empty: runs/papers
  bool quiet = false, json = false;
};

struct ImportRobotOptions {
  std::string robot;  // a file
  std::string out;    // empty: standard output
  std::string key;
  std::string dimension = "auto";
  bool floating = false, force = false, quiet = false;
};

struct NewOptions {
  std::string system = "cart-pendulum";
  bool expression = false;
};

int demo(bool quiet);
int run(const RunOptions& options);
int compare(const CompareOptions& options);
int converge(const ConvergeOptions& options);
int sensitivity(const SensitivityOptions& options);
int orbit(const OrbitOptions& options);
int section(const SectionOptions& options);
int lyapunov(const LyapunovOptions& options);
int optimise(const OptimiseOptions& options);
int sweep(const SweepOptions& options);
int reproduce(const ReproduceOptions& options);
int info(const std::string& folder, bool json);
int report(const std::string& folder, bool quiet);
int list(const std::string& what, bool json);
int check(const std::string& scenario, const std::vector<std::string>& set);
int print_new(const NewOptions& options);
int import_robot_file(const ImportRobotOptions& options);

// The command line as a table, taken from CLI11's own: what completion offers cannot differ from what is
// accepted.
struct Argument {
  std::string name;   // "--out"; a positional one has no dashes
  std::string value;  // what the help calls its value: "FOLDER", "METHOD", "bash|zsh|fish"; "" for a flag
  std::string description;  // one line
  bool repeatable = false;
};
struct Command {
  std::string name, description;
  std::vector<Argument> options, positionals;
};

// The script that a shell sources. It asks `carom complete` for every answer, so it knows nothing itself.
int completion(const std::string& shell);

// `carom complete WORD...`: one line for each way to finish the last word, "word<TAB>description". A line
// ":files" or ":folders" asks the shell to add its own.
int complete(const std::vector<Command>& commands, const std::vector<std::string>& words);

}  // namespace carom::cli
