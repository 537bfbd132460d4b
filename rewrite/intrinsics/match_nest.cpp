// Is a nest of loops the description of an intrinsic? Structure alone decides.
#include <algorithm>
#include <map>
#include <optional>

#include "ir/base/early_exit.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/intrinsics/linear_step.h"

namespace hexproof {

std::optional<Wide> linear_step(const Expr& e, const Var& var) {
  if (!uses_var(e, var)) return 0;
  if (e->op == Op::Var) return 1;
  if ((e->op != Op::Add && e->op != Op::Sub && e->op != Op::Mul) || e->wraps || !e->dtype.is_scalar()) {
    return std::nullopt;
  }
  std::optional<Wide> a = linear_step(e->args[0], var), b = linear_step(e->args[1], var);
  if (!a || !b) return std::nullopt;
  if (e->op == Op::Add) return *a + *b;
  if (e->op == Op::Sub) return *a - *b;
  if (e->args[1]->op == Op::IntImm) return *a * int_value(e->args[1]);
  if (e->args[0]->op == Op::IntImm) return *b * int_value(e->args[0]);
  return std::nullopt;
}

namespace {

/// The nest is not what the instruction computes.
struct No : EarlyExit {
  using EarlyExit::EarlyExit;
};

/// A perfect nest of `depth` loops, and the store in it; bindings of a block around the store are put in.
struct Flat {
  std::vector<For> loops;
  Store store;
};
Flat flat_nest(const For& outermost, size_t depth) {
  Flat out{{outermost}, {}};
  auto name = [&] { return "loop '" + out.loops.back().var.name() + "'"; };
  while (out.loops.size() < depth) {
    const For* inner = out.loops.back().body.as<For>();
    if (!inner) throw No{"in the " + name() + " stands no loop alone, where one more is asked for"};
    out.loops.push_back(*inner);
  }
  Stmt body = out.loops.back().body;
  if (const Block* block = body.as<Block>()) {
    if (block->init || block->predicate) throw No{"the block '" + block->name + "' has an init or a condition"};
    VarMap bound;
    for (const IterVar& iter : block->iters) bound.emplace(iter.var, iter.binding);
    body = substitute(block->body, bound);
  }
  const Store* store = body.as<Store>();
  if (!store) throw No{"in the " + name() + " stands something else than one store"};
  out.store = *store;
  return out;
}

/// The distance of two neighbours along each dimension, in elements; nothing where it is no constant.
std::vector<std::optional<Wide>> strides_of(const Buffer& buffer) {
  std::vector<std::optional<Wide>> out(buffer->ndim());
  std::optional<Wide> product = 1;
  for (size_t d = buffer->ndim(); d-- > 0;) {
    const Expr& e = buffer->strides.empty() ? buffer->shape[d] : buffer->strides[d];
    std::optional<Wide> number;
    if (e->op == Op::IntImm) number = int_value(e);
    if (!buffer->strides.empty()) {
      out[d] = number;
      continue;
    }
    out[d] = product;
    product = product && number ? std::optional<Wide>(*product * *number) : std::nullopt;
  }
  return out;
}

/// How many elements further the cell lies when the variable is one larger.
std::optional<Wide> step_of(const Buffer& buffer, const std::vector<Expr>& indices, const Var& var) {
  std::vector<std::optional<Wide>> strides = strides_of(buffer);
  Wide sum = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    std::optional<Wide> step = linear_step(indices[d], var);
    if (!step) return std::nullopt;
    if (*step == 0) continue;
    if (!strides[d]) return std::nullopt;
    sum += *step * *strides[d];
  }
  return sum;
}

class Matcher {
 public:
  Matcher(const For& loop, const PrimFunc& description) : description_(description) {
    const For* formal = description.body.as<For>();
    size_t depth = 0;
    for (const For* f = formal; f; f = f->body.as<For>()) ++depth;
    HEXPROOF_CHECK(depth > 0, "the description of an intrinsic is no nest of loops");
    formal_ = flat_nest(*formal, depth);
    nest_ = flat_nest(loop, depth);
  }

  NestMatch match() {
    for (size_t k = 0; k < nest_.loops.size(); ++k) {
      const For &have = nest_.loops[k], &want = formal_.loops[k];
      std::string name = "the loop '" + have.var.name() + "'";
      const int64_t *extent = as_int(have.extent), *asked = as_int(want.extent);
      HEXPROOF_CHECK(asked && is_int(want.min, 0),
                     "the description of an intrinsic has a loop without constant bounds");
      if (!extent || *extent != *asked) {
        throw No{name + " has the extent " + print(have.extent) + ", where the instruction has " + print(want.extent)};
      }
      if (!is_int(have.min, 0)) throw No{name + " does not start at 0"};
      if (have.kind != ForKind::Serial) throw No{name + " is not serial"};
      if (k > 0 && mark_of(have)) throw No{name + " is marked itself"};
    }
    access(formal_.store.buffer, formal_.store.indices, nest_.store.buffer, nest_.store.indices);
    unify(formal_.store.value, nest_.store.value);
    NestMatch out{nest_.loops, {}};
    for (const Buffer& formal : description_.buffer_params()) {
      auto it = operands_.find(formal);
      HEXPROOF_CHECK(it != operands_.end(), "an operand without a use in the description of an intrinsic");
      out.operands.push_back(it->second);
    }
    for (size_t k = 1; k < out.operands.size(); ++k) {
      if (out.operands[k].buffer->data == out.operands[0].buffer->data) {
        throw No{"the operand '" + out.operands[k].formal->name + "' is in the memory that the nest writes, '" +
                 out.operands[0].buffer->name + "'"};
      }
    }
    return out;
  }

