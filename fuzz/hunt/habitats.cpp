// Which rule looks for which shape, and which cells of the table nothing can reach.
#include <map>

#include "fuzz/constructs/constructs.h"
#include "fuzz/coverage.h"

namespace hexproof {
namespace {

const std::map<std::string, std::vector<std::string>>& habitats() {
  static const std::map<std::string, std::vector<std::string>> table = {
      {"add-unit-loop", {"nest", "block"}},
      {"annotate", {"nest", "block"}},
      {"bind", {"nest", "scan"}},
      {"blockize", {"block", "reduction", "producer-and-consumer", "nest"}},
      {"cache-index", {"block", "block-of-many-bindings", "stencil"}},
      {"cache-inplace", {"accumulation", "reduction", "block"}},
      {"cache-read", {"block", "producer-and-consumer", "nested-blocks"}},
      {"cache-write", {"block", "producer-and-consumer", "block-with-regions"}},
      {"clamp-index", {"stencil", "decided-branch", "index-arithmetic"}},
      {"compact-buffer", {"narrow-shape", "local-allocation", "temporary-between-loops", "padded-temporary"}},
      {"compute-at", {"producer-and-consumer", "recurrence"}},
      {"decompose-padding", {"padded-stage"}},
      {"decompose-reduction", {"reduction", "reduction-init-reads", "reduction-starts-elsewhere"}},
      {"distribute-loop", {"loop-of-two-statements", "permission-behind-read"}},
      {"elide-padding", {"narrow-shape", "padded-temporary"}},
      {"eliminate-branch", {"decided-branch", "block-with-predicate"}},
      {"fill-ahead", {"filled-in-a-loop"}},
      {"flatten", {"narrow-shape", "nest", "producer-and-consumer", "separated-axes", "separated-parameter"}},
      {"fold-buffer", {"window-over-rows", "temporary-between-loops"}},
      {"forward-store", {"producer-and-consumer", "padded-stage", "temporary-between-loops"}},
      {"fuse", {"narrow-nest", "narrow-symbolic-nest", "nest", "index-arithmetic"}},
      {"grow-buffer", {"local-allocation", "temporary-between-loops", "padded-temporary"}},
      {"hoist-condition",
       {"division-in-loop", "division-in-nested-branches", "branch-around-loop", "condition-of-outer-loop",
        "guarded-value"}},
      {"hoist-index", {"division-in-loop", "division-behind-branch", "index-arithmetic", "copy-in-tiles"}},
      {"hoist-let", {"division-in-loop", "division-behind-branch", "let-statement", "let-expression", "let-of-index"}},
      {"inline-let", {"let-statement", "let-of-index"}},
      {"insert-store", {"branch-in-block", "branch-over-padding"}},
      {"introduce-branch", {"division-in-loop", "branch-over-padding", "dead-store"}},
      {"join-conditions", {"division-in-nested-branches", "nested-branches", "branch-on-conjunction"}},
      {"lower-block", {"reduction", "block"}},
      {"make-async", {"filled-in-a-loop", "copies-ahead"}},
      {"merge-branches", {"neighbouring-branches"}},
      {"merge-loops", {"neighbouring-loops", "permission"}},
      {"overcompute", {"branch-over-padding", "store-of-what-is-there"}},
      {"parallelize", {"nest", "scan", "view-moves-with-loop"}},
      {"partition-loop", {"nest", "block", "stencil", "scan"}},
      {"rebind-block", {"nested-blocks", "block", "producer-and-consumer"}},
      {"reduce-extent", {"narrow-symbolic-loop", "decided-branch", "symbolic-tiles", "branch-around-loop"}},
      {"reindex-loops", {"narrow-nest", "narrow-symbolic-loop", "accumulation", "nest", "index-arithmetic"}},
      {"reindex-read", {"block", "producer-and-consumer", "reduction"}},
      {"reindex-write", {"block", "producer-and-consumer", "reduction"}},
      {"remove-assume", {"assume-on-cells", "assume-in-branch", "padding-filled-later"}},
      {"remove-empty", {"evaluated", "loop-without-iterations"}},
      {"remove-store", {"update-twice", "dead-store", "store-of-what-is-there", "views-of-one-shape"}},
      {"remove-undef-store", {"undef-store", "padding-filled-later"}},
      {"reorder-block-vars", {"block", "producer-and-consumer"}},
      {"reverse-compute-at", {"producer-and-consumer", "padded-stage"}},
      {"rfactor", {"reduction"}},
      {"reorder", {"parallel-in-serial", "accumulation", "nest", "index-arithmetic"}},
      {"same-branches", {"equal-branches"}},
      {"set-dtype", {"local-allocation", "temporary-between-loops", "window-over-rows"}},
      {"set-scope", {"local-allocation", "temporary-between-loops", "padded-temporary"}},
      {"share-storage", {"stages-after-each-other"}},
      {"simplify", {"signed-zeros", "index-arithmetic", "divisions", "guarded-and-wraps"}},
      {"skip-computed", {"sliding-window", "window-over-rows", "nest", "stencil"}},
      {"sink-alloc", {"temporary-between-loops"}},
      {"split", {"narrow-symbolic-loop", "nest", "symbolic-extent"}},
      {"split-sum", {"reduction", "dot-product-nest"}},
      {"swap-statements", {"neighbouring-loops", "dead-store"}},
      {"tensorize", {"dot-product-nest"}},
      {"transform-layout", {"narrow-shape", "padded-temporary", "nest", "padding-nobody-filled"}},
      {"unit-loop", {"unit-loops"}},
      {"unroll", {"nest"}},
      {"vectorize", {"nest", "stencil"}},
      {"HoistExpression", {"branch-around-loop", "condition-of-outer-loop", "guarded-and-wraps"}},
      {"HoistIfThenElse", {"branch-around-loop", "condition-of-outer-loop"}},
      {"MergeAdjacentLoops", {"neighbouring-loops"}},
      {"ReduceLoopExtents", {"decided-branch", "symbolic-tiles"}},
      {"RemoveAssume", {"assume-on-cells"}},
      {"RemoveBranchingThroughOvercompute", {"branch-over-padding"}},
      {"RemoveNoOp", {"dead-store", "store-of-what-is-there"}},
      {"RemoveOvercomputeThroughBranching", {"branch-over-padding", "dead-store"}},
      {"RemoveStoreUndef", {"undef-store", "padding-filled-later"}},
      {"Simplify", {"index-arithmetic", "decided-branch", "divisions"}},
      {"sequential_buffer_access", {"nest"}},
  };
  return table;
}

/// "*" stands for every construct.
struct Unreachable {
  const char *construct, *step, *reason;
};
const std::vector<Unreachable>& unreachables() {
  static const std::vector<Unreachable> table = {
      {"classic", "remove-assume", "the programs have no assumes"},
      {"classic", "RemoveAssume", "the programs have no assumes"},
      {"classic", "remove-undef-store", "the programs have no undefs"},
      {"classic", "RemoveStoreUndef", "the programs have no undefs"},
      {"classic", "merge-branches", "no two branches follow one another"},
      {"classic", "same-branches", "both sides of a branch store values of their own"},
      {"padded", "same-branches", "both sides of a branch store values of their own"},
      {"padded", "decompose-reduction", "no block has an init"},
      {"padded", "compute-at", "no block binds variables"},
      {"padded", "inline-let", "the programs have no lets"},
      {"padded", "hoist-let", "the programs have no lets"},
  };
  return table;
}

}  // namespace

std::vector<int> habitat(const std::string& step) {
  std::vector<int> out;
  auto it = habitats().find(step);
  if (it == habitats().end()) return out;
  for (const std::string& name : it->second) out.push_back(construct_at(name));
  return out;
}

std::string unreachable(const std::string& construct, const std::string& step) {
  for (const Unreachable& u : unreachables()) {
    bool row = std::string(u.construct) == "*" || construct == u.construct;
    if (row && step == u.step) return u.reason;
  }
  return "";
}

}  // namespace hexproof
