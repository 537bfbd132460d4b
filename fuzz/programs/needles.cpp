// Formulas that are false at one point.
#include "fuzz/programs/formulas.h"
#include "ir/buffer.h"
#include "ir/visit.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {

/// In [lo, hi], one time in two near an end.
Wide FormulaGenerator::some_value(Wide lo, Wide hi) {
  const Wide size = hi - lo + 1;
  const auto offset = static_cast<Wide>(random_()) % size, near = std::min<Wide>(pick(3), size - 1);
  return pick(2) ? lo + offset : pick(2) ? lo + near : hi - near;
}

std::optional<Needle> FormulaGenerator::needle() {
  static const DType kTypes[] = {kInt8, kUInt8, kInt16, kInt32};
  type_ = kTypes[pick(4)];
  const Wide least = min_value(type_), greatest = max_value(type_);
  data_ = pick(2) == 0;
  vars_.clear();
  Needle out;
  for (int i = 0; i < 3; ++i) {
    Var v = Var::fresh(std::string(1, static_cast<char>('x' + i)), type_);
    const Wide value = some_value(least, greatest);
    const Wide lo = pick(3) ? some_value(least, value) : value, hi = pick(3) ? some_value(value, greatest) : value;
    out.given.push_back(le(imm(type_, static_cast<int64_t>(lo)), v));
    out.given.push_back(le(v, imm(type_, static_cast<int64_t>(hi))));
    out.point.vars[v] = value;
    vars_.push_back(v);
  }
  cell_ = load(make_buffer("A", type_, {i32(1)}), {i32(0)});
  out.point.terms[cell_] = some_value(least, greatest);
  auto holds = [&](const Expr& e) { return Evaluator(out.point).holds(e); };
  auto give = [&](const Expr& e) { out.given.push_back(holds(e) ? e : lnot(e)); };
  auto value_of = [&](const Expr& e) { return Evaluator(out.point).bits(e); };
  auto number = [&](Wide value) { return imm(type_, static_cast<int64_t>(value)); };
  auto in_type = [&](Wide value) { return least <= value && value <= greatest; };
  /// Or it is not this point: some variables have other values.
  auto or_elsewhere = [&](Expr goal) {
    for (const Var& v : vars_) {
      if (pick(3)) goal = lor(ne(v, number(out.point.vars[v])), goal);
    }
    return goal;
  };
  try {
    const Expr e =
        pick(4) ? integer(2) : binary(pick(2) ? Op::TruncDiv : Op::TruncMod, integer(1), imm(type_, 2 + pick(6)));
    const Wide value = value_of(e);
    switch (pick(4)) {
      case 0:  // compared, where nobody evaluated it
        if (holds(fits(e))) return std::nullopt;
        give(lt(e, constant()));
        out.goal = or_elsewhere(fits(e));
        break;
      case 1: {  // a sum or difference of data at an edge
        if (!data_) return std::nullopt;
        const Wide edge = pick(2) ? least : greatest, size = greatest - least + 1;
        const bool sum = pick(2) != 0;
        const Wide exact = sum ? edge - value : edge + value;
        out.point.terms[cell_] = least + ((exact - least) % size + size) % size;
        out.goal = ne(sum ? cell_ + e : cell_ - e, number(edge));
        break;
      }
      case 2:  // a bound that is reached
        if (!in_type(value)) return std::nullopt;
        out.goal = pick(2) ? lt(e, number(value)) : gt(e, number(value));
        break;
      default:
        if (!in_type(value)) return std::nullopt;
        if (holds(fits(e)) && pick(2)) out.given.push_back(fits(e));
        out.goal = or_elsewhere(ne(e, number(value)));
    }
    for (int i = pick(3); i > 0; --i) give(truth(1));
    for (const Expr& given : out.given) {
      if (!holds(given)) return std::nullopt;
    }
    return holds(out.goal) ? std::nullopt : std::optional(out);
  } catch (const Undefined&) {
    return std::nullopt;
  }
}

std::string probe_prover_with_needle(uint64_t seed, Prover& prover) {
  const std::optional<Needle> needle = FormulaGenerator(seed).needle();
  if (!needle) return "";
  const OpenRoundingScope integers_alone{OpenRounding{}};
  const Obligation obligation{
      .rule = "probe", .why = "a random formula", .where = {}, .given = needle->given, .goal = needle->goal};
  const Answer answer = prover.prove(obligation);
  if (answer.verdict != Verdict::Proved) return "";
  return "proved, and some values break it: by " + answer.solver + "\n" + to_smtlib(obligation);
}

}  // namespace hexproof
