// hexproof manual man|bash|zsh|fish: what packages install beside the command.
#include "tools/manual/manual.h"

#include <algorithm>

namespace hexproof::tools {
namespace {

/// The words in braces of "TEXT:{host,hexagon}".
std::vector<std::string> choices_of(const std::string& type) {
  std::vector<std::string> out;
  const size_t from = type.find('{'), to = type.find('}');
  if (from == type.npos || to == type.npos) return out;
  std::string word;
  for (char c : type.substr(from + 1, to - from - 1) + ",") {
    if (c == ',') {
      if (!word.empty()) out.push_back(std::exchange(word, ""));
    } else if (c != ' ') {
      word += c;
    }
  }
  return out;
}

/// "FILE" of "TEXT:FILE"; the choices, where there are some.
std::string value_of(const CLI::Option& option, const std::vector<std::string>& choices) {
  if (option.get_items_expected_max() == 0) return "";
  if (!choices.empty()) {
    std::string out;
    for (const std::string& one : choices) out += (out.empty() ? "" : "|") + one;
    return out;
  }
  const std::string type = option.get_type_name();
  const std::string plain = type.substr(0, type.find_first_of(":{ "));
  return plain == "UINT" || plain == "INT" ? "N" : plain == "FLOAT" ? "NUMBER" : "VALUE";
}

}  // namespace

std::vector<CommandText> command_texts(const CLI::App& app) {
  std::vector<CommandText> out;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    CommandText text{command->get_name(), command->get_description(), {}};
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_group().empty() && !option->get_positional()) continue;
      OptionText one;
      one.choices = choices_of(option->get_type_name());
      one.value = value_of(*option, one.choices);
      one.description = option->get_description();
      one.positional = option->get_positional();
      one.required = option->get_required();
      for (const std::string& name : option->get_snames()) one.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) one.names.push_back("--" + name);
      if (one.positional) one.names = {option->get_name(true)};
      text.options.push_back(std::move(one));
    }
    std::stable_partition(text.options.begin(), text.options.end(), [](const OptionText& o) { return o.positional; });
    out.push_back(std::move(text));
  }
  std::sort(out.begin(), out.end(), [](const CommandText& a, const CommandText& b) { return a.name < b.name; });
  return out;
}

void add_manual(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("manual", "print the man page, or completions for a shell");
  command->group("");  // of packages: not in the help
  auto kind = std::make_shared<std::string>();
  command->add_option("KIND", *kind, "man, bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"man", "bash", "zsh", "fish"}));
  command->callback([kind, &app, &run] {
    run = [kind, &app] {
      const std::vector<CommandText> all = command_texts(app);
      const std::string text = *kind == "man"    ? manual_page(all)
                               : *kind == "bash" ? bash_completion(all)
                               : *kind == "zsh"  ? zsh_completion(all)
                                                 : fish_completion(all);
      std::fputs(text.c_str(), stdout);
      return +kProved;
    };
  });
}

}  // namespace hexproof::tools
