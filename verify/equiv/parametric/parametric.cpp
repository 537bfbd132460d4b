// Two programs of any size, cell by cell for a cell of any index.
//
// What a cell of an observed argument holds in the end is worked out for both programs as a term over the content of
// the arguments on entry (content.h), and the two terms are compared (compare.h). Nothing is unrolled, so the cost does
// not depend on extents.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "ir/interpreter/fault.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "verify/equiv/equiv.h"
#include "verify/equiv/parametric/compare.h"
#include "verify/equiv/parametric/relation.h"
#include "verify/equiv/satisfiable.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {

namespace {

using namespace parametric;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The assumes of a program about its scalars alone that run in any case: where `before` meets no error, they hold.
void assumed_of_scalars(const Stmt& stmt, const std::set<Var>& scalars, std::vector<Expr>* out) {
  if (const Assume* assume = stmt.as<Assume>()) {
    const std::set<Var> free = free_vars(assume->condition);
    bool known = std::includes(scalars.begin(), scalars.end(), free.begin(), free.end());
    if (known && !is_data(assume->condition)) out->push_back(assume->condition);
  }
  if (!stmt.as<Seq>() && !stmt.as<AllocBuffer>() && !stmt.as<DeclBuffer>() && !stmt.as<Allocate>()) return;
  for (const Stmt& part : children(stmt)) assumed_of_scalars(part, scalars, out);
}

/// In terms a cell of an argument is what it held on entry: a number.
OpenRounding opened(const PrimFunc& before) {
  OpenRounding out = open_rounding_of(before);
  for (const Param& p : before.params) out.numbers.insert(p.buffer ? p.buffer->data : p.var);
  return out;
}

/// The flags that comparisons use: no `nsz` where a zero is more than neutral.
std::vector<std::string> flags_used(const ProgramPair& pair) {
  std::vector<std::string> out = pair.before.granted_flags();
  if (!zeros_are_neutral(pair.before) || !zeros_are_neutral(pair.after)) std::erase(out, "nsz");
  return out;
}

/// Of the programs' own text: a cell that one of them writes is no number there.
OpenRounding in_text(const ProgramPair& pair) {
  OpenRounding out = open_rounding_of(pair.before);
  const OpenRounding after = open_rounding_of(pair.after);
  auto not_written = [](const PrimFunc& func, const OpenRounding& open, std::set<Var> numbers) {
    for (const Param& p : func.params) {
      const Var& var = p.buffer ? p.buffer->data : p.var;
      if (!open.numbers.count(var)) numbers.erase(var);
    }
    return numbers;
  };
  std::set<Var> numbers = not_written(pair.after, after, out.numbers);
  numbers.merge(not_written(pair.before, out, after.numbers));
  out.numbers = std::move(numbers);
  out.one_format &= after.one_format, out.products_of_numbers &= after.products_of_numbers;
  return out;
}

class ParametricJudge {
 public:
  explicit ParametricJudge(const ProgramPair& pair)
      : pair_(pair),
        open_(opened(pair.before)),
        rounding_(in_text(pair)),
        relation_(pair, scenario_),
        comparison_(scenario_, folds_, flags_used(pair)) {
    scenario_.leave_open(open_);
  }

  /// Throws Open.
  void judge(Evidence* out) {
    std::vector<Expr> facts = entry_facts(pair_.before).conditions;
    for (const Expr& e : entry_facts(pair_.after).conditions) facts.push_back(substitute(e, pair_.after_scalars));
    Scenario::Under under(scenario_, facts);
    const std::vector<Var> scalars = pair_.before.scalars();
    std::vector<Expr> assumed;
    assumed_of_scalars(pair_.before.body, {scalars.begin(), scalars.end()}, &assumed);
    std::erase_if(assumed, [&](const Expr& e) { return !scenario_.proves(fits(e)); });
    Scenario::Under known(scenario_, assumed);
    Content before(
        pair_.before, {}, scenario_, folds_, [&](const Cell& c) { return relation_.entry_before(c); }, 'b');
    Content after(
        pair_.after, pair_.after_scalars, scenario_, folds_, [&](const Cell& c) { return relation_.entry_after(c); },
        'a');
    assumes_hold(before, after);
    size_t compared = 0;
    for (size_t k = 0; k < pair_.buffers.size(); ++k) {
      reads_of_padding(k, after);
      if (!before.writes(pair_.buffers[k].before) && !after.writes(pair_.buffers[k].after)) continue;
      ++compared;
      logical_cells(k, before, after);
      padding_cells(k, after);
    }
    scenario_.only_quick(false);
    if (!one_to_one_value(comparison_.stood(), {scalars.begin(), scalars.end()}, scenario_)) {
      throw Open{
          "what `before` evaluates once, `after` may evaluate more often, and the granted flags leave open how it "
          "is rounded each time"};
    }
    out->finding = Finding::Proved;
    out->says = fmt::format("every cell of {} written argument{} ends with the same value, for all sizes", compared,
                            compared == 1 ? "" : "s");
    for (const std::string& flag : comparison_.used_flags()) {
      out->notes.push_back("the granted flag " + flag + " was used");
    }
  }

