#include "verify/prove/open_rounding.h"

#include <algorithm>
#include <optional>

#include "ir/base/mutant.h"
#include "ir/evaluation.h"
#include "ir/interpreter/math.h"
#include "ir/op.h"
#include "ir/visit.h"
#include "verify/prove/made_by.h"
#include "verify/prove/opaque_name.h"

namespace hexproof {

namespace {

/// A number that no arithmetic on floats made: nothing is regrouped or fused with it.
bool is_number(const Expr& e, const OpenRounding& open) {
  if (e->op == Op::FloatImm) return true;
  if (e->op == Op::Broadcast || e->op == Op::Likely) return is_number(e->args[0], open);
  if (e->op == Op::Cast) return !e->args[0]->dtype.is_float() || is_number(e->args[0], open);
  if (e->op == Op::Load) return open.numbers.count(e->buffer()->data) > 0;
  return e->op == Op::Var && open.numbers.count(e->var()) > 0;
}

bool is_nonzero_constant(const Expr& e) { return e->op == Op::FloatImm && e->float_value() != 0; }

std::string flags_that_open(const OpenRounding& open) {
  std::string out;
  for (auto [granted, name] :
       {std::pair{open.contract, "`contract`"}, std::pair{open.reassoc, "`reassoc`"}, std::pair{open.nsz, "`nsz`"}}) {
    if (granted) out += (out.empty() ? "" : " ") + std::string(name);
  }
  return out;
}

bool holds_open(const Expr& e, const OpenRounding& open) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    found = found || is_left_open(node, open);
    return !found;
  });
  return found;
}

/// Occurrence by occurrence, also where two of them share a node.
struct Opening {
  const OpenRounding& open;
  int* next;
  Expr operator()(const Expr& e) const {
    if (!holds_open(e, open)) return e;
    std::vector<Expr> args;
    for (const Expr& arg : e->args) args.push_back((*this)(arg));
    if (!is_left_open(e, open)) return with_args(e, std::move(args));
    const std::string what = e->op == Op::Call ? e->text() : std::string(info(e->op).name);
    const int number = (*next)++;
    const Expr any = uninterpreted(Op::Opaque, e->dtype, opaque_name(OpaqueKind::Rounded, number, what), args);
    if (open.reassoc || (e->op != Op::Add && e->op != Op::Sub) || !e->dtype.is_scalar()) return any;
    // A product is fused with a zero: it is rounded as by itself, but for the sign of a zero. One of another format is
    // fused before it is rounded to its own.
    if (!open.one_format) return any;
    const size_t zero_at = is_number(e->args[1], open) ? 1 : 0;
    if (!is_number(e->args[zero_at], open) || (e->op == Op::Sub && zero_at == 0)) return any;
    const Expr zero = fimm(e->dtype, 0.0), &x = args[1 - zero_at];
    const Expr some_zero = if_then_else(
        uninterpreted(Op::Opaque, kBool, opaque_name(OpaqueKind::SignOfZero, number), {}), zero, fimm(e->dtype, -0.0));
    return if_then_else(eq(args[zero_at], zero), if_then_else(eq(x, zero), some_zero, x), any);
  }
};

}  // namespace

bool sees_sign_of_zero(const std::string& name, DType type, std::span<const DType> operands, bool nonzero_last) {
  const bool floats = std::any_of(operands.begin(), operands.end(), [](DType t) { return t.is_float(); });
  if (!floats) return false;
  if (!is_modelled(name, type, operands)) return true;
  if (base_name(name) == "copysign") return !nonzero_last;
  // At zeros of two signs these have one value, or zeros of two signs. Of a function that nobody knows, nothing is
  // known.
  static const std::set<std::string_view> kBlind = {
      "exp",   "exp2", "exp10", "log",   "log2",      "log10", "log1p", "sqrt",  "sin",   "cos",     "tan",  "asin",
      "acos",  "atan", "sinh",  "cosh",  "tanh",      "asinh", "acosh", "atanh", "erf",   "sigmoid", "fabs", "abs",
      "floor", "ceil", "round", "trunc", "nearbyint", "fmod",  "hypot", "isnan", "isinf", "isfinite"};
  return kBlind.count(base_name(name)) == 0;
}

namespace {
bool call_sees_sign(const Expr& call) {
  std::vector<DType> types;
  for (const Expr& arg : call->args) types.push_back(arg->dtype);
  return sees_sign_of_zero(call->text(), call->dtype, types, is_nonzero_constant(call->args.back()));
}
}  // namespace

