// carom complete: the answers behind the scripts of `carom completion`. Commands and options come from the
// table of CLI11, names from the tables of systems, methods, keys and scenarios; there is no list here.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "commands.hpp"
#include "import/import.hpp"
#include "model/model.hpp"
#include "papers.hpp"
#include "scenario/scenario_keys.hpp"
#include "scenario/scenario_text.hpp"
#include "scenario/shipped.hpp"

namespace carom::cli {
namespace {

// What the words before the last one say about it.
struct Position {
  const Argument* option = nullptr;  // whose value the last word is
  std::vector<std::string> arguments;
  std::set<std::string> used;  // options
};

struct Answer {
  std::string word, description = {};
};
using Answers = std::vector<Answer>;

bool optional(const Argument& option) { return option.value.starts_with("["); }

bool starts_number(const std::string& word) {
  return !word.empty() && (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '.');
}

const Argument* find(const std::vector<Argument>& options, const std::string& name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Argument& option) { return option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

Position position_after(const std::vector<std::string>& words, const Command& command) {
  Position here;
  for (const std::string& word : words) {
    const bool value = here.option && (!optional(*here.option) || starts_number(word));
    if (value) {
      here.option = nullptr;
    } else if (word.starts_with("-")) {
      here.used.insert(word.substr(0, word.find('=')));
      here.option = find(command.options, word);
      if (here.option && here.option->value.empty()) here.option = nullptr;
    } else {
      here.arguments.push_back(word);
    }
  }
  if (here.option && optional(*here.option)) here.option = nullptr;
  return here;
}

Answers methods_of(const std::vector<std::string>& kinds) {
  Answers r;
  for (const auto& method : known_methods())
    if (method.built && std::find(kinds.begin(), kinds.end(), method.kind) != kinds.end())
      r.push_back({method.name, method.summary});
  return r;
}

Answers systems() {
  Answers r;
  for (const Model& model : built_in_models()) r.push_back({model.name, model.summary});
  return r;
}

Answers scenarios() {
  Answers r;
  for (const auto& name : shipped_scenarios()) r.push_back({name});
  return r;
}

Answers sweeps() {
  Answers r;
  for (const auto& name : shipped_sweeps()) r.push_back({name});
  return r;
}

Answers problems() {
  Answers r;
  for (const auto& name : shipped_problems()) r.push_back({name});
  return r;
}

// Papers and their items, those on the line already left out; none where the papers are not built.
Answers items(const Position& here) {
  Answers r;
  const auto add = [&](std::string_view name, std::string_view description) {
    const auto& given = here.arguments;
    if (std::find(given.begin(), given.end(), name) == given.end())
      r.push_back({std::string(name), std::string(description)});
  };
  const papers::Module* module = find_papers();
  for (const papers::Paper& paper : module ? module->papers() : std::vector<papers::Paper>()) {
    add(paper.number, paper.title);
    for (const papers::Item& item : paper.items) add(item.name, item.title);
  }
  return r;
}

// What may stand behind "key="; nothing where any number will do.
Answers values_of(const std::string& key) {
  if (key == "method.flow") return methods_of({"flow"});
  if (key == "method.impact") return methods_of({"impact law"});
  if (key == "method.stepper") return methods_of({"stepper"});
  if (key == "method.reflection") return methods_of({"reflection"});
  if (key == "method.energy") return methods_of({"energy"});
  if (key == "method.scheme") return methods_of({"scheme"});
  if (key == "method.name") return methods_of({"short name", "flow", "impact law"});
  if (key == "system.name") return systems();
  if (key == "method.predictor") return {{"free"}, {"jointed"}};
  if (key == "method.constraints") return {{"exact"}, {"linearized"}, {"predicted"}};
  if (key == "initial.project") return {{"true"}, {"false"}};
  Answers r;
  if (key == "method.base")
    for (const auto& name : base_names) r.push_back({std::string(name)});
  return r;
}

// The keys below a table as "key=", without the table's name.
Answers keys_of(const std::string& table) {
  Answers r;
  for (const auto& key : detail::scenario_keys())
    if (key.name.starts_with(table)) r.push_back({key.name.substr(table.size()) + "="});
  return r;
}

// "system.parameters.m1=" and the keys of contacts for the scenario at hand, if there is one and it can be
// read.
Answers own_keys_of(const Position& here) {
  if (here.arguments.empty()) return {};
  const std::string key = "system.parameters.";
  Answers r;
  try {
    const Scenario scenario = read_scenario_or_robot(locate_scenario(here.arguments[0]), {});
    for (const Model& model : built_in_models())
      for (const auto& parameter : model.parameters)
        if (model.name == scenario.system.name)
          r.push_back({key + parameter.name + "=", parameter.word.empty()
                                                       ? fmt::format("default {}", parameter.value)
                                                       : fmt::format("default {}", parameter.word)});
    if (r.empty())
      for (const auto& [name, value] : scenario.system.parameters) r.push_back({key + name + "="});
    for (const auto& [name, contact] : scenario.system.contacts)
      for (const char* own :
           {"gap", "restitution", "when", "mu", "mu_kinetic", "slip", "slide", "point", "wall"})
        r.push_back({fmt::format("system.contacts.{}.{}=", detail::key_part(name), own)});
  } catch (const ScenarioError&) {
  }
  return r;
}

void append(Answers& list, const std::string& prefix, const Answers& more) {
  for (const auto& [word, description] : more)
    list.push_back({word.starts_with(":") ? word : prefix + word, description});
}

// "key=value,key=value" as --method takes it; a name alone where nothing stands before it.
Answers methods_for(const std::string& word) {
  const std::size_t comma = word.rfind(',');
  const std::string before = comma == std::string::npos ? "" : word.substr(0, comma + 1);
  const std::string last = word.substr(before.size());
  const std::size_t equals = last.find('=');
  Answers r;
  if (equals != std::string::npos) {
    append(r, before + last.substr(0, equals + 1), values_of("method." + last.substr(0, equals)));
    return r;
  }
  if (before.empty()) r = methods_of({"short name", "flow", "impact law"});
  append(r, before, keys_of("method."));
  return r;
}

Answers overrides_for(const std::string& word, const Position& here) {
  const std::size_t equals = word.find('=');
  Answers r;
  if (equals != std::string::npos) {
    append(r, word.substr(0, equals + 1), values_of(word.substr(0, equals)));
    return r;
  }
  r = keys_of("");
  append(r, "", own_keys_of(here));
  return r;
}

// One alternative of an argument's value, as the help names it: "FOLDER", "METHOD", or a word to be typed.
Answers answers_to(const std::string& value, const std::string& word, const Position& here) {
  if (value == "SCENARIO") {
    Answers r = scenarios();
    r.push_back({":files .toml"});
    return r;
  }
  if (value == "SWEEP") {
    Answers r = sweeps();
    r.push_back({":files .toml"});
    return r;
  }
  if (value == "PROBLEM") {
    Answers r = problems();
    r.push_back({":files .toml"});
    return r;
  }
  if (value == "ROBOT") return {{":files .xml"}, {":files .urdf"}};
  if (value == "KEY=VALUE") return overrides_for(word, here);
  if (value == "METHOD") return methods_for(word);
  if (value == "SYSTEM") return systems();
  if (value == "ITEM") return items(here);
  if (value == "FOLDER") return {{":folders"}};
  if (value.starts_with("FILE.")) return {{":files " + value.substr(4)}};
  const bool literal =
      std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::islower(c); });
  return literal ? Answers{{value}} : Answers{};
}

Answers answers_to(const Argument& argument, const std::string& word, const Position& here) {
  Answers r;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = argument.value.find('|', begin);
    append(r, "", answers_to(argument.value.substr(begin, end - begin), word, here));
  }
  return r;
}

