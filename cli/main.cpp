// The command line: parses it, calls one subcommand, and turns errors into one line and an exit code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "files/files.hpp"
#include "given_command.hpp"
#include "interrupt.hpp"
#include "papers.hpp"
#include "parse.hpp"
#include "records/run_folder.hpp"
#include "records/summary.hpp"
#include "records/table.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/suggest.hpp"
#include "terminal.hpp"

namespace carom::cli {
namespace {

// One line on standard error, fit for a terminal whatever the user typed.
void complain(const std::string& what) {
  fmt::print(stderr, "{} {}\n", Ink(stderr).red("carom:"), detail::clipped(what, 1900));
}

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names;
  for (const Argument& option : command.options) names.push_back(option.name);
  return names;
}

// An option before the command is unknown, or stands in the wrong place.
std::string word_early_option(const std::string& word, const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    const auto names = option_names(command);
    if (std::find(names.begin(), names.end(), word) != names.end())
      return fmt::format("\"{}\" belongs after the command, as in carom {} {}", word, command.name, word);
  }
  return fmt::format("no option is called \"{:.60}\"{}", word, suggestion(word, {"--help", "--version"}));
}

std::string word_leftover(const std::string& word, const Command& command) {
  if (word.size() < 2 || word[0] != '-') return fmt::format("the argument \"{:.60}\" is one too many", word);
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("carom {} has no option \"{:.60}\"{}", command.name, name,
                     suggestion(name, option_names(command)));
}

// CLI11's own complaints name the rest of the line; ours name the word that is wrong, and the nearest right
// one. Empty where nothing is wrong with the first word.
std::string word_first_error(const std::string& first, const std::vector<Command>& commands) {
  const auto names = names_of(commands);
  if (std::find(names.begin(), names.end(), first) != names.end()) return "";
  if (first == "-h" || first == "--help" || first == "--version") return "";
  if (first.starts_with("-")) return word_early_option(first, commands);
  for (const char* builds : {"test", "python", "render", "bench"})
    if (first == builds)
      return fmt::format("\"{0}\" is for the launcher in carom's source folder, as ./carom {0}", first);
  return fmt::format("no command is called \"{:.60}\"{}", first, suggestion(first, names));
}

std::string word_usage_error(const CLI::App& app, const CLI::ParseError& e, const std::string& first) {
  for (const Command& command : describe(app)) {
    if (command.name != first) continue;
    const auto leftovers = app.get_subcommand(first)->remaining();
    if (!leftovers.empty()) return word_leftover(leftovers.front(), command);
  }
  return e.what();
}

int refuse(const std::string& what, const std::string& command) {
  complain(fmt::format("{}{} carom {}--help", what, what.ends_with("?") ? " See" : "; see", command));
  return bad_scenario;
}

void set_up(CLI::App& app, int& code) {
  app.name("carom");
  app.set_version_flag("--version", version() + (git_revision().empty() ? "" : " (" + git_revision() + ")"));
  app.require_subcommand(1);
  app.footer("Examples:\n  carom demo\n  carom run double-pendulum --out runs/first\n  carom list systems");
  add_commands(app, code);
}

int run_command_line(const std::vector<std::string>& words) {
  CLI::App app{
      "Mechanical systems with impacts, contact and joints, by integrators that keep the structure of "
      "mechanics."};
  int code = done;
  set_up(app, code);
  const std::string first = words.empty() ? "--help" : words[0];
  if (first == "complete") return complete(describe(app), {words.begin() + 1, words.end()});
  const std::string wrong = word_first_error(first, describe(app));
  if (!wrong.empty()) return refuse(wrong, "");
  try {
    if (words.empty()) throw CLI::CallForHelp();
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& e) {
    std::ostringstream text;
    app.exit(e, text);
    fmt::print("{}", text.str());
  } catch (const CLI::ParseError& e) {
    return refuse(word_usage_error(app, e, first), first.starts_with("-") ? "" : first + " ");
  }
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
  cli::end_on_signals();
  try {
    cli::keep_command({argv + 1, argv + argc});
    const int code = cli::run_command_line(cli::normalized({argv + 1, argv + argc}));
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw FileError("write", "standard output", errno);
    return code;
  } catch (const ScenarioError& e) {
    return fail(e, cli::bad_scenario);
  } catch (const FolderError& e) {
    return fail(e, cli::file_trouble);
  } catch (const FileError& e) {
    return fail(e, cli::file_trouble);
  } catch (const cli::ModuleError& e) {
    return fail(e, cli::file_trouble);
  } catch (const RecordError& e) {
    return fail(e, cli::file_trouble);
  } catch (const std::exception& e) {
    return fail(e, cli::numerics_failed);
  }
}