 private:
  /// What `after` assumes is true, or `before` assumes it, too.
  void assumes_hold(Content& before, Content& after) {
    std::vector<Assumed> known;
    try {
      // (A permission says nothing of the value: a NaN may be read, too.)
      before.each_assume([](const Buffer&) { return true; }, [&](const Assumed& a) { known.push_back(a); });
    } catch (const Open&) {
      // What was found so far holds.
    }
    comparison_.know(std::move(known));
    auto readable = [&](const Buffer& buffer) { return filled_on_entry(buffer); };
    after.each_assume(readable, [&](const Assumed& goal) {
      if (scenario_.proves(goal.condition)) return;
      for (const Assumed& known : comparison_.known()) {
        if (comparison_.implies(known, goal)) return;
      }
      throw Open{"that `after` may assume this was not shown: " + one_line(goal.stmt)};
    });
  }

  /// Does every cell of this buffer of `after` hold some value when the function starts?
  bool filled_on_entry(const Buffer& buffer) const {
    std::vector<Buffer> params = pair_.after.buffer_params();
    for (size_t k = 0; k < params.size(); ++k) {
      if (!(params[k] == buffer)) continue;
      for (size_t i = 0; i < pair_.after.params.size(); ++i) {
        if (pair_.after.params[i].buffer == buffer && argument_padding(pair_.after, i)) return false;
      }
      return !padded_before(k) && (pair_.buffers[k].identity || !pads_unreadably(pair_.buffers[k]));
    }
    return false;
  }
  bool padded_before(size_t k) const {
    for (size_t i = 0; i < pair_.before.params.size(); ++i) {
      if (pair_.before.params[i].buffer == pair_.buffers[k].before && argument_padding(pair_.before, i)) return true;
    }
    return false;
  }

  /// A cell that no logical index maps to is uninitialised on entry where nothing is said of it.
  void reads_of_padding(size_t k, const Content& after) {
    const BufferPair& p = pair_.buffers[k];
    if (!pads_unreadably(p) || relation_.no_padding(k)) return;
    for (const Access& read : after.reads(p.after)) {
      Scenario::Under under(scenario_, domain_of(read));
      auto from = read.buffer == p.after ? relation_.origin(k, read.indices) : std::nullopt;
      if (from && scenario_.proves(all(from->conditions))) continue;
      throw Open{"a read may meet padding of " + p.after->name + ", of which nothing is known"};
    }
  }

  /// Quickly first, with more and more digits where indices are divided by constants; then with solvers.
  void logical_cells(size_t k, Content& before, Content& after) {
    Relation::Steps steps = relation_.layout_steps(k), first = steps;
    constexpr int kRounds = 4;
    for (int round = 0;; ++round) {
      scenario_.only_quick(round < kRounds);
      bool last = round > kRounds;
      try {
        return logical_cells(k, before, after, last ? first : steps, &steps);
      } catch (const Open&) {
        if (last) throw;
      }
      if (round < kRounds && steps == tried_) round = kRounds - 1;
    }
  }

