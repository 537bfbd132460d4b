#include "verify/check/items/clashing.h"

#include "ir/visit.h"
#include "verify/check/replay.h"

namespace hexproof {
namespace {

constexpr size_t kMostAsked = 128;

/// What an assume says in one iteration of the loops around it: it holds of every input on which a run meets no error.
using Said = std::vector<Expr>;

class Instances {
 public:
  explicit Instances(const PrimFunc& func) : func_(func) {
    for (const Var& v : func.scalars()) scalars_.insert(v);
    walk_with_facts(func, [&](const Stmt& s, const Path& path, const Facts& facts) {
      if (const Assume* assume = s.as<Assume>()) add(*assume, path, facts);
      return true;
    });
  }
  Said said;

 private:
  static constexpr size_t kOfOne = 64;   // instances of one assume
  static constexpr int64_t kFirst = 16;  // iterations of one loop, and the last one

  void add(const Assume& assume, const Path& path, const Facts& facts) {
    for (size_t depth = 0; depth < path.size(); ++depth) {
      const Block* block = stmt_at(func_, {path.begin(), path.begin() + static_cast<long>(depth)}).as<Block>();
      if (block && block->init) return;  // its parts run in some iterations only
    }
    Expr says = inline_lets(facts.resolve(assume.condition), facts.loops);
    for (const Expr& condition : facts.conditions) says = lor(lnot(condition), says);
    const std::set<Var> written = written_before(path);
    auto changed = [&](const Expr& e) {
      bool found = false;
      visit_expr(e, [&](const Expr& node) {
        found |= node->op == Op::Opaque || (node->op == Op::Var && node->var().is_data()) ||
                 (node->op == Op::Load && written.count(node->buffer()->data));
        return !found;
      });
      return found;
    };
    if (memory_decides(func_, path, changed)) return;  // a condition that may have ended is no fact
    for (const Var& v : data_read(says)) {
      if (written.count(v)) return;
    }
    left_ = kOfOne;
    instances(says, facts.loops, 0, {});
  }

  /// Memory that may have changed when a run gets to the place.
  std::set<Var> written_before(const Path& path) const {
    std::set<Var> out;
    auto add = [&](const Stmt& s) { out.merge(data_written(s)); };
    Stmt at = func_.body;
    for (int step : path) {
      if (at.as<For>()) add(at);
      const std::vector<Stmt> parts = children(at);
      if (at.as<Seq>()) std::for_each(parts.begin(), parts.begin() + step, add);
      at = parts[static_cast<size_t>(step)];
    }
    return out;
  }

  void instances(const Expr& says, const std::vector<LoopRange>& loops, size_t depth, VarMap values) {
    if (left_ == 0) return;
    if (depth == loops.size()) {
      const Expr one = substitute(says, values);
      bool known = true;
      for (const Var& v : free_vars(one)) known &= scalars_.count(v) > 0;
      visit_expr(one, [&](const Expr& e) {
        known &= e->op != Op::Undef && !is_uninterpreted(e->op);
        return known;
      });
      if (known) said.push_back(one), --left_;
      return;
    }
    const LoopRange& loop = loops[depth];
    const Expr min = substitute(loop.min, values), extent = substitute(loop.extent, values);
    const std::optional<Wide> runs = as_int(extent) ? std::optional(int_value(extent)) : std::nullopt;
    std::vector<Wide> iterations;
    for (Wide k = 0; k < (runs ? std::min<Wide>(*runs, kFirst) : Wide{2}); ++k) iterations.push_back(k);
    if (runs && *runs > kFirst) iterations.push_back(*runs - 1);
    for (const Wide& k : iterations) {
      if (!fits_type(min->dtype, k) || !fits_type(extent->dtype, k) || is_data(min) || is_data(extent)) return;
      VarMap inner = values;
      inner.insert_or_assign(loop.var, fold(min + imm(min->dtype, k)));
      const Expr reached = lt(imm(extent->dtype, k), extent);
      instances(runs ? says : lor(lnot(reached), says), loops, depth + 1, std::move(inner));
    }
  }

  const PrimFunc& func_;
  std::set<Var> scalars_;
  size_t left_ = 0;
};

}  // namespace

PrimFunc without_assumes(const PrimFunc& func, const std::set<const void*>& conditions) {
  PrimFunc out = func;
  out.body = rewrite_stmt(out.body, {}, [&](const Stmt& s) {
    const Assume* assume = s.as<Assume>();
    return assume && conditions.count(assume->condition.get()) ? make_stmt(Assume{boolean(true)}, s->span) : s;
  });
  return out;
}

std::vector<Stmt> assumes_of(const PrimFunc& func) {
  std::vector<Stmt> out;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (s.as<Assume>()) out.push_back(s);
    return true;
  });
  return out;
}

std::string Clash::str() const {
  std::string out = assumes.size() == 1 && least
                        ? "\n  with the loops and branches around it, whatever else is assumed:"
                    : least ? "\n  these clash, and without any one of them nothing does:"
                            : "\n  these clash (whether fewer of them do was not asked):";
  for (const Place& one : assumes) out += "\n    " + (one.span ? one.span.str() + ": " : "") + one.statement;
  return out;
}

Clash least_clash(const PrimFunc& func, const std::vector<Stmt>& assumes, const Stmt& always,
                  const std::function<bool(const PrimFunc& less)>& clashes) {
  std::set<const void*> out_of_it;
  size_t asked = 0;
  auto condition = [](const Stmt& s) -> const void* { return s.as<Assume>()->condition.get(); };
  std::vector<Stmt> left = assumes;
  Clash out;
  // Many at a time first; those far away first, so that what is left stands close together.
  for (size_t chunk = std::max<size_t>(left.size() / 2, 1);; chunk /= 2) {
    std::vector<Stmt> kept;
    for (size_t k = 0; k < left.size(); k += chunk) {
      const auto first = left.begin() + static_cast<long>(k);
      const auto last = left.begin() + static_cast<long>(std::min(k + chunk, left.size()));
      std::set<const void*> now = out_of_it;
      for (auto it = first; it != last; ++it) now.insert(condition(*it));
      const bool may_ask = asked < kMostAsked;
      out.least &= may_ask || chunk > 1;
      if (may_ask && (++asked, clashes(without_assumes(func, now))))
        out_of_it = std::move(now);
      else
        kept.insert(kept.end(), first, last);
    }
    left = std::move(kept);
    if (chunk <= 1) break;
  }
  for (const Stmt& s : assumes_of(func)) {
    const bool is_left = std::any_of(left.begin(), left.end(), [&](const Stmt& l) { return l.get() == s.get(); });
    if (is_left || s.get() == always.get()) out.assumes.push_back(place_of(func, s));
  }
  return out;
}

std::optional<Clash> contradiction(const PrimFunc& func, Prover& prover) {
  const Place where{.function = func.name, .statement = {}, .span = func.span};
  auto clashes = [&](const PrimFunc& less) {
    std::vector<Expr> given = entry_facts(less).given();
    const Said said = Instances(less).said;
    given.insert(given.end(), said.begin(), said.end());
    return !said.empty() && prover.contradictory(given, where).verdict == Verdict::Proved;
  };
  if (!clashes(func)) return std::nullopt;
  return least_clash(func, assumes_of(func), {}, clashes);
}

}  // namespace hexproof
