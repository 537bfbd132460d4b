// RFC 77's transformations on buffers of 14 and of 14 000 000 elements, side by side: a proof does not count cells, so
// both cost the same. And its convolution in a nest of four by four, whose branch goes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"

using namespace hexproof;

namespace {

/// In the texts N is the number of elements, M how many rows of nine hold them: both sizes leave four cells of padding.
struct Case {
  const char* name;
  const char* program;
  const char* schedule;
};

constexpr const char* kFill = R"(
def f(A: T.Buffer((N,), "int32")):
    for i in range(N):
        A[i] = i
)";
constexpr const char* kSum = R"(
def f(A: T.Buffer((N,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i in range(N):
        B[0] = B[0] + A[i]
)";
constexpr const char* kTwoLoops = R"(
def f(A: T.Buffer((M, 9), "float32")):
    for io, ii in T.grid(M, 9):
        if io * 9 + ii < N:
            A[io, ii] = T.float32(42)
    for jo, ji in T.grid(M, 9):
        if jo * 9 + ji >= N:
            A[jo, ji] = T.float32(0)
)";
constexpr const char* kBranches = R"(
def f(A: T.Buffer((M, 9), "float32")):
    for io, ii in T.grid(M, 9):
        if io * 9 + ii < N:
            A[io, ii] = T.float32(42)
        if io * 9 + ii >= N:
            A[io, ii] = T.float32(0)
)";
constexpr const char* kPaddedSum = R"(
def f(A: T.Buffer((M, 9), "int32"), B: T.Buffer((1,), "int32")):
    for io, ii in T.grid(M, 9):
        T.assume(io * 9 + ii < N or A[io, ii] == 0)
    B[0] = 0
    for io, ii in T.grid(M, 9):
        if io * 9 + ii < N:
            B[0] = B[0] + A[io, ii]
)";

const std::vector<Case> kCases = {
    {"transform_layout, padding written", kFill,
     "sch.transform_layout('root', 'A', lambda i: [i // 9, i % 9], pad_value=0)\n"},
    {"transform_layout, padding assumed", kSum,
     "sch.transform_layout('root', 'A', lambda i: [i // 9, i % 9], pad_value=0)\n"},
    {"transform_layout, padding of the index", kFill,
     "sch.transform_layout('root', 'A', lambda i: [i // 9, i % 9], pad_value=lambda io, ii: A[0, ii - 5])\n"},
    {"cache_read and its layout", kSum,
     "sch.cache_read('root', 'A', 'local')\n"
     "sch.transform_layout('root', 'A_local', lambda i: [i // 9, i % 9], pad_value=0)\n"},
    {"sequential_buffer_access, after a layout", kFill,
     "sch.transform_layout('root', 'A', lambda i: [i // 9, i % 9])\nsch.sequential_buffer_access('root', 'A')\n"},
    {"merge_adjacent_loops", kTwoLoops, "sch.merge_adjacent_loops(sch.get_loop('io'), sch.get_loop('jo'))\n"},
    {"Simplify: branches on complements", kBranches, "sch.apply_pass('tir.Simplify')\n"},
    {"hoist_expression, reduce_loop_extents", kTwoLoops, "sch.simplify()\nsch.reduce_loop_extents('root')\n"},
    {"remove_branching_through_overcompute: stores", kTwoLoops, "sch.remove_branching_through_overcompute('root')\n"},
    {"remove_branching_through_overcompute: a sum", kPaddedSum, "sch.remove_branching_through_overcompute('root')\n"},
};

constexpr const char* kConvolution = R"(
def f(A: T.Buffer((4, 4), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((4, 4), "float32")):
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            if 0 <= 4 * io + ii and 4 * io + ii < 14:
                B[io, ii] = T.float32(0)
                for f in range(3):
                    B[io, ii] = B[io, ii] + A[io + (ii + f) // 4, (ii + f) % 4]
        for io, ii in T.grid(4, 4):
            if io == 3 and ii >= 2:
                B[io, ii] = T.float32(0)
)";

std::string at_size(std::string text, int64_t n) {
  auto put = [&](char letter, int64_t value) {
    std::string out;
    for (size_t k = 0; k < text.size(); ++k) {
      bool alone = text[k] == letter && !std::isalnum(static_cast<unsigned char>(text[k + 1])) &&
                   (k == 0 || !std::isalnum(static_cast<unsigned char>(text[k - 1])));
      out += alone ? std::to_string(value) : std::string(1, text[k]);
    }
    text = out;
  };
  put('N', n), put('M', (n + 8) / 9);
  return text;
}

/// CPU time of one cold run, in milliseconds.
double run_once(const PrimFunc& program, const char* schedule) {
  Prover cold;
  Derivation derivation(program);
  std::clock_t start = std::clock();
  run_schedule(derivation, cold, std::make_shared<const SourceFile>(SourceFile{"schedule.py", schedule}));
  double ms = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (derivation.steps().empty()) std::printf("nothing was done:\n%s\n", print(program).c_str());
  return ms;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main() {
  constexpr int64_t kSmall = 14, kLarge = 14'000'000;
  constexpr int kRuns = 15;
  std::printf("median of %d cold runs, ms of CPU\n%-48s %10s %12s %8s\n", kRuns, "", "14", "14 000 000", "ratio");
  double sums[2] = {0, 0};
  for (const Case& c : kCases) {
    std::vector<double> times[2];
    PrimFunc programs[2];
    for (int k : {0, 1}) {
      programs[k] = pick_function(parse_module(at_size(c.program, k ? kLarge : kSmall)), "");
      run_once(programs[k], c.schedule);  // to warm up
    }
    // In turns, so that whatever slows the machine down slows both down.
    for (int run = 0; run < kRuns; ++run) {
      for (int k : {0, 1}) times[k].push_back(run_once(programs[k], c.schedule));
    }
    double small = median(times[0]), large = median(times[1]);
    sums[0] += small, sums[1] += large;
    std::printf("%-48s %10.2f %12.2f %8.2f\n", c.name, small, large, large / small);
  }
  double ratio = sums[1] / sums[0];
  std::printf("%-48s %10.2f %12.2f %8.2f  %s\n", "all", sums[0], sums[1], ratio,
              ratio > 0.8 && ratio < 1.25 ? "within 20 %" : "NOT within 20 %");
  std::vector<double> convolution;
  const PrimFunc program = pick_function(parse_module(kConvolution), "");
  for (int run = 0; run < kRuns; ++run) {
    convolution.push_back(run_once(program, "sch.remove_branching_through_overcompute('compute')\n"));
  }
  std::printf("\nthe branch of a convolution in a nest of 4 x 4 goes: %.1f ms (wanted: below 2000)\n",
              median(convolution));
}
