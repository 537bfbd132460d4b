#include "verify/equiv/pair.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <set>

#include "ir/link/link.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "verify/equiv/infer.h"

namespace hexproof {
namespace {

std::string shape_text(const Buffer& buffer) {
  std::string out = "(";
  for (size_t d = 0; d < buffer->ndim(); ++d) out += (d ? ", " : "") + print(buffer->shape[d]);
  return out + ")";
}

/// Does the function change cells of it? (What a callee may read is written with what it holds: as_program.)
bool writes(const PrimFunc& func, const Buffer& buffer) {
  bool found = false;
  visit_stmt(func.body, [&](const Stmt& s) {
    const Store* store = s.as<Store>();
    found |= store && store->buffer->data == buffer->data && !(store->value == load(store->buffer, store->indices));
    return !found;
  });
  return found;
}

Expr parse_pad(const std::string& text, const Buffer& buffer) {
  DType type = buffer->dtype.element();
  std::string wrong = "the pad value '" + text + "' of " + buffer->name + " is no " + type.str();
  if (type.is_bool() && (text == "True" || text == "False")) return boolean(text == "True");
  char* end = nullptr;
  errno = 0;
  // (The library's readers skip blanks in front, and then take a sign for unsigned types, too.)
  if (text.empty() || std::isspace(static_cast<unsigned char>(text[0]))) throw Error(wrong);
  if (type.is_float()) {
    double value = std::strtod(text.c_str(), &end);
    const Expr pad = fimm(type, value);
    if (*end || (!std::isfinite(pad->float_value()) && (std::isfinite(value) || errno == ERANGE))) throw Error(wrong);
    return pad;
  }
  const bool negative = text[0] == '-';
  Wide value = negative ? Wide{std::strtoll(text.c_str(), &end, 10)} : Wide{std::strtoull(text.c_str(), &end, 10)};
  if (*end || errno == ERANGE || !fits_type(type, value)) throw Error(wrong);
  return imm(type, value);
}

/// Of each entry of a request, by its name: the arguments that took it.
using Used = std::map<std::string, std::set<Buffer>>;

/// The entry of a request for this buffer, by its name in `before` or in `after`.
template <class Map>
const typename Map::mapped_type* requested(const Map& map, const BufferPair& pair, Used* used) {
  for (const std::string& name : {pair.before->name, pair.after->name}) {
    if (auto it = map.find(name); it != map.end()) {
      (*used)[name].insert(pair.before);
      return &it->second;
    }
  }
  return nullptr;
}

IndexMap identity_map(const Buffer& buffer) {
  IndexMap map;
  for (size_t d = 0; d < buffer->ndim(); ++d) {
    map.inputs.push_back(Var::fresh("i" + std::to_string(d), kInt32));
    map.outputs.emplace_back(map.inputs.back());
  }
  return map;
}

/// Equal but for constants that differ; extents that are no constants are compared when there are sizes.
bool same_shape(const Buffer& a, const Buffer& b) {
  if (a->ndim() != b->ndim()) return false;
  for (size_t d = 0; d < a->ndim(); ++d) {
    const int64_t* x = as_int(a->shape[d]);
    const int64_t* y = as_int(b->shape[d]);
    if (x && y && *x != *y) return false;
  }
  return true;
}

void demand_map(const IndexMap& map, const BufferPair& pair) {
  auto say = [&](const std::string& what) { throw Error("the layout of " + pair.before->name + " " + what); };
  if (map.inputs.size() != pair.before->ndim()) {
    say("takes " + std::to_string(map.inputs.size()) + " indices, but the buffer has " +
        std::to_string(pair.before->ndim()));
  }
  if (map.outputs.size() != pair.after->ndim()) {
    say("gives " + std::to_string(map.outputs.size()) + " indices, but " + pair.after->name +
        " of the program after has " + std::to_string(pair.after->ndim()));
  }
}

class Pairing {
 public:
  Pairing(const RelationRequest& request, ProgramPair& out) : request_(request), out_(out) {}

