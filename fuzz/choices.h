// A random object is built from a sequence of choices: RapidCheck generates and shrinks the sequence, so every
// generator shrinks for free. Choice 0 is always the simplest one; a sequence that has run out gives zeros.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hexproof {

class Choices {
 public:
  explicit Choices(std::vector<uint32_t> values) : values_(std::move(values)) {}

  /// A number in [0, n); n >= 1.
  uint32_t below(uint32_t n) {
    uint32_t value = next_ < values_.size() ? values_[next_++] : 0;
    return value % n;
  }
  /// True in `percent` of 100 cases.
  bool chance(uint32_t percent) { return below(100) >= 100 - percent; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(static_cast<uint32_t>(from.size()))];
  }
  bool exhausted() const { return next_ >= values_.size(); }

 private:
  std::vector<uint32_t> values_;
  size_t next_ = 0;
};

}  // namespace hexproof
