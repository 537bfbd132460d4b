#include "verify/equiv/fingerprint/algebra.h"

namespace hexproof::fingerprint {
namespace {
/// What words are for: those for one purpose say nothing of those for another.
enum Purpose : uint64_t { Naming = 1, Coefficient, Constant, Variable, Function };

RandomWords words_for(uint64_t seed, Purpose purpose) {
  RandomWords words({seed, purpose});
  words.absorb(seed ^ purpose);
  return words;
}

void residues(RandomWords& words, uint64_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = words.residue();
}
}  // namespace

Label Algebra::label(const std::string& name) const {
  RandomWords words = words_for(seed_, Naming);
  for (char c : name) words.absorb(static_cast<unsigned char>(c));
  words.absorb(name.size() | uint64_t{1} << 32);
  uint64_t first = words.next();
  return {first, words.next()};
}

Algebra::Coefficients Algebra::coefficients(const Label& label, int round) const {
  RandomWords words = words_for(seed_, Coefficient);
  words.absorb(label[0]), words.absorb(label[1]), words.absorb(static_cast<uint64_t>(round));
  Coefficients out{};
  out.left = words.residue(), out.right = words.residue(), out.plus = words.residue();
  return out;
}

void Algebra::constant(const Scalar& value, uint64_t* out) const {
  if (world(value.type) == World::Ring && is_number(value)) {
    Wide residue = centred(value) % static_cast<Wide>(kFieldPrime);
    if (residue < 0) residue += kFieldPrime;
    std::fill_n(out, words(value.type), static_cast<uint64_t>(residue));
    return;
  }
  RandomWords random = words_for(seed_, Constant);
  // In the ring, one variable for what is equal modulo 2^bits.
  uint64_t code = world(value.type) == World::Ring ? 0 : static_cast<uint64_t>(value.type.code) + 1;
  random.absorb(code << 8 | value.type.bits);
  random.absorb(world(value.type) == World::Ring ? static_cast<uint64_t>(centred(value)) : value.bits);
  residues(random, out, words(value.type));
}

void Algebra::variable(const Label& label, uint64_t index, DType type, uint64_t* out) const {
  RandomWords random = words_for(seed_, Variable);
  random.absorb(label[0]), random.absorb(label[1]), random.absorb(index);
  residues(random, out, words(type));
}

void Algebra::random(const Label& label, const uint64_t* in, size_t count, uint64_t* out, size_t words) const {
  RandomWords random = words_for(seed_, Function);
  random.absorb(label[0]), random.absorb(label[1]), random.absorb(count);
  for (size_t i = 0; i < count; ++i) random.absorb(field_canonical(in[i]));
  residues(random, out, words);
}

}  // namespace hexproof::fingerprint
