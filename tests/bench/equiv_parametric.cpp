// How long the parametric method takes, for extents from 2^4 to 2^20: the ratio of the largest to the smallest should
// stay near one. The symbolic row says "for all n".
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "ir/text/text.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace {

PrimFunc parse(const std::string& text) { return pick_function(parse_module(text), ""); }

struct Pair {
  const char* name;
  std::function<std::string(const std::string&n)> before, after;
  bool square = false;  // n * n cells: stop where they no longer fit in memory
};

std::string one(const std::string& n, const std::string& type = "float32") {
  return fmt::format("(A: T.Buffer(({0},), \"{1}\"), B: T.Buffer(({0},), \"{1}\")):\n", n, type);
}
std::string two(const std::string& n, const std::string& m) {
  return fmt::format(
      "(A: T.Buffer(({0}, {1}), \"int8\"), B: T.Buffer(({1}, {0}), \"int8\"), C: T.Buffer(({0}, {0}), \"int8\")):\n", n,
      m);
}

const std::vector<Pair> kPairs = {
    {"split",
     [](const std::string& n) {
       return "def f" + one(n) + "    for i in range(" + n + "):\n        B[i] = A[i] * T.float32(2)\n";
     },
     [](const std::string& n) {
       return "def f" + one(n) + "    for io, ii in T.grid(" + n +
              " // 8, 8):\n        B[io * 8 + ii] = A[io * 8 + ii] * T.float32(2)\n";
     }},
    {"fuse-stages",
     [](const std::string& n) {
       return "def f" + one(n) + "    t = T.alloc_buffer((" + n + ",), \"float32\")\n    for i in range(" + n +
              "):\n        t[i] = A[i] * T.float32(2)\n    for i in range(" + n +
              "):\n        B[i] = t[i] + T.float32(1)\n";
     },
     [](const std::string& n) {
       return "def f" + one(n) + "    for i in T.parallel(" + n +
              "):\n        B[i] = A[i] * T.float32(2) + T.float32(1)\n";
     }},
    {"sum",
     [](const std::string& n) {
       return "def f" + one(n) + "    B[0] = T.float32(0)\n    for i in range(" + n +
              "):\n        B[0] = B[0] + A[i]\n";
     },
     [](const std::string& n) {
       return "def f" + one(n) + "    B[0] = T.float32(0)\n    for io, ii in T.grid(" + n +
              " // 4, 4):\n        B[0] = B[0] + A[io * 4 + ii]\n";
     }},
    {"matmul-tiled",
     [](const std::string& n) {
       return "def f" + two(n, "128") + "    for i, j in T.grid(" + n + ", " + n +
              "):\n        C[i, j] = T.int8(0)\n        for k in range(128):\n            C[i, j] = C[i, j] + A[i, k] "
              "* B[k, j]\n";
     },
     [](const std::string& n) {
       return "def f" + two(n, "128") + "    for i, j in T.grid(" + n + ", " + n +
              "):\n        C[i, j] = T.int8(0)\n    for io, jo, ko, ii, ji, ki in T.grid(" + n + " // 8, " + n +
              " // 8, 32, 8, 8, 4):\n        C[io * 8 + ii, jo * 8 + ji] = C[io * 8 + ii, jo * 8 + ji] + A[io * 8 + "
              "ii, ko "
              "* 4 + ki] * B[ko * 4 + ki, jo * 8 + ji]\n";
     },
     true},
};

double milliseconds(const Pair& pair, const std::string& n) {
  std::vector<double> times;
  for (int run = 0; run < 7; ++run) {
    Prover prover;
    Evidence e = equiv_parametric(pair_programs(parse(pair.before(n)), parse(pair.after(n))), prover);
    if (e.finding != Finding::Proved) fmt::print("  {} at {}: not proved: {}\n", pair.name, n, e.says);
    times.push_back(e.milliseconds);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int measure() {
  fmt::print("{:<14}", "median ms");
  for (int k = 4; k <= 20; k += 4) fmt::print("{:>9}", fmt::format("2^{}", k));
  fmt::print("{:>12}\n", "last/first");
  for (const Pair& pair : kPairs) {
    fmt::print("{:<14}", pair.name);
    double first = 0, last = 0;
    for (int k = 4; k <= 20; k += 4) {
      if (pair.square && 2 * k > 31) {
        fmt::print("{:>9}", "-");
        continue;
      }
      last = milliseconds(pair, std::to_string(1 << k));
      if (k == 4) first = last;
      fmt::print("{:>9.2f}", last);
      std::fflush(stdout);
    }
    fmt::print("{:>12.2f}\n", last / first);
  }
  return 0;
}

}  // namespace
}  // namespace hexproof

int main() { return hexproof::measure(); }
