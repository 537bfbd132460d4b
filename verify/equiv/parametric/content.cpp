#include "verify/equiv/parametric/content.h"

#include <fmt/format.h>

#include <utility>

#include "ir/interpreter/fault.h"
#include "ir/text/text.h"
#include "verify/equiv/parametric/desugar.h"
#include "verify/prove/open_rounding.h"

namespace hexproof::parametric {

namespace {

Stmt simpler(PrimFunc func) {
  func.body = plain(func.body);
  return without_idle_remainders(std::move(func)).body;
}

/// A condition that was evaluated, or is known to fit, with that.
std::vector<Expr> decided(const Expr& condition) {
  std::vector<Expr> out{condition};
  for (Expr& claim : evaluated(condition)) out.push_back(std::move(claim));
  return out;
}

}  // namespace

Access as_access(const Cell& cell) { return cells(cell.buffer, cell.indices); }

Content::Content(const PrimFunc& func, VarMap scalars, Scenario& scenario, Folds& folds, Entry entry, char side)
    : body_(simpler(func)),
      scalars_(std::move(scalars)),
      scenario_(scenario),
      folds_(folds),
      entry_(std::move(entry)),
      side_(side) {
  std::string why = not_modelled(body_);
  if (!why.empty()) throw Open{why};
}

void Content::open(const std::string& why, const Stmt& stmt) const { throw Open{why + ": " + one_line(stmt)}; }

Expr Content::at_end(const Cell& cell) {
  auto start = std::make_shared<ProgramPoint>();
  start->values = scalars_;
  return after(body_, start, cell);
}

bool Content::may_write(const Stmt& stmt, const Buffer& buffer) {
  auto it = written_.find(stmt.get());
  if (it == written_.end()) {
    kept_.push_back(stmt);
    it = written_.emplace(stmt.get(), data_written(stmt)).first;
  }
  return it->second.count(buffer->data) > 0;
}

MomentRef Content::inside(const Stmt& stmt, const MomentRef& outer) const {
  return std::make_shared<ProgramPoint>(
      ProgramPoint{.kind = ProgramPoint::Kind::Inside, .outer = outer, .stmt = stmt, .values = outer->values});
}

MomentRef Content::bound(const MomentRef& moment, const Var& var, const Expr& value) const {
  auto out = std::make_shared<ProgramPoint>(*moment);
  out->values.insert_or_assign(var, value);
  return out;
}

MomentRef Content::in_seq(const Stmt& stmt, const MomentRef& outer, size_t ran) const {
  return std::make_shared<ProgramPoint>(ProgramPoint{
      .kind = ProgramPoint::Kind::InSeq, .outer = outer, .stmt = stmt, .ran = ran, .values = outer->values});
}

MomentRef Content::in_loop(const Stmt& stmt, const MomentRef& outer, const LoopRange& range, const Expr& iteration,
                           const Cell* own, const Expr& own_value) const {
  auto out = std::make_shared<ProgramPoint>(ProgramPoint{.kind = ProgramPoint::Kind::InLoop,
                                                         .outer = outer,
                                                         .stmt = stmt,
                                                         .min = range.min,
                                                         .iteration = iteration,
                                                         .own_value = own_value,
                                                         .values = outer->values});
  if (own) out->own = *own;
  out->values.insert_or_assign(range.var, iteration);
  return out;
}

Expr Content::same(const Access& a, const Cell& b) const { return substitute(same_cell(a, as_access(b)), scalars_); }
Expr Content::same(const Cell& a, const Cell& b) const { return same(as_access(a), b); }

bool Content::is_same(const Cell& a, const Cell& b) {
  if (a.buffer == b.buffer && a.indices == b.indices) return true;
  return a.buffer->dtype == b.buffer->dtype && may_alias(a.buffer, b.buffer) && scenario_.quick(same(a, b));
}

void Content::owe_fits(const Expr& e) {
  if (!scenario_.proves(fits(e))) throw Open{"an index may not fit its type: " + hexproof::print(e)};
}

Expr Content::choose(const Expr& condition, const Thunk& yes, const Thunk& no) {
  if (scenario_.quick(condition)) return yes();
  if (scenario_.quick(lnot(condition))) return no();
  Expr a, b;
  {
    Scenario::Under under(scenario_, decided(condition));
    a = yes();
  }
  {
    Scenario::Under under(scenario_, decided(lnot(condition)));
    b = no();
  }
  return a == b && a->op != Op::Undef ? a : if_then_else(condition, a, b);
}

Expr Content::before(const MomentRef& from, const Cell& cell) {
  for (MomentRef m = from;; m = m->outer) {
    switch (m->kind) {
      case ProgramPoint::Kind::Entry:
        return entry_(cell);
      case ProgramPoint::Kind::InSeq: {
        const std::vector<Stmt>& parts = m->stmt.as<Seq>()->stmts;
        for (size_t k = m->ran; k-- > 0;) {
          if (may_write(parts[k], cell.buffer)) return after(parts[k], in_seq(m->stmt, m->outer, k), cell);
        }
        break;
      }
      case ProgramPoint::Kind::InLoop: {
        const For& loop = *m->stmt.as<For>();
        if (m->own && is_same(*m->own, cell)) {
          if (m->own_value) return m->own_value;
          break;
        }
        if (m->iteration == m->min || !may_write(loop.body, cell.buffer)) break;
        Expr extent = hexproof::fold(m->iteration - m->min);
        owe_fits(extent);
        struct Part {
          explicit Part(bool& in) : in(in), before(std::exchange(in, true)) {}
          ~Part() { in = before; }
          bool &in, before;
        } part(in_part_);
        return after_loop(m->stmt, loop, m->outer, cell, {loop.var, m->min, extent, loop.kind});
      }
      case ProgramPoint::Kind::Inside: {
        const AllocBuffer* alloc = m->stmt.as<AllocBuffer>();
        const Allocate* raw = m->stmt.as<Allocate>();
        if (alloc && alloc->buffer->data == cell.buffer->data) return any_value("uninitialised", cell.buffer->dtype);
        if (!raw || !(raw->data == cell.buffer->data)) break;
        if (raw->constant.empty()) return any_value("uninitialised", cell.buffer->dtype);
        open("constant memory is not followed", m->stmt);
      }
    }
  }
}

Expr Content::after(const Stmt& stmt, const MomentRef& moment, const Cell& cell) {
  if (!may_write(stmt, cell.buffer)) return before(moment, cell);
  scenario_.spend("too many stores to look at");
  return std::visit(
      match{[&](const Store& s) { return after_store(stmt, s, moment, cell); },
            [&](const For& s) {
              LoopRange range{s.var, eval(stmt, 0, s.min, moment), eval(stmt, 1, s.extent, moment), s.kind};
              return after_loop(stmt, s, moment, cell, range);
            },
            [&](const If& s) {
              Expr condition = eval(stmt, 0, s.condition, moment);
              MomentRef in = inside(stmt, moment);
              return choose(
                  condition, [&] { return after(s.then_case, in, cell); },
                  [&] { return s.else_case ? after(s.else_case, in, cell) : before(moment, cell); });
            },
            [&](const LetStmt& s) {
              Expr value = chosen(eval(stmt, 0, s.value, moment));
              return after(s.body, bound(inside(stmt, moment), s.var, value), cell);
            },
            [&](const Seq& s) { return before(in_seq(stmt, moment, s.stmts.size()), cell); },
            [&](const AllocBuffer& s) { return after(s.body, inside(stmt, moment), cell); },
            [&](const Allocate& s) { return after(s.body, inside(stmt, moment), cell); },
            [&](const DeclBuffer& s) { return after(s.body, inside(stmt, moment), cell); },
            [&](const AttrStmt& s) { return after(s.body, inside(stmt, moment), cell); },
            [&](const AsyncCommit& s) { return after(s.body, inside(stmt, moment), cell); },
            [&](const AsyncWait& s) { return after(s.body, inside(stmt, moment), cell); },
            [&](const Evaluate&) { return before(moment, cell); }, [&](const Assume&) { return before(moment, cell); },
            [&](const Block&) -> Expr { open("a block was left", stmt); }},
      stmt->record);
}

Expr Content::after_store(const Stmt& stmt, const Store& s, const MomentRef& moment, const Cell& cell) {
  if (!s.buffer->dtype.is_scalar() || !cell.buffer->dtype.is_scalar()) {
    open("a buffer of vectors is not followed", stmt);
  }
  int lanes = 1;
  for (const Expr& index : s.indices) lanes = std::max<int>(lanes, index->dtype.lanes);
  if (lanes > 1) return after_lanes(stmt, s, lanes, moment, cell);
  Cell hit{s.buffer, {}};
  for (size_t d = 0; d < s.indices.size(); ++d) {
    hit.indices.push_back(scenario_.tidy(eval(stmt, d + 1, s.indices[d], moment)));
  }
  Expr met = same(hit, cell);
  if (s.buffer->dtype != cell.buffer->dtype) {
    if (scenario_.proves(lnot(met))) return before(moment, cell);
    open("memory is written as " + s.buffer->dtype.str() + " and seen as " + cell.buffer->dtype.str(), stmt);
  }
  if (!scenario_.quick(met) && !scenario_.quick(lnot(met))) owe_fits(met);
  return choose(
      met, [&] { return stored(stmt, eval(stmt, 0, s.value, moment), cell); }, [&] { return before(moment, cell); });
}

Expr Content::stored(const Stmt& stmt, Expr value, const Cell& cell) {
  auto it = made_in_.find(value);
  if (it != made_in_.end() && it->second == stmt.get()) stored_.insert_or_assign(value, cell);
  return value;
}

bool Content::is_stored(const Expr& evaluation, const Cell& cell) const {
  auto it = stored_.find(evaluation);
  return it != stored_.end() && it->second.buffer == cell.buffer && it->second.indices == cell.indices;
}

Expr Content::after_lanes(const Stmt& stmt, const Store& s, int lanes, const MomentRef& moment, const Cell& cell) {
  if (s.buffer->dtype != cell.buffer->dtype) open("memory is seen as two types of element", stmt);
  bool computed = true;
  visit_nodes(lane_of(s.value, Var::fresh("lane", kInt32), {}), [&](const Expr& e) {
    computed = computed && !(is_uninterpreted(e->op));
    return computed;
  });
  if (!computed) open("the lanes of a vector are not computed one by one", stmt);
  // What is scalar in a vector is evaluated once for all lanes, and so is what a let binds.
  auto once = [&](const Expr& whole) {
    visit_nodes(whole, [&](const Expr& e) {
      if (!e->dtype.is_scalar() && e->op != Op::Let) return true;
      visit_nodes(e, [&](const Expr& part) {
        if (part->op == Op::Undef) open("one undef is the value of several lanes", stmt);
        if (is_left_open(part, OpenRounding::here())) {
          open("one evaluation whose rounding is left open is the value of several lanes", stmt);
        }
        return true;
      });
      return false;
    });
  };
  once(s.value);
  for (const Expr& index : s.indices) once(index);
  LoopRange range{Var::fresh("lane", kInt32), i32(0), i32(lanes), ForKind::Vectorized};
  std::vector<Expr> indices;
  for (const Expr& index : s.indices) indices.push_back(lane_of(index, range.var, {}));
  auto at = [&](const Expr& lane) {
    MomentRef m = bound(moment, range.var, lane);
    Cell out{s.buffer, {}};
    for (size_t d = 0; d < indices.size(); ++d) out.indices.push_back(eval(stmt, d + 1, indices[d], m, lane));
    return out;
  };
  Cell any = at(Expr(range.var));
  Access write = cells(any.buffer, any.indices, {range});
  std::optional<Expr> lane = only_iteration({rename_apart(write)}, cell);
  if (!lane) open("the lanes of a vector store could not be told apart", stmt);
  Expr met = land(all(within(range, *lane)), same(at(*lane), cell));
  if (!scenario_.quick(met)) owe_fits(met);
  return choose(
      met,
      [&] {
        const MomentRef m = bound(moment, range.var, *lane);
        return stored(stmt, eval(stmt, 0, lane_of(s.value, range.var, {}), m, *lane), cell);
      },
      [&] { return before(moment, cell); });
}

}  // namespace hexproof::parametric
