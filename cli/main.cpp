// The command line: parses it, calls one subcommand, and turns errors into one line and an exit code.
// The only file that includes CLI11, which takes seconds to compile.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "files.hpp"
#include "run_folder.hpp"
#include "scenario_text.hpp"
#include "suggest.hpp"
#include "summary.hpp"

namespace carom::cli {
namespace {

void add_run(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("run", "Run a scenario: a file, or the name of a shipped one");
  auto o = std::make_shared<RunOptions>();
  sub->add_option("scenario", o->scenario, "file.toml, or a name from 'carom list scenarios'")->required();
  sub->add_option("--set", o->set, "Override a key, such as --set method.flow=gauss; may be repeated")
      ->allow_extra_args(false);
  sub->add_option("--out", o->out, "The run's folder (default: runs/NAME)");
  sub->add_flag("--force", o->force, "Overwrite the run that is in the folder");
  sub->add_flag("--quiet", o->quiet, "Say nothing unless something is wrong");
  sub->add_flag("--json", o->json, "Print summary.json and nothing else");
  sub->footer(
      "Example: carom run double-pendulum --set method.flow=sva --set time.step=0.005 --out runs/mine");
  sub->callback([o, &code] { code = run(*o); });
}

void add_demo(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("demo", "Run the default scenario and say where its picture is");
  auto quiet = std::make_shared<bool>(false);
  sub->add_flag("--quiet", *quiet, "Say nothing unless something is wrong");
  sub->callback([quiet, &code] { code = demo(*quiet); });
}

void add_list(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("list", "What a scenario can name: systems, methods, scenarios");
  auto what = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  sub->add_option("what", *what, "systems, methods or scenarios")
      ->required()
      ->check(CLI::IsMember({"systems", "methods", "scenarios"}));
  sub->add_flag("--json", *json, "Print JSON and nothing else");
  sub->callback([what, json, &code] { code = list(*what, *json); });
}

void add_check(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("check", "Validate a scenario without running it");
  auto scenario = std::make_shared<std::string>();
  auto set = std::make_shared<std::vector<std::string>>();
  sub->add_option("scenario", *scenario, "file.toml, or a name from 'carom list scenarios'")->required();
  sub->add_option("--set", *set, "Override a key; may be repeated")->allow_extra_args(false);
  sub->callback([scenario, set, &code] { code = check(*scenario, *set); });
}

// One line on standard error, fit for a terminal whatever the user typed.
void complain(const std::string& what) { fmt::print(stderr, "carom: {}\n", detail::clipped(what, 1900)); }

// CLI11's own complaint about a misspelt command names the rest of the line; ours names the nearest command.
std::string word_usage_error(const CLI::App& app, const CLI::ParseError& e, int argc, char** argv) {
  std::vector<std::string> commands;
  for (const auto* sub : app.get_subcommands({})) commands.push_back(sub->get_name());
  if (argc > 1 && argv[1][0] == '-') return fmt::format("no option is called \"{:.60}\"", argv[1]);
  if (argc > 1 && std::find(commands.begin(), commands.end(), argv[1]) == commands.end())
    return fmt::format("no command is called \"{:.60}\"{}", argv[1], suggestion(argv[1], commands));
  return e.what();
}

int run_command_line(int argc, char** argv) {
  CLI::App app{
      "Mechanical systems with impacts, contact and joints, by integrators that keep the structure of "
      "mechanics."};
  app.name("carom");
  app.set_version_flag("--version", version() + (git_revision().empty() ? "" : " (" + git_revision() + ")"));
  app.require_subcommand(1);
  app.footer("Examples:\n  carom demo\n  carom run double-pendulum --out runs/first\n  carom list systems");
  int code = done;
  add_demo(app, code);
  add_run(app, code);
  add_list(app, code);
  add_check(app, code);
  try {
    if (argc == 1) throw CLI::CallForHelp();
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    complain(word_usage_error(app, e, argc, argv) + "; see carom --help");
    return bad_scenario;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw FileError("write", "standard output", errno);
  return code;
}

}  // namespace
}  // namespace carom::cli

int main(int argc, char** argv) {
  using namespace carom;
  const auto fail = [](const std::exception& e, int code) {
    cli::complain(e.what());
    return code;
  };
  try {
    return cli::run_command_line(argc, argv);
  } catch (const ScenarioError& e) {
    return fail(e, cli::bad_scenario);
  } catch (const FolderError& e) {
    return fail(e, cli::file_trouble);
  } catch (const FileError& e) {
    return fail(e, cli::file_trouble);
  } catch (const std::exception& e) {
    return fail(e, cli::numerics_failed);
  }
}
