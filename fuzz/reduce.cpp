#include "fuzz/reduce.h"

#include <functional>
#include <set>

#include "fuzz/verdicts.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

constexpr int kTriesPerRound = 400;

/// Every statement with one statement in it changed by `f`; `f` gives the changed ones of one statement itself.
void each_changed(const Stmt& s, const std::function<std::vector<Stmt>(const Stmt&)>& f,
                  const std::function<void(Stmt)>& give) {
  for (Stmt& changed : f(s)) give(std::move(changed));
  std::vector<Stmt> parts = children(s);
  for (size_t k = 0; k < parts.size(); ++k) {
    each_changed(parts[k], f, [&](Stmt part) {
      std::vector<Stmt> others = parts;
      others[k] = std::move(part);
      give(with_children(s, others));
    });
  }
}

/// A statement without effect that stays where it is in a sequence, also when the text is read back.
Stmt nothing() { return make_stmt(Evaluate{i32(1)}); }

std::vector<Stmt> without_statement(const Stmt& s) {
  std::vector<Stmt> out;
  if (!s.as<Evaluate>() && !s.as<Seq>()) out.push_back(nothing());
  if (const Seq* all = s.as<Seq>()) {
    for (size_t k = 0; k < all->stmts.size(); ++k) {
      std::vector<Stmt> fewer = all->stmts;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      out.push_back(make_stmt(Seq{fewer}));
    }
  }
  if (const If* branch = s.as<If>()) {
    out.push_back(branch->then_case);
    if (branch->else_case)
      out.push_back(branch->else_case), out.push_back(make_stmt(If{branch->condition, branch->then_case, {}}));
  }
  if (const For* loop = s.as<For>()) out.push_back(substitute(loop->body, VarMap{{loop->var, loop->min}}));
  if (const LetStmt* let = s.as<LetStmt>()) out.push_back(substitute(let->body, VarMap{{let->var, let->value}}));
  if (const AttrStmt* note = s.as<AttrStmt>()) out.push_back(note->body);
  if (const AsyncCommit* group = s.as<AsyncCommit>()) out.push_back(group->body);
  if (const AsyncWait* wait = s.as<AsyncWait>()) out.push_back(wait->body);
  if (const AllocBuffer* alloc = s.as<AllocBuffer>()) out.push_back(alloc->body);
  if (const DeclBuffer* decl = s.as<DeclBuffer>()) {
    out.push_back(decl->body);
    if (decl->buffer->elem_offset || !decl->buffer->strides.empty()) {
      const BufferNode& view = *decl->buffer;
      Buffer plain = make_buffer(view.name, view.dtype, view.shape, {.scope = view.scope, .data = view.data});
      out.push_back(make_stmt(DeclBuffer{plain, substitute(decl->body, BufferMap{{decl->buffer, plain}})}));
    }
  }
  if (const Block* b = s.as<Block>()) {
    Block plain = *b;
    if (plain.reads || plain.writes) plain.reads = plain.writes = std::nullopt, out.push_back(make_stmt(plain));
    if (b->predicate) plain = *b, plain.predicate = {}, out.push_back(make_stmt(plain));
    if (b->iters.empty() && !b->init) out.push_back(b->body);
  }
  return out;
}

/// One expression of the statement replaced by one of its operands, or by a constant.
std::vector<Stmt> simpler_expressions(const Stmt& s) {
  std::vector<Stmt> out;
  std::vector<Expr> all = expressions(s);
  for (size_t k = 0; k < all.size(); ++k) {
    if (!all[k]) continue;
    std::set<const ExprNode*> seen;
    visit_expr(all[k], [&](const Expr& e) {
      if (!seen.insert(e.get()).second || !e->dtype.is_scalar() || e->args.empty()) return true;
      std::vector<Expr> simpler;
      for (const Expr& operand : e->args) {
        if (operand->dtype == e->dtype) simpler.push_back(operand);
      }
      if (e->dtype.is_integer() || e->dtype.is_float()) simpler.push_back(zero(e->dtype));
      if (e->dtype == kBool) simpler.push_back(boolean(true));
      for (const Expr& with : simpler) {
        std::vector<Expr> list = all;
        list[k] = rewrite_expr(all[k], [&](const Expr& x) { return x.get() == e.get() ? with : x; });
        if (!(list[k] == all[k])) out.push_back(with_expressions(s, list));
      }
      return true;
    });
  }
  return out;
}

/// As its text reads; nothing when it cannot be written down.
std::optional<PrimFunc> read_back(const PrimFunc& func) {
  try {
    if (!ill_formed(func).empty()) return std::nullopt;
    return pick_function(parse_module(print(func)), "");
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// The case with that program, if it still fails.
std::optional<Trial> fails(const Trial& failing, const PrimFunc& program, Prover& prover) {
  std::optional<PrimFunc> read = read_back(program);
  if (!read) return std::nullopt;
  try {
    FuzzCase candidate{*read, failing.fuzz_case.steps, failing.fuzz_case.input_seed};
    Trial trial = judge_with_verdicts(candidate, prover);
    if (trial.outcome != Outcome::Unsound) return std::nullopt;
    trial.fuzz_case.steps = trial.accepted;
    return trial;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<PrimFunc> smaller_programs(const PrimFunc& func) {
  std::vector<PrimFunc> out;
  auto give = [&](Stmt body) {
    PrimFunc smaller = func;
    smaller.body = std::move(body);
    out.push_back(std::move(smaller));
  };
  each_changed(func.body, without_statement, give);
  for (size_t p = 0; p < func.params.size(); ++p) {
    PrimFunc smaller = func;
    smaller.params.erase(smaller.params.begin() + static_cast<std::ptrdiff_t>(p));
    out.push_back(std::move(smaller));
  }
  each_changed(func.body, simpler_expressions, give);
  return out;
}

Trial reduce(Trial failing, Prover& prover) {
  std::optional<Trial> written = fails(failing, failing.fuzz_case.program, prover);
  if (!written) {
    failing.finding += " (but not when the program is read back from its text)";
    return failing;
  }
  failing = std::move(*written);
  int tries = kTriesPerRound;
  for (bool found = true; found && tries > 0;) {
    found = false;
    for (const PrimFunc& smaller : smaller_programs(failing.fuzz_case.program)) {
      if (tries <= 0) break;
      --tries;
      std::optional<Trial> trial = fails(failing, smaller, prover);
      if (!trial) continue;
      failing = std::move(*trial);
      found = true;
      break;
    }
  }
  return failing;
}

}  // namespace hexproof
