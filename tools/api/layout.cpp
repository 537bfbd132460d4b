#include "tools/api/layout.h"

#include <set>

#include "ir/text/text.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/rules/args/buffers.h"

namespace hexproof::api {

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

std::string shape_text(const std::vector<Expr>& shape) {
  std::string out;
  for (const Expr& e : shape) out += (out.empty() ? "" : ", ") + print(e);
  return "(" + out + (shape.size() == 1 ? ",)" : ")");
}

namespace {
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
}  // namespace

LayoutFound layout(const IndexMap& map, const std::vector<Expr>& shape, Session& session, const Span& place) {
  LayoutFound found;
  Derivation derivation(buffer_alone(shape));
  try {
    derivation.apply(TransformLayoutArgs{.buffer = "A", .map = map}, session.prover());
  } catch (const NotApplicable& e) {
    found.collision = map.inputs.size() == shape.size() ? symbolic_fault(map, shape) : "";
    if (found.collision.empty()) throw Error(place, e.what());
    return found;
  }
  const InterfaceChange change = derivation.interface().at(0);
  const Padding& padding = change.layers[0].padding;
  found.new_shape = change.after()->shape;
  if (padding.predicate) found.padding = print(IndexMap{padding.indices, {padding.predicate}, {}});
  const std::optional<std::vector<int64_t>> sizes = constant_shape(change.before()),
                                            new_sizes = constant_shape(change.after());
  if (sizes && new_sizes) {
    found.grids = {logical_cells(*sizes), transformed_cells(map, *sizes, *new_sizes)};
    found.grids[1].title += padding.predicate && !found.grids[1].element.empty()
                                ? ", " + std::to_string(found.grids[1].padding()) + " cells of padding"
                                : "";
    const bool whole = !found.grids[0].element.empty() && !found.grids[1].element.empty();
    if (!whole) found.drawing = drawn_cells(map, *sizes, *new_sizes);
    if (found.drawing.empty()) found.drawing = found.grids;
  }
  found.derivation.emplace(std::move(derivation));
  return found;
}

}  // namespace hexproof::api
