// suggest_pad_value(block, buffer, index_map): every candidate is tried on a copy of the derivation.
#include "rewrite/schedule/padding/suggest_pad_value.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/pad_candidates.h"
#include "verify/prove/effort.h"

namespace hexproof {
namespace {

/// Flags that a proof about padding may need (LLVM's names).
const std::vector<std::string> kFlags{"nsz", "nnan", "ninf", "reassoc"};

/// The function with more flags granted.
PrimFunc with_flags(PrimFunc func, const std::vector<std::string>& flags) {
  std::vector<std::string> all = func.granted_flags();
  all.insert(all.end(), flags.begin(), flags.end());
  func.attrs[kFastMathAttribute] = join_flags(all);
  return func;
}
Derivation granted(const PrimFunc& func, const std::vector<std::string>& flags) {
  return Derivation(with_flags(func, flags));
}

bool stores_to(const Stmt& stmt, const std::string& buffer) {
  bool found = false;
  visit_stmt(stmt, [&](const Stmt& s) {
    const Store* store = s.as<Store>();
    found = found || (store && store->buffer->name == buffer);
    return !found;
  });
  return found;
}

/// The branch of the stage that fills the padding: nothing behind it stores to the buffer.
bool is_pad_stage(const PrimFunc& func, const Path& at, const std::string& buffer) {
  if (!stores_to(stmt_at(func, at), buffer)) return false;
  for (const Path& store : find_all(func, [](const Stmt& s) { return s.as<Store>() != nullptr; })) {
    bool to = stmt_at(func, store).as<Store>()->buffer->name == buffer;
    if (to && at < store && !is_within(store, at)) return false;
  }
  return true;
}

struct Trial {
  Derivation derivation;
  size_t branches = 0;  // that went
  std::string why;      // when none did
};

/// The branches that overcompute took away from `first` on, without that of the pad stage.
size_t branches_gone(const Derivation& derivation, size_t first, const std::string& buffer, bool stage) {
  size_t count = 0;
  for (size_t k = first; k < derivation.steps().size(); ++k) {
    const Step& step = derivation.steps()[k];
    if (step.rule != "overcompute") continue;
    if (stage && is_pad_stage(step.before, std::get<Path>(step.args.at("at")), buffer)) {
      stage = false;
    } else {
      ++count;
    }
  }
  return count;
}

class Trials {
 public:
  /// `inner` makes a schedule one whose primitives are parts of another one, which is not asked for flags.
  Trials(Prover& prover, const BlockRef& block, const BufferChoice& choice, const IndexMap& map,
         std::function<void(Schedule&)> inner)
      : prover_(prover), block_(block), choice_(choice), map_(map), inner_(std::move(inner)) {}

  /// With this pad value (none: without one). Errors are those of transform_layout.
  Trial run(const Derivation& from, const Expr& value) {
    Trial out{from, 0, ""};
    Schedule schedule(out.derivation, prover_);
    inner_(schedule);
    Buffer buffer = schedule.buffer_of(block_, choice_);
    std::string call = fmt::format("suggest_pad_value({}, {}): ", block_.name, buffer->name);
    schedule.at(call + "transform_layout", {});
    try {
      schedule.transform_layout(block_, choice_, map_, value ? std::optional<PadArg>(value) : std::nullopt);
    } catch (const OutOfTime&) {
      throw;
    } catch (const std::exception& error) {
      if (!value) throw;  // the layout itself
      out.why = error.what();
      return out;
    }
    const std::vector<Step>& steps = out.derivation.steps();
    auto is_layout = [](const Step& step) { return step.rule == "transform-layout"; };
    const Step& layout = *std::find_if(steps.rbegin(), steps.rend(), is_layout);
    bool param = !layout.interface_changes.empty();
    bool stage = value && (!param || layout.interface_changes[0].written);
    try {
      schedule.at(call + "sequential_buffer_access", {});
      schedule.sequential_buffer_access(block_, choice_);
    } catch (const Refused& error) {
      out.why = error.what();
    } catch (const Error& error) {
      out.why = error.what();
    }
    size_t first = steps.size();
    try {
      schedule.at(call + "remove_branching_through_overcompute", {});
      schedule.remove_branching_through_overcompute(block_, true);
      out.branches = branches_gone(out.derivation, first, buffer->name, stage);
    } catch (const Refused& error) {
      if (out.why.empty()) out.why = error.what();
    } catch (const Error& error) {
      if (out.why.empty()) out.why = error.what();
    }
    if (out.branches > 0) out.why.clear();
    return out;
  }

