// Both programs over the field of 2^61 - 1, natively, at concrete sizes (docs: the argument and its bound).
#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>

#include "ir/base/early_exit.h"
#include "ir/visit.h"
#include "verify/equiv/equiv.h"
#include "verify/equiv/fingerprint/argument_cells.h"
#include "verify/equiv/fingerprint/bounds.h"
#include "verify/equiv/fingerprint/prepare.h"
#include "verify/equiv/fingerprint/shared_values.h"
#include "verify/equiv/native.h"
#include "verify/equiv/table.h"
#include "verify/memory/argument_padding.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

using namespace fingerprint;

constexpr double kErrorBits = 80;  // the error bound that is asked for: 2^-80
constexpr double kMostNorm = static_cast<double>(kFieldPrime / 2);
constexpr double kLargeConstant = 0x1p15;
constexpr int kMaxRounds = 8;                              // more would mean a degree near 2^50
constexpr double kMaxWork = 0x1p36;                        // statements: minutes
constexpr double kLongWork = 0x1p20;                       // statements: what is worth optimised code
constexpr double kTestWork = 0x1p16, kTestCells = 0x1p14;  // what tests in the interpreter are tried on
constexpr double kMaxWords = 0x1p28;                       // of all arguments: two gigabytes

/// A reason to claim nothing.
struct NoClaim : EarlyExit {
  NoClaim(Finding finding, std::string says) : EarlyExit(std::move(says)), finding(finding) {}
  Finding finding;
};

/// The same where it may be huge.
double count(const std::vector<int64_t>& shape) {
  double out = 1;
  for (int64_t extent : shape) out *= static_cast<double>(extent);
  return out;
}

class FingerprintComparison {
 public:
  FingerprintComparison(const ProgramPair& pair, const Instance& at, Prover& prover, NativeEvaluator& native,
                        uint64_t seed)
      : pair_(pair), at_(at), cells_(pair, at), prover_(prover), native_(native), seed_(seed) {}

  Evidence run() {
    prepare();
    Claim claim = bounds();
    if (!(claim.norm < kMostNorm)) {
      // Large constants are what makes coefficients large.
      largest_ = kLargeConstant;
      claim = bounds();
      notes_.push_back(fmt::format("constants beyond {:.0f} were taken for unknown numbers", largest_));
    }
    int rounds = rounds_for(claim);
    Algebra algebra(seed_, rounds, reassociate_, largest_);
    Cells before = cells_.before_cells(algebra), after = cells_.after_cells(algebra);
    std::set<std::vector<uint64_t>> given;
    bool shown = true;
    native_.run(before_, algebra, FieldView::Residues, before,
                options([&](const uint64_t* cell, size_t words) { given.insert(canonical(cell, words)); }));
    std::vector<uint64_t> always(algebra.words(kBool)), never = always;
    algebra.constant(bool_scalar(true), always.data());
    algebra.constant(bool_scalar(false), never.data());
    given.insert(always), given.erase(never);
    native_.run(after_, algebra, FieldView::Residues, after, options([&](const uint64_t* cell, size_t words) {
                  shown = shown && given.count(canonical(cell, words)) != 0;
                }));
    if (!shown) {
      throw NoClaim{Finding::Undecided,
                    "an assume of the program after is neither one of the program before nor seen to hold; false, it "
                    "would be an error"};
    }
    Evidence out{.method = "fingerprint", .says = ""};
    out.notes = notes_;
    std::string difference = cells_.first_difference(algebra, before, after);
    if (difference.empty()) {
      out.equal_so_far = true;
      const char* what = reassociate_ ? "same operations up to reassociation" : "same operations";
      out.says = fmt::format("fingerprint equal ({}{}), error < 2^-{:.0f} ({} rounds, degree {:.0f})", what,
                             rings_ ? "; integers as polynomials" : "", std::floor(-claim.log2_error(rounds)), rounds,
                             claim.degree);
      return out;
    }
    out.says = difference +
               ": other operations, which may still give the same values (x + x and 2 * x), so this refutes nothing";
    return out;
  }

  /// Tests in the interpreter take little time on this pair.
  bool small() const {
    double cells = 0;
    for (const auto& shape : at_.before_shapes) cells += count(shape);
    return cells <= kTestCells && work(pair_.before.body) <= kTestWork && work(pair_.after.body) <= kTestWork;
  }

 private:
  /// What is known of both programs together.
  struct Claim {
    double degree = 1, norm = 0, applications = 0;
    double assumes = 0;  // conditions that a condition of `after` is looked up in, and comparisons in it
    /// log2 of the probability that programs which differ are called equal.
    double log2_error(int rounds) const {
      constexpr double kLog2Prime = 60.9999999;
      double pairs = 1 + assumes + applications * applications / 2;
      return std::log2(pairs) + rounds * (std::log2(std::max(degree, 1.0)) - kLog2Prime) + 1e-6;
    }
  };

