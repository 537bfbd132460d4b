// Completions for bash, zsh and fish.
#include "tools/manual/manual.h"

namespace hexproof::tools {
namespace {

std::string words(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& word : list) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// In single quotes of a shell; what `also` names gets a backslash in front.
std::string quoted(const std::string& text, const std::string& also = "") {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (c == '\n') {
      out += ' ';
    } else {
      if (also.find(c) != also.npos) out += '\\';
      out += c;
    }
  }
  return out + "'";
}

std::string names_of(const std::vector<CommandText>& commands) {
  std::vector<std::string> all;
  for (const CommandText& command : commands) all.push_back(command.name);
  return words(all);
}

}  // namespace

std::string bash_completion(const std::vector<CommandText>& commands) {
  std::string out =
      "# bash completion for hexproof\n_hexproof() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"" +
      names_of(commands) +
      " --help --version\" -- \"$word\"))\n    return\n  fi\n  case \"${COMP_WORDS[1]} $before\" in\n";
  for (const CommandText& command : commands) {
    for (const OptionText& option : command.options) {
      if (option.positional || option.choices.empty()) continue;
      for (const std::string& name : option.names) {
        out += "    \"" + command.name + " " + name + "\") COMPREPLY=($(compgen -W \"" + words(option.choices) +
               "\" -- \"$word\")); return ;;\n";
      }
    }
  }
  out +=
      "  esac\n  case \"$word\" in\n    -*) ;;\n    *) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n  esac\n"
      "  case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandText& command : commands) {
    std::vector<std::string> all;
    for (const OptionText& option : command.options) {
      if (!option.positional) all.insert(all.end(), option.names.begin(), option.names.end());
    }
    out += "    " + command.name + ") COMPREPLY=($(compgen -W \"" + words(all) + "\" -- \"$word\")) ;;\n";
  }
  return out + "  esac\n}\ncomplete -o filenames -F _hexproof hexproof\n";
}

std::string zsh_completion(const std::vector<CommandText>& commands) {
  std::string out =
      "#compdef hexproof\n_hexproof() {\n  local -a commands\n  if (( CURRENT == 2 )); then\n    commands=(\n";
  for (const CommandText& command : commands) {
    out += "      " + quoted(command.name + ":" + command.description) + "\n";
  }
  out +=
      "    )\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n  shift words\n"
      "  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandText& command : commands) {
    out += "    " + command.name + ")\n      _arguments \\\n";
    for (const OptionText& option : command.options) {
      if (option.positional) continue;
      for (const std::string& name : option.names) {
        out += "        " + quoted(name + "[", "") + quoted(option.description, "[]:\\") + "']";
        if (!option.value.empty()) {
          out += ":value:" + (option.choices.empty() ? std::string("_files") : "(" + words(option.choices) + ")");
        }
        out += "' \\\n";
      }
    }
    out += "        '*:file:_files' ;;\n";
  }
  return out + "  esac\n}\n_hexproof \"$@\"\n";
}

std::string fish_completion(const std::vector<CommandText>& commands) {
  std::string out = "# fish completion for hexproof\n";
  for (const CommandText& command : commands) {
    out += "complete -c hexproof -f -n __fish_use_subcommand -a " + command.name + " -d " +
           quoted(command.description, "\\") + "\n";
  }
  for (const CommandText& command : commands) {
    for (const OptionText& option : command.options) {
      if (option.positional) continue;
      out += "complete -c hexproof -n '__fish_seen_subcommand_from " + command.name + "'";
      for (const std::string& name : option.names) {
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.choices.empty()) {
        out += " -x -a " + quoted(words(option.choices));
      } else if (!option.value.empty()) {
        out += " -r";
      }
      out += " -d " + quoted(option.description, "\\") + "\n";
    }
  }
  return out;
}

}  // namespace hexproof::tools
