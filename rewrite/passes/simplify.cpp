// Simplify: expressions and branches, by everything that is known.
#include "rewrite/passes/passes.h"

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
        for (int64_t complementary : {0, 1}) {
          again = again || s.apply("merge-branches", {{"at", at}, {"complementary", complementary}});
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
        again = s.apply("merge-loops", {{"at", below(*list, static_cast<int>(k - 1))}});
      }
    }
    count += again;
  }
  return count;
}

namespace {
int same_branches(Strategy& s) {
  int count = s.everywhere("same-branches", {}, [](const Stmt& x) { return x.as<If>() && x.as<If>()->else_case; });
  if (count) s.everywhere("remove-empty", {}, [](const Stmt& x) { return x.as<Evaluate>() != nullptr; });
  return count;
}
}  // namespace

int simplify_everything(Strategy& s) {
  constexpr int kRounds = 8;
  int count = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::optional<Path> scope = s.scope();
    int now = scope && s.simplify(*scope);
    auto branches = [](const Stmt& x) { return x.as<If>() || (x.as<Block>() && x.as<Block>()->predicate); };
    for (int64_t takes : {1, 0}) now += s.everywhere("eliminate-branch", {{"takes", takes}}, branches);
    now += same_branches(s);
    now += merge_branches(s);
    if (!now) break;
    count += now;
  }
  return count;
}

}  // namespace hexproof