  void buffer(const Buffer& before, const Buffer& after) {
    if (before->dtype != after->dtype) {
      throw Error("buffer " + before->name + " has elements of type " + before->dtype.str() + ", and " + after->name +
                  ", which stands in its place, " + after->dtype.str());
    }
    if (!before->dtype.is_scalar()) {
      throw Unsupported(
          out_.before.span,
          "to compare programs with vectors as elements of an argument, as buffer " + before->name + " has",
          "give it scalar elements and one axis more");
    }
    BufferPair pair{.before = before, .after = after, .map = {}};
    bool given = true;
    pair.written = writes(out_.before, before);
    if (const std::vector<LayoutChange>* layers = requested(request_.layers, pair, &used_layers_)) {
      take_layers(*layers, &pair);
      if (const bool* written = requested(request_.written, pair, &used_written_)) pair.written = *written;
    } else if (const IndexMap* map = requested(request_.layouts, pair, &used_layouts_)) {
      demand_map(*map, pair);
      pair.map = *map;
      pair.identity = false;
    } else if (same_shape(before, after)) {
      pair.map = identity_map(before);
      given = false;
    } else if (auto inferred = infer_layout(before, after)) {
      pair.map = *inferred;
      pair.identity = given = false;
      out_.notes.push_back("the layout of " + before->name + " is taken to be " + print(*inferred) + ", from " +
                           shape_text(before) + " to " + shape_text(after));
    } else {
      throw Error("buffer " + before->name + " has the shape " + shape_text(before) + ", and " + after->name +
                  ", which stands in its place, " + shape_text(after) + "; say how they correspond: --layout " +
                  before->name + "=lambda ...");
    }
    if (const std::string* pad = requested(request_.pads, pair, &used_pads_)) {
      if (pair.identity) throw Error("a pad value for " + before->name + ", whose layout does not change");
      if (!pair.layers.empty()) throw Error("two pad values for " + before->name);
      LayoutChange layer{
          .before = before, .after = after, .map = pair.map, .padding = {.kind = Padding::Kind::Undefined}};
      if (*pad != "undef") layer.padding = {.kind = Padding::Kind::Value, .value = parse_pad(*pad, before)};
      pair.layers.push_back(std::move(layer));
    }
    if (!pair.identity && pair.layers.empty()) {
      pair.layers.push_back(
          {.before = before, .after = after, .map = pair.map, .padding = {.kind = Padding::Kind::Unreadable}});
    }
    for (const std::string& name : request_.logical_only) {
      if (name != before->name && name != after->name) continue;
      pair.logical_only = true;
      used_logical_[name].insert(before);
    }
    bind_shape(pair);
    demand_same_spacing(before, after, given);
    out_.buffers.push_back(std::move(pair));
  }

  void demand_all_used() const {
    for (const auto& [name, map] : request_.layouts) demand_used(used_layouts_, name);
    for (const auto& [name, layers] : request_.layers) demand_used(used_layers_, name);
    for (const auto& [name, written] : request_.written) demand_used(used_written_, name);
    for (const auto& [name, pad] : request_.pads) demand_used(used_pads_, name);
    for (const std::string& name : request_.logical_only) demand_used(used_logical_, name);
  }

 private:
  /// Each entry speaks of one argument, which may have one name before and another after.
  static void demand_used(const Used& used, const std::string& name) {
    auto it = used.find(name);
    if (it == used.end()) throw Error("no buffer parameter is named '" + name + "'");
    if (it->second.size() == 1) return;
    throw Error("'" + name +
                "' names one argument in the program before and another in the one after; rename one of them");
  }

  /// The layers lead from the buffer before to the one after.
  static void take_layers(const std::vector<LayoutChange>& layers, BufferPair* pair) {
    auto say = [&](const std::string& what) { throw Error("the layout of " + pair->before->name + " " + what); };
    if (layers.empty()) say("has no layers");
    pair->map = layers[0].map;
    pair->layers = layers;
    pair->identity = false;
    size_t axes = pair->before->ndim();
    for (size_t k = 0; k < layers.size(); ++k) {
      const LayoutChange& layer = layers[k];
      if (layer.map.inputs.size() != axes || layer.map.outputs.size() != layer.after->ndim()) {
        say("does not fit its boxes: layer " + std::to_string(k + 1));
      }
      if (layer.padding.kind == Padding::Kind::Value &&
          (!layer.padding.value || layer.padding.value->dtype != pair->before->dtype)) {
        say("has a pad value that is no " + pair->before->dtype.str());
      }
      axes = layer.after->ndim();
      if (k > 0) pair->map.outputs = layer.map.apply(pair->map.outputs);
    }
    if (axes != pair->after->ndim() || !same_shape(layers.back().after, pair->after))
      say("does not lead to " + pair->after->name);
  }

  /// Shape variables of `after` that stand alone as an extent get their value from the shape of `before`.
  void bind_shape(const BufferPair& pair) {
    std::vector<std::optional<Expr>> extents = extents_of_image(pair.map, pair.before->shape);
    for (size_t d = 0; d < pair.after->ndim(); ++d) {
      const Expr& extent = pair.after->shape[d];
      if (extent->op != Op::Var || out_.after_scalars.count(extent->var()) || !extents[d]) continue;
      Expr value = *extents[d];
      if (value->dtype != extent->dtype) value = cast(extent->dtype, value);
      out_.after_scalars.emplace(extent->var(), value);
    }
  }

  /// Neighbours lie as far from each other in the caller's memory, and the first elements at one place; it is memory of
  /// one kind, and has the same dimensions unless a layout was given.
  void demand_same_spacing(const Buffer& before, const Buffer& after, bool given) const {
    auto here = [&](const Expr& e) { return as_int(e) ? imm(kInt64, *as_int(e)) : substitute(e, out_.after_scalars); };
    auto same = [&](const Expr& a, const Expr& b) { return a == b || here(a) == here(b); };
    const Expr from = before->elem_offset ? before->elem_offset : i32(0);
    const Expr to = after->elem_offset ? after->elem_offset : i32(0);
    const bool alike = before->scope == after->scope && (given || before->axis_separators == after->axis_separators);
    if (alike && same(from, to) &&
        std::equal(before->strides.begin(), before->strides.end(), after->strides.begin(), after->strides.end(),
                   same)) {
      return;
    }
    throw Error(
        "buffer " + before->name + " and " + after->name +
        ", which stands in its place, have other strides, another offset, other axis separators or another scope: "
        "a caller of the one cannot call the other");
  }

