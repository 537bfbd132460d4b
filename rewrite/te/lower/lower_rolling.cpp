// Sliding windows: what an earlier iteration of a loop computed of a stage is kept, and not computed again.
#include <algorithm>

#include "rewrite/rules/args/buffers.h"
#include "rewrite/rules/args/windows.h"
#include "rewrite/te/lower/lowering.h"
#include "verify/access/linear.h"

namespace hexproof::te {
namespace {

/// `e` is a sum, some of whose terms are the loops: which of them, by the largest coefficient first.
std::vector<std::pair<Var, Wide>> digits_of(const Linear& e, const std::vector<LoopRef>& own) {
  std::vector<std::pair<Var, Wide>> out;
  for (const auto& [atom, coefficient] : e.terms) {
    const bool is_own = atom->op == Op::Var && std::any_of(own.begin(), own.end(), [&, &a = atom](const LoopRef& l) {
                          return l.var == a->var();
                        });
    if (is_own) out.emplace_back(atom->var(), coefficient);
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

Expr sum_of(const Linear& e) {
  const Expr out = e.expr(kInt32);
  return out ? out : i32(0);
}

}  // namespace

void Lowering::roll(StageId id, const Note& note, const size_t* outside) {
  at(note.written);
  const std::string& name = record_.stage(id).name;
  if (!outside) {
    throw Unsupported(now_.span, "'" + name + "' has a layout of its own: its windows are not followed",
                      "leave out the transform_layout, or the rolling_buffer");
  }
  if (record_.stage(id).attach != Attach::Scope)
    fail("'" + name + "' is computed at no loop: it has no window that slides", "s[X].compute_at(...) says where");
  const auto box = boxes_.find(id);
  const std::vector<LoopRef> around = loops_of(block(id));
  const std::vector<LoopRef> own(around.begin() + static_cast<std::ptrdiff_t>(*outside), around.end());
  // The innermost loop that moves the window.
  std::optional<size_t> loop, dim;
  for (size_t k = *outside; k-- > 0 && box != boxes_.end() && !loop;) {
    for (size_t d = 0; d < box->second.base.size(); ++d) {
      if (!uses_var(box->second.base[d], around[k].var)) continue;
      if (dim) {
        throw Unsupported(now_.span, "the window of '" + name + "' slides along two axes at once",
                          "compute it at a loop that moves one of them");
      }
      loop = k, dim = d;
    }
  }
  if (!loop) {
    fail("all loops around '" + name + "' need the same of it: no window slides",
         "rolling_buffer is of a stage that is computed at a loop along which what is needed moves");
  }
  Steps steps(sch_);
  steps.all_or_nothing([&] {
    const Var x = around[*loop].var;
    const For& sliding = record_at<For>(steps.func(), steps.path_of(around[*loop]), "a loop");
    VarMap bound, one_before{{x, Expr(x) - imm(x.dtype(), 1)}};
    for (const hexproof::IterVar& iv : record_of(block(id)).iters) bound[iv.var] = iv.binding;
    const Expr cell = substitute(store_of(block(id)).indices.at(*dim), bound);
    // Where the cell stands in the window of the iteration before: there already, if it is less than its extent.
    Linear there = linear(cell);
    there.add(linear(substitute(box->second.base[*dim], one_before)), -1);
    const Expr place = sum_of(there);
    Linear moving = there;
    const Wide kept = *as_int(box->second.extent[*dim]) - there.constant;
    moving.constant = 0;
    if (!fits_type(kInt32, kept)) fail("the window of '" + name + "' is too large");
    const Expr fresh = lor(le(Expr(x), sliding.min), le(i32(static_cast<int64_t>(kept)), sum_of(moving)));
    const std::vector<std::pair<Var, Wide>> digits = digits_of(linear(cell), own);
    VarMap earlier = one_before;
    Expr rest = place;
    for (const auto& [var, coefficient] : digits) {
      if (coefficient <= 0 || !fits_type(kInt32, coefficient)) fail("the loops of '" + name + "' run backwards");
      const Expr step = i32(static_cast<int64_t>(coefficient));
      earlier[var] = coefficient == 1 ? rest : floordiv(rest, step);
      rest = coefficient == 1 ? i32(0) : floormod(rest, step);
    }
    // Behind the last loop that the condition speaks of.
    size_t deepest = *outside;
    for (size_t k = *outside; k < around.size(); ++k) {
      if (uses_var(place, around[k].var)) deepest = k + 1;
    }
    const Path statement = deepest > *outside ? below(steps.path_of(around[deepest - 1]), 0)
                           : own.empty()      ? path_of(block(id))
                                              : steps.path_of(own[0]);
    std::vector<Expr> values;
    for (const Path& l : loops_around(steps.func(), statement)) {
      if (!is_within(l, steps.path_of(around[*loop]))) continue;
      const Var var = record_at<For>(steps.func(), l, "a loop").var;
      values.push_back(earlier.count(var) ? earlier.at(var) : Expr(var));
    }
    steps.apply(SkipComputedArgs{.at = statement, .loop = x, .condition = fresh, .earlier = values});
    steps.simplify(statement);
    rolled_.emplace(id, Rolled{.loop = x, .axis = *dim, .extent = *as_int(box->second.extent[*dim])});
  });
}

void Lowering::allocate_rolled() {
  Steps steps(sch_);
  for (const auto& [id, rolled] : rolled_) {
    for (const Note& note : record_.stage(id).notes) {
      if (note.kind == Note::Kind::RollingBuffer) at(note.written);
    }
    const std::string& name = names_.at(record_.stage(id).op->outputs[0]);
    std::vector<Path> around = loops_around(steps.func(), steps.path_of(LoopRef{rolled.loop}));
    bool sunk = false;
    while (!sunk && !around.empty()) {
      sunk = steps.try_apply(SinkAllocArgs{.buffer = name, .loop = around.back()});
      around.pop_back();
    }
    steps.try_apply(FoldBufferArgs{.buffer = name, .axis = static_cast<int64_t>(rolled.axis), .factor = rolled.extent});
    steps.try_apply(CompactBufferArgs{.buffer = name});
  }
}

}  // namespace hexproof::te