 private:
  static std::string cell(const Buffer& buffer, const std::vector<Expr>& indices) {
    std::string out;
    for (const Expr& index : indices) out += (out.empty() ? "" : ", ") + print(index);
    return buffer->name + "[" + out + "]";
  }

  void access(const Buffer& formal, const std::vector<Expr>& wanted, const Buffer& buffer,
              const std::vector<Expr>& indices) {
    std::string operand = "the operand '" + formal->name + "', " + cell(buffer, indices) + ",";
    if (buffer->dtype != formal->dtype) {
      throw No{operand + " is of " + buffer->dtype.str() + ", where the instruction takes " + formal->dtype.str()};
    }
    for (const Expr& index : indices) {
      if (is_data(index) || !index->dtype.is_scalar()) throw No{operand + " is at an index that is data, or a vector"};
    }
    VarMap at_zero, renamed;
    for (size_t k = 0; k < nest_.loops.size(); ++k) {
      const Var &have = nest_.loops[k].var, &want = formal_.loops[k].var;
      std::optional<Wide> step = step_of(buffer, indices, have), asked = step_of(formal, wanted, want);
      HEXPROOF_CHECK(asked.has_value(), "an operand of an intrinsic that does not move by constant steps");
      if (!step) throw No{operand + " does not move by a constant step with the loop '" + have.name() + "'"};
      if (*step != *asked) {
        throw No{operand + " moves by " + to_string(*step) + " elements with the loop '" + have.name() +
                 "', where the instruction moves by " + to_string(*asked)};
      }
      at_zero.emplace(have, imm(have.dtype(), 0));
      renamed.emplace(want, cast_to(have, want.dtype()));
    }
    NestOperand one{formal, buffer, {}, indices, {}, formal->dtype.bytes()};
    for (const Expr& index : indices) one.first.push_back(substitute(index, at_zero));
    for (const Expr& index : wanted) one.formal_indices.push_back(substitute(index, renamed));
    for (const Expr& extent : formal->shape) one.bytes *= *as_int(extent);
    auto [known, fresh] = operands_.emplace(formal, one);
    if (fresh) return;
    bool same = known->second.buffer == buffer && known->second.indices == indices &&
                known->second.formal_indices == one.formal_indices;
    if (!same) {
      throw No{operand + " is " + cell(known->second.buffer, known->second.indices) + " elsewhere in the nest"};
    }
  }

  static Expr cast_to(const Var& var, DType type) { return var.dtype() == type ? Expr(var) : cast(type, Expr(var)); }

  static bool commutes(const Expr& e) {
    return e->dtype.is_integer() && e->wraps && (e->op == Op::Add || e->op == Op::Mul);
  }

  /// `want` of the description, `have` of the nest.
  void unify(const Expr& want, const Expr& have) {
    if (want->op == Op::Load && have->op == Op::Load) {
      return access(want->buffer(), want->args, have->buffer(), have->args);
    }
    bool same = want->op == have->op && want->dtype == have->dtype && want->wraps == have->wraps &&
                want->args.size() == have->args.size() && want->op != Op::Var && want->op != Op::Load;
    if (same && want->args.empty()) same = want == have;
    if (same && want->op == Op::Call) same = want->text() == have->text();
    if (!same) throw No{"'" + print(have) + "' stands where the instruction computes '" + print(want) + "'"};
    std::map<Buffer, NestOperand> before = operands_;
    try {
      for (size_t k = 0; k < want->args.size(); ++k) unify(want->args[k], have->args[k]);
    } catch (const No&) {
      if (!commutes(want)) throw;
      std::map<Buffer, NestOperand> reached = operands_;
      operands_ = before;
      try {
        unify(want->args[0], have->args[1]);
        unify(want->args[1], have->args[0]);
        return;
      } catch (const No&) {
        operands_ = reached;
      }
      throw;  // the reason in the order that was written
    }
  }

  const PrimFunc& description_;
  Flat formal_, nest_;
  std::map<Buffer, NestOperand> operands_;  // by formal
};

}  // namespace

std::variant<NestMatch, std::string> match_nest(const For& loop, const PrimFunc& description) {
  try {
    return Matcher(loop, description).match();
  } catch (const No& no) {
    return no.message;
  }
}

}  // namespace hexproof