  void logical_cells(size_t k, Content& before, Content& after, const Relation::Steps& steps, Relation::Steps* next) {
    tried_ = steps;
    Relation::AnyIndex any = relation_.any_logical(k, steps);
    const BufferPair& p = pair_.buffers[k];
    struct Learn {
      ~Learn() {
        for (const auto& [var, sizes] : scenario.divided()) {
          auto it = any.digits.find(var);
          if (it == any.digits.end()) continue;
          for (Wide size : sizes) (*next)[it->second.first].insert(it->second.second * size);
        }
      }
      const Scenario& scenario;
      const Relation::AnyIndex& any;
      Relation::Steps* next;
    } learn{scenario_, any, next};
    Scenario::Under under(scenario_, any.facts);
    Expr mine = before.at_end({p.before, any.index});
    std::vector<Expr> y = p.identity ? any.index : p.map.apply(any.index);
    for (Expr& e : y) e = scenario_.tidy(e);
    Expr theirs = after.at_end({p.after, y});
    if (comparison_.equal(mine, theirs)) return;
    throw Open{"it is open whether a cell of " + p.before->name +
               " ends with the same value: " + comparison_.take_mismatch()};
  }

  static bool pads_unreadably(const BufferPair& pair) {
    return std::any_of(pair.layers.begin(), pair.layers.end(),
                       [](const LayoutChange& l) { return !Padding::readable(l.padding.kind); });
  }

  void padding_cells(size_t k, Content& after) {
    const BufferPair& p = pair_.buffers[k];
    if (!p.pads_with_value() || p.logical_only || relation_.no_padding(k)) return;
    if (p.layers.size() > 1) throw Open{"the padding of " + p.after->name + " comes from several layouts"};
    std::vector<Expr> shape;
    for (const Expr& e : p.after->shape) shape.push_back(substitute(e, pair_.after_scalars));
    const auto [y, facts] = Relation::any_cell(shape, false);
    Scenario::Under under(scenario_, facts);
    auto from = relation_.origin(k, y);
    if (!from || !relation_.complete(k, y, *from)) {
      throw Open{"which cells of " + p.after->name + " are padding was not found"};
    }
    Scenario::Under padding(scenario_, lnot(all(from->conditions)));
    Expr pad = relation_.pad_at(k, y, [&](const Cell& cell) { return after.at_end(cell); });
    if (comparison_.equal(pad, after.at_end({p.after, y}))) return;
    throw Open{"it is open whether the padding of " + p.after->name + " holds " + print(p.layers[0].padding.value) +
               ": " + comparison_.take_mismatch()};
  }

  const ProgramPair& pair_;
  const OpenRounding open_;
  OpenRoundingScope rounding_;
  Scenario scenario_;
  Folds folds_;
  Relation relation_;
  Comparison comparison_;
  Relation::Steps tried_;
};

/// Is the program free of errors? Else why it is not known. What its proof does not show goes to `notes`.
std::string not_free_of_errors(const PrimFunc& func, const char* which, Prover& prover,
                               std::vector<std::string>* notes) {
  CheckReport report = check_program(func, prover);
  if (report.finding == Finding::Proved) {
    if (!report.reason.empty()) notes->push_back(fmt::format("`{}`: {}", which, report.reason));
    return {};
  }
  return fmt::format("`{}` was not proved free of errors: {}", which,
                     first_line(report.finding == Finding::Refuted ? report.counterexample : report.reason));
}

}  // namespace

Evidence equiv_parametric(const ProgramPair& pair, Prover& prover, bool free_of_errors) {
  auto start = std::chrono::steady_clock::now();
  Evidence out;
  out.method = "parametric";
  try {
    ParametricJudge(pair).judge(&out);
    // The comparison is worth its time only where no program meets an error.
    for (auto [func, which] : {std::pair{&pair.before, "before"}, std::pair{&pair.after, "after"}}) {
      if (free_of_errors) break;
      std::string why = not_free_of_errors(*func, which, prover, &out.notes);
      if (!why.empty()) {
        out.equal_so_far = true;
        throw Open{why};
      }
    }
  } catch (const Open& open) {
    out.finding = Finding::Undecided;
    out.says = open.message;
  } catch (const Unsupported& e) {
    out.finding = Finding::Unsupported;
    out.says = e.what();
  } catch (const InternalError& e) {
    out.finding = Finding::Undecided;
    out.says = std::string("this method met an error of its own: ") + first_line(e.what());
  }
  out.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace hexproof
