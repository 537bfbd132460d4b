// hexproof explain HX0103: what an error means.
#include <cstdio>

#include "ir/base/codes.h"
#include "tools/command.h"

namespace hexproof::tools {
namespace {

/// docs/errors.md.
void print_page() {
  std::printf(
      "# Errors\n\nEvery error has a code, which stands below its message and in every report. `hexproof explain "
      "HX0103` "
      "prints what is said here. This page is\nmade of the table in the code by `hexproof explain --all`.\n");
  for (const CodeInfo& one : all_codes()) std::printf("\n## %s: %s\n%s\n", one.id, one.title, one.text);
}

}  // namespace

void add_explain(CLI::App& app, Run& run) {
  struct Options {
    std::string code;
    bool all = false;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("explain", "what an error means, by its code");
  command->add_option("CODE", o->code, "HX0103, say");
  command->add_flag("--all", o->all, "all of them, as Markdown");
  command->callback([o, &run] {
    run = [o]() -> int {
      if (o->all) {
        print_page();
        return kProved;
      }
      const CodeInfo* one = code_named(o->code);
      if (!one) {
        std::fprintf(stderr,
                     "error: there is no code '%.40s'; they are HX and four digits, and docs/errors.md lists them\n",
                     o->code.c_str());
        return kUsage;
      }
      std::printf("%s: %s\n\n%s\n", one->id, one->title, one->text);
      return kProved;
    };
  });
}

}  // namespace hexproof::tools
