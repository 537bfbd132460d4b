// partition-loop {at: loop, count: how many iterations go in front, rest: name of the variable of the second loop,
//                 front: of the first one (optional)}
//
//   for i in [m, m + n): S(i)   ->   for front in [m, m + count): S(front)
//                                    for rest in [m + count, m + n): S(rest)
//
// The iterations run in the order in which they ran. What stands in the second loop is a copy; the blocks "B" in it are
// called "B_rest", and those in the first one, if it is given a name, "B_front".
//
// Side conditions
//  1. 0 <= count <= n, and m + count and n - count are no error.
//  2. The loop is not bound to threads, and what S holds can stand twice: blocks under names that are free (checked
//     here).
#include "ir/visit.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/nest.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kPartitionLoop = "partition-loop";

/// The blocks of the statement with the suffix behind their names, which are free.
Stmt with_suffix(const PrimFunc& func, const Stmt& stmt, const std::string& suffix) {
  return rewrite_stmt(
      stmt, [](const Expr& e) { return e; },
      [&](const Stmt& s) {
        const Block* block = s.as<Block>();
        if (!block) return s;
        Block renamed = *block;
        renamed.name += suffix;
        if (!find_blocks(func, renamed.name).empty()) {
          throw NotApplicable("there is a block '" + renamed.name + "' already");
        }
        return make_stmt(std::move(renamed), s->span);
      });
}

Rewrite partition_loop(const PrimFunc& func, const PartitionLoopArgs& args) {
  const Path& at = args.at;
  const int64_t count = args.count;
  const std::string& name = args.rest;
  const std::string first = args.front.value_or("");
  const Stmt stmt = checked_at(func, at);
  const For& loop = record_at<For>(func, at, "a loop");
  const DType type = loop.var.dtype();
  if (loop.kind == ForKind::ThreadBinding) throw NotApplicable("the loop is bound to threads");
  if (mark_of(loop)) throw NotApplicable("the loop is marked as an instruction");
  if (name.empty() || name == first) throw NotApplicable("the rest of the loop needs a name of its own");
  if (count < 0 || !fits_type(type, count))
    throw NotApplicable("there are no " + std::to_string(count) + " iterations");
  require_index(func, loop.min, "the start of the loop");
  require_index(func, loop.extent, "the extent of the loop");
  const Facts facts = facts_at(func, at);
  const Expr c = imm(type, count), middle = fold(loop.min + c), rest = fold(loop.extent - c);
  Rewrite out{.after = func, .needs = {}};
  auto owe = [&](const std::string& why, const Expr& goal) {
    out.needs.push_back(need(kPartitionLoop, why, func, stmt, facts.given(), facts.resolve(goal)));
  };
  owe("the loop has so many iterations", le(c, loop.extent));
  owe("the new bounds are no error", bound_is_no_error(loop.min + c));
  owe("the new bounds are no error", bound_is_no_error(loop.extent - c));

  For front = loop, behind = loop;
  front.extent = c;
  behind.var = Var::fresh(name, type);
  behind.min = middle, behind.extent = rest;
  const Stmt copy = refresh(substitute(loop.body, VarMap{{loop.var, Expr(behind.var)}}));
  behind.body = with_suffix(func, copy, "_" + name);
  if (!first.empty()) {
    front.var = Var::fresh(first, type);
    front.body = with_suffix(func, substitute(loop.body, VarMap{{loop.var, Expr(front.var)}}), "_" + first);
  }
  out.after =
      replace_at(func, at, seq({make_stmt(std::move(front), stmt->span), make_stmt(std::move(behind), stmt->span)}));
  return out;
}

}  // namespace

extern const Rule k_partition_loop{rule<partition_loop>("for i in [m, m + n): S  ->  for the first c; for the rest")};

}  // namespace hexproof