  void prepare() {
    reassociate_ = pair_.before.granted("reassoc") && pair_.after.granted("reassoc");
    demand_evaluations();
    demand_no_permissions();
    before_ = both_ways(at_sizes(pair_.before, at_.before_scalars));
    after_ = both_ways(at_sizes(pair_.after, at_.after_scalars));
    Algebra algebra(seed_, 1, reassociate_);
    trees_ = stays_in_trees(before_, algebra) && stays_in_trees(after_, algebra);
    double cells = 0;
    for (const auto* shapes : {&at_.before_shapes, &at_.after_shapes}) {
      for (size_t b = 0; b < shapes->size(); ++b) cells += count((*shapes)[b]) * cells_.type_of(b).lanes;
    }
    // Trees mostly take two rounds; else the bounds are what is largest.
    if (cells * (trees_ ? 2 : kBoundWords) > kMaxWords) {
      throw NoClaim{Finding::Undecided, fmt::format("the arguments have {:.0f} cells: more than are held", cells)};
    }
    double steps = work(before_.body) + work(after_.body);
    optimise_ = steps > kLongWork;
    if (steps > kMaxWork) {
      throw NoClaim{Finding::Undecided, fmt::format("a run takes about {:.1e} statements: too many", steps)};
    }
    assumes_ = bool(find_statement<Assume>(after_.body));
    if (!assumes_ && find_statement<Assume>(before_.body)) {
      notes_.push_back("the assumes of the program before were not needed: the programs are compared on all inputs");
    }
    free_of_errors(before_, "before");
    free_of_errors(after_, "after");
  }

  /// Operations that flags leave open give another value each time they are evaluated: one whose value is used twice is
  /// one evaluation, and equal operations do not show that `after` does not make it two.
  void demand_evaluations() const {
    const bool open = open_rounding_of(pair_.before).any() || open_rounding_of(pair_.after).any();
    if (open && uses_a_value_twice(pair_.before)) {
      throw NoClaim{Finding::Undecided,
                    "what `before` evaluates once, `after` may evaluate more often, and the granted flags leave open "
                    "how it is rounded each time"};
    }
  }
  /// A permission to read padding that nobody filled gives it any value, which native code does not do.
  void demand_no_permissions() const {
    bool unfilled = false;
    for (size_t k = 0; k < pair_.after.params.size(); ++k) {
      unfilled |= pair_.after.params[k].buffer && argument_padding(pair_.after, k).has_value();
    }
    visit_stmt(pair_.after.body, [&](const Stmt& s) {
      const Assume* assume = s.as<Assume>();
      if (unfilled && assume && chooses(assume->condition, {})) {
        throw NoClaim{Finding::Undecided, "the program after permits padding to be read that nobody filled"};
      }
      return true;
    });
  }

  void free_of_errors(const PrimFunc& func, const std::string& which) {
    CheckReport report = check(func, prover_);
    if (report.finding == Finding::Proved) return;
    const std::string start =
        "the program " + which + " is not proved free of errors, and native code checks nothing: ";
    switch (report.finding) {
      case Finding::Refuted:
        throw NoClaim{Finding::Undecided, start + report.counterexample};
      case Finding::Vacuous:
        if (which == "before") throw NoClaim{Finding::Vacuous, report.reason};
        throw NoClaim{Finding::Undecided, start + report.reason};
      case Finding::Unsupported:
      case Finding::Undecided:
      case Finding::Proved:
        throw NoClaim{report.finding, start + report.reason};
    }
  }

  FieldRunOptions options(const std::function<void(const uint64_t*, size_t)>& assumed) const {
    FieldRunOptions out{.optimise = optimise_};
    if (assumes_) out.assumed = assumed;
    return out;
  }
  static std::vector<uint64_t> canonical(const uint64_t* cell, size_t words) {
    std::vector<uint64_t> out;
    for (size_t i = 0; i < words; ++i) out.push_back(field_canonical(cell[i]));
    return out;
  }

