#include "rewrite/layout/reindex.h"

#include <algorithm>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/kernel/engine_limit.h"
#include "rewrite/layout/box.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/site/buffers.h"

namespace hexproof {
namespace {

struct NestTerm {
  Expr e;
  bool negative;
};

void terms_of(const Expr& e, bool negative, std::vector<NestTerm>* terms) {
  if (!e->wraps && (e->op == Op::Add || e->op == Op::Sub)) {
    terms_of(e->args[0], negative, terms);
    terms_of(e->args[1], negative != (e->op == Op::Sub), terms);
  } else {
    terms->push_back({e, negative});
  }
}

/// A variable times a constant.
struct Scaled {
  Var var;
  int64_t scale = 1;
};
std::optional<Scaled> scaled_var(const Expr& e) {
  if (e->op == Op::Var) return Scaled{e->var(), 1};
  if (e->op != Op::Mul) return std::nullopt;
  for (size_t k : {0, 1}) {
    const int64_t* c = as_int(e->args[1 - k]);
    if (c && e->args[k]->op == Op::Var) return Scaled{e->args[k]->var(), *c};
  }
  return std::nullopt;
}

Expr plus(const Expr& a, int64_t c) { return c == 0 ? a : c > 0 ? a + i32(c) : a - i32(-c); }

/// The terms of a sum one by one, the constants of it as one behind them.
Expr constant_last(const Expr& e) {
  std::vector<NestTerm> terms;
  terms_of(e, false, &terms);
  Expr sum;
  Wide constant = 0;
  std::stable_partition(terms.begin(), terms.end(), [](const NestTerm& t) { return !t.negative; });
  for (const NestTerm& t : terms) {
    if (const int64_t* c = as_int(t.e)) {
      constant += t.negative ? -Wide(*c) : Wide(*c);
    } else if (sum) {
      sum = t.negative ? sum - t.e : sum + t.e;
    } else if (!t.negative) {
      sum = t.e;
    } else {
      return e;
    }
  }
  if (!sum || !fits_type(kInt32, constant) || constant == min_value(kInt32)) return e;
  return plus(sum, static_cast<int64_t>(constant));
}

/// The least value of an output, as far as it is seen.
int64_t least_of(const Expr& e, const std::vector<Var>& inputs, const std::vector<Expr>& shape) {
  constexpr int64_t kSample = int64_t(1) << 20;  // for a symbolic extent
  std::vector<int64_t> extents;
  for (const Expr& n : shape) extents.push_back(as_int(n) ? *as_int(n) : kSample);
  std::optional<std::vector<int64_t>> at =
      extreme_index(e, inputs, extents, false, std::vector<bool>(inputs.size(), false));
  std::optional<int64_t> value = at ? value_of(e, inputs, *at) : std::nullopt;
  return value && fits_type(kInt32, *value) && *value != min_value(kInt32) ? *value : 0;
}

/// What stands in the map for a replaced loop.
struct Input {
  const For* loop = nullptr;
  Var var;             // of the map
  int64_t scale = 1;   // the input is loop * scale + offset - shift
  Expr offset;         // over loops that stay; missing: none
  Expr shift;          // the least value, when that is not what the box starts at
  Expr extent;         // of the input
  bool fixed = false;  // scale and offset are known from an occurrence
};

class NestFinder {
 public:
  NestFinder(const Nest& nest, const std::vector<bool>& replaced) : nest_(nest) {
    for (size_t k = 0; k < nest.loops.size(); ++k) {
      const For& loop = nest.loops[k];
      if (loop.var.dtype() != kInt32) throw NotApplicable("a loop variable is no int32");
      if (!replaced[k]) {
        kept_.insert(loop.var);
        continue;
      }
      if (const int64_t* n = as_int(loop.extent); n && *n <= 0) throw NotApplicable("a loop never runs");
      Input input;
      input.loop = &loop;
      input.var = Var::fresh(loop.var.name(), kInt32);
      inputs_.push_back(std::move(input));
    }
  }

