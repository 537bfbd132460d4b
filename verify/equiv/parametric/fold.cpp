#include "verify/equiv/parametric/fold.h"

#include <algorithm>
#include <atomic>

#include "ir/arith_class.h"
#include "ir/base/mutant.h"

namespace hexproof::parametric {

namespace {

constexpr std::string_view kSameFunction = "same#";

std::string numbered(const char* name) {
  static std::atomic<uint64_t> next{1};
  return std::string(name) + "#" + std::to_string(next++);
}

}  // namespace

bool is_fold(const Expr& e) { return e->op == Op::Fold; }
bool is_choice(const Expr& e) { return e->op == Op::IfThenElse || e->op == Op::Select; }
Expr fresh_acc(DType type) { return uninterpreted(Op::Accumulator, type, numbered("acc"), {}); }
Expr unknown(const char* what, DType type) { return uninterpreted(Op::Opaque, type, numbered(what), {}); }
Expr any_value(const char* what, DType type) { return uninterpreted(Op::AnyValue, type, numbered(what), {}); }

Expr same_function(const std::string& name, DType type, std::vector<Expr> operands) {
  return uninterpreted(Op::Opaque, type, std::string(kSameFunction) + name, std::move(operands));
}

bool is_same_function(const Expr& e) { return e->op == Op::Opaque && e->text().starts_with(kSameFunction); }

std::string_view same_function_name(const Expr& e) { return std::string_view(e->text()).substr(kSameFunction.size()); }

bool of_one_moment(const Expr& e) {
  const bool any = e->op == Op::AnyValue;
  const bool other = is_uninterpreted(e->op) && !is_fold(e) && e->op != Op::Accumulator && !is_same_function(e);
  return any || HEXPROOF_MUTANT("equiv/value-of-one-moment", other, false);
}

Expr chosen(const Expr& term) {
  if (!chooses(term, {})) return term;
  return rewrite_expr(term, [](const Expr& e) { return e->op == Op::Undef ? any_value("undef", e->dtype) : e; });
}

Expr as_index(const Expr& e) {
  return rewrite_expr(e, [](const Expr& node) { return node->wraps ? with_class(node, false) : node; });
}

Expr replace(const Expr& e, const TermMap& map) {
  if (map.empty()) return e;
  return rewrite_expr(e, [&](const Expr& node) {
    if (node->op == Op::Var || (is_uninterpreted(node->op) && node->args.empty())) {
      for (const auto& [from, to] : map) {
        if (node == from) return to;
      }
    }
    return node;
  });
}

std::vector<Expr> replace(const std::vector<Expr>& list, const TermMap& map) {
  std::vector<Expr> out;
  for (const Expr& e : list) out.push_back(replace(e, map));
  return out;
}

LoopRange replace(const LoopRange& loop, const TermMap& map) {
  return {loop.var, replace(loop.min, map), replace(loop.extent, map), loop.kind};
}

bool mentions(const Expr& e, const Expr& leaf) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    found |= node == leaf;
    return !found;
  });
  return found;
}

bool Folds::holds_moment(const Expr& term) const {
  bool found = false;
  visit_nodes(term, [&](const Expr& e) {
    found |= of_one_moment(e) || (is_fold(e) && of(e).of_moment);
    return !found;
  });
  return found;
}

bool Folds::goes_by_moment(const Fold& fold) const {
  bool found = false;
  for (const LoopRange& loop : fold.loops) found |= holds_moment(loop.min) || holds_moment(loop.extent);
  for (const Expr& guard : fold.guards) found |= holds_moment(guard);
  return found;
}

Expr Folds::close(const Fold& fold) {
  std::vector<Expr> bound{fold.acc}, params;
  for (const LoopRange& loop : fold.loops) bound.push_back(Expr(loop.var));
  auto collect = [&](const Expr& e) {
    visit_nodes(e, [&](const Expr& node) {
      bool leaf = node->op == Op::Var || node->op == Op::Accumulator;
      if (leaf && std::find(bound.begin(), bound.end(), node) == bound.end() &&
          std::find(params.begin(), params.end(), node) == params.end()) {
        params.push_back(node);
      }
      return true;
    });
  };
  for (const LoopRange& loop : fold.loops) collect(loop.min), collect(loop.extent);
  for (const Expr& guard : fold.guards) collect(guard);
  collect(fold.step);
  std::vector<Expr> operands{fold.init};
  operands.insert(operands.end(), params.begin(), params.end());
  Closed closed{std::move(params), fold, holds_moment(fold.step) || goes_by_moment(fold)};
  closed.fold.init = Expr();
  closed_.push_back(std::move(closed));
  return uninterpreted(Op::Fold, fold.init->dtype, "fold#" + std::to_string(closed_.size() - 1), std::move(operands));
}

const Folds::Closed& Folds::of(const Expr& call) const { return closed_.at(std::stoul(call->text().substr(5))); }

Fold Folds::open(const Expr& call) {
  const Closed& closed = of(call);
  TermMap map;
  for (size_t i = 0; i < closed.params.size(); ++i) map.emplace_back(closed.params[i], call->args[i + 1]);
  Fold out;
  for (const LoopRange& loop : closed.fold.loops) {
    LoopRange mine = replace(loop, map);
    mine.var = Var::fresh(loop.var.name(), loop.var.dtype());
    map.emplace_back(Expr(loop.var), Expr(mine.var));
    out.loops.push_back(std::move(mine));
  }
  out.acc = fresh_acc(call->dtype);
  map.emplace_back(closed.fold.acc, out.acc);
  out.guards = replace(closed.fold.guards, map);
  out.step = replace(closed.fold.step, map);
  out.init = call->args[0];
  return out;
}

std::vector<Expr> domain(const Fold& f) {
  std::vector<Expr> out;
  for (const LoopRange& loop : f.loops) {
    for (Expr& e : range_of(loop)) out.push_back(std::move(e));
  }
  out.insert(out.end(), f.guards.begin(), f.guards.end());
  return out;
}

TermMap values(const Fold& f, const std::vector<Expr>& at) {
  TermMap out;
  for (size_t i = 0; i < f.loops.size(); ++i) out.emplace_back(Expr(f.loops[i].var), at[i]);
  return out;
}

}  // namespace hexproof::parametric
