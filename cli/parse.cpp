// Every command with its options, descriptions and examples. Only this file and main.cpp include CLI11, which
// takes seconds to compile.
#include "parse.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "scenario/suggest.hpp"

namespace carom::cli {
namespace {

// "--out FOLDER" and nothing more: what is required or may be repeated, the usage line and the text say.
struct HelpFormat : CLI::Formatter {
  HelpFormat() {
    column_width(26);
    label("SUBCOMMAND", "COMMAND");
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const bool shown = option->get_type_size() != 0 && option->nonpositional();
    return shown ? " " + option->get_type_name() : "";
  }
};

CLI::App* add_command(CLI::App& app, const char* name, const char* description,
                      const std::vector<std::string>& examples) {
  auto* sub = app.add_subcommand(name, description)->group("Commands");
  sub->footer(fmt::format("Examples:\n  {}", fmt::join(examples, "\n  ")));
  return sub;
}

// Several uses of an option add up, and none of them swallows the words that follow its one value.
CLI::Option* repeated(CLI::Option* option) { return option->allow_extra_args(false); }

void add_scenario(CLI::App* sub, std::string& scenario, std::vector<std::string>& set) {
  sub->add_option("scenario", scenario, "A file, or a name from 'carom list scenarios'")
      ->type_name("SCENARIO");
  repeated(
      sub->add_option("--set", set, "Override a key of the scenario, as in --set time.end=2; repeatable"))
      ->type_name("KEY=VALUE");
}

void add_quiet(CLI::App* sub, bool& quiet) {
  sub->add_flag("--quiet", quiet, "Say nothing unless something is wrong");
}

void add_json(CLI::App* sub, bool& json, const char* description) {
  sub->add_flag("--json", json, description);
}

void add_folder(CLI::App* sub, std::string& folder) {
  sub->add_option("folder", folder, "The folder of a run, a comparison or a study of convergence")
      ->type_name("FOLDER")
      ->required();
}

void add_native(CLI::App* sub, NativeUse& use) {
  auto* always = sub->add_flag_callback(
      "--native", [&use] { use = NativeUse::always; },
      "Compile the scenario's formulas, for a short run too");
  sub->add_flag_callback(
         "--no-native", [&use] { use = NativeUse::never; },
         "Interpret the formulas, in a long run too; the results are the same")
      ->excludes(always);
}

void add_run_options(CLI::App* sub, ScenarioOptions& o, const char* json) {
  add_scenario(sub, o.scenario, o.set);
  sub->add_option("--out", o.out, "The folder to write (default: runs/NAME)")->type_name("FOLDER");
  sub->add_flag("--force", o.force, "Overwrite what an earlier run left in that folder");
  add_quiet(sub, o.quiet);
  add_json(sub, o.json, json);
  add_native(sub, o.native);
}

void add_methods(CLI::App* sub, std::vector<std::string>& methods, const char* description) {
  repeated(sub->add_option("--method", methods, description))->type_name("METHOD");
}

CLI::Validator above_zero() {
  const auto check = [](std::string& text) {
    double number = 0;
    const bool good = CLI::detail::lexical_cast(text, number) && std::isfinite(number) && number > 0;
    return good ? "" : fmt::format("\"{:.60}\" is not a number above 0", text);
  };
  return CLI::Validator(check, "");
}

void add_steps(CLI::App* sub, std::vector<double>& steps, const char* description) {
  repeated(sub->add_option("--step", steps, description))
      ->delimiter(',')
      ->type_name("H1,H2,...")
      ->check(above_zero());
}

// One of a few words, which are also its name: "carom list systems|methods|scenarios|papers".
void add_choice(CLI::App* sub, std::string& chosen, const std::vector<std::string>& words,
                const char* description) {
  const auto known = [words](std::string& word) {
    const bool good = std::find(words.begin(), words.end(), word) != words.end();
    const std::string near = nearest(word, words);
    if (good) return std::string();
    return fmt::format("\"{:.60}\" is none of them{}", word, near.empty() ? "" : suggestion(word, words));
  };
  const std::string all = fmt::format("{}", fmt::join(words, "|"));
  sub->add_option(all, chosen, description)->type_name(all)->required()->check(CLI::Validator(known, ""));
}

// For what CLI11 cannot say about several options at once.
void require(bool condition, const std::string& otherwise) {
  if (!condition) throw CLI::ValidationError(otherwise, CLI::ExitCodes::ValidationError);
}

void add_demo(CLI::App& app, int& code) {
  auto* sub = add_command(app, "demo", "Run the default scenario and say where its report is",
                          {"carom demo", "carom demo --quiet"});
  auto quiet = std::make_shared<bool>(false);
  add_quiet(sub, *quiet);
  sub->callback([quiet, &code] { code = demo(*quiet); });
}

void check_run(const RunOptions& o) {
  if (o.resume.empty()) {
    if (o.scenario.empty()) throw CLI::RequiredError("scenario");
    return;
  }
  require(o.scenario.empty() && o.out.empty() && !o.force,
          "--resume goes on with what the folder says: give no scenario, --out or --force beside it");
  const auto is_end = [](const std::string& set) {
    return set.starts_with("time.end=") || set.starts_with("time.impacts=") || set.starts_with("time.until=");
  };
  require(std::all_of(o.set.begin(), o.set.end(), is_end),
          "--resume goes on with the same run: --set may change its end, by time.end, time.impacts or "
          "time.until");
}

void add_run(CLI::App& app, int& code) {
  auto* sub =
      add_command(app, "run", "Run a scenario: a file, or the name of a shipped one",
                  {"carom run double-pendulum --set method.flow=sva --set time.step=0.005 --out runs/mine",
                   "carom run billiard --json", "carom run --resume runs/mine --set time.end=20"});
  auto o = std::make_shared<RunOptions>();
  add_run_options(sub, *o, "Print summary.json and nothing else");
  sub->add_option("--checkpoint", o->checkpoint, "Keep what a stopped run needs to go on, every 60 s or so")
      ->type_name("[SECONDS]")
      ->check(above_zero());
  sub->add_option("--resume", o->resume,
                  "Go on with the run in this folder; with --set time.end=..., beyond its end")
      ->type_name("FOLDER");
  sub->callback([o, &code] {
    check_run(*o);
    code = run(*o);
  });
}

void add_list(CLI::App& app, int& code) {
  auto* sub = add_command(app, "list", "What a scenario can name, and what there is of the papers",
                          {"carom list systems", "carom list methods --json"});
  auto what = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  add_choice(sub, *what, {"systems", "methods", "scenarios", "papers"}, "What to list");
  add_json(sub, *json, "Print JSON and nothing else");
  sub->callback([what, json, &code] { code = list(*what, *json); });
}

void add_check(CLI::App& app, int& code) {
  auto* sub = add_command(app, "check", "Validate a scenario without running it",
                          {"carom check double-pendulum", "carom check demo --set method.flow=gauss"});
  auto scenario = std::make_shared<std::string>();
  auto set = std::make_shared<std::vector<std::string>>();
  add_scenario(sub, *scenario, *set);
  sub->get_option("scenario")->required();
  sub->callback([scenario, set, &code] { code = check(*scenario, *set); });
}

void add_new(CLI::App& app, int& code) {
  auto* sub = add_command(app, "new", "Print a commented scenario to start from",
                          {"carom new > my.toml", "carom new --system star > star.toml",
                           "carom new --expression > formulas.toml"});
  auto o = std::make_shared<NewOptions>();
  auto* system = sub->add_option("--system", o->system, "A built-in system (default: cart-pendulum)");
  system->type_name("SYSTEM");
  sub->add_flag("--expression", o->expression, "A system of your own, in formulas")->excludes(system);
  sub->callback([o, &code] { code = print_new(*o); });
}

void add_import(CLI::App& app, int& code) {
  auto* sub = add_command(
      app, "import", "Make a scene of a robot in MJCF or URDF",
      {"carom import robot.xml > scene.toml", "carom import robot.xml --key home --out scene.toml",
       "carom import robot.urdf --floating --dimension 3"});
  auto o = std::make_shared<ImportRobotOptions>();
  sub->add_option("robot", o->robot, "A file in MJCF or URDF")->type_name("ROBOT")->required();
  sub->add_option("--out", o->out, "The scene file to write (default: standard output)")
      ->type_name("FILE.toml");
  sub->add_flag("--force", o->force, "Overwrite that file");
  sub->add_option("--key", o->key, "Start from this keyframe of MJCF")->type_name("NAME");
  sub->add_flag("--floating", o->floating, "Leave the root link of URDF free (default: fixed to the world)");
  sub->add_option("--dimension", o->dimension,
                  "In the plane or in space (default: in the plane where that is exact)")
      ->type_name("2|3")
      ->check(CLI::IsMember({"2", "3"}).description(""));
  add_quiet(sub, o->quiet);
  sub->callback([o, &code] { code = import_robot_file(*o); });
}

void add_compare(CLI::App& app, int& code) {
  auto* sub =
      add_command(app, "compare", "Run a scenario by several methods and show them side by side",
                  {"carom compare cart-pendulum --method cva --method vci --method shadow",
                   "carom compare double-pendulum --method sva --step 0.02,0.01,0.005",
                   "carom compare cart-pendulum --method vci --method flow=yoshida4,impact=shadow,order=8"});
  auto o = std::make_shared<CompareOptions>();
  add_run_options(sub, *o, "Print the results as JSON and nothing else");
  sub->get_option("scenario")->required();
  add_methods(sub, o->methods, "A name from 'carom list methods', or key=value,... of [method]; repeatable");
  add_steps(sub, o->steps, "Every method with each of these steps (default: the scenario's)");
  sub->callback([o, &code] {
    require(o->methods.size() > 1 || (o->methods.size() == 1 && o->steps.size() > 1),
            "compare needs two --method at least, or one with several --step");
    code = compare(*o);
  });
}

void add_converge(CLI::App& app, int& code) {
  auto* sub =
      add_command(app, "converge", "Measure a method's order: errors over a row of steps",
                  {"carom converge cart-pendulum --step 0.02,0.01,0.005,0.0025",
                   "carom converge double-pendulum --method sva --method yoshida4 --step 0.02,0.01,0.005",
                   "carom converge cart-pendulum --step 0.02,0.01 --reference reference.json"});
  auto o = std::make_shared<ConvergeOptions>();
  add_run_options(sub, *o, "Print the results as JSON and nothing else");
  sub->get_option("scenario")->required();
  add_steps(sub, o->steps, "The steps to measure at, three at least; two with a reference from a file");
  add_methods(sub, o->methods, "As for compare; repeatable (default: the scenario's method)");
  sub->add_option("--reference", o->reference,
                  "A file with the true end state (default: finest, the run itself)")
      ->type_name("FILE.json|finest");
  sub->callback([o, &code] {
    const std::size_t least = o->reference == "finest" ? 3 : 2;
    require(o->steps.size() >= least,
            fmt::format("converge needs {} steps at least, as in --step 0.02,0.01,0.005", least));
    code = converge(*o);
  });
}

void add_sensitivity(CLI::App& app, int& code) {
  auto* sub = add_command(app, "sensitivity", "Derivatives of the end of a run, through its impacts",
                          {"carom sensitivity double-pendulum --set time.end=2",
                           "carom sensitivity double-pendulum-in-formulas --by m1,restitution --json",
                           "carom sensitivity my.toml --of q.y"});
  auto o = std::make_shared<SensitivityOptions>();
  add_run_options(sub, *o, "Print sensitivity.json and nothing else");
  sub->get_option("scenario")->required();
  repeated(sub->add_option("--by", o->by,
                           "Parameters to differentiate by, restitution, or start for none (default: all)"))
      ->delimiter(',')
      ->type_name("NAME1,...");
  sub->add_option("--of", o->of,
                  "The gradient of one number at the end, backwards: a quantity, or q.x, p.x, v.x")
      ->type_name("NUMBER");
  sub->callback([o, &code] { code = sensitivity(*o); });
}

void add_orbit(CLI::App& app, int& code) {
  auto* sub = add_command(
      app, "orbit", "A periodic orbit, its multipliers, and its branch along a parameter",
      {"carom orbit double-pendulum --set initial.q=[0.0,0.0] --set initial.v=[0.0,0.0] --set time.end=1",
       "carom orbit kapitza-pendulum --set method.impact=continuous-energy --set initial.v=[0.0] --period "
       "2*pi/w"});
  auto o = std::make_shared<OrbitOptions>();
  add_run_options(sub, *o, "Print orbit.json and nothing else");
  sub->get_option("scenario")->required();
  sub->add_option("--period", o->period,
                  "Its period, a formula of the parameters (default: the scenario's time)")
      ->type_name("FORMULA");
  auto* along =
      sub->add_option("--along", o->along, "Follow the orbit along this parameter")->type_name("PARAMETER");
  sub->add_option("--to", o->to, "To this value of it")->type_name("VALUE")->needs(along);
  sub->add_option("--by", o->by, "In steps of this much at most (default: 0.01)")
      ->type_name("STEP")
      ->check(above_zero())
      ->needs(along);
  sub->add_option("--settle", o->settle, "Beside the branch, where runs settle at so many values")
      ->type_name("N")
      ->check(CLI::Range(2, 100000).description(""))
      ->needs(along);
  sub->callback([o, &code] {
    require(o->along.empty() || o->to, "--along asks for its end, as in --along w --to 2.7");
    code = orbit(*o);
  });
}

void add_section(CLI::App& app, int& code) {
  auto* sub = add_command(app, "section", "A Poincaré section: where a formula of a run passes zero",
                          {"carom section henon-heiles-box --at x --set time.end=500",
                           "carom section henon-heiles-box --at y --passing both --set time.end=50 --json"});
  auto o = std::make_shared<SectionOptions>();
  add_run_options(sub, *o, "Print section.json and nothing else");
  sub->get_option("scenario")->required();
  sub->add_option("--at", o->at, "The formula, of coordinates, velocities, parameters and t")
      ->type_name("FORMULA")
      ->required();
  sub->add_option("--passing", o->passing, "Which passes count: rising, falling or both (default: rising)")
      ->type_name("WAY")
      ->check(CLI::IsMember({"rising", "falling", "both"}).description(""));
  sub->callback([o, &code] { code = section(*o); });
}

void add_lyapunov(CLI::App& app, int& code) {
  auto* sub = add_command(app, "lyapunov", "All Lyapunov exponents of a run, with their errors",
                          {"carom lyapunov double-pendulum --set time.end=1000",
                           "carom lyapunov my.toml --skip 5 --every 5 --json"});
  auto o = std::make_shared<LyapunovOptions>();
  add_run_options(sub, *o, "Print lyapunov.json and nothing else");
  sub->get_option("scenario")->required();
  sub->add_option("--every", o->every, "Steps between two orthonormal frames (default: 10)")
      ->type_name("STEPS")
      ->check(CLI::Range(1, 1000000).description(""));
  sub->add_option("--skip", o->skip, "Leave out so much time at the start (default: 0)")
      ->type_name("TIME")
      ->check(CLI::NonNegativeNumber.description(""));
  sub->callback([o, &code] { code = lyapunov(*o); });
}

void add_optimise(CLI::App& app, int& code) {
  auto* sub = add_command(app, "optimise", "Optimal control of a motion through its impacts",
                          {"carom optimise swing-up", "carom optimise juggling --iterations 50 --json"});
  auto o = std::make_shared<OptimiseOptions>();
  sub->add_option("problem", o->problem, "A problem file, or the name of a shipped one")
      ->type_name("PROBLEM")
      ->required();
  sub->add_option("--iterations", o->iterations, "Give up after so many (default: 1000)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""));
  sub->add_option("--out", o->out, "The folder to write (default: runs/NAME)")->type_name("FOLDER");
  sub->add_flag("--force", o->force, "Overwrite what an earlier run left in that folder");
  add_quiet(sub, o->quiet);
  add_json(sub, o->json, "Print optimise.json and nothing else");
  sub->callback([o, &code] { code = optimise(*o); });
}

void check_sweep(const SweepOptions& o) {
  if (o.resume.empty() && o.sweep.empty()) throw CLI::RequiredError("sweep");
  require(o.resume.empty() || (o.sweep.empty() && o.out.empty() && !o.force),
          "--resume goes on with what the folder says: give no sweep file, --out or --force beside it");
}

void add_sweep(CLI::App& app, int& code) {
  auto* sub =
      add_command(app, "sweep", "Run a scenario for many values of its keys, on all cores",
                  {"carom sweep cart-pendulum-family --out runs/family",
                   "carom sweep double-pendulum-map --threads 2", "carom sweep --resume runs/family"});
  auto o = std::make_shared<SweepOptions>();
  sub->add_option("sweep", o->sweep, "A sweep file, or the name of a shipped one")->type_name("SWEEP");
  sub->add_option("--threads", o->threads,
                  "How many threads (default: all cores; under mpirun, one a process)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  sub->add_option("--out", o->out, "The folder to write (default: runs/NAME)")->type_name("FOLDER");
  sub->add_flag("--force", o->force, "Overwrite what an earlier sweep left in that folder");
  add_quiet(sub, o->quiet);
  add_json(sub, o->json, "Print summary.json and nothing else");
  sub->add_option("--resume", o->resume, "Go on with the stopped sweep in this folder")->type_name("FOLDER");
  sub->callback([o, &code] {
    check_sweep(*o);
    code = sweep(*o);
  });
}

void add_reproduce(CLI::App& app, int& code) {
  auto* sub = add_command(
      app, "reproduce", "Run figures and tables of the papers again, and judge their claims",
      {"carom reproduce 000-fig-4", "carom reproduce 003 --quick", "carom reproduce --all --json"});
  auto o = std::make_shared<ReproduceOptions>();
  sub->add_option("name", o->names, "Items or whole papers, as 'carom list papers' names them")
      ->type_name("ITEM");
  sub->add_flag("--all", o->all, "All of them, in at most 20 minutes on two cores");
  sub->add_flag("--quick", o->quick, "Shorter runs and fewer values: all in at most 4 minutes");
  sub->add_option("--out", o->out, "The folder to write (default: runs/papers)")->type_name("FOLDER");
  add_quiet(sub, o->quiet);
  add_json(sub, o->json, "Print the list of findings as JSON and nothing else");
  sub->callback([o, &code] {
    require(o->all != !o->names.empty(), "give names from 'carom list papers', or --all");
    code = reproduce(*o);
  });
}

void add_info(CLI::App& app, int& code) {
  auto* sub = add_command(app, "info", "Say what is in the folder of a run",
                          {"carom info runs/demo", "carom info runs/demo --json"});
  auto folder = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  add_folder(sub, *folder);
  add_json(sub, *json, "Print JSON and nothing else");
  sub->callback([folder, json, &code] { code = info(*folder, *json); });
}

void add_report(CLI::App& app, int& code) {
  auto* sub = add_command(app, "report", "Write report.html anew from the files of a folder",
                          {"carom report runs/demo", "carom report runs/demo --quiet"});
  auto folder = std::make_shared<std::string>();
  auto quiet = std::make_shared<bool>(false);
  add_folder(sub, *folder);
  add_quiet(sub, *quiet);
  sub->callback([folder, quiet, &code] { code = report(*folder, *quiet); });
}

void add_completion(CLI::App& app, int& code) {
  auto* sub = add_command(app, "completion", "Print the script by which your shell completes carom's words",
                          {"source <(carom completion bash)", "carom completion fish | source"});
  auto shell = std::make_shared<std::string>();
  add_choice(sub, *shell, {"bash", "zsh", "fish"}, "Your shell");
  sub->callback([shell, &code] { code = completion(*shell); });
}

Argument described(const CLI::Option& option) {
  const bool flag = option.get_type_size() == 0;
  return {option.get_name(option.get_positional()), flag ? "" : option.get_type_name(),
          option.get_description(), option.get_expected_max() > 1};
}

bool is_number(const std::string& word) {
  double value = 0;
  return CLI::detail::lexical_cast(word, value);
}

}  // namespace

void add_commands(CLI::App& app, int& code) {
  app.formatter(std::make_shared<HelpFormat>());
  add_demo(app, code);
  add_run(app, code);
  add_list(app, code);
  add_check(app, code);
  add_new(app, code);
  add_import(app, code);
  add_compare(app, code);
  add_converge(app, code);
  add_sensitivity(app, code);
  add_orbit(app, code);
  add_section(app, code);
  add_lyapunov(app, code);
  add_optimise(app, code);
  add_sweep(app, code);
  add_reproduce(app, code);
  add_info(app, code);
  add_report(app, code);
  add_completion(app, code);
}

std::vector<Command> describe(const CLI::App& app) {
  std::vector<Command> commands;
  for (const CLI::App* sub : app.get_subcommands({})) {
    Command command{sub->get_name(), sub->get_description(), {}, {}};
    for (const CLI::Option* option : sub->get_options()) {
      auto& list = option->get_positional() ? command.positionals : command.options;
      list.push_back(described(*option));
    }
    commands.push_back(command);
  }
  return commands;
}

std::vector<std::string> normalized(std::vector<std::string> words) {
  if (words.size() == 2 && words[0] == "help") return {words[1], "--help"};
  if (words.size() == 1 && words[0] == "help") return {"--help"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool bare = words[i] == "--checkpoint" && (i + 1 == words.size() || !is_number(words[i + 1]));
    if (bare) words[i] += "=60";
  }
  return words;
}

}  // namespace carom::cli