  Reindexing run(const std::vector<Expr>& indices, bool with_image) {
    Reindexing found;
    for (const Expr& index : indices) {
      bool used = std::any_of(inputs_.begin(), inputs_.end(), [&](const Input& i) { return uses(index, i); });
      if (used) found.index.push_back(index);
    }
    if (found.index.empty()) throw NotApplicable("the access depends on none of the loops to be replaced");
    for (const Expr& index : found.index) find_offsets(index);
    IndexMap map;
    std::vector<Expr> shape;
    for (Input& input : inputs_) {
      settle(input);
      map.inputs.push_back(input.var);
      shape.push_back(input.extent);
    }
    for (const Expr& index : found.index) {
      map.outputs.push_back(in_inputs(index));
      for (const Var& v : free_vars(map.outputs.back())) {
        if (std::find(map.inputs.begin(), map.inputs.end(), v) == map.inputs.end()) {
          throw EngineLimit("the index " + print(index) + " cannot be solved for the loops: it uses '" + v.name() +
                            "' in another way");
        }
      }
    }
    std::vector<int64_t> starts(map.outputs.size(), 0);
    auto [layout, fault] = layout_of(map, shape);
    if (!layout) {
      // The box starts at 0, the loops may start elsewhere.
      IndexMap shifted = map;
      for (size_t d = 0; d < starts.size(); ++d) {
        starts[d] = least_of(map.outputs[d], map.inputs, shape);
        shifted.outputs[d] = plus(map.outputs[d], -starts[d]);
      }
      layout = layout_of(shifted, shape).layout;
    }
    if (!layout) throw NotApplicable("the cells that " + print(map) + " visits are not known: " + fault);
    if (!layout->inverse) {
      throw NotApplicable("no inverse of " + print(map) + " is known: several iterations may visit one cell");
    }
    found.extents = layout->shape;
    VarMap cell;
    std::vector<std::string> names = output_names(map);
    for (size_t d = 0; d < names.size(); ++d) {
      found.vars.push_back(Var::fresh(names[d], kInt32));
      found.starts.push_back(i32(starts[d]));
      cell.emplace(layout->inverse->inputs[d], plus(Expr(found.vars[d]), -starts[d]));
    }
    if (with_image) {
      for (const Expr& c : conjuncts(substitute(layout->in_image, cell))) {
        if (!is_int(c, 1)) found.outer_guards.push_back(c);
      }
    }
    for (size_t k = 0; k < inputs_.size(); ++k)
      solve(inputs_[k], substitute(layout->inverse->outputs[k], cell), &found);
    return found;
  }

 private:
  static bool uses(const Expr& e, const Input& input) { return uses_var(e, input.loop->var); }
  Input* input_of(const Var& v) {
    for (Input& input : inputs_) {
      if (input.loop->var == v) return &input;
    }
    return nullptr;
  }

  /// The sum as `i * c + e` and the terms that are neither: the input, or null when the sum is not of that form.
  Input* split_sum(const Expr& sum, int64_t* scale, Expr* offset, std::vector<NestTerm>* rest) {
    std::vector<NestTerm> terms;
    terms_of(sum, false, &terms);
    Input* found = nullptr;
    for (const NestTerm& term : terms) {
      std::optional<Scaled> s = scaled_var(term.e);
      Input* input = s ? input_of(s->var) : nullptr;
      if (input && !found && s->scale > 0 && !term.negative) {
        found = input;
        *scale = s->scale;
      } else if (s && kept_.count(s->var)) {
        *offset = *offset ? (term.negative ? *offset - term.e : *offset + term.e)
                          : (term.negative ? i32(0) - term.e : term.e);
      } else if (as_int(term.e)) {
        rest->push_back(term);
      } else {
        return nullptr;
      }
    }
    return *offset ? found : nullptr;
  }

  void find_offsets(const Expr& e) {
    if (e->op == Op::Add || e->op == Op::Sub) {
      int64_t scale = 1;
      Expr offset;
      std::vector<NestTerm> rest;
      if (Input* input = split_sum(e, &scale, &offset, &rest)) {
        if (!input->fixed) {
          input->fixed = true;
          input->scale = scale;
          input->offset = offset;
        }
        return;
      }
    }
    for (const Expr& part : e->args) find_offsets(part);
  }

  /// The box of an input.
  void settle(Input& input) {
    const For& loop = *input.loop;
    if (!input.offset) {
      input.extent = loop.extent;
      if (!is_int(loop.min, 0)) input.shift = loop.min;
    } else {
      const int64_t* min = as_int(loop.min);
      if (!min) throw NotApplicable("loop '" + loop.var.name() + "' has no constant start");
      Wide least = Wide(input.scale) * *min, span = 1;
      std::vector<NestTerm> terms;
      terms_of(input.offset, false, &terms);
      for (const NestTerm& term : terms) {
        if (as_int(term.e)) continue;
        Scaled s = *scaled_var(term.e);
        const For& kept =
            *std::find_if(nest_.loops.begin(), nest_.loops.end(), [&](auto& f) { return f.var == s.var; });
        const int64_t *first = as_int(kept.min), *n = as_int(kept.extent);
        if (!first || !n || *n <= 0) throw NotApplicable("loop '" + s.var.name() + "' has no constant range");
        Wide c = term.negative ? -Wide(s.scale) : Wide(s.scale), steps = c * (*n - 1);
        least += c * *first + std::min<Wide>(steps, 0);
        span += steps < 0 ? -steps : steps;
      }
      Wide start = std::min<Wide>(least, 0);
      Wide behind = span - input.scale + least - start;  // the end is extent * scale + behind
      const int64_t* n = as_int(loop.extent);
      Wide last = n ? Wide(input.scale) * *n + behind : behind;
      if (!fits_type(kInt32, start) || !fits_type(kInt32, last) || !fits_type(kInt32, input.scale)) {
        throw NotApplicable("the range of an index is no int32");
      }
      Expr scaled = input.scale == 1 ? loop.extent : loop.extent * i32(input.scale);
      input.extent = n ? i32(static_cast<int64_t>(last)) : plus(scaled, static_cast<int64_t>(behind));
      if (start != 0) input.shift = i32(static_cast<int64_t>(start));
    }
    // What stands in the map for it.
    Expr value(input.var);
    input_values_[input.loop->var] = input.shift ? value + input.shift : value;
  }

