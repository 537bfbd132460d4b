// lower-block {at: block}
//
//   with T.block("B"):                    if p(e, g):
//     vs = T.axis.spatial(n, e)             if g == r0:
//     vr = T.axis.reduce((r0, m), g)  ->      I(e)
//     T.where(p)                            S(e, g)
//     with T.init(): I(vs)
//     S(vs, vr)
//
// A binding that is data is kept as a let, because its value may change on the way; an index binding is put in.
// The claims of the block (kinds, domains, regions, annotations) are lost; they compute nothing.
//
// Side conditions
//  1. The start r0 of each reduction domain depends on no buffer's content (checked here) and is no error. Bindings and
//     predicate were evaluated in every instance, so evaluating them later or not at all is no new error.
//  2. What the blocks inside of it claim holds of the instances of all of its instances together (claims.h).
#include "ir/visit.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite lower_block(const PrimFunc& func, const LowerBlockArgs& args) {
  const Path& at = args.at;
  const Block& block = record_at<Block>(func, at, "a block");
  const Stmt stmt = checked_at(func, at);
  Facts facts = facts_at(func, at);

  Rewrite result;
  std::vector<Expr> start;
  if (block.init) {
    for (const IterVar& iter : block.iters) {
      if (iter.kind != IterKind::Reduce) continue;
      require_index(func, iter.dom.min, "the start of a reduction domain");
      start.push_back(eq(Expr(iter.var), iter.dom.min));
      if (!as_int(iter.dom.min)) {
        result.needs.push_back(need("lower-block", "the start of the reduction domain is no error", func, stmt,
                                    facts.given(), fits(facts.resolve(iter.dom.min))));
      }
    }
  }
  std::vector<Stmt> parts;
  if (block.init) {
    Stmt init = block.init;
    if (!start.empty()) init = make_stmt(If{all(start), init, {}}, stmt->span);
    parts.push_back(init);
  }
  parts.push_back(block.body);
  Stmt after = seq(std::move(parts));
  if (block.predicate) after = make_stmt(If{block.predicate, after, {}}, stmt->span);
  // Inner bindings do not mention the block's own variables, so the order of substitution does not matter.
  VarMap put_in;
  for (size_t k = block.iters.size(); k-- > 0;) {
    const IterVar& iter = block.iters[k];
    if (!is_repeatable(iter.binding)) {
      after = make_stmt(LetStmt{iter.var, iter.binding, after}, stmt->span);
    } else {
      put_in.emplace(iter.var, iter.binding);
    }
  }
  result.after = replace_at(func, at, substitute(after, put_in));
  return result;
}

}  // namespace

extern const Rule k_lower_block{rule<lower_block>("block  ->  if where: { if at the start: init; body }")};

}  // namespace hexproof
