#include "verify/equiv/equiv.h"

#include <fmt/format.h>

#include <chrono>

#include "ir/base/mutant.h"
#include "ir/visit.h"
#include "verify/access/footprint.h"
#include "verify/check/check.h"
#include "verify/equiv/cross_check.h"
#include "verify/equiv/satisfiable.h"
#include "verify/equiv/sizes.h"
#include "verify/equiv/unfilled_padding.h"
#include "verify/facts/memory_size.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

/// Statements and cells for a first look: milliseconds, and most wrong pairs need no more.
constexpr uint64_t kFirstLook = 200'000;

/// Statements that a fingerprint may run, when the effort is bounded.
constexpr uint64_t kSecondFingerprint = 20'000'000;

/// How many sizes a pair of symbolic shape is tried at.
constexpr int kSizesTried = 12;

/// What the layouts must satisfy at every size of `before`: `after` has such an argument, and the map is injective, and
/// inside of the buffer.
std::vector<Obligation> layout_obligations(const ProgramPair& pair) {
  std::vector<Obligation> out;
  const std::vector<Expr> at_entry = entry_facts(pair.before).conditions;
  for (const BufferPair& buffer : pair.buffers) {
    const Place argument{pair.after.name, "buffer " + buffer.after->name, pair.after.span};
    for (const Expr& extent : buffer.after->shape) {
      const Expr at = substitute(extent, VarMap(pair.after_scalars.begin(), pair.after_scalars.end()));
      out.push_back({"equiv-layout", "the shape is no error wherever the first program has its own", argument, at_entry,
                     land(fits(at), counted_in_int64(at))});
      if (buffer.identity) continue;  // it is the other one
      out.push_back({"equiv-layout", "the shape is not negative wherever the first program has its own", argument,
                     at_entry, le(zero(at->dtype), at)});
    }
    if (buffer.identity) {
      // Buffers that keep their layout have equal shapes at every size.
      VarMap values;
      for (const auto& [var, value] : pair.after_scalars) values.emplace(var, value);
      Place place{pair.before.name, "buffer " + buffer.before->name, pair.before.span};
      for (size_t d = 0; d < buffer.before->ndim(); ++d) {
        const auto [extent, other] = alike(buffer.before->shape[d], substitute(buffer.after->shape[d], values));
        out.push_back({"equiv-layout", "the shapes are equal", place, {}, eq(extent, other)});
      }
      continue;
    }
    Place where{pair.before.name, "the layout " + print(buffer.map) + " of " + buffer.before->name, pair.before.span};
    std::vector<Expr> given, again, equal, same, inside;
    VarMap copy, sizes;
    for (const auto& [var, value] : pair.after_scalars) sizes.emplace(var, value);
    // Both layouts exist, so both fit in memory.
    given = at_entry;
    for (const Expr& e : entry_facts(pair.after).conditions) given.push_back(substitute(e, sizes));
    for (size_t d = 0; d < buffer.map.inputs.size(); ++d) {
      const Var& i = buffer.map.inputs[d];
      Var j = Var::fresh(i.name() + "_2", i.dtype());
      copy.emplace(i, Expr(j));
      Expr extent = buffer.before->shape[d];
      if (extent->dtype != i.dtype()) extent = cast(i.dtype(), extent);
      for (const Var& v : {i, j}) {
        given.push_back(le(zero(v.dtype()), v));
        given.push_back(lt(v, extent));
      }
      same.push_back(eq(i, j));
    }
    for (size_t d = 0; d < buffer.map.outputs.size(); ++d) {
      const Expr& e = buffer.map.outputs[d];
      equal.push_back(eq(e, substitute(e, copy)));
      Expr extent = substitute(buffer.after->shape[d], sizes);
      if (extent->dtype != e->dtype) extent = cast(e->dtype, extent);
      inside.push_back(le(zero(e->dtype), e));
      inside.push_back(lt(e, extent));
      out.push_back({"equiv-layout", "computing the layout is no error", where, given, fits(e)});
    }
    for (const Expr& goal : inside)
      out.push_back({"equiv-layout", "the layout stays in the buffer", where, given, goal});
    std::vector<Expr> both = given;
    both.insert(both.end(), equal.begin(), equal.end());
    for (const Expr& goal : same) out.push_back({"equiv-layout", "the layout is injective", where, both, goal});
  }
  return out;
}

