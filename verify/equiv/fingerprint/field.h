// The field of 2^61 - 1, and random words that are a function of a seed.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace hexproof {

inline constexpr uint64_t kFieldPrime = (uint64_t{1} << 61) - 1;

/// A word as the residue that it stands for, below kFieldPrime.
inline uint64_t field_canonical(uint64_t a) {
  a = (a & kFieldPrime) + (a >> 61);
  return a >= kFieldPrime ? a - kFieldPrime : a;
}
/// Sum, difference and product of residues below kFieldPrime.
inline uint64_t field_add(uint64_t a, uint64_t b) { return field_canonical(a + b); }
inline uint64_t field_sub(uint64_t a, uint64_t b) { return field_canonical(a + kFieldPrime - b); }
inline uint64_t field_mul(uint64_t a, uint64_t b) {
  unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return field_canonical((static_cast<uint64_t>(product) & kFieldPrime) + static_cast<uint64_t>(product >> 61));
}

/// Words that follow from a key and from what was absorbed, as SipHash-2-4 mixes them (Aumasson and Bernstein). Taken
/// for a random function: that is the one assumption behind the error bound of a fingerprint.
class RandomWords {
 public:
  explicit RandomWords(const std::array<uint64_t, 2>& key)
      : v_{key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261,
           key[1] ^ 0x7465646279746573} {}

  void absorb(uint64_t word) {
    v_[3] ^= word;
    mix(), mix();
    v_[0] ^= word;
  }
  /// The next word; after the first one nothing more may be absorbed.
  uint64_t next() {
    v_[2] ^= 0xff;
    mix(), mix(), mix(), mix();
    return v_[0] ^ v_[1] ^ v_[2] ^ v_[3];
  }
  /// A residue, all of them equally likely.
  uint64_t residue() {
    uint64_t word = next() >> 3;
    while (word == kFieldPrime) word = next() >> 3;
    return word;
  }

 private:
  void mix() {
    auto turn = [](uint64_t x, int by) { return x << by | x >> (64 - by); };
    v_[0] += v_[1], v_[2] += v_[3];
    v_[1] = turn(v_[1], 13) ^ v_[0], v_[3] = turn(v_[3], 16) ^ v_[2];
    v_[0] = turn(v_[0], 32);
    v_[2] += v_[1], v_[0] += v_[3];
    v_[1] = turn(v_[1], 17) ^ v_[2], v_[3] = turn(v_[3], 21) ^ v_[0];
    v_[2] = turn(v_[2], 32);
  }
  std::array<uint64_t, 4> v_;
};

}  // namespace hexproof
