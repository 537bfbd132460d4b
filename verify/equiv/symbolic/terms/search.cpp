// Inputs: those that show a difference, and those on which `before` reaches no error.
#include <bit>
#include <cmath>

#include "verify/equiv/symbolic/terms/refine.h"

namespace hexproof::symbolic {
namespace {

constexpr int kTries = 24, kUniform = 5, kUndefSeeds = 3, kRepairs = 6;
constexpr size_t kMaxLinked = 48;

uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Half of all values are edges.
Scalar edge_value(DType type, uint64_t x) {
  if (type.is_bool()) return bool_scalar(x & 1);
  const uint64_t pick = (x >> 1) % 8;
  if (type.is_float()) {
    const double edges[] = {0.0, -0.0, 1.0, -1.0, 0.5, std::nan(""), HUGE_VAL, -HUGE_VAL, 1e30, 1e-30, 65504.0, -2.5};
    if (x & 1) return float_scalar(type, edges[(x >> 8) % std::size(edges)]);
    return float_scalar(type, static_cast<double>(static_cast<int64_t>(x >> 8) % 1000) / 8);
  }
  if (x & 1) {
    if (pick < 2) return int_scalar(type, pick == 0 ? min_value(type) : max_value(type));
    if (pick < 5) return int_scalar(type, static_cast<int>(pick) - 3);
    int bit = static_cast<int>((x >> 8) % static_cast<uint64_t>(type.bits));
    return int_scalar(type, (Wide{1} << bit) + static_cast<int>((x >> 16) % 3) - 1);
  }
  return pick < 4 ? int_scalar(type, static_cast<int64_t>(x >> 8) % 100) : int_scalar(type, static_cast<Wide>(x >> 3));
}

}  // namespace

void Refinement::ground(Term given) {
  for (Term fact : terms_.conjuncts(given)) {
    if (terms_.op(fact) != Op::EQ) continue;
    for (int i : {0, 1}) {
      Term input = terms_.arg(fact, i), number = terms_.arg(fact, 1 - i);
      if (terms_.op(input) == Op::Var && terms_.is_constant(number)) {
        grounded_.emplace_back(terms_.number(input), terms_.value(number));
      }
    }
  }
}

std::vector<Scalar> Refinement::guess(uint64_t seed) const {
  std::vector<Scalar> out = free_guess(seed);
  for (const auto& [input, number] : grounded_) {
    // Zeros of both signs are equal.
    bool zero = number.type.is_float() && number.d() == 0;
    if (zero && out[input].d() == 0) continue;
    out[input] = zero && seed % 4 == 3 ? float_scalar(number.type, -0.0) : number;
  }
  return out;
}

std::vector<Scalar> Refinement::free_guess(uint64_t seed) const {
  std::vector<Scalar> out;
  out.reserve(inputs_.cells().size());
  if (seed >= kTries) {  // the same everywhere
    const uint64_t which = seed - kTries;
    const double floats[kUniform] = {-0.0, std::nan(""), 0.0, -1.0, HUGE_VAL};
    for (const InputCell& cell : inputs_.cells()) {
      if (cell.type.is_float()) {
        out.push_back(float_scalar(cell.type, floats[which]));
        continue;
      }
      const Wide ints[kUniform] = {0, -1, min_value(cell.type), max_value(cell.type), 1};
      out.push_back(int_scalar(cell.type, ints[which]));
    }
    return out;
  }
  for (size_t i = 0; i < inputs_.cells().size(); ++i) {
    const DType type = inputs_.cells()[i].type;
    uint64_t x = mixed(seed * 0x51ed270b + i);
    if (seed < 4 && !type.is_bool()) {  // small numbers: 0 to 1, 1 to 8, 0 to 30, ...
      const uint64_t modulus[] = {8, 2, 31, 120}, least[] = {1, 0, 0, 0};
      const auto v = static_cast<Wide>(x % modulus[seed] + least[seed]);
      out.push_back(type.is_float() ? float_scalar(type, static_cast<double>(v)) : int_scalar(type, v));
    } else if (seed % 3 != 0 && type.is_float()) {
      // Numbers of many digits; now and then one that is far larger.
      double v = static_cast<double>(static_cast<int64_t>(x)) / 9.3e18;
      out.push_back(float_scalar(type, seed % 3 == 2 && (x >> 20) % 8 == 0 ? v * 4096 : v));
    } else if (seed % 3 == 1) {
      out.push_back((x >> 40) % 8 == 0 ? edge_value(type, x) : int_scalar(type, static_cast<int64_t>(x % 41) - 20));
    } else {
      out.push_back(edge_value(type, x));
    }
  }
  return out;
}

void Refinement::prepare(const std::vector<Cell>& cells, const std::vector<ErrorItem>& errors) {
  open_cells_ = cells;
  open_errors_ = errors;
  std::vector<Term> roots{Terms::kTrue};
  auto add = [&](Term t) { roots.push_back(t), roots.push_back(terms_.depends_on_undef(t)); };
  for (const ErrorItem& e : before_errors_) add(e.condition);
  for (const ErrorItem& e : open_errors_) add(e.condition);
  for (const Cell& c : open_cells_) add(c.before), add(c.after);
  evaluation_ = std::make_unique<Evaluation>(terms_, roots);
}

bool Refinement::excluded(const Evaluation& run) const {
  auto* self = const_cast<Refinement*>(this);
  for (const ErrorItem& e : before_errors_) {
    if (run.truth(e.condition)) return true;
    if (terms_.has_undef(e.condition) && run.truth(self->terms_.depends_on_undef(e.condition))) return true;
  }
  return false;
}

std::optional<std::string> Refinement::difference_of(const Evaluation& run) const {
  auto* self = const_cast<Refinement*>(this);
  for (const ErrorItem& e : open_errors_) {
    if (run.truth(e.condition)) return "after reaches an error: " + e.message;
  }
  const bool flags = !pair_.before.granted_flags().empty();
  const bool any_zero = laws_.nsz || laws_.reassoc;  // its sign may change
  if (flags && !run.exact_floats()) return std::nullopt;
  for (const Cell& c : open_cells_) {
    Scalar a = run.value(c.before), b = run.value(c.after);
    if (a == b) continue;
    if (flags && a.type.is_float() && ((any_zero && a.d() == b.d()) || !std::isfinite(a.d()))) continue;
    // Another choice of undef might give before the value of after.
    if (terms_.has_undef(c.before) && run.truth(self->terms_.depends_on_undef(c.before))) continue;
    return place(c) + " is " + text_of(a) + " after `before`, and " + text_of(b) + " after `after`";
  }
  return std::nullopt;
}

bool Refinement::try_input(const std::vector<Scalar>& values) {
  bool undefs = false;
  for (const Cell& c : open_cells_) undefs |= terms_.has_undef(c.after);
  for (const ErrorItem& e : open_errors_) undefs |= terms_.has_undef(e.condition);
  for (uint64_t seed = 1; seed <= (undefs ? kUndefSeeds : 1); ++seed) {
    evaluation_->run(values, seed);
    if (excluded(*evaluation_)) return false;
    if (!fine_) fine_ = values;
    std::optional<std::string> difference = difference_of(*evaluation_);
    if (!difference || evaluation_->made_up()) continue;
    difference_ = *difference;
    witness_ = values;
    return true;
  }
  return false;
}

bool Refinement::search() {
  for (uint64_t seed = 0; seed < kTries + kUniform; ++seed) {
    if (try_input(guess(seed))) return true;
  }
  return false;
}

bool Refinement::confirm(const Reply& reply) {
  // First with the other cells as on an input without errors; then with them at random.
  for (uint64_t turn = 0; turn < 3; ++turn) {
    std::vector<Scalar> values = turn == 0 && fine_ ? *fine_ : guess(turn + 1);
    for (const auto& [leaf, value] : reply.values) {
      if (terms_.op(leaf) == Op::Var) values[terms_.number(leaf)] = value;
    }
    if (try_input(values)) return true;
  }
  return false;
}

Refinement::Found Refinement::find_input() {
  std::vector<Scalar> values = guess(0);
  for (int round = 0; round < kRepairs; ++round) {
    evaluation_->run(values, 1);
    if (!excluded(*evaluation_)) {
      fine_ = values;
      return Found::Yes;
    }
    std::unordered_set<Term> repaired;
    std::vector<std::pair<Term, Scalar>> changes;
    for (const ErrorItem& e : before_errors_) {
      if (!evaluation_->truth(e.condition)) continue;
      if (terms_.has_undef(e.condition)) return Found::Unknown;
      Term fine = terms_.lnot(e.condition);
      if (repaired.count(fine)) continue;
      std::vector<Term> together;
      if (auto linked = facts_.linked(fine, kMaxLinked)) {
        together = *linked;
      } else {
        together = facts_.about({fine}, kMaxLinked);
        together.push_back(fine);
      }
      repaired.insert(together.begin(), together.end());
      Reply reply = questions_.implies(together, Terms::kFalse, "before reaches an error on every input");
      if (reply.verdict == Verdict::Proved) return Found::None;
      if (reply.verdict == Verdict::Unknown) return Found::Unknown;
      changes.insert(changes.end(), reply.values.begin(), reply.values.end());
    }
    for (const auto& [leaf, value] : changes) {
      if (terms_.op(leaf) == Op::Var) values[terms_.number(leaf)] = value;
    }
  }
  return Found::Unknown;
}

}  // namespace hexproof::symbolic
