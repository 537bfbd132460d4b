// hexproof layout: what an index map does to a box: the new shape, the padding, and a picture of both.
#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/layout/drawing.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/schedule/reader.h"
#include "tools/command.h"
#include "tools/report.h"
#include "tools/suggest.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

struct LayoutOptions : Common {
  std::string shape, map, svg;
  SuggestOptions suggest;
};

/// "14", "n", "(16, n, 4)": numbers, and names of symbolic sizes.
std::vector<Expr> read_shape(const std::string& text) {
  auto file = std::make_shared<SourceFile>(SourceFile{"--shape", text});
  std::vector<Expr> shape;
  std::map<std::string, Expr> names;
  for (size_t at = 0; at < text.size();) {
    auto space = [&](char c) { return c == ' ' || c == ',' || c == '(' || c == ')' || c == '[' || c == ']'; };
    if (space(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && !space(text[end])) ++end;
    std::string word = text.substr(at, end - at);
    Span span{file, 1, static_cast<int>(at) + 1, static_cast<int>(word.size())};
    bool number = word.find_first_not_of("0123456789") == std::string::npos;
    bool name = !number && (std::isalpha(static_cast<unsigned char>(word[0])) || word[0] == '_');
    for (char c : word) name = name && (std::isalnum(static_cast<unsigned char>(c)) || c == '_');
    if (!number && !name) throw Error(span, "an extent is a number or a name");
    if (number && (word.size() > 10 || std::stoll(word) > 2147483647 || std::stoll(word) < 1)) {
      throw Error(span, "an extent is between 1 and 2147483647");
    }
    if (number) {
      shape.push_back(i32(std::stoll(word)));
    } else {
      shape.push_back(names.emplace(word, Expr(Var::fresh(word, kInt32))).first->second);
    }
    at = end;
  }
  if (shape.empty() || shape.size() > 64) throw Error(Span{file, 1, 1, 1}, "a shape has 1 to 64 extents");
  return shape;
}

std::string text_of(const std::vector<Expr>& shape) {
  std::string out;
  for (const Expr& e : shape) out += (out.empty() ? "" : ", ") + print(e);
  return "(" + out + (shape.size() == 1 ? ",)" : ")");
}

/// A function that has nothing but the buffer, and its symbolic sizes as scalars.
PrimFunc buffer_alone(const std::vector<Expr>& shape) {
  PrimFunc func;
  func.name = "layout";
  func.params = {{Var::fresh("a", kHandle), make_buffer("A", kInt8, shape)}};
  std::set<Var> seen;
  for (const Expr& e : shape) {
    if (e->op == Op::Var && seen.insert(e->var()).second) func.params.push_back({e->var(), {}});
  }
  func.body = empty_stmt();
  return func;
}

int layout(const LayoutOptions& o) {
  o.begin({.outputs = {{"--svg", o.svg}}});
  auto file = std::make_shared<SourceFile>(SourceFile{"--map", o.map});
  IndexMap map = read_index_map(file);
  std::vector<Expr> shape = read_shape(o.shape);
  api::Session session = o.session();
  Derivation derivation(buffer_alone(shape));
  Json report;
  report["map"] = print(map);
  report["shape"] = text_of(shape);
  try {
    derivation.apply(TransformLayoutArgs{.buffer = "A", .map = map}, session.prover());
  } catch (const NotApplicable& e) {
    std::string collides = map.inputs.size() == shape.size() ? symbolic_fault(map, shape) : "";
    if (collides.empty()) throw Error(Span{file, 1, 1, static_cast<int>(o.map.size())}, e.what());
    o.say("refused: no two logical indices may go to one cell: " + collides);
    report["collision"] = collides;
    write_report(report, kRefuted);
    return kRefuted;
  }
  const InterfaceChange change = derivation.interface().at(0);
  const Padding& padding = change.layers[0].padding;
  const std::vector<Expr>& new_shape = change.after()->shape;
  std::string predicate = "none";
  if (padding.predicate) predicate = print(IndexMap{padding.indices, {padding.predicate}, {}});
  report["transformed_shape"] = text_of(new_shape);
  report["padding"] = padding.predicate ? Json(predicate) : Json(nullptr);
  report["obligations"] = derivation.steps()[0].obligations.size();
  o.say("logical shape      " + text_of(shape));
  o.say("map                " + print(map));
  o.say("transformed shape  " + text_of(new_shape));
  o.say("padding            " + predicate);
  o.say("proved: " + tally(derivation).str());

  std::vector<int64_t> sizes, new_sizes;
  bool concrete = constant_shape(change.before(), &sizes) && constant_shape(change.after(), &new_sizes);
  std::vector<CellGrid> grids;
  if (concrete) {
    grids = {logical_cells(sizes), transformed_cells(map, sizes, new_sizes)};
    grids[1].title += padding.predicate && !grids[1].element.empty()
                          ? ", " + std::to_string(grids[1].padding()) + " cells of padding"
                          : "";
    for (const CellGrid& grid : grids) {
      std::string picture = draw_text(grid);
      picture.pop_back();  // `say` ends the line
      o.say("\n" + picture);
    }
  } else {
    o.say("(give numbers for the sizes to see it drawn)");
  }
  if (!o.svg.empty()) {
    if (!concrete) throw Error("--svg needs a shape of numbers");
    write_file(o.svg, draw_svg(grids));
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
  command->add_option("--svg", o->svg, "draw both index spaces into this file");
  auto* suggest = command->add_option("--suggest", o->suggest.file,
                                      "a program: find pad values for its buffer under which branches can go");
  suggest->excludes(shape);
  auto* block = command->add_option("--block", o->suggest.block, "with --suggest: the block that uses the buffer");
  auto* buffer = command->add_option("--buffer", o->suggest.buffer, "with --suggest: the name of the buffer");
  command->add_option("--function", o->suggest.function, "with --suggest: the function, when the file has several");
  suggest->needs(block)->needs(buffer);
  o->add_to(*command);
  command->callback([o, shape, &run] {
    if (!o->suggest.file.empty()) {
      o->suggest.map = o->map;
      run = [o] { return suggest_pad_values(*o, o->suggest); };
      return;
    }
    if (shape->count() == 0) throw CLI::RequiredError("--shape");
    run = [o] { return layout(*o); };
  });
}

}  // namespace hexproof::tools
