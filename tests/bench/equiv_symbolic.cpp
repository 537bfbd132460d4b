// How long the symbolic comparison takes (time of the processor), and how much memory.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "ir/text/text.h"
#include "verify/equiv/equiv.h"

namespace {

using hexproof::Finding;

double cpu_ms() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto ms = [](const timeval& t) { return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3; };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

double compare(const char* what, const std::string& before, const std::string& after, Finding wanted) {
  auto parse = [](const std::string& text) { return hexproof::pick_function(hexproof::parse_module(text), ""); };
  const double start = cpu_ms();
  hexproof::ProgramPair pair = hexproof::pair_programs(parse(before), parse(after));
  hexproof::Prover prover;
  hexproof::Evidence evidence =
      hexproof::equiv_symbolic(pair, *hexproof::instantiate(pair, {}), prover, hexproof::EquivOptions{}.max_terms);
  const double ms = cpu_ms() - start;
  std::printf("equiv_symbolic_%s_ms %.1f\n", what, ms);
  if (evidence.finding != wanted) std::printf("  UNEXPECTED: %s\n", evidence.says.c_str());
  return ms;
}

std::string head(int n, const char* type = "float32") {
  std::string buffer = "T.Buffer((" + std::to_string(n) + ", " + std::to_string(n) + "), \"" + type + "\")";
  return "def f(A: " + buffer + ", B: " + buffer + ", C: " + buffer + "):\n";
}
std::string number(int n) { return std::to_string(n); }

std::string matmul(int n, bool tiled) {
  std::string s = number(n), t = number(n / 8);
  if (!tiled) {
    return head(n) + "    for i, j in T.grid(" + s + ", " + s +
           "):\n        C[i, j] = T.float32(0)\n        for k in range(" + s +
           "):\n            C[i, j] = C[i, j] + A[i, k] * B[k, j]\n";
  }
  return head(n) + "    for i, j in T.grid(" + s + ", " + s +
         "):\n        C[i, j] = T.float32(0)\n    for io, jo, k, ii, ji in T.grid(" + t + ", " + t + ", " + s +
         ", 8, 8):\n        C[io * 8 + ii, jo * 8 + ji] = C[io * 8 + ii, jo * 8 + ji] + A[io * 8 + ii, k] * B[k, jo * "
         "8 + ji]\n";
}

std::string pointwise(int n, bool tiled, const std::string& value, const char* type = "float32") {
  std::string s = number(n), t = number(n / 8);
  if (!tiled) return head(n, type) + "    for i, j in T.grid(" + s + ", " + s + "):\n        C[i, j] = " + value + "\n";
  return head(n, type) + "    for io, j, ii in T.grid(" + t + ", " + s +
         ", 8):\n        with T.block(\"b\"):\n            i = T.axis.spatial(" + s +
         ", io * 8 + ii)\n            C[i, j] = " + value + "\n";
}

}  // namespace

int main() {
  const std::string sum = "A[i, j] * B[i, j] + A[i, j]";
  std::vector<double> typical;
  auto both = [&](const char* what, int n, const std::string& a, const std::string& b, const char* type = "float32",
                  Finding wanted = Finding::Proved) {
    typical.push_back(compare(what, pointwise(n, false, a, type), pointwise(n, true, b, type), wanted));
  };
  both("pointwise_128", 128, sum, sum);
  both("branch_128", 128, "T.if_then_else(A[i, j] > T.float32(0), B[i, j], A[i, j])",
       "T.if_then_else(T.float32(0) < A[i, j], B[i, j], A[i, j])");
  both("solver_128", 128, "T.max(A[i, j], 0)", "T.if_then_else(A[i, j] < 0, 0, A[i, j])", "int32");
  both("ring_128", 128, "(A[i, j] + B[i, j]) * A[j, i]", "A[j, i] * B[i, j] + A[i, j] * A[j, i]", "int32");
  both("division_128", 128, "A[i, j] // B[i, j]", "A[i, j] // B[i, j]", "int32");
  both("wrong_128", 128, sum, "A[i, j] * B[i, j] - A[i, j]", "float32", Finding::Refuted);
  std::sort(typical.begin(), typical.end());
  std::printf("equiv_symbolic_128_median_ms %.1f\n", typical[typical.size() / 2]);
  compare("matmul_32", matmul(32, false), matmul(32, true), Finding::Proved);
  compare("matmul_64", matmul(64, false), matmul(64, true), Finding::Proved);
  compare("matmul_128", matmul(128, false), matmul(128, true), Finding::Proved);
  compare("million_cells", pointwise(1024, false, sum), pointwise(1024, true, sum), Finding::Proved);
  compare("million_divisions", pointwise(1024, false, "A[i, j] // B[i, j]", "int32"),
          pointwise(1024, true, "A[i, j] // B[i, j]", "int32"), Finding::Proved);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("equiv_symbolic_peak_megabytes %ld\n", usage.ru_maxrss / 1024);
  return 0;
}