  Claim bounds() {
    Algebra algebra(seed_, 1, reassociate_, largest_);
    rings_ = !trees_ && uses_integers();
    FieldView view = trees_ ? FieldView::Degrees : FieldView::Bounds;
    std::vector<bool> no_watch, watched;
    Cells before = cells_.start_bounds(at_.before_shapes, algebra, false, trees_, &no_watch);
    Cells after = cells_.start_bounds(at_.after_shapes, algebra, true, trees_, &watched);
    Claim out;
    size_t width = trees_ ? 1 : kBoundWords;
    double norms[2] = {0, 0}, applications[2] = {0, 0};
    auto look = [&](const uint64_t* cell, int which) {
      auto at = [&](size_t i) { return i < width ? std::bit_cast<double>(cell[i]) : 0; };
      CellBounds b{at(0), at(1), at(2), at(3), at(4)};
      out.degree = std::max(out.degree, b.max_degree());
      norms[which] = std::max(norms[which], b.max_norm());
      applications[which] = std::max(applications[which], b.applications);
    };
    native_.run(before_, algebra, view, before, options([&](const uint64_t* cell, size_t) {
                  ++out.assumes;
                  look(cell, 0);
                }));
    FieldRunOptions with_watch = options([&](const uint64_t* cell, size_t) { look(cell, 1); });
    with_watch.watched = watched;
    if (native_.run(after_, algebra, view, after, with_watch)) {
      throw NoClaim{Finding::Undecided, "the program after reads padding that no value is given for"};
    }
    for (size_t b = 0; b < pair_.buffers.size(); ++b) {
      auto lanes = static_cast<size_t>(cells_.type_of(b).lanes);
      for (size_t i = 0; i < before[b].size() / width; ++i) look(&before[b][i * width], 0);
      for (size_t i = 0; i < after[b].size() / width; ++i) {
        if (cells_.observed(b, static_cast<int64_t>(i / lanes))) look(&after[b][i * width], 1);
      }
    }
    visit_stmt(after_.body ? after_.body : empty_stmt(), [&](const Stmt& stmt) {
      if (const Assume* assume = stmt.as<Assume>()) {
        visit_expr(assume->condition, [&](const Expr&) { return ++out.assumes, true; });
      }
      return true;
    });
    out.norm = (norms[0] + norms[1]) * kRoundUp;
    out.applications = applications[0] + applications[1];
    return out;
  }

  bool uses_integers() const {
    for (const BufferPair& b : pair_.buffers) {
      if (b.before->dtype.is_integer()) return true;
    }
    return false;
  }

  int rounds_for(const Claim& claim) const {
    // Not "greater": a NaN must not pass.
    if (!(claim.degree <= 0x1p52) || !(claim.applications <= 0x1p52)) {
      throw NoClaim{Finding::Undecided,
                    fmt::format("the results have degree {:.2e}: too high for a bound", claim.degree)};
    }
    if (!(claim.norm < kMostNorm)) {
      throw NoClaim{Finding::Undecided,
                    fmt::format("coefficients of the integer results may reach {:.2e}, beyond the prime 2^61 - 1, so "
                                "that equal residues would say nothing of them",
                                claim.norm)};
    }
    for (int rounds = 1; rounds <= kMaxRounds; ++rounds) {
      if (claim.log2_error(rounds) < -kErrorBits) return rounds;
    }
    throw NoClaim{
        Finding::Undecided,
        fmt::format("the results have degree {:.2e}: the error bound stays above 2^-{:.0f}", claim.degree, kErrorBits)};
  }

  const ProgramPair& pair_;
  const Instance& at_;
  const ArgumentCells cells_;
  Prover& prover_;
  NativeEvaluator& native_;
  uint64_t seed_;
  double largest_ = Algebra::kAnyConstant;
  PrimFunc before_, after_;
  bool reassociate_ = false, trees_ = false, rings_ = false, optimise_ = false, assumes_ = false;
  std::vector<std::string> notes_;
};

}  // namespace

Evidence equiv_fingerprint(const ProgramPair& pair, const Instance& instance, Prover& prover, NativeEvaluator& native,
                           uint64_t seed) {
  auto start = std::chrono::steady_clock::now();
  Evidence out{.method = "fingerprint", .says = ""};
  if (rounds_numbers(pair.before) || rounds_numbers(pair.after)) {
    out.says = "what the programs compute from constants, scalars and loop variables is left open by the granted flags";
    return out;
  }
  FingerprintComparison comparison(pair, instance, prover, native, seed);
  try {
    out = comparison.run();
    if (!out.equal_so_far && comparison.small()) {
      Evidence tests = equiv_tests(pair, instance, seed);
      if (tests.finding == Finding::Refuted) {
        out.finding = Finding::Refuted;
        out.input = std::move(tests.input);
        out.says += "; " + tests.says;
      }
    }
  } catch (const NoClaim& no) {
    out.finding = no.finding;
    out.says = no.message;
  } catch (const Unsupported& e) {
    out.finding = Finding::Unsupported;
    out.says = e.what();
  }
  out.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace hexproof
