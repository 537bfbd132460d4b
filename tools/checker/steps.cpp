#include "tools/checker/step_walk.h"

namespace hexproof::checker {
namespace {

/// Predicates of blocks as branches around init and body. Domains grow with what runs: one for all, but where
/// reductions start, which decides when an init runs.
Stmts with_branches(const PrimFunc& func) {
  return parts_of(rewrite_stmt(func.body, {}, [](const Stmt& s) -> Stmt {
    if (!s.as<Block>()) return s;
    Block block = *s.as<Block>();
    const Stmt whole = make_stmt(Block{.name = "", .init = block.init, .body = block.body}, s->span);
    block.body = block.predicate ? make_stmt(If{block.predicate, whole, {}}, s->span) : whole;
    block.init = {}, block.predicate = Expr();
    for (IterVar& iter : block.iters) {
      const bool reduces = iter.kind == IterKind::Reduce;
      iter.dom = {reduces ? iter.dom.min : imm(iter.var.dtype(), 0), imm(iter.var.dtype(), 1)};
    }
    return make_stmt(std::move(block), s->span);
  }));
}

}  // namespace

bool only_a_branch(const PrimFunc& before, const PrimFunc& after, bool gone) {
  Names names;
  if (!names.pair(before, after)) return false;
  const std::optional<Place> place = difference(names, with_branches(before), with_branches(after));
  if (!place) return true;
  const Stmts &with = gone ? place->before : place->after, &without = gone ? place->after : place->before;
  const If* branch = with.size() == 1 ? with[0].as<If>() : nullptr;
  // Of a branch that is new the other side is nothing, or another value for the cell of the only store.
  auto stays = [&](const Stmt& part, const Stmt& other) {
    if (!part || !Names(names).same(gone ? parts_of(part) : without, gone ? without : parts_of(part))) return false;
    const Store *store = part.as<Store>(), *value = other ? other.as<Store>() : nullptr;
    return gone || !other || (store && value && store->buffer == value->buffer && store->indices == value->indices);
  };
  return branch && (stays(branch->then_case, branch->else_case) || stays(branch->else_case, branch->then_case));
}

std::optional<std::vector<Need>> follow(const PrimFunc& before, const PrimFunc& after, const std::string& file,
                                        const Premises& given) {
  // Loops of other names may be others: first it is believed that the names tell.
  for (bool by_name : {true, false}) {
    Names names;
    names.by_name = by_name;
    if (!names.pair(before, after)) return {};
    std::optional<Place> place = difference(names, parts_of(before.body), parts_of(after.body));
    if (!place) return std::vector<Need>();
    names.by_name = false;
    StepWalk walk(before, file, &given, names, *place);
    auto out = walk.follow();
    if (!out) continue;
    // Blocks that were not there before, or in another way: which instances are independent is asked of all of it.
    if (walk.new_blocks()) {
      for (Need& need : needs(after, file, &given)) out->push_back(std::move(need));
    }
    return out;
  }
  return {};
}

std::optional<std::vector<Need>> StepWalk::follow() {
  bool calls = place_.before.empty();  // other functions are not looked into
  for (const Stmts& side : {place_.before, place_.after}) stored_in(seq(side), &calls);
  if (calls) return {};
  ask_ = shape(place_.before, place_.after);
  if (!ask_) {
    const Stmts b = without_blocks(place_.before), a = without_blocks(place_.after);
    if (same(b, a)) ask_ = [] {};
    if (!ask_) ask_ = shape(b, a);
    if (!ask_) ask_ = twins(b, a);
    new_blocks_ = holds<Block>(place_.after);
  }
  if (!ask_) return {};
  quiet_ = true;
  std::vector<Need> needs = run();
  if (!reached_ || failed_) return {};
  return needs;
}

StepWalk::Ask StepWalk::shape(const Stmts& b, const Stmts& a) {
  if (Ask ask = nothing(b, a)) return ask;
  if (Ask ask = branch(b, a)) return ask;
  if (Ask ask = order(b, a)) return ask;
  if (Ask ask = two_loops(b, a, true)) return ask;
  if (Ask ask = two_loops(a, b, false)) return ask;
  return nest(b, a);
}

void StepWalk::meets(const Stmt& s) {
  if (touches_) return;
  if (quiet_ && s.get() == place_.before[0].get() && !reached_) {
    reached_ = true;
    at_place();
  }
  auto asks = asks_.find(s.get());
  if (asks == asks_.end() || !quiet_) return;
  quiet_ = false;
  for (const Ask& ask : asks->second) ask();
  quiet_ = true;
}

/// What stands there now is free of errors and of races; and what its shape owes.
void StepWalk::at_place() {
  // (Shapes are not renamed.)
  for (const auto& [after, before] : names_.vars()) {
    auto scalar = scalars_.find(before.name());
    if (scalar == scalars_.end() || !(scalar->second == before) || !has_term(before.dtype())) continue;
    terms_.bind(after, terms_.term(Expr(before)));
  }
  const Stmt here = at_;
  quiet_ = false;
  const Terms::Mark mark = terms_.mark();
  for (const Stmt& s : place_.after) stmt(names_.mine(s));
  terms_.back_to(mark);
  at_ = place_.after.empty() ? Stmt() : place_.after[0];
  ask_();
  terms_.back_to(mark);
  quiet_ = true;
  at_ = here;
}

/// S  ->  (nothing), of what computes nothing
StepWalk::Ask StepWalk::nothing(const Stmts& b, const Stmts& a) {
  const AllocBuffer* unused = b.size() == 1 ? b[0].as<AllocBuffer>() : nullptr;
  if (unused && same(parts_of(unused->body), a)) return [] {};
  const auto left = [](const Stmt& s) {
    bool calls = false;
    return stored_in(s, &calls).empty() && !calls ? empty_stmt() : s;
  };
  if (!same(parts_of(rewrite_stmt(seq(b), {}, left)), a)) return {};
  return [] {};
}

/// if c: S else: T  ->  S; and back. c is asked where it stands.
StepWalk::Ask StepWalk::branch(const Stmts& b, const Stmts& a) {
  for (bool gone : {true, false}) {
    const Stmts &with = gone ? b : a, &without = gone ? a : b;
    const If* stmt = with.size() == 1 ? with[0].as<If>() : nullptr;
    if (!stmt) continue;
    const Stmts then_case = parts_of(stmt->then_case), else_case = parts_of(stmt->else_case);
    auto fits = [&](const Stmts& side) { return gone ? same(side, without) : same(without, side); };
    const Expr condition = gone ? stmt->condition : names_.mine(stmt->condition);
    // (That a condition on data may be evaluated is not asked.)
    if (!gone && is_data(condition)) continue;
    if (fits(then_case) && fits(else_case)) return [] {};
    if (is_data(condition)) continue;
    if (fits(then_case)) return [=, this] { claim_here(terms_.term(condition), "the branch is always taken"); };
    if (fits(else_case)) {
      return [=, this] { claim_here("(not " + terms_.term(condition) + ")", "the branch is never taken"); };
    }
  }
  return {};
}

/// The same statements in another order: those that changed places share no cell that one writes.
StepWalk::Ask StepWalk::order(const Stmts& b, const Stmts& a) {
  if (b.size() != a.size() || b.size() < 2 || b.size() > 8 || holds<Assume>(b)) return {};
  std::vector<size_t> now;
  for (const Stmt& s : a) {
    size_t k = 0;
    while (k < b.size() && (std::count(now.begin(), now.end(), k) > 0 || !same({b[k]}, {s}))) ++k;
    if (k == b.size()) return {};
    now.push_back(k);
  }
  return [=, this] {
    for (size_t x = 0; x < now.size(); ++x) {
      for (size_t y = x + 1; y < now.size(); ++y) {
        if (now[x] < now[y]) continue;
        cross([&](int k) { return touched(k + 1, {b[now[k == 0 ? y : x]]}); },
              [](const Touch&, const Touch&) { return "true"; }, true, "statements that change places");
      }
    }
  };
}

/// for i: S1(i) ; for j: S2(j)  <->  for i: { S1(i); S2(i) }
StepWalk::Ask StepWalk::two_loops(const Stmts& two, const Stmts& one, bool merged) {
  const For* both = one.size() == 1 ? one[0].as<For>() : nullptr;
  const For *first = two.size() == 2 ? two[0].as<For>() : nullptr, *second = first ? two[1].as<For>() : nullptr;
  if (!both || !second || first->kind != both->kind || second->kind != both->kind || holds<Assume>(two)) return {};
  const Stmts inside = parts_of(both->body);
  const size_t cut = parts_of(first->body).size();
  if (cut >= inside.size()) return {};
  Stmts parts[2] = {Stmts(inside.begin(), inside.begin() + static_cast<long>(cut)),
                    Stmts(inside.begin() + static_cast<long>(cut), inside.end())};
  const For* loops[2] = {first, second};
  for (int k : {0, 1}) {
    const For &b = merged ? *loops[k] : *both, &a = merged ? *both : *loops[k];
    Names tried = names_;
    tried.pair(b.var, a.var);
    const Stmts mine = parts_of(loops[k]->body);
    if (!tried.same(merged ? mine : parts[k], merged ? parts[k] : mine)) return {};
    if (is_data(a.min) || is_data(a.extent) || is_data(b.min) || is_data(b.extent)) return {};
    // In the names of the program before.
    if (merged) parts[k] = mine;
  }
  const std::vector<For> of = {*first, *second};
  const For whole = *both;
  const Stmts s1 = parts[0], s2 = parts[1];
  return [=, this] {
    auto mine = [&](const Expr& e) { return terms_.term(names_.mine(e)); };
    std::vector<std::string> equal;
    for (const For& loop : of) {
      equal.push_back("(= " + mine(loop.min) + " " + mine(whole.min) + ")");
      equal.push_back("(= " + mine(loop.extent) + " " + mine(whole.extent) + ")");
    }
    claim_here(conjunction(equal), "the loops have one range");
    auto iteration = [&](int k) {
      const For& loop = merged ? of[static_cast<size_t>(k)] : whole;
      return touched(k + 1, k == 0 ? s1 : s2, [&] { loops_ = enter({loop}, {}, {}); });
    };
    cross(
        iteration, [](const Touch& a, const Touch& b) { return "(> " + a.loops.at(0) + " " + b.loops.at(0) + ")"; },
        whole.kind == ForKind::Serial, "iterations that change places");
  };
}

void StepWalk::cross(const std::function<std::vector<Touch>(int)>& execution, const Differ& differ, bool sums_may,
                     const std::string& what) {
  const std::vector<Touch> one = execution(0), other = execution(1);
  for (const Touch& a : one) {
    for (const Touch& b : other) {
      if (!(a.write || b.write) || !(a.buffer->data == b.buffer->data)) continue;
      if (sums_may && a.sum && a.sum == b.sum && a.buffer == b.buffer) continue;
      never(meeting(a, b, differ(a, b)), a, b, what);
    }
  }
}

/// What they store is not known to the other execution.
std::vector<Touch> StepWalk::touched(int execution, const Stmts& stmts, const std::function<void()>& inside) {
  return touches(execution, seq(place_.before), [&] {
    if (inside) inside();
    for (const Stmt& s : stmts) stmt(s);
  });
}

}  // namespace hexproof::checker
