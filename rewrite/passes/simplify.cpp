// Simplify: expressions, branches and stores without effect, by everything that is known.
#include "rewrite/passes/passes.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/rules/args/stores.h"

namespace hexproof {

int merge_branches(Strategy& s) {
  int count = 0;
  for (bool again = true; again;) {
    again = false;
    std::vector<Path> lists = s.all<Seq>();
    for (auto list = lists.rbegin(); list != lists.rend() && !again; ++list) {
      const Seq& seq = *stmt_at(s.func(), *list).as<Seq>();
      for (size_t k = seq.stmts.size(); k-- > 1 && !again;) {
        if (!seq.stmts[k].as<If>() || !seq.stmts[k - 1].as<If>()) continue;
        Path at = below(*list, static_cast<int>(k - 1));
        for (bool complementary : {false, true}) {
          again = again || s.apply(MergeBranchesArgs{.at = at, .complementary = complementary});
        }
      }
    }
    count += again;
  }
  return count;
}

int merge_adjacent_loops(Strategy& s) {
  int count = 0;
  for (bool again = true; again;) {
    again = false;
    std::vector<Path> lists = s.all<Seq>();
    for (auto list = lists.rbegin(); list != lists.rend() && !again; ++list) {
      const Seq& seq = *stmt_at(s.func(), *list).as<Seq>();
      for (size_t k = 1; k < seq.stmts.size() && !again; ++k) {
        if (!seq.stmts[k].as<For>() || !seq.stmts[k - 1].as<For>()) continue;
        again = s.apply(MergeLoopsArgs{.at = below(*list, static_cast<int>(k - 1))});
      }
    }
    count += again;
  }
  return count;
}

namespace {
int same_branches(Strategy& s) {
  int count = s.everywhere(SameBranchesArgs{}, [](const Stmt& x) { return x.as<If>() && x.as<If>()->else_case; });
  if (count) s.everywhere(RemoveEmptyArgs{}, [](const Stmt& x) { return x.as<Evaluate>() != nullptr; });
  return count;
}
/// Stores of what the cell holds, as it stands there: `B[i] = B[i]`.
int self_stores(Strategy& s) {
  auto is_self_store = [](const Stmt& x) {
    const Store* store = x.as<Store>();
    return store && store->value->op == Op::Load && store->value->buffer() == store->buffer &&
           store->value->args == store->indices;
  };
  int count = s.everywhere(RemoveStoreArgs{.at = {}, .kind = "already-there"}, is_self_store);
  return count ? count + remove_empty(s) : 0;
}
}  // namespace

namespace {
/// `if c: pass  else: S`
int empty_thens(Strategy& s) {
  return s.everywhere(RemoveEmptyArgs{.at = {}, .kind = "then"},
                      [](const Stmt& x) { return x.as<If>() && x.as<If>()->else_case; });
}
}  // namespace

int merge_conditions(Strategy& s) {
  int count = merge_branches(s);
  return count ? count + same_branches(s) : 0;
}

namespace {
int decided_branches(Strategy& s) {
  int count = 0;
  auto branches = [](const Stmt& x) { return x.as<If>() || (x.as<Block>() && x.as<Block>()->predicate); };
  for (bool takes : {true, false}) count += s.everywhere(EliminateBranchArgs{.at = {}, .takes = takes}, branches);
  return count;
}
}  // namespace

int simplify_conditions(Strategy& s) {
  std::optional<Path> scope = s.scope();
  int count = scope && s.simplify(*scope, true);
  return count + decided_branches(s);
}

int simplify_everything(Strategy& s) {
  constexpr int kRounds = 8;
  int count = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::optional<Path> scope = s.scope();
    int now = scope && s.simplify(*scope);
    now += decided_branches(s);
    now += same_branches(s);
    now += empty_thens(s);
    now += self_stores(s);
    now += merge_branches(s);
    if (!now) break;
    count += now;
  }
  return count;
}

}  // namespace hexproof
