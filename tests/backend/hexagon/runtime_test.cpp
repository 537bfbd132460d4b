// The routines for what Hexagon has no instruction for, held against this machine's hardware.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "backend/hexagon.h"

namespace hexproof {
namespace runtime_test {

const RuntimeOnHost& runtime() {
  static RuntimeOnHost routines;
  return routines;
}
template <class F>
F* routine(const char* name) {
  return reinterpret_cast<F*>(runtime().address(name));
}

/// Numbers where things change: zeros, subnormals, powers of two and their neighbours, infinities, a NaN, any bits.
template <class Float>
class Numbers {
 public:
  using Bits = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
  Float next() {
    constexpr int kMantissa = sizeof(Float) == 4 ? 23 : 52;
    constexpr Bits kTop = sizeof(Float) == 4 ? 255 : 2047, kSign = Bits{1} << (8 * sizeof(Float) - 1);
    uint64_t r = random_();
    Bits any = static_cast<Bits>(random_()), sign = r & 1 ? kSign : 0;
    Bits exponent = static_cast<Bits>((r >> 32) % (kTop + 1));
    switch ((r >> 1) % 8) {
      case 0:
        return std::bit_cast<Float>(any);
      case 1:
        return std::bit_cast<Float>(static_cast<Bits>(sign | (any & 3)));  // zero and the smallest
      case 2:
        return std::bit_cast<Float>(static_cast<Bits>(sign | (any >> (8 * sizeof(Float) - kMantissa))));
      case 3:
        return std::bit_cast<Float>(static_cast<Bits>(sign | (exponent << kMantissa)));
      case 4:
        return std::bit_cast<Float>(static_cast<Bits>((sign | (exponent << kMantissa)) + (any % 5) - 2));
      case 5:
        return static_cast<Float>(static_cast<int>(any % 2001) - 1000) / Float(2);
      case 6:
        return std::bit_cast<Float>(static_cast<Bits>(sign | (((kTop / 2) + any % 4) << kMantissa) | (r >> 8 & 7)));
      case 7: {
        Bits near = kTop / 2 + static_cast<Bits>((r >> 40) % 120) - 60;
        return std::bit_cast<Float>(
            static_cast<Bits>(sign | (near << kMantissa) | (any & ((Bits{1} << kMantissa) - 1))));
      }
    }
    return 0;
  }

