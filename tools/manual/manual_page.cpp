// The man page, in roff.
#include "tools/api/version.h"
#include "tools/manual/manual.h"

namespace hexproof::tools {
namespace {

std::string roff(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\n') {
      out += "\n.br\n";
    } else {
      out += c;
    }
  }
  return out.starts_with(".") || out.starts_with("'") ? "\\&" + out : out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "\\fB" : ", \\fB") + roff(word) + "\\fR";
  return out;
}

struct ExitText {
  int code;
  const char* meaning;
};
constexpr ExitText kExits[] = {
    {kProved, "proved: everything asked holds"},
    {kUsage, "wrong usage"},
    {kBadInput, "the input does not parse, does not type-check, or cannot be read or written"},
    {kUndecided, "undecided: some obligation stayed open; the output says which and why"},
    {kInternal, "a bug of hexproof"},
    {kRefuted, "refuted: a counterexample is printed; it was replayed in the interpreter"},
    {kVacuous, "vacuous: the assumes contradict each other, so nothing was shown"},
    {kRejected, "rejected: a certificate does not check, or two readings of a program disagree"},
    {kUnsupported, "unsupported: a construct that hexproof does not model"},
    {kInterrupted, "interrupted; nothing was written"},
};

}  // namespace

std::string manual_page(const std::vector<CommandText>& commands) {
  std::string out =
      ".TH HEXPROOF 1 \"\" \"" + roff(version_text().substr(0, version_text().find('\n'))) +
      "\" \"User Commands\"\n.SH NAME\nhexproof \\- transforms tensor programs by rules and proves that "
      "it may\n.SH SYNOPSIS\n.B hexproof\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n.br\n.B hexproof\n\\fICOMMAND\\fR "
      "\\fB\\-\\-help\\fR\n.SH DESCRIPTION\nReads programs in TVM's loop language (TVMScript), proves them "
      "free of errors, transforms them by schedules with every step proved, and emits certified kernels.\n"
      ".SH COMMANDS\n";
  for (const CommandText& command : commands) {
    out += ".SS hexproof " + roff(command.name);
    for (const OptionText& option : command.options) {
      if (option.positional)
        out += (option.required ? " " : " [") + roff(option.names[0]) + (option.required ? "" : "]");
    }
    out += "\n" + roff(command.description) + ".\n";
    for (const OptionText& option : command.options) {
      out += ".TP\n" + joined(option.names);
      if (!option.positional && !option.value.empty()) out += " \\fI" + roff(option.value) + "\\fR";
      out += "\n" + roff(option.description) + "\n";
    }
  }
  out += ".SH EXIT STATUS\n";
  for (const ExitText& one : kExits) out += ".TP\n.B " + std::to_string(one.code) + "\n" + roff(one.meaning) + "\n";
  out +=
      ".SH FILES\n.TP\n.I $XDG_CACHE_HOME/hexproof/proofs.sqlite\nproofs of earlier runs, or below "
      ".I ~/.cache ;\nit may be deleted at any time\n.SH SEE ALSO\n\\fBhexproof\\-check\\fR looks at a certificate "
      "without any of hexproof's rules, with an SMT\\-LIB solver of your choice:\n.br\n\\fBhexproof\\-check\\fR "
      "\\fIDIR\\fR [\\fB\\-\\-solver\\fR \\(dqcvc5 \\-\\-lang=smt2\\(dq] [\\fB\\-\\-seconds\\fR \\fIN\\fR]\n";
  return out;
}

}  // namespace hexproof::tools