  const RelationRequest& request_;
  ProgramPair& out_;
  Used used_layouts_, used_layers_, used_written_, used_pads_, used_logical_;
};

}  // namespace

bool BufferPair::pads_with_value() const {
  return std::any_of(layers.begin(), layers.end(),
                     [](const LayoutChange& l) { return l.padding.kind == Padding::Kind::Value; });
}

ProgramPair pair_programs(const PrimFunc& before, const PrimFunc& after, const RelationRequest& request) {
  demand_no_calls(before), demand_no_calls(after);
  if (before.params.size() != after.params.size()) {
    throw Error("the programs have different numbers of parameters: " + std::to_string(before.params.size()) + " and " +
                std::to_string(after.params.size()));
  }
  const std::vector<std::string> granted = before.granted_flags();
  for (const std::string& flag : after.granted_flags()) {
    if (std::find(granted.begin(), granted.end(), flag) != granted.end()) continue;
    throw Error(after.span, "the program after grants '" + flag + "', which the one before does not",
                "it may give results that the one before never gives: grant the flag in both");
  }
  ProgramPair out{.before = before, .after = after, .buffers = {}, .scalars = {}, .after_scalars = {}, .notes = {}};
  for (size_t p = 0; p < before.params.size(); ++p) {
    const Param& a = before.params[p];
    const Param& b = after.params[p];
    if (!a.buffer != !b.buffer) {
      throw Error("parameter " + std::to_string(p + 1) + " is a " + (a.buffer ? "buffer" : "number") +
                  " in the program before and a " + (b.buffer ? "buffer" : "number") + " in the one after");
    }
    if (a.buffer) continue;
    if (a.var.dtype() != b.var.dtype()) {
      throw Error("parameter " + a.var.name() + " is of type " + a.var.dtype().str() + ", and " + b.var.name() +
                  ", which stands in its place, of type " + b.var.dtype().str());
    }
    out.scalars.emplace_back(a.var, b.var);
    out.after_scalars.emplace(b.var, Expr(a.var));
  }
  Pairing pairing(request, out);
  for (size_t p = 0; p < before.params.size(); ++p) {
    if (before.params[p].buffer) pairing.buffer(before.params[p].buffer, after.params[p].buffer);
  }
  pairing.demand_all_used();
  if (is_concrete(out) && !instantiate(out, {})) {
    throw Error("the shapes of the two programs do not fit each other, or a buffer has more than 2^28 elements");
  }
  return out;
}

bool is_concrete(const ProgramPair& pair) { return pair.before.scalars().empty() && pair.after.scalars().empty(); }

std::vector<int64_t> parameter_values(const PrimFunc& func, const std::vector<int64_t>& scalars) {
  std::vector<int64_t> out;
  size_t count = 0;
  for (const Param& p : func.params) count += p.buffer ? 0 : 1;
  // PrimFunc::scalars() lists the parameters first.
  out.assign(scalars.begin(), scalars.begin() + static_cast<std::ptrdiff_t>(std::min(count, scalars.size())));
  return out;
}

std::vector<std::vector<int64_t>> small_sizes(const ProgramPair& pair, int count) {
  std::vector<Var> vars = pair.before.scalars();
  if (vars.empty()) return {{}};
  const std::vector<int64_t> sizes = {1, 2, 3, 0, 4, 5, 7, 8}, numbers = {1, 2, 0, -1, 3, 5, -4, 8};
  size_t parameters = 0;
  for (const Param& p : pair.before.params) parameters += p.buffer ? 0 : 1;
  std::vector<std::vector<int64_t>> out;
  auto add = [&](std::vector<int64_t> list) {
    if (std::find(out.begin(), out.end(), list) == out.end()) out.push_back(std::move(list));
  };
  add(std::vector<int64_t>(vars.size(), 2));
  for (size_t t = 0; t < 3 * sizes.size(); ++t) {
    std::vector<int64_t> list;
    for (size_t k = 0; k < vars.size(); ++k) {
      // Unequal sizes come early: one goes up while the other goes round by threes.
      size_t at = (t * (2 * k + 1) + k + t / sizes.size() * k) % sizes.size();
      list.push_back(k < parameters ? numbers[at] : sizes[at]);
    }
    add(std::move(list));
    if (t == 3) add(std::vector<int64_t>(vars.size(), 0));
  }
  if (out.size() > static_cast<size_t>(count)) out.resize(static_cast<size_t>(count));
  return out;
}

}  // namespace hexproof
