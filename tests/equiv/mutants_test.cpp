// Programs with one wrong token: what is called proved must agree with the interpreter on every input that is tried,
// and what is called refuted must show its difference there.
#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <set>

#include "backend/field/evaluator.h"
#include "fuzz/steps/mutate.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/visit.h"
#include "tests/equiv/corpus.h"
#include "verify/check/finding_text.h"
#include "verify/equiv/equiv.h"
#include "verify/equiv/table.h"

namespace hexproof {
namespace mutants_test {

using corpus::Entry;
using corpus::Kind;

constexpr size_t kMutants = 1000;
constexpr int64_t kMostCells = 64;         // of all arguments
constexpr int64_t kMostExhaustive = 3200;  // inputs
constexpr int kRandomInputs = 300;

struct Subject {
  const Entry* entry;
  std::string what;
  PrimFunc program;
};

int64_t cells_of(const PrimFunc& func) {
  int64_t cells = 0;
  for (const Buffer& buffer : func.buffer_params()) {
    const std::optional<std::vector<int64_t>> shape = constant_shape(buffer);
    if (!shape) return kMostCells + 1;
    int64_t size = 1;
    for (int64_t extent : *shape) size *= extent;
    cells += size;
  }
  return cells;
}

/// The interpreter must run it, and bit by bit: no function that nobody knows, no granted flags.
bool fits_here(const Entry& entry) {
  bool calls = false;
  visit_all_exprs(entry.after.body, [&](const Expr& e) { calls |= e->op == Op::Call && e->text() == "mystery"; });
  return entry.kind == Kind::Right && !calls && entry.before.granted_flags().empty() &&
         cells_of(entry.before) <= kMostCells && cells_of(entry.after) <= kMostCells && entry.before.scalars().empty();
}

std::vector<Subject> all_subjects() {
  std::vector<Subject> out;
  for (const Entry& entry : corpus::all_entries()) {
    if (!fits_here(entry)) continue;
    for (Mutant& m : mutants(entry.after)) out.push_back({&entry, std::move(m.what), std::move(m.program)});
  }
  return out;
}

/// The same ones on every run.
std::vector<Subject> sample(std::vector<Subject> from, size_t count) {
  uint64_t state = 20;
  for (size_t k = 0; k < count && k < from.size(); ++k) {
    std::swap(from[k], from[k + next_random(state) % (from.size() - k)]);
  }
  if (from.size() > count) from.resize(count);
  return from;
}

/// One of -2 .. 2 (0 .. 4 of an unsigned type; both of a bool).
Scalar small_value(DType type, int64_t number) {
  if (type.is_float()) return float_scalar(type, static_cast<double>(number - 2));
  if (type.is_bool()) return bool_scalar(number % 2 != 0);
  return int_scalar(type, type.is_uint() ? number : number - 2);
}

std::vector<Tensor> empty_arguments(const ProgramPair& pair, const Instance& at) {
  std::vector<Tensor> out;
  for (size_t b = 0; b < pair.buffers.size(); ++b) {
    out.push_back(make_tensor(pair.buffers[b].before->dtype, at.before_shapes[b]));
  }
  return out;
}

/// Calls `f` on arguments of `before`: all those over a few small values where there are few cells, else random
/// ones: a third of small values, a third ordinary, a third edges. Until it returns false.
template <class F>
void each_input(const ProgramPair& pair, const Instance& at, const F& f) {
  std::vector<Tensor> arguments = empty_arguments(pair, at);
  int64_t cells = cells_of(pair.before);
  for (int64_t values : {5, 3}) {
    int64_t inputs = 1;
    for (int64_t k = 0; k < cells && inputs <= kMostExhaustive; ++k) inputs *= values;
    if (inputs > kMostExhaustive) continue;
    for (int64_t number = 0; number < inputs; ++number) {
      int64_t rest = number;
      for (Tensor& t : arguments) {
        for (int64_t i = 0; i < t.size(); ++i, rest /= values) {
          set_element(t, i, small_value(t.dtype, rest % values + (5 - values) / 2));
        }
      }
      if (!f(arguments)) return;
    }
    return;
  }
  uint64_t state = 7;
  for (int number = 0; number < kRandomInputs; ++number) {
    for (Tensor& t : arguments) {
      for (int64_t i = 0; i < t.size(); ++i) {
        uint64_t random = next_random(state);
        if (number % 3 == 0) {
          set_element(t, i, small_value(t.dtype, static_cast<int64_t>(random % 5)));
          continue;
        }
        if (number % 3 == 1) random &= ~uint64_t{1};
        uint64_t bits = random_value(t.dtype, random);
        size_t width = static_cast<size_t>(t.dtype.bytes());
        std::memcpy(t.data.data() + static_cast<size_t>(i) * width, &bits, width);
      }
    }
    if (!f(arguments)) return;
  }
}

/// The first difference on the inputs that are tried.
std::optional<Counterexample> difference(const ProgramPair& pair, const Instance& at) {
  std::optional<Counterexample> found;
  uint64_t filler = 3;
  each_input(pair, at, [&](const std::vector<Tensor>& before) {
    PairInput input{at, before, pack_arguments(pair, at, before, next_random(filler))};
    found = replay(pair, input);
    return !found;
  });
  return found;
}

TEST(Mutants, AreMany) {
  PrimFunc func = pick_function(parse_module(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] < 2:
            B[i] = A[i] + 1
)"),
                                "");
  std::vector<std::string> texts;
  for (const Mutant& m : mutants(func)) {
    EXPECT_EQ(ill_formed(m.program), "");
    EXPECT_FALSE(same_program(m.program, func)) << m.what;
    texts.push_back(print(m.program));
  }
  auto has = [&](const std::string& line) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.find(line) != std::string::npos; });
  };
  for (const char* line : {"range(3)", "range(5)", "range(1, 4)", "T.parallel(4)", "A[i] <= 2", "A[i] > 2", "2 < A[i]",
                           "A[i] < 3", "A[i] < 1", "not A[i] < 2", "B[i] < 2", "A[i + 1] < 2", "B[i + 1] = A[i] + 1",
                           "B[i] = A[i - 1] + 1", "B[i] = A[i] - 1", "B[i] = 1 + A[i]", "B[i] = A[i] + 2"}) {
    EXPECT_TRUE(has(line)) << line;
  }
  std::set<std::string> once(texts.begin(), texts.end());
  EXPECT_EQ(once.size(), texts.size());
}