OpenRounding& OpenRounding::here() {
  static thread_local OpenRounding open{.contract = true, .reassoc = true, .nsz = true};
  return open;
}

OpenRounding open_rounding_of(const PrimFunc& func) {
  OpenRounding out{func.granted("contract"), func.granted("reassoc"), func.granted("nsz")};
  if (!out.any()) return out;
  std::optional<DType> format;
  out.one_format = true;
  visit_all_exprs(func.body, [&](const Expr& e) {
    if (!e->dtype.is_float()) return;
    const DType type = e->dtype.element();
    out.one_format &= !format || *format == type;
    format = type;
  });
  out.products_of_numbers = HEXPROOF_MUTANT("open/zeros-are-no-factors", multiplies_numbers_alone(func), true);
  std::set<Var> written;
  visit_stmt(func.body, [&](const Stmt& s) {
    for_each_written(s, [&](const Buffer& buffer) { written.insert(buffer->data); });
    return true;
  });
  for (const Param& p : func.params) {
    const Var& var = p.buffer ? p.buffer->data : p.var;
    if (HEXPROOF_MUTANT("open/written-numbers", !written.count(var), true)) out.numbers.insert(var);
  }
  return out;
}

bool is_left_open(const Expr& e, const OpenRounding& open) {
  if (!open.any() || e->args.empty()) return false;
  if (e->op == Op::Call) return open.nsz && call_sees_sign(e);
  if (e->args.size() != 2 || !e->dtype.is_float()) return false;
  const bool sum = e->op == Op::Add || e->op == Op::Sub;
  const bool quotient = e->op == Op::Div || is_division(e->op);
  if (!sum && !quotient && e->op != Op::Mul) return false;
  if (open.nsz && quotient && !is_nonzero_constant(e->args[1])) return true;
  if (is_number(e->args[0], open) && is_number(e->args[1], open)) return false;
  return (HEXPROOF_MUTANT("open/regrouped", true, false) && open.reassoc) ||
         (HEXPROOF_MUTANT("open/fused", true, false) && open.contract && sum);
}

bool chooses(const Expr& e, const OpenRounding& open) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    found = found || node->op == Op::Undef || is_left_open(node, open);
    return !found;
  });
  return found;
}

bool zeros_are_neutral(const PrimFunc& func) {
  const OpenRounding open = open_rounding_of(func);
  return (!open.contract || open.one_format) && (!open.reassoc || open.products_of_numbers);
}

std::string open_layout(const PrimFunc& func) {
  const OpenRounding open = open_rounding_of(func);
  std::string found;
  auto look = [&](const Buffer& buffer) {
    for (const Expr& e : layout_exprs(buffer)) {
      if (chooses(e, open)) found = "the layout of '" + buffer->name + "' holds " + what_chooses(e, open);
    }
  };
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const AllocBuffer* memory = s.as<AllocBuffer>()) look(memory->buffer);
    if (const DeclBuffer* view = s.as<DeclBuffer>()) look(view->buffer);
    return found.empty();
  });
  return found;
}

bool rounds_numbers(const PrimFunc& func) {
  const OpenRounding open = open_rounding_of(func);
  bool found = false;
  if (!open.any()) return found;
  visit_all_exprs(func.body, [&](const Expr& e) {
    if (found || is_data(e)) return;
    const bool rounds = e->dtype.is_float() && (e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul ||
                                                e->op == Op::Div || is_division(e->op));
    found = is_left_open(e, open) || (rounds && (open.reassoc || (open.contract && e->op == Op::Mul)));
  });
  return found;
}

std::string what_chooses(const Expr& e, const OpenRounding& open) {
  std::string out;
  visit_nodes(e, [&](const Expr& node) {
    if (node->op == Op::Undef) out = "an undef";
    if (out.empty() && is_left_open(node, open)) {
      out = "a float '" + std::string(info(node->op).text) + "' that the granted " + flags_that_open(open) +
            " may round anew at each evaluation";
    }
    return out.empty();
  });
  return out;
}

Expr with_open_rounding(const Expr& e, const OpenRounding& open, int* next) {
  return open.any() ? Opening{open, next}(e) : e;
}

Obligation with_open_rounding(Obligation obligation, const OpenRounding& open) {
  if (!open.any()) return obligation;
  int next = 0;
  for (Expr& e : obligation.given) e = with_open_rounding(e, open, &next);
  obligation.goal = with_open_rounding(obligation.goal, open, &next);
  return obligation;
}

}  // namespace hexproof