/// What is not proved of the asynchronous copies of a program; or empty.
std::string copies_in_flight_open(const PrimFunc& func, Prover& prover) {
  for (const Obligation& o : copies_are_waited_for(func)) {
    if (prover.prove(o).verdict != Verdict::Proved) return "it is not proved that " + o.why;
  }
  return "";
}

class EquivJudge {
 public:
  EquivJudge(const ProgramPair& pair, Prover& prover, const EquivOptions& options)
      : prover_(prover), options_(options) {
    report_.pair = pair;
  }

  EquivReport run() {
    std::optional<Instance> concrete;
    if (is_concrete(pair())) {
      concrete = instantiate(pair(), {});
    } else if (!layouts_proved()) {
      return std::move(report_);
    }
    if (concrete && seen_at_once(*concrete)) return std::move(report_);
    if (asked(Method::Parametric) && take(parametric())) {
      if (report_.finding == Finding::Proved && options_.method == Method::Auto) {
        cross_check(&report_, options_);
      }
      return std::move(report_);
    }
    if (options_.effort == EquivEffort::Bounded) {
      at_reaching_sizes();
    } else if (concrete) {
      at_one_size(*concrete);
    } else {
      at_small_sizes();
    }
    if (report_.finding == Finding::Undecided && report_.reason.empty()) {
      for (const Evidence& e : report_.evidence)
        report_.reason += (report_.reason.empty() ? "" : "\n") + e.method + ": " + e.says;
    }
    return std::move(report_);
  }

 private:
  const ProgramPair& pair() const { return report_.pair; }
  bool asked(Method method) const { return options_.method == Method::Auto || options_.method == method; }

  bool seen_at_once(const Instance& at) {
    if (options_.method != Method::Auto || options_.effort == EquivEffort::Bounded) return false;
    Evidence look =
        equiv_tests(pair(), at, {.seed = options_.seed, .max_work = kFirstLook, .satisfy = options_.satisfy});
    return look.finding == Finding::Refuted && take(std::move(look));
  }

  Evidence parametric() {
    if (options_.method == Method::Parametric) return equiv_parametric(pair(), prover_, options_.free_of_errors);
    // It asks many small questions, and one that is hard is a sign that it does not get on.
    Prover quick(second_opinion_prover());
    return equiv_parametric(pair(), quick, options_.free_of_errors);
  }

  bool layouts_proved() {
    std::vector<Obligation> owed = layout_obligations(pair());
    std::vector<Answer> answers = prover_.prove_all(owed);
    for (size_t k = 0; k < owed.size(); ++k) {
      if (answers[k].verdict == Verdict::Proved) continue;
      report_.reason = owed[k].why + ", of " + owed[k].where.statement + ": not proved for all sizes";
      return false;
    }
    return true;
  }

  Evidence tests(const Instance& at) const {
    return equiv_tests(pair(), at, {.seed = options_.seed, .satisfy = options_.satisfy});
  }

  /// Keeps what a method found; true when that settles the question.
  bool take(Evidence evidence) {
    if (evidence.finding == Finding::Refuted) {
      std::string why_not = "the interpreter saw no difference on that input";
      report_.counterexample = confirmed(pair(), evidence, &why_not);
      if (!report_.counterexample) {
        evidence.finding = Finding::Undecided;
        evidence.says += "; but " + why_not;
      }
    }
    auto equal = [&] {
      return evidence.finding == Finding::Proved ||
             HEXPROOF_MUTANT("equiv/weaker-evidence-owes-nothing", evidence.equal_so_far, false);
    };
    auto open = [&](const std::string& why) {
      if (why.empty()) return;
      evidence.finding = Finding::Undecided;
      evidence.equal_so_far = false;
      evidence.says += "; but " + why;
    };
    // Values are compared as if copies were made at once: that any order gives the same is asked besides. (A program
    // before of which it is not so may have no execution without an error.)
    if (equal()) open(copies_in_flight_open(pair().after, prover_));
    if (equal()) open(copies_in_flight_open(pair().before, prover_));
    if (equal()) {
      std::string why = open_layout(pair().before) + open_layout(pair().after);
      open(why.empty() ? reads_unfilled_padding(pair(), prover_) : why);
    }
    report_.finding = evidence.finding == Finding::Unsupported ? Finding::Undecided : evidence.finding;
    bool settled = evidence.finding == Finding::Proved || evidence.finding == Finding::Refuted ||
                   evidence.finding == Finding::Vacuous;
    if (settled) {
      report_.method = evidence.method;
      if (evidence.finding == Finding::Vacuous) report_.reason = evidence.says;
    } else if (options_.method != Method::Auto && evidence.finding == Finding::Unsupported) {
      report_.finding = Finding::Unsupported;
      report_.reason = evidence.says;
    }
    report_.evidence.push_back(std::move(evidence));
    return settled;
  }

