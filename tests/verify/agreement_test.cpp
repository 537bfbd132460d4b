// One meaning: the solver's encoding of every operator on integers and bools against ir/interpreter/scalar_ops.h, which
// the interpreter runs (tests/backend holds the same table against host and Hexagon code), as solvers decide it: at 8
// bits some left operands with every right one, edge values and arbitrary ones beyond; in each reading of integers,
// with operands that are data, index and constants. No normal form comes before the solver here.
#include "tests/verify/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "verify/prove/prover.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/portfolio.h"

namespace hexproof {
namespace agreement_test {

/// A function of `y` as a balanced tree of selects; a missing entry may have any value.
Expr table(const Expr& y, const std::vector<Scalar>& keys, const std::vector<Expr>& entries, size_t lo, size_t hi) {
  Expr only;
  bool same = true;
  for (size_t i = lo; i < hi; ++i) {
    if (!entries[i]) continue;
    if (!only) only = entries[i];
    same &= only == entries[i];
  }
  if (!only || same) return only;
  size_t middle = (lo + hi) / 2;
  Expr left = table(y, keys, entries, lo, middle), right = table(y, keys, entries, middle, hi);
  if (!left || !right) return left ? left : right;
  if (y->dtype.is_bool()) return select(y, right, left);
  return select(lt(y, constant(keys[middle])), left, right);
}

struct Question {
  std::string what;
  std::vector<Expr> given;
  Expr goal;
  bool holds = true;
};

Expr any_of(const std::vector<Expr>& parts, size_t lo, size_t hi) {
  if (hi - lo == 1) return parts[lo];
  return lor(any_of(parts, lo, (lo + hi) / 2), any_of(parts, (lo + hi) / 2, hi));
}

/// `x` has this value, in a form of which no bound is learned, so that the general encoding is used.
Expr pinned(const Expr& x, const Scalar& value) { return lor(eq(x, constant(value)), boolean(false)); }

std::string title(const Row& row, const Scalar& a, Kind kind) {
  return row.name + " on " + a.type.str() + ", " + name_of(kind) + ", " + to_string(wide_value(a));
}

/// The other operand runs over all its values: wherever the operator is no error, it gives the table's entry. `wrong`:
/// one entry is changed, so that the claim is false.
std::optional<Question> values_question(const Row& row, const Scalar& a, Kind kind, const std::vector<Scalar>& keys,
                                        bool wrong = false) {
  std::vector<Expr> entries, defined;
  size_t some = keys.size();
  for (size_t i = 0; i < keys.size(); ++i) {
    bool swapped = kind == Kind::RightConstant;
    ScalarResult r = row.value(swapped ? keys[i] : a, swapped ? a : keys[i], arith_of(kind));
    entries.push_back(r ? constant(r.value) : Expr());
    defined.push_back(boolean(bool(r)));
    if (r && (some == keys.size() || i == keys.size() * 2 / 3)) some = i;
  }
  if (some == keys.size()) return std::nullopt;
  if (wrong) {
    DType t = entries[some]->dtype;
    Wide v = int_value(entries[some]);
    entries[some] = t.is_bool() ? boolean(v == 0) : imm(t, v == max_value(t) ? v - 1 : v + 1);
  }
  Question q{title(row, a, kind) + (wrong ? ", one entry wrong" : ""), {}, {}, !wrong};
  Expr y = operand(kind, a.type, "y"), x = kind == Kind::RightConstant ? constant(a) : operand(kind, a.type, "x");
  if (kind != Kind::RightConstant) q.given.push_back(pinned(x, a));
  Expr ok = table(y, keys, defined, 0, keys.size());
  if (!is_int(ok, 1)) q.given.push_back(ok);
  // Tight bounds, as guards of a program give them.
  if (row.right && kind == Kind::Index && (row.op == Op::Shl || row.op == Op::Shr)) {
    q.given.push_back(le(imm(a.type, 0), y)), q.given.push_back(lt(y, imm(a.type, a.type.bits)));
  }
  Expr got = kind == Kind::RightConstant ? row.build(y, x) : row.build(x, y);
  q.goal = eq(got, table(y, keys, entries, 0, keys.size()));
  return q;
}

/// fits() says exactly where the operator is an error.
Question fits_question(const Row& row, const Scalar& a, Kind kind, const std::vector<Scalar>& keys, bool wrong = false,
                       std::optional<Arith> mode = {}) {
  std::vector<Expr> defined;
  for (const Scalar& k : keys) defined.push_back(boolean(bool(row.value(a, k, mode.value_or(arith_of(kind))))));
  if (wrong) defined[keys.size() / 2] = boolean(is_int(defined[keys.size() / 2], 0));
  Question q{"fits of " + title(row, a, kind) + (wrong ? ", one entry wrong" : ""), {}, {}, !wrong};
  Expr x = operand(kind, a.type, "x"), y = operand(kind, a.type, "y");
  q.given.push_back(pinned(x, a));
  q.goal = eq(fits(row.build(x, y)), table(y, keys, defined, 0, keys.size()));
  return q;
}

/// How a pair is asked in one reading.
struct Asking {
  Reading reading;
  Kind kind;
  std::optional<Arith> fits;  // also ask that fits() holds exactly where there is no error of this arithmetic
};

/// Does the encoding of `row` with this right operand have bounds (wide bits), or a meaning at all (integers)?
bool encodable(const Row& row, const Scalar& right, const Asking& how) {
  if (how.reading == Reading::Machine || row.op == Op::Cast) return true;
  bool divides = is_division(row.op), shifts = row.op == Op::Shl || row.op == Op::Shr;
  bool of_bits = row.op == Op::BitAnd || row.op == Op::BitOr || row.op == Op::BitXor;
  if (how.reading == Reading::Mathematical && of_bits) return false;
  bool past = how.reading == Reading::WideBits && right.type.bits == 64;  // exact products of 64 bits need 128
  if (past && (row.op == Op::Mul || row.op == Op::Shl)) return false;
  if (divides && how.reading == Reading::WideBits) return how.kind != Kind::Data && right.bits != 0;
  if (shifts) return how.kind != Kind::Data && right.bits < uint64_t(right.type.bits);
  return true;
}

/// All rows on single pairs of `a` and each key, in one question. Data and index operands stand under a condition of
/// which no bound is learned, but for what divides and shifts in an index, which is known to the point. At machine
/// width constants and cells are encoded alike but for divisors, so there only divisors and shifts are cells.
/// `wrong`: one value is changed, so that the claim is false.
Question pairs_question(const std::vector<Row>& rows, const Scalar& a, const std::vector<Scalar>& keys,
                        const Asking& how, bool wrong = false) {
  DType t = a.type;
  Question q{
      "every operator on " + t.str() + ", " + name_of(how.kind) + ", " + to_string(wide_value(a)), {}, {}, !wrong};
  std::vector<Expr> broken;
  bool changed = !wrong;
  auto fresh = [&](const Scalar& value, bool point) {
    Expr e = operand(how.kind == Kind::Index ? Kind::Index : Kind::Data, t, "x");
    q.given.push_back(point ? eq(e, constant(value)) : pinned(e, value));
    return e;
  };
  bool swapped = how.kind == Kind::RightConstant;  // then `a` stands on the right
  Expr x = swapped ? constant(a) : fresh(a, false);
  for (const Scalar& k : keys) {
    bool as_constant = how.reading == Reading::Machine;
    Expr y = fresh(k, false), point = how.kind == Kind::Index ? fresh(k, true) : y;
    for (const Row& row : rows) {
      if (!row.right && !swapped && !(k == keys[0])) continue;
      const Scalar &left = swapped ? k : a, &right = swapped ? a : k;
      if (!encodable(row, right, how)) continue;
      bool shows = is_division(row.op) || row.op == Op::Shl || row.op == Op::Shr;
      Expr got = swapped ? row.build(y, x) : row.build(x, shows ? point : as_constant ? constant(k) : y);
      if (how.fits) {
        bool right_so = bool(row.value(left, right, *how.fits));
        if (row.op == Op::Add || row.op == Op::Sub || row.op == Op::Mul || shows) {
          broken.push_back(right_so ? lnot(fits(got)) : fits(got));
        }
      }
      ScalarResult r = row.value(left, right, arith_of(how.kind));
      if (!r) continue;
      Wide v = wide_value(r.value);
      DType to = r.value.type;
      if (!changed) v = to.is_bool() ? 1 - v : v == max_value(to) ? v - 1 : v + 1;
      changed = true;
      broken.push_back(ne(got, imm(to, v)));
    }
  }
  q.goal = broken.empty() ? boolean(true) : lnot(any_of(broken, 0, broken.size()));
  return q;
}

/// How many questions were decided; a wrong answer is a failure.
struct Tally {
  size_t asked = 0, decided = 0;
  std::map<std::string, size_t> open;  // by reason
};

Tally ask_all(const std::vector<Question>& questions, const Attempt& attempt) {
  Tally tally;
  std::atomic<size_t> next{0};
  std::mutex mutex;
  auto work = [&] {
    for (size_t i = next++; i < questions.size(); i = next++) {
      const Question& q = questions[i];
      std::vector<Expr> given;
      int undefs = 0;
      for (const Expr& e : q.given) given.push_back(prepare(e, &undefs));
      Answer answer = decide(given, prepare(q.goal, &undefs), {&attempt, 1}).answer;
      std::lock_guard lock(mutex);
      ++tally.asked;
      if (answer.verdict == Verdict::Unknown) {
        ++tally.open[answer.reason];
        continue;
      }
      ++tally.decided;
      if ((answer.verdict == Verdict::Proved) == q.holds) continue;
      std::string values;
      for (const CellValue& cell : answer.cells) values += " " + cell.buffer->name + "=" + to_string(cell.value);
      for (const auto& [var, value] : answer.model) values += " " + var.name() + "=" + to_string(value);
      ADD_FAILURE() << attempt.solver << ": " << q.what << " is " << (q.holds ? "refuted" : "proved") << values;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = std::max(2u, std::thread::hardware_concurrency()); i > 0; --i) threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
  return tally;
}

std::string show(const Tally& t) {
  std::string out = std::to_string(t.decided) + " of " + std::to_string(t.asked) + " decided";
  for (const auto& [reason, count] : t.open) out += "; " + std::to_string(count) + " open: " + reason;
  return out;
}

Attempt at(Reading reading, bool overflow_is_error = true) {
  EncodeOptions options{.reading = reading, .overflow_is_error = overflow_is_error};
  switch (reading) {
    case Reading::Machine:
      return {"z3 at machine width", options, Engine::Z3Bits, 200'000'000};
    case Reading::WideBits:
      return {"z3 on wide bits", options, Engine::Z3Bits, 200'000'000};
    case Reading::Mathematical:
      return {"z3 on integers", options, Engine::Z3Simple, 200'000'000};
  }
  return {};
}

/// At 8 bits one left operand of 32 and the edges (HEXPROOF_TEST_EXHAUSTIVE asks for all): all pairs are the matter of
/// all_pairs_test.cpp, this is about solvers.
std::vector<Scalar> lefts_of(DType t) {
  std::vector<Scalar> out;
  size_t i = 0;
  for (const Scalar& s : values_of(t)) {
    ++i;
    bool edge = wide_value(s) <= min_value(t) + 1 || wide_value(s) == -1 || wide_value(s) >= max_value(t) - 1;
    if (t.bits != 8 || i % 32 == 4 || edge || std::getenv("HEXPROOF_TEST_EXHAUSTIVE")) out.push_back(s);
  }
  return out;
}

/// Left operands against every right one (the other way round for RightConstant), all operators and some of the right
/// operands in one question.
void expect_agreement(DType t, const Asking& how, size_t stride = 1, size_t together = 16) {
  std::vector<Row> rows = rows_of(t);
  std::vector<Scalar> keys = values_of(t);
  std::vector<Question> questions;
  std::vector<Scalar> lefts = lefts_of(t);
  for (size_t i = 0; i < lefts.size(); i += stride) {
    for (size_t k = 0; k < keys.size(); k += together) {
      std::vector<Scalar> some(keys.begin() + k, keys.begin() + std::min(keys.size(), k + together));
      questions.push_back(pairs_question(rows, lefts[i], some, how));
    }
  }
  Tally tally = ask_all(questions, at(how.reading, how.fits != Arith::Data));
  EXPECT_EQ(tally.decided, tally.asked) << show(tally);
}

class SolverAgreement : public ::testing::TestWithParam<DType> {};

// All pairs at 8 bits: the values, and where index arithmetic has an error.
TEST_P(SolverAgreement, MachineWidthAsIndex) {
  expect_agreement(GetParam(), {Reading::Machine, Kind::Data, Arith::Index});
}
TEST_P(SolverAgreement, MachineWidthAsData) {
  expect_agreement(GetParam(), {Reading::Machine, Kind::Data, Arith::Data});
}
TEST_P(SolverAgreement, WideBitsOnData) { expect_agreement(GetParam(), {Reading::WideBits, Kind::Data, {}}); }
TEST_P(SolverAgreement, WideBitsByConstants) {
  expect_agreement(GetParam(), {Reading::WideBits, Kind::RightConstant, {}});
}
TEST_P(SolverAgreement, WideBitsOnIndex) {
  expect_agreement(GetParam(), {Reading::WideBits, Kind::Index, Arith::Index});
}

/// Left operands at which the slower questions are asked.
std::vector<Scalar> some_of(DType t) {
  if (t.is_bool()) return values_of(t);
  std::vector<Scalar> out;
  for (Wide v : {Wide{-3}, max_value(t)}) out.push_back(int_scalar(t, v));
  return out;
}

// Unbounded integers, which come first when a program is proved: some left operands against every right one at once.
// The right operand is free, so quotients, remainders and wrapping are the solver's own.
TEST_P(SolverAgreement, Integers) {
  DType t = GetParam();
  if (t.bits > 8) GTEST_SKIP() << "tables are for 8 bits; IntegersOnPairs asks at this width";
  std::vector<Scalar> keys = values_of(t);
  std::vector<Question> closed, opaque;
  for (const Row& row : rows_of(t)) {
    for (const Scalar& a : some_of(t)) {
      auto& questions = is_shift(row) || is_of_bits(row) ? opaque : closed;
      for (Kind kind : {Kind::Data, Kind::Index}) {
        if (auto q = values_question(row, a, kind, keys)) questions.push_back(*q);
      }
      auto& by_constant = is_of_bits(row) ? opaque : closed;
      if (auto q = values_question(row, a, Kind::RightConstant, keys); q && !(row.op == Op::Shl && a.bits >= 8)) {
        by_constant.push_back(*q);
      }
      questions.push_back(fits_question(row, a, Kind::Index, keys));
    }
  }
  Tally tally = ask_all(closed, at(Reading::Mathematical));
  EXPECT_EQ(tally.decided, tally.asked) << show(tally);
  ask_all(opaque, at(Reading::Mathematical));  // may stay open; a wrong answer fails
}

TEST_P(SolverAgreement, IntegersOnPairs) {
  if (GetParam().bits <= 8) GTEST_SKIP() << "Integers asks for every right operand";
  expect_agreement(GetParam(), {Reading::Mathematical, Kind::Data, {}}, 4, 2);
  expect_agreement(GetParam(), {Reading::Mathematical, Kind::RightConstant, {}}, 4, 2);
  expect_agreement(GetParam(), {Reading::Mathematical, Kind::Index, Arith::Index}, 4, 2);
}

// The questions can fail: with one entry of the table, or one value of a pair, wrong the solver finds it.
TEST_P(SolverAgreement, AWrongEntryIsFound) {
  DType t = GetParam();
  std::vector<Scalar> keys = values_of(t);
  Scalar a = int_scalar(t, t.is_bool() ? 1 : 5), b = int_scalar(t, t.is_bool() ? 0 : 3);
  for (Reading reading : {Reading::Machine, Reading::WideBits, Reading::Mathematical}) {
    std::vector<Question> questions;
    for (const Row& row : rows_of(t)) {
      bool machine = reading == Reading::Machine;
      Asking how{reading, machine ? Kind::Data : Kind::Index, {}};
      if (!encodable(row, b, how)) continue;
      questions.push_back(pairs_question({row}, a, {b}, how, true));
      if (t.bits > 8) continue;
      if (!machine && (is_shift(row) || is_division(row.op))) continue;
      if (auto q = values_question(row, a, Kind::Data, keys, true)) questions.push_back(*q);
      questions.push_back(fits_question(row, a, Kind::Index, keys, true));
    }
    Tally tally = ask_all(questions, at(reading));
    EXPECT_EQ(tally.decided, tally.asked) << show(tally);
    EXPECT_GT(tally.decided, 12u);
  }
}

// The prover as programs use it, without its normal form: stages and all.
TEST_P(SolverAgreement, ProverWithoutNormalForm) {
  DType t = GetParam();
  if (t.bits > 8) GTEST_SKIP() << "tables are for 8 bits";
  std::vector<Scalar> keys = values_of(t);
  std::vector<Question> questions;
  std::vector<Obligation> obligations;
  for (const Row& row : rows_of(t)) {
    Scalar a = int_scalar(t, t.is_bool() ? 1 : 5);
    for (bool wrong : {false, true}) {
      if (is_shift(row)) continue;  // by data of any value: no stage has a meaning for it
      if (auto q = values_question(row, a, Kind::Data, keys, wrong)) questions.push_back(*q);
      questions.push_back(fits_question(row, a, Kind::Index, keys, wrong));
    }
    if (!is_shift(row)) continue;
    if (auto q = values_question(row, a, Kind::Index, keys)) questions.push_back(*q);
    if (auto q = values_question(row, a, Kind::Index, keys, true)) questions.push_back(*q);
  }
  for (const Question& q : questions) {
    Obligation o;
    o.rule = "agreement", o.why = q.what, o.given = q.given, o.goal = q.goal;
    obligations.push_back(std::move(o));
  }
  Prover prover({.normal_form = false});
  std::vector<Answer> answers = prover.prove_all(obligations);
  for (size_t i = 0; i < questions.size(); ++i) {
    EXPECT_EQ(answers[i].verdict, questions[i].holds ? Verdict::Proved : Verdict::Refuted)
        << questions[i].what << ": " << answers[i].solver << " " << answers[i].reason;
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, SolverAgreement, ::testing::ValuesIn(kTypes),
                         [](const auto& info) { return info.param.str(); });

}  // namespace agreement_test
}  // namespace hexproof
