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

/// Is the shape, a stride or the offset of a buffer left open? Then no rule may say where its cells are.
std::string open_layout(const PrimFunc& func, const OpenRounding& open) {
  std::string found;
  auto look = [&](const Buffer& buffer) {
    std::vector<Expr> layout = buffer->shape;
    layout.insert(layout.end(), buffer->strides.begin(), buffer->strides.end());
    if (buffer->elem_offset) layout.push_back(buffer->elem_offset);
    for (const Expr& e : layout) {
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

/// Its copies run in the place of the original, on the other side of a condition, or owe of all values what they are;
/// or (rfactor) the sum of sums is one that `reassoc` grants.
bool copies_instead(const std::string& rule) {
  static const std::set<std::string> known = {"hoist-condition", "introduce-branch", "insert-store", "partition-loop",
                                              "rfactor"};
  return known.count(rule) > 0;
}

}  // namespace

void demand_no_second_evaluation(const std::string& rule, const PrimFunc& before, const PrimFunc& after) {
  OpenRounding open = open_rounding_of(before);
  if (!open.any() || copies_instead(rule)) return;
  if (std::string layout = open_layout(before, open); !layout.empty()) throw NotApplicable(layout);
  open.numbers.clear();  // an input that moves to another memory is none there
  OpenOperations was(open), is(open);
  const size_t had = was.in(before.body), has = is.in(after.body);
  if (HEXPROOF_MUTANT("open/evaluations-not-counted", has <= had, true)) return;
  throw NotApplicable("'" + rule +
                      "' would evaluate again what the program evaluates once: " + what_chooses(is.example(), open));
}

}  // namespace hexproof
