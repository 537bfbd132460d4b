// ReduceLoopExtents.
#include "rewrite/passes/passes.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/statements.h"

namespace hexproof {
namespace {

/// The chain of ifs right below `at`, while they are decided.
int decided_guards(Strategy& s, Path at) {
  int count = 0;
  for (;;) {
    Stmt here = stmt_at(s.func(), at);
    if (here.as<If>()) {
      bool gone = s.apply(EliminateBranchArgs{.at = at, .takes = true});
      count += gone;
      if (!gone) at.push_back(0);
    } else if (here.as<Block>() && here.as<Block>()->predicate) {
      return count + s.apply(EliminateBranchArgs{.at = at, .takes = true});
    } else if (children(here).size() == 1 && !here.as<Seq>()) {
      at.push_back(0);
    } else {
      return count;
    }
  }
}

}  // namespace

int reduce_loop_extents(Strategy& s) {
  int count = 0;
  size_t k = 0;
  // Outermost first: what is known of an outer variable narrows the inner ones.
  for (std::vector<Path> loops = s.all<For>(); k < loops.size(); loops = s.all<For>()) {
    const Path at = loops[k];
    if (!s.apply(ReduceExtentArgs{.at = at})) {
      ++k;
      continue;
    }
    ++count;
    const For& loop = *stmt_at(s.func(), at).as<For>();
    if (is_int(loop.extent, 0)) {
      count += s.apply(RemoveEmptyArgs{.at = at, .kind = "no-iteration"});
      continue;
    }
    bool one = is_int(loop.extent, 1) && s.apply(UnitLoopArgs{.at = at});
    count += one + decided_guards(s, one ? at : below(at, 0));
    if (!one) ++k;
  }
  return count;
}

}  // namespace hexproof
