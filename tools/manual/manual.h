// The command line as data, from the definitions that make the help: what the man page and the completions are made of.
#pragma once
#include <string>
#include <vector>

#include "tools/command.h"

namespace hexproof::tools {

struct OptionText {
  std::vector<std::string> names;  // "--json", "-o"; of a positional one its name alone
  std::string value;               // what stands behind it; empty: a flag
  std::string description;
  std::vector<std::string> choices;
  bool positional = false, required = false;
};
struct CommandText {
  std::string name, description;
  std::vector<OptionText> options;
};
/// All commands that the help lists, by name.
std::vector<CommandText> command_texts(const CLI::App& app);

std::string manual_page(const std::vector<CommandText>& commands);
std::string bash_completion(const std::vector<CommandText>& commands);
std::string zsh_completion(const std::vector<CommandText>& commands);
std::string fish_completion(const std::vector<CommandText>& commands);

}  // namespace hexproof::tools
