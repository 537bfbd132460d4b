#include "rewrite/kernel/evaluations.h"

#include <set>
#include <unordered_map>

#include "ir/base/mutant.h"
#include "ir/visit.h"
#include "rewrite/kernel/kernel.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {

namespace {

/// Operations that are left open, each occurrence counted.
class OpenOperations {
 public:
  explicit OpenOperations(const OpenRounding& open) : open_(open) {}

  size_t in(const Stmt& root) {
    size_t found = 0;
    visit_stmt(root, [&](const Stmt& s) {
      for_each_operand(s, [&](Operand, const Expr& e) { found += in(e); });
      return true;
    });
    return found;
  }
  const Expr& example() const { return example_; }

 private:
  size_t in(const Expr& e) {
    if (auto it = known_.find(e.get()); it != known_.end()) return it->second;
    size_t found = is_left_open(e, open_) ? 1 : 0;
    if (found) example_ = e;
    for (const Expr& arg : e->args) found += in(arg);
    known_.emplace(e.get(), found);
    return found;
  }

  const OpenRounding& open_;
  std::unordered_map<const ExprNode*, size_t> known_;
  Expr example_;
};

/// Its copies run in the place of the original, on the other side of a condition, or owe of all values what they are;
/// or (rfactor) the sum of sums is one that `reassoc` grants.
bool copies_instead(const std::string& rule) {
  static const std::set<std::string> known = {"hoist-condition", "introduce-branch", "insert-store", "partition-loop",
                                              "rfactor"};
  return known.count(rule) > 0;
}

}  // namespace

void demand_no_second_evaluation(const std::string& rule, const PrimFunc& before, const PrimFunc& after) {
  // No rule may say where the cells of a buffer are whose layout is left open, nor make one of it that is.
  for (const PrimFunc* func : {&before, &after}) {
    if (std::string layout = open_layout(*func); !layout.empty()) throw NotApplicable(layout);
  }
  OpenRounding open = open_rounding_of(before);
  if (!open.any() || copies_instead(rule)) return;
  open.numbers.clear();  // an input that moves to another memory is none there
  OpenOperations was(open), is(open);
  const size_t had = was.in(before.body), has = is.in(after.body);
  if (HEXPROOF_MUTANT("open/evaluations-not-counted", has <= had, true)) return;
  throw NotApplicable("'" + rule +
                      "' would evaluate again what the program evaluates once: " + what_chooses(is.example(), open));
}

}  // namespace hexproof