  /// The index over the inputs of the map.
  Expr in_inputs(const Expr& e) {
    if (e->op == Op::Var) {
      Input* input = input_of(e->var());
      return input && !input->offset ? input_values_.at(e->var()) : e;
    }
    if (e->op == Op::Add || e->op == Op::Sub) {
      int64_t scale = 1;
      Expr offset;
      std::vector<NestTerm> rest;
      Input* input = split_sum(e, &scale, &offset, &rest);
      if (input && input->scale == scale && input->offset == offset) {
        Wide constant = 0;
        for (const NestTerm& t : rest) constant += t.negative ? -Wide(*as_int(t.e)) : Wide(*as_int(t.e));
        if (input->shift) constant += *as_int(input->shift);
        if (!fits_type(kInt32, constant)) return e;
        return plus(Expr(input->var), static_cast<int64_t>(constant));
      }
    }
    std::vector<Expr> args;
    for (const Expr& part : e->args) args.push_back(in_inputs(part));
    return e->args.empty() ? e : with_args(e, args);
  }

  /// The loop's value from that of its input.
  void solve(const Input& input, Expr value, Reindexing* found) const {
    const For& loop = *input.loop;
    if (input.shift) value = value + input.shift;
    if (input.offset) value = value - input.offset;
    value = constant_last(value);
    if (input.offset) {
      if (input.scale != 1) {
        found->inner_guards.push_back(eq(floormod(value, i32(input.scale)), i32(0)));
        value = floordiv(value, i32(input.scale));
      }
      found->inner_guards.push_back(ge(value, loop.min));
      found->inner_guards.push_back(lt(value, is_int(loop.min, 0) ? loop.extent : loop.min + loop.extent));
    }
    found->inverse.emplace(loop.var, value);
  }

  const Nest& nest_;
  std::set<Var> kept_;
  std::vector<Input> inputs_;
  std::map<Var, Expr> input_values_;
};

/// The nest and the indices over 32-bit variables, and the way back. Layouts are found in 32 bits; what is found is a
/// guess in any case, and is proved for the type that the loops have.
class Narrowed {
 public:
  explicit Narrowed(const Nest& nest) : nest_(nest) {
    for (For& loop : nest_.loops) {
      Var var = loop.var;
      loop.min = narrow(loop.min);
      loop.extent = narrow(loop.extent);
      loop.var = narrow(Expr(var))->var();
    }
  }

  const Nest& nest() const { return nest_; }
  Expr narrow(const Expr& e) {
    return rewrite_expr(e, [&](const Expr& node) -> Expr {
      if (node->op == Op::Var && node->dtype == kInt64) {
        return down_.try_emplace(node->var(), fresh_for(node->var())).first->second;
      }
      if (node->op == Op::IntImm && node->dtype == kInt64 && fits_type(kInt32, int_value(node))) {
        return i32(int_value(node));
      }
      const bool arithmetic = node->op == Op::Add || node->op == Op::Sub || node->op == Op::Mul ||
                              node->op == Op::FloorDiv || node->op == Op::FloorMod;
      if (arithmetic) return node;
      throw NotApplicable("an index of mixed or of too large integers: " + print(e));
    });
  }
  Reindexing widened(const Reindexing& found) {
    Reindexing out;
    for (const Var& v : found.vars) {
      out.vars.push_back(Var::fresh(v.name(), kInt64));
      up_.emplace(v, Expr(out.vars.back()));
    }
    out.index = wide(found.index);
    out.starts = wide(found.starts);
    out.extents = wide(found.extents);
    out.outer_guards = wide(found.outer_guards);
    out.inner_guards = wide(found.inner_guards);
    for (const auto& [var, e] : found.inverse) out.inverse.emplace(up_.at(var)->var(), wide({e})[0]);
    return out;
  }

 private:
  Expr fresh_for(const Var& var) {
    Var shadow = Var::fresh(var.name(), kInt32);
    up_.emplace(shadow, Expr(var));
    return Expr(shadow);
  }
  std::vector<Expr> wide(std::vector<Expr> list) const {
    for (Expr& e : list) e = retype_index(e, kInt64, up_);
    return list;
  }

  Nest nest_;
  std::map<Var, Expr> down_, up_;
};

}  // namespace

Reindexing reindexing_of(const Nest& nest, const std::vector<bool>& replaced, const std::vector<Expr>& indices,
                         bool with_image) {
  if (nest.loops.at(0).var.dtype() != kInt64) return NestFinder(nest, replaced).run(indices, with_image);
  Narrowed narrowed(nest);
  std::vector<Expr> narrow;
  for (const Expr& e : indices) narrow.push_back(narrowed.narrow(e));
  return narrowed.widened(NestFinder(narrowed.nest(), replaced).run(narrow, with_image));
}

}  // namespace hexproof
