// How long equiv takes on pairs as a compiler's tests have them: about 20 lines over buffers of 128 x 128.
#include "verify/equiv/equiv.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "backend/field/evaluator.h"
#include "tests/equiv/corpus.h"
#include "verify/check/finding_text.h"

int main() {
  using namespace hexproof;
  std::vector<double> all;
  int as_wanted = 0;
  for (const corpus::Entry& entry : corpus::all_entries()) {
    if (!entry.name.starts_with("compiler/")) continue;
    std::vector<double> runs;
    EquivReport report;
    for (int run = 0; run < 3; ++run) {
      auto start = std::chrono::steady_clock::now();
      Prover prover({.jobs = 1});  // nothing remembered from the run before
      auto native = make_native_evaluator();
      report = equiv(pair_programs(entry.before, entry.after, entry.relation), prover, {.native = native.get()});
      runs.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(runs.begin(), runs.end());
    bool right = entry.kind == corpus::Kind::Right;
    as_wanted += report.finding == (right ? Finding::Proved : Finding::Refuted) ? 1 : 0;
    std::printf("equiv_%s_milliseconds %.1f %s by %s\n", corpus::test_name(entry.name).c_str(), runs[1],
                std::string(to_text(report.finding)).c_str(), report.method.c_str());
    all.push_back(runs[1]);
  }
  std::sort(all.begin(), all.end());
  std::printf("equiv_pairs %zu (%d with the verdict that they should get)\n", all.size(), as_wanted);
  std::printf("equiv_median_milliseconds %.1f (wanted: below 100)\n", all[all.size() / 2]);
  return 0;
}