 private:
  Prover& prover_;
  const BlockRef& block_;
  const BufferChoice& choice_;
  const IndexMap& map_;
  std::function<void(Schedule&)> inner_;
};

bool has_floats(const PrimFunc& func) {
  bool found = false;
  visit_all_exprs(func.body, [&](const Expr& e) {
    visit_expr(e, [&](const Expr& part) {
      found = found || part->dtype.is_float();
      return !found;
    });
  });
  return found;
}

}  // namespace

std::string PadSuggestion::str() const { return print(value) + (flags.empty() ? "" : " with " + join_flags(flags)); }

std::vector<std::optional<Expr>> PadSuggestions::usable() const {
  std::vector<std::optional<Expr>> out;
  for (const PadSuggestion& s : proved) {
    if (s.flags.empty()) out.push_back(s.value);
  }
  if (out.empty()) out.push_back(std::nullopt);
  return out;
}

PadSuggestions Schedule::suggest_pad_value(const BlockRef& given, const BufferChoice& choice, const IndexMap& map) {
  const BlockRef block{given.loop ? given.name : current_name(given), given.loop};
  Trials trials(prover_, block, choice, map, [](Schedule& s) { ++s.depth_; });
  const Derivation& derivation = derivation_;
  Buffer buffer = buffer_of(block, choice);
  size_t without = 0;
  primitive([&] { without = trials.run(derivation, {}).branches; });

  std::vector<Expr> candidates = pad_candidates(func(), path_of(block), buffer);
  candidates.insert(candidates.begin(), undef(buffer->dtype));
  // More flags need not prove more: `ninf` forbids padding that is infinite, `reassoc` leaves open how sums are
  // rounded.
  std::vector<std::vector<std::string>> tries;
  for (const std::set<std::string>& without : {std::set<std::string>{"ninf", "reassoc"}, {"reassoc"}, {}}) {
    std::vector<std::string> more;
    for (const std::string& flag : kFlags) {
      if (has_floats(func()) && !func().granted(flag) && !without.count(flag) &&
          ill_formed(with_flags(func(), {flag})).empty()) {
        more.push_back(flag);
      }
    }
    if (!more.empty() && (tries.empty() || tries.back() != more)) tries.push_back(more);
  }

  PadSuggestions out;
  for (const Expr& value : candidates) {
    Trial trial = trials.run(derivation, value);
    std::vector<std::string> flags;
    for (const std::vector<std::string>& more : tries) {
      if (trial.branches > without) continue;
      // All flags, and then as few as will do.
      Trial with = trials.run(granted(func(), more), value);
      if (with.branches <= without) continue;
      flags = more;
      for (size_t k = flags.size(); k-- > 0 && flags.size() > 1;) {
        std::vector<std::string> fewer = flags;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
        Trial again = trials.run(granted(func(), fewer), value);
        if (again.branches < with.branches) continue;
        flags = fewer;
        with = std::move(again);
      }
      trial = std::move(with);
    }
    if (trial.branches > without) {
      out.proved.push_back({value, flags, trial.branches - without, std::move(trial.derivation)});
    } else {
      out.refused.push_back({value, trial.why.empty() ? "no more branches go than without a pad value" : trial.why});
    }
  }
  std::stable_sort(out.proved.begin(), out.proved.end(), [](const PadSuggestion& a, const PadSuggestion& b) {
    auto rank = [](const PadSuggestion& s) {
      return std::tuple(s.flags.size(), s.value->op != Op::Undef, -static_cast<int64_t>(s.branches));
    };
    return rank(a) < rank(b);
  });
  return out;
}

}  // namespace hexproof
