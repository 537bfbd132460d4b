// hexproof explain HX0103: what an error means.
#include <cstdio>

#include "ir/base/codes.h"
#include "tools/command.h"
#include "tools/reports/report.h"

namespace hexproof::tools {
namespace {

/// docs/errors.md.
std::string page() {
  std::string out =
      "# Errors\n\nEvery error has a code, which stands below its message and in every report. `hexproof explain "
      "HX0103` "
      "prints what is said here. This page is\nmade of the table in the code by `hexproof explain --all`.\n";
  for (const CodeInfo& one : all_codes()) {
    out += std::string("\n## ") + one.id + ": " + one.title + "\n" + one.text + "\n";
  }
  out.pop_back();  // a line is ended where it is printed
  return out;
}

Json to_json(const CodeInfo& one) { return {{"code", one.id}, {"title", one.title}, {"text", one.text}}; }

}  // namespace

void add_explain(CLI::App& app, Run& run) {
  struct Options : Common {
    std::string code;
    bool all = false;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("explain", "what an error means, by its code");
  command->add_option("CODE", o->code, "HX0103, say");
  command->add_flag("--all", o->all, "all of them, as Markdown");
  o->add_json_to(*command);
  command->callback([o, &run] {
    run = [o]() -> int {
      const CodeInfo* one = code_named(o->code);
      if (!one && !o->all) {
        std::fprintf(
            stderr, "error: there is no code '%.40s'; they are HX and four digits, and docs/errors.md lists them\n%s\n",
            o->code.c_str(), code_line(Code::Usage).c_str());
        return kUsage;
      }
      o->begin({});
      Json codes = Json::array();
      if (o->all) {
        for (const CodeInfo& each : all_codes()) codes.push_back(to_json(each));
      } else {
        codes.push_back(to_json(*one));
      }
      o->say(o->all ? page() : std::string(one->id) + ": " + one->title + "\n\n" + one->text);
      write_report({{"verdict", "listed"}, {"codes", codes}}, kProved);
      return kProved;
    };
  });
}

}  // namespace hexproof::tools