  /// All that is tried after the parametric method when the effort is bounded.
  void at_reaching_sizes() {
    ReachingSizes look = reaching_sizes(pair(), kSecondSteps, options_.satisfy);
    if (look.too_long) report_.reason = "a run of it is too long for the symbolic method here";
    size_t equal = 0;
    for (const Instance& at : look.sizes) {
      for (Evidence& e : second_opinion(pair(), at, false, options_)) {
        bool holds = e.finding == Finding::Proved || e.equal_so_far;
        equal += holds ? 1 : 0;
        if (holds && !is_concrete(pair())) e.finding = Finding::Undecided, e.equal_so_far = true;
        if (take(std::move(e))) return;
      }
    }
    if (!is_concrete(pair())) {
      if (equal > 0) report_.reason = "equal at sizes that were looked at; not shown for all";
      return;
    }
    std::optional<uint64_t> before = most_statements(pair().before), after = most_statements(pair().after);
    std::optional<Instance> at = instantiate(pair(), {});
    if (at && options_.native && before && after && *before + *after <= kSecondFingerprint) {
      Prover quick(second_opinion_prover());
      take(equiv_fingerprint(pair(), *at, quick, *options_.native, options_.seed));
    }
  }

  void at_one_size(const Instance& at) {
    if (asked(Method::Symbolic) && take(equiv_symbolic(pair(), at, prover_, options_.max_terms))) return;
    if (asked(Method::Fingerprint) && options_.native &&
        take(equiv_fingerprint(pair(), at, prover_, *options_.native, options_.seed))) {
      return;
    }
    bool equal = !report_.evidence.empty() && report_.evidence.back().equal_so_far;
    // A fingerprint says more than tests; tests may still show a difference that it saw.
    if (asked(Method::Tests) && !equal) take(tests(at));
  }

  /// A pair of symbolic shape that is right at some sizes is not proved; a difference at one refutes it.
  void at_small_sizes() {
    std::string equal_at;
    int tried = 0;
    for (const std::vector<int64_t>& sizes : small_sizes(pair(), kSizesTried)) {
      std::optional<Instance> at = instantiate(pair(), sizes);
      if (at && seen_at_once(*at)) return;
    }
    for (const std::vector<int64_t>& sizes : small_sizes(pair(), 64)) {
      if (tried == kSizesTried) break;
      std::optional<Instance> at = instantiate(pair(), sizes);
      if (!at) continue;
      ++tried;
      Evidence found =
          options_.method == Method::Tests ? tests(*at) : equiv_symbolic(pair(), *at, prover_, options_.max_terms);
      found.notes.push_back("at " + sizes_text(pair(), *at));
      bool equal = found.finding == Finding::Proved || found.equal_so_far;
      if (found.finding != Finding::Refuted) {
        if (!equal) {
          take(std::move(found));
          report_.finding = Finding::Undecided;
          continue;
        }
        found.finding = Finding::Undecided;
        found.equal_so_far = true;
        equal_at += (equal_at.empty() ? "" : "; ") + sizes_text(pair(), *at);
      }
      if (take(std::move(found))) return;
    }
    if (tried > 0 && never_passes()) return;
    report_.reason =
        equal_at.empty() ? "no size could be looked at" : "equal at the sizes " + equal_at + "; not shown for all";
    if (!report_.evidence.empty() && report_.evidence.front().method == "parametric") {
      report_.reason += "\nparametric: " + report_.evidence.front().says;
    }
  }

  /// Is every input an error of `before`, at the sizes that were looked at, and by its assumes at all others?
  bool never_passes() {
    for (const Evidence& e : report_.evidence) {
      if (e.method != "parametric" && e.finding != Finding::Vacuous) return false;
    }
    const CheckReport itself = check_program(pair().before, prover_);
    if (itself.finding != Finding::Vacuous || !itself.always_clashing) return false;
    report_.finding = Finding::Vacuous;
    report_.method.clear();
    report_.reason = itself.reason;
    return true;
  }

  Prover& prover_;
  EquivOptions options_;
  EquivReport report_;
};

}  // namespace

EquivReport equiv(const ProgramPair& pair, Prover& prover, const EquivOptions& options) {
  return EquivJudge(pair, prover, options).run();
}

}  // namespace hexproof
