// Asynchronous copies: where an access may meet what a group in flight touches, the group is through. One question for
// each access of a group and each other access to its memory that writes it or finds it written, in two executions that
// have nothing in common:
//
//   given   what is known at both places
//   goal    the cells differ, or the group starts later, or a wait that ran before the access has seen it through
//
// and one for each access of a group, of the end of the memory. Which group it is, and which a wait sees through, is
// counted (group_order.h); where counts are not known, less is left to prove it with.
#include <fmt/format.h>

#include "ir/base/mutant.h"
#include "ir/interpreter/fault.h"
#include "ir/notes/async_queues.h"
#include "verify/check/check_item.h"
#include "verify/check/items/group_order.h"

namespace hexproof {
namespace {

constexpr const char* kRule = "check-in-flight";

/// An access and what is known where it happens.
struct Touch {
  Access access;
  Path path;                  // of its statement
  std::optional<Path> group;  // the group that it belongs to
  std::vector<Expr> known;    // its domain with it
};

/// What stands for the variables in another execution.
class Renamed {
 public:
  explicit Renamed(const Touch& touch) {
    for (const LoopRange& loop : touch.access.loops) {
      map_[loop.var] = Expr(Var::fresh(loop.var.name() + "_copy", loop.var.dtype()));
    }
    Access bare = touch.access;
    bare.loops.clear(), bare.guards.clear();
    access = substitute(std::move(bare), map_);
    for (const Expr& e : touch.known) known.push_back(substitute(e, map_));
  }
  Expr operator()(const Expr& e) const { return substitute(e, map_); }
  Expr of(const Var& var) const { return map_.at(var); }

  Access access;
  std::vector<Expr> known;

 private:
  VarMap map_;
};

class InFlight {
 public:
  explicit InFlight(const CheckContext& context) : context_(context), func_(context.func), order_(context.func) {
    std::map<Path, std::vector<Expr>> facts_at_place;
    walk_with_facts(func_, [&](const Stmt&, const Path& path, const Facts& facts) {
      std::vector<Expr>& known = facts_at_place[path];
      for (Expr& e : facts.given()) {
        if (!is_data(e)) known.push_back(std::move(e));
      }
      return true;
    });
    for (Access& a : footprint(func_.body, entry_facts(func_), true)) {
      Path path;
      std::optional<Path> group;
      Stmt at = func_.body;
      for (size_t k = 0; k + 1 < a.order.size(); ++k) {
        if (at.as<AsyncCommit>()) group = path;
        path.push_back(a.order[k] - kOrderParts);
        at = children(at)[static_cast<size_t>(path.back())];
      }
      std::vector<Expr> known = facts_at_place.at(path);
      for (Expr& e : domain_of(a)) known.push_back(std::move(e));
      touches_.push_back({std::move(a), std::move(path), std::move(group), std::move(known)});
    }
  }

  std::vector<CheckItem> ask() {
    for (const Touch& copy : touches_) {
      if (!copy.group) continue;
      const Renamed renamed(copy);
      for (const Touch& other : touches_) {
        const bool conflict = HEXPROOF_MUTANT("in-flight/copies-read-nothing", copy.access.write || other.access.write,
                                              copy.access.write);
        if (conflict && may_alias(copy.access.buffer, other.access.buffer)) meets(copy, renamed, other);
      }
      outlived(copy, renamed);
    }
    return std::move(items_);
  }

 private:
  static Expr either(const Expr& a, const Expr& b) { return a ? lor(a, b) : b; }

  std::string copy_text(const Touch& copy) const {
    return fmt::format("the copy {} on queue {}", one_line(copy.access.stmt), queue_of(copy));
  }
  int64_t queue_of(const Touch& copy) const { return stmt_at(func_, *copy.group).as<AsyncCommit>()->queue; }

  /// A wait in front of the place has seen the copy through.
  Expr through(const Touch& copy, const Renamed& renamed, const std::vector<WaitBefore>& waits, Expr goal) const {
    const std::optional<Expr> number = order_.before(queue_of(copy), *copy.group);
    if (!number) return goal;
    for (const WaitBefore& wait : waits) {
      Expr done = lt(renamed(*number), wait.below);
      for (const Expr& e : wait.when) done = land(e, done);
      goal = either(goal, done);
    }
    return goal;
  }