TEST(Mutants, VerdictsAgreeWithTheInterpreter) {
  std::vector<Subject> subjects = sample(all_subjects(), kMutants);
  ASSERT_EQ(subjects.size(), kMutants);
  Prover prover({.rlimit = 2'000'000, .jobs = 1});
  std::map<Finding, int> count;
  int differ_undecided = 0;
  for (const Subject& subject : subjects) {
    SCOPED_TRACE(subject.entry->name + ": " + subject.what);
    ProgramPair pair = pair_programs(subject.entry->before, subject.program, subject.entry->relation);
    std::optional<Instance> at = instantiate(pair, {});
    ASSERT_TRUE(at.has_value());
    EquivReport report = equiv(pair, prover);
    ++count[report.finding];
    switch (report.finding) {
      case Finding::Refuted:
        ASSERT_TRUE(report.counterexample.has_value());
        EXPECT_TRUE(replay(pair, report.counterexample->input).has_value()) << report.counterexample->table;
        break;
      case Finding::Proved:
      case Finding::Vacuous:
        if (auto found = difference(pair, *at)) {
          describe(pair, *found);
          ADD_FAILURE() << to_text(report.finding) << " by " << report.method << ", but it differs\n"
                        << print(subject.program) << found->table;
        }
        break;
      case Finding::Undecided:
      case Finding::Unsupported:
        fmt::print("undecided: {}: {}\n{}\n", subject.entry->name, subject.what, report.reason);
        differ_undecided += difference(pair, *at) ? 1 : 0;
        break;
    }
  }
  fmt::print("{} mutants: {} proved, {} refuted, {} undecided ({} of them differ)\n", subjects.size(),
             count[Finding::Proved], count[Finding::Refuted], count[Finding::Undecided] + count[Finding::Unsupported],
             differ_undecided);
  // Both kinds must be there, else nothing was tried.
  EXPECT_GT(count[Finding::Proved], 50);
  EXPECT_GT(count[Finding::Refuted], 500);
  EXPECT_LE(count[Finding::Undecided] + count[Finding::Unsupported], 10);
}

// Nothing but fingerprints: a mutant whose fingerprint equals that of the program before must agree on every input.
TEST(Mutants, WhatAFingerprintCallsEqualAgrees) {
  std::vector<Subject> subjects = sample(all_subjects(), kMutants);
  Prover prover({.rlimit = 2'000'000, .jobs = 1});
  auto native = make_native_evaluator();
  int equal = 0, different = 0, refuted = 0, no_claim = 0;
  for (const Subject& subject : subjects) {
    SCOPED_TRACE(subject.entry->name + ": " + subject.what);
    ProgramPair pair = pair_programs(subject.entry->before, subject.program, subject.entry->relation);
    std::optional<Instance> at = instantiate(pair, {});
    ASSERT_TRUE(at.has_value());
    Evidence found = equiv_fingerprint(pair, *at, prover, *native, 1);
    EXPECT_NE(found.finding, Finding::Proved);
    bool looked_at =
        found.says.find("differ") != std::string::npos || found.says.find("pad value") != std::string::npos;
    if (found.finding == Finding::Refuted) {
      ++refuted;
      EXPECT_TRUE(found.input && replay(pair, *found.input)) << found.says;
    } else if (!found.equal_so_far) {
      ++(looked_at ? different : no_claim);
    } else {
      ++equal;
      if (auto shown = difference(pair, *at)) {
        ADD_FAILURE() << found.says << ", but it differs\n" << print(subject.program) << shown->table;
      }
    }
  }
  fmt::print("{} mutants: {} equal, {} with other operations, {} of those refuted by a test, {} without a claim\n",
             subjects.size(), equal, different + refuted, refuted, no_claim);
  EXPECT_GT(equal, 30);
  EXPECT_GT(refuted, 200);
}

// The right pairs at concrete sizes: the same operations, or a reason why nothing is claimed.
TEST(Mutants, RightPairsByFingerprint) {
  Prover prover({.rlimit = 2'000'000, .jobs = 1});
  auto native = make_native_evaluator();
  int pairs = 0, equal = 0;
  for (const Entry& entry : corpus::all_entries()) {
    if (entry.kind != Kind::Right) continue;
    ProgramPair pair = pair_programs(entry.before, entry.after, entry.relation);
    if (!is_concrete(pair)) continue;
    Evidence found = equiv_fingerprint(pair, *instantiate(pair, {}), prover, *native, 1);
    ++pairs, equal += found.equal_so_far;
    EXPECT_NE(found.finding, Finding::Refuted) << entry.name << ": " << found.says;
    if (!found.equal_so_far) fmt::print("{}: {}\n", entry.name, found.says);
  }
  fmt::print("{} of {} right pairs have equal fingerprints\n", equal, pairs);
  EXPECT_GT(equal, pairs / 2);
}

}  // namespace mutants_test
}  // namespace hexproof