 private:
  std::mt19937_64 random_{12345};
};

template <class Float>
::testing::AssertionResult same(Float got, Float want) {
  using Bits = typename Numbers<Float>::Bits;
  bool equal = std::isnan(want) ? std::isnan(got) : std::bit_cast<Bits>(got) == std::bit_cast<Bits>(want);
  if (equal) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << std::hexfloat << double(got) << " instead of " << double(want);
}

constexpr int kRounds = 2'000'000;

template <class Float>
void check_binary(const char* name, Float (*want)(Float, Float)) {
  auto* f = routine<Float(Float, Float)>(name);
  Numbers<Float> numbers;
  for (int i = 0; i < kRounds; ++i) {
    Float x = numbers.next(), y = numbers.next();
    ASSERT_TRUE(same(f(x, y), want(x, y))) << name << std::hexfloat << " of " << double(x) << " and " << double(y);
  }
}
template <class Float>
void check_unary(const std::string& name, Float (*want)(Float)) {
  auto* f = routine<Float(Float)>(name.c_str());
  Numbers<Float> numbers;
  for (int i = 0; i < kRounds; ++i) {
    Float x = numbers.next();
    ASSERT_TRUE(same(f(x), want(x))) << name << std::hexfloat << " of " << double(x);
  }
}

TEST(Runtime, ProductAndQuotientsAreCorrectlyRounded) {
  check_binary<double>("__hexagon_muldf3", [](double x, double y) { return x * y; });
  check_binary<float>("__hexagon_divsf3", [](float x, float y) { return x / y; });
  check_binary<double>("__hexagon_divdf3", [](double x, double y) { return x / y; });
}

TEST(Runtime, SquareRootsAreCorrectlyRounded) {
  check_unary<float>("__hexagon_sqrtf", [](float x) { return std::sqrt(x); });
  check_unary<double>("__hexagon_sqrt", [](double x) { return std::sqrt(x); });
}

TEST(Runtime, RoundingToWholeNumbersIsExact) {
  check_unary<float>("truncf", [](float x) { return std::trunc(x); });
  check_unary<float>("floorf", [](float x) { return std::floor(x); });
  check_unary<float>("ceilf", [](float x) { return std::ceil(x); });
  check_unary<float>("roundf", [](float x) { return std::round(x); });
  check_unary<float>("nearbyintf", [](float x) { return std::nearbyint(x); });
  check_unary<double>("trunc", [](double x) { return std::trunc(x); });
  check_unary<double>("floor", [](double x) { return std::floor(x); });
  check_unary<double>("ceil", [](double x) { return std::ceil(x); });
  check_unary<double>("round", [](double x) { return std::round(x); });
  check_unary<double>("nearbyint", [](double x) { return std::nearbyint(x); });
}

template <class Int>
void check_integer(const char* name, Int (*want)(Int, Int)) {
  auto* f = routine<Int(Int, Int)>(name);
  std::mt19937_64 random(99);
  auto next = [&]() -> Int {
    uint64_t r = random();
    Int any = static_cast<Int>(random()), power = static_cast<Int>(Int{1} << (r >> 8) % (8 * sizeof(Int)));
    switch (r % 4) {
      case 0:
        return any;
      case 1:
        return static_cast<Int>(any >> ((r >> 8) % (8 * sizeof(Int))));
      case 2:
        return static_cast<Int>(static_cast<uint64_t>(power) + (r >> 20) % 3 - 1);
      default:
        return static_cast<Int>(r >> 20 & 7);
    }
  };
  for (int i = 0; i < kRounds; ++i) {
    Int x = next(), y = next();
    if (y == 0 || (std::is_signed_v<Int> && x == std::numeric_limits<Int>::min() && y == Int(-1))) continue;
    ASSERT_EQ(f(x, y), want(x, y)) << name << " of " << x << " and " << y;
  }
}

TEST(Runtime, IntegerDivisionsAreCs) {
  check_integer<int32_t>("__hexagon_divsi3", [](int32_t x, int32_t y) { return x / y; });
  check_integer<int32_t>("__hexagon_modsi3", [](int32_t x, int32_t y) { return x % y; });
  check_integer<uint32_t>("__hexagon_udivsi3", [](uint32_t x, uint32_t y) { return x / y; });
  check_integer<uint32_t>("__hexagon_umodsi3", [](uint32_t x, uint32_t y) { return x % y; });
  check_integer<int64_t>("__hexagon_divdi3", [](int64_t x, int64_t y) { return x / y; });
  check_integer<int64_t>("__hexagon_moddi3", [](int64_t x, int64_t y) { return x % y; });
  check_integer<uint64_t>("__hexagon_udivdi3", [](uint64_t x, uint64_t y) { return x / y; });
  check_integer<uint64_t>("__hexagon_umoddi3", [](uint64_t x, uint64_t y) { return x % y; });
}

TEST(Runtime, MemoryIsFilledCopiedAndMoved) {
  auto* set = routine<void*(void*, int, uint32_t)>("memset");
  auto* copy = routine<void*(void*, const void*, uint32_t)>("memcpy");
  auto* move = routine<void*(void*, const void*, uint32_t)>("memmove");
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    // Up to some vectors; now and then more than eight of them, which are taken at once.
    std::vector<uint8_t> got(8192), want;
    for (uint8_t& byte : got) byte = static_cast<uint8_t>(random());
    want = got;
    const uint32_t shifts[] = {0, 7, 127}, sizes[] = {64, 400, 2500};
    uint32_t align = shifts[random() % 3];
    uint32_t skew = static_cast<uint32_t>(-reinterpret_cast<uintptr_t>(got.data())) & 127;
    uint32_t to = skew + ((random() % 300) & ~align), from = skew + ((2800 + random() % 640) & ~align);
    uint32_t n = (random() % sizes[random() % 3]) & ~(align & 7);
    switch (random() % 3) {
      case 0:
        set(&got[to], 0x1a5, n), std::memset(&want[to], 0x1a5, n);
        break;
      case 1:
        if (to + n > from) continue;
        copy(&got[to], &got[from], n), std::memcpy(&want[to], &want[from], n);
        break;
      case 2: {
        uint32_t near = to + ((random() % 300) & ~align), a = random() % 2 ? to : near, z = a == to ? near : to;
        move(&got[a], &got[z], n), std::memmove(&want[a], &want[z], n);
        break;
      }
    }
    ASSERT_EQ(got, want);
  }
}

}  // namespace runtime_test
}  // namespace hexproof