  void add(const std::string& why, const Stmt& stmt, const Path& path, std::vector<Expr> given, Expr goal) {
    CheckItem item;
    item.obligation = {kRule, why, place_of(func_, stmt), std::move(given), std::move(goal)};
    item.path = path;
    items_.push_back(std::move(item));
  }

  void meets(const Touch& copy, const Renamed& renamed, const Touch& other) {
    const int64_t queue = queue_of(copy);
    std::vector<Expr> given = other.known;
    given.insert(given.end(), renamed.known.begin(), renamed.known.end());
    // Memory that is allocated in a loop around both is another one in each iteration.
    auto memory = context_.memories.find(copy.access.buffer->data);
    if (memory != context_.memories.end() && !memory->second.param) {
      for (size_t k = 0; k < memory->second.loops; ++k) {
        const Var& var = other.access.loops[k].var;
        given.push_back(eq(Expr(var), renamed.of(var)));
      }
    }
    Expr goal = lnot(same_cell(renamed.access, other.access));
    const std::optional<Expr> number = order_.before(queue, *copy.group), now = order_.before(queue, other.path);
    // A group does not meet itself: it starts before what stands in it no more than before itself.
    if (number && now) goal = lor(goal, ge(renamed(*number), *now));
    goal = through(copy, renamed, order_.waits(queue, other.path), goal);
    add(fmt::format("{} is through, or touches other cells, where {} {} {}", copy_text(copy),
                    one_line(other.access.stmt), other.access.write ? "writes" : "reads", other.access.buffer->name),
        other.access.stmt, other.path, std::move(given), std::move(goal));
  }

  /// The memory of the copy goes away, or to the caller.
  void outlived(const Touch& copy, const Renamed& renamed) {
    auto memory = context_.memories.find(copy.access.buffer->data);
    const bool param = memory == context_.memories.end() || memory->second.param;
    const Path path = param ? Path{} : memory->second.path;
    const Stmt end = stmt_at(func_, path);
    std::vector<Expr> given = renamed.known;
    for (size_t k = 0; !param && k < memory->second.loops; ++k) {
      const Var& var = copy.access.loops[k].var;
      given.push_back(eq(Expr(var), renamed.of(var)));
    }
    Expr goal = through(copy, renamed, order_.waits(queue_of(copy), path, true), {});
    if (HEXPROOF_MUTANT("in-flight/memory-stays", false, true)) return;
    add(fmt::format("{} is through when {}", copy_text(copy),
                    param ? "the function ends" : "the memory of " + copy.access.buffer->name + " goes away"),
        copy.access.stmt, copy.path, std::move(given), goal ? std::move(goal) : boolean(false));
  }

  const CheckContext& context_;
  const PrimFunc& func_;
  GroupOrder order_;
  std::vector<Touch> touches_;
  std::vector<CheckItem> items_;
};

}  // namespace

void ask_in_flight(CheckContext& context) {
  if (!has_groups(context.func.body)) return;
  for (CheckItem& item : InFlight(context).ask()) context.questions.push_back(std::move(item));
}

std::vector<Obligation> copies_are_waited_for(const PrimFunc& func) {
  std::vector<Obligation> out;
  walk_with_facts(func, [&](const Stmt& stmt, const Path&, const Facts& facts) {
    const AsyncWait* wait = stmt.as<AsyncWait>();
    const Expr count = wait ? inline_lets(facts.resolve(wait->inflight), facts.loops) : Expr();
    if (!wait || is_int(is_number_of_groups(count), 1)) return true;
    out.push_back(
        {kRule, kNumberOfGroups, place_of(func, stmt), facts.given(), land(fits(count), is_number_of_groups(count))});
    return true;
  });
  if (!has_groups(func.body)) return out;
  Prover unasked;
  CheckContext context = survey(func, unasked);
  std::vector<Obligation> through;
  for (CheckItem& item : InFlight(context).ask()) through.push_back(std::move(item.obligation));
  // (They are enough: groups that cannot be counted, and waits under conditions, may see a copy through, too.)
  for (Obligation& o : as_one_way(std::move(through))) out.push_back(std::move(o));
  return out;
}

}  // namespace hexproof
