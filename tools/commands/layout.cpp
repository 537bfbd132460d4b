// hexproof layout: what an index map does to a box: the new shape, the padding, and a picture of both.
#include "tools/api/layout.h"

#include "ir/base/codes.h"
#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"
#include "tools/command.h"
#include "tools/commands/suggest.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

struct LayoutOptions : Common {
  std::string shape, map, svg;
  SuggestOptions suggest;
};

int layout(const LayoutOptions& o) {
  o.begin({.outputs = {{"--svg", o.svg}}});
  auto file = std::make_shared<SourceFile>(SourceFile{"--map", o.map});
  IndexMap map = read_index_map(file);
  std::vector<Expr> shape = api::read_shape(o.shape);
  api::Session session = o.session();
  session.begin();
  Json report;
  report["map"] = print(map);
  report["shape"] = api::shape_text(shape);
  const api::LayoutFound found = api::layout(map, shape, session, Span{file, 1, 1, static_cast<int>(o.map.size())});
  if (!found.derivation) {
    o.say(kRefuted, "refused: no two logical indices may go to one cell: " + found.collision);
    o.say(kRefuted, code_line(Code::ConditionFalse));
    report["collision"] = found.collision;
    report["code"] = info(Code::ConditionFalse).id;
    write_report(report, kRefuted);
    return kRefuted;
  }
  report["transformed_shape"] = api::shape_text(found.new_shape);
  report["padding"] = found.padding ? Json(*found.padding) : Json(nullptr);
  report["obligations"] = found.derivation->steps()[0].obligations.size();
  o.say("logical shape      " + api::shape_text(shape));
  o.say("map                " + print(map));
  o.say("transformed shape  " + api::shape_text(found.new_shape));
  o.say("padding            " + found.padding.value_or("none"));
  o.say("proved: " + tally(*found.derivation).str());
  for (const CellGrid& grid : found.grids) {
    std::string picture = draw_text(grid);
    picture.pop_back();  // `say` ends the line
    o.say("\n" + picture);
  }
  if (found.grids.empty()) o.say("(give numbers for the sizes to see it drawn)");
  if (!o.svg.empty()) {
    if (found.drawing.empty()) throw Error("--svg needs a shape of numbers");
    write_output({"--svg", o.svg}, draw_svg(found.drawing));
  }
  write_report(report, kProved);
  return kProved;
}

}  // namespace

void add_layout(CLI::App& app, Run& run) {
  auto o = std::make_shared<LayoutOptions>();
  CLI::App* command = app.add_subcommand("layout", "show what an index map does to a shape: the new shape and padding");
  auto* shape =
      command->add_option("--shape", o->shape, "the logical shape: numbers and names, as in 14 or \"(n, 8)\"");
  command->add_option("--map", o->map, "the index map: \"lambda i: [i//4, i%4]\"")->required();
  auto* svg = command->add_option("--svg", o->svg, "draw both index spaces into this file");
  auto* suggest = command->add_option("--suggest", o->suggest.file,
                                      "a program: find pad values for its buffer under which branches can go");
  suggest->excludes(shape)->excludes(svg);
  auto* block = command->add_option("--block", o->suggest.block, "with --suggest: the block that uses the buffer");
  auto* buffer = command->add_option("--buffer", o->suggest.buffer, "with --suggest: the name of the buffer");
  command->add_option("--function", o->suggest.function, "with --suggest: the function, when the file has several");
  suggest->needs(block)->needs(buffer);
  o->add_to(*command);
  command->callback([o, shape, &run] {
    if (!o->suggest.file.empty()) {
      o->suggest.map = o->map;
      run = [o] { return coded(Code::Option, [&] { return suggest_pad_values(*o, o->suggest); }); };
      return;
    }
    if (shape->count() == 0) throw CLI::RequiredError("--shape");
    run = [o] { return coded(Code::Option, [&] { return layout(*o); }); };
  });
}

}  // namespace hexproof::tools