Answers options_of(const Command& command, const Position& here) {
  Answers r;
  for (const Argument& option : command.options)
    if (option.repeatable || !here.used.contains(option.name)) r.push_back({option.name, option.description});
  return r;
}

Answers answers_within(const Command& command, const std::vector<std::string>& before,
                       const std::string& word) {
  const Position here = position_after(before, command);
  if (here.option) return answers_to(*here.option, word, here);
  const std::size_t equals = word.find('=');
  if (word.starts_with("--") && equals != std::string::npos) {
    const Argument* option = find(command.options, word.substr(0, equals));
    Answers r;
    if (option) append(r, word.substr(0, equals + 1), answers_to(*option, word.substr(equals + 1), here));
    return r;
  }
  const auto& places = command.positionals;
  const bool more = !places.empty() && (here.arguments.size() < places.size() || places.back().repeatable);
  if (word.starts_with("-") || !more) return options_of(command, here);
  return answers_to(places[std::min(here.arguments.size(), places.size() - 1)], word, here);
}

Answers answers_for(const std::vector<Command>& commands, const std::vector<std::string>& words) {
  if (words.size() > 1) {
    for (const Command& command : commands)
      if (command.name == words[0])
        return answers_within(command, {words.begin() + 1, words.end() - 1}, words.back());
    return {};
  }
  Answers r = {{"--help", "Print the help"}, {"--version", "Print the version"}};
  if (!words.empty() && words[0].starts_with("-")) return r;
  r.clear();
  for (const Command& command : commands) r.push_back({command.name, command.description});
  return r;
}

}  // namespace

int complete(const std::vector<Command>& commands, const std::vector<std::string>& words) {
  const std::string last = words.empty() ? "" : words.back();
  for (const auto& [word, description] : answers_for(commands, words))
    if (word.starts_with(":") || word.starts_with(last))
      fmt::print("{}{}{}\n", word, description.empty() ? "" : "\t", description);
  return done;
}

}  // namespace carom::cli
