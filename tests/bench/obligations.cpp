// How long an obligation takes: every one of the example's derivation, from scratch, and a sample of them by the
// solvers alone, side by side.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"

using namespace hexproof;

namespace {

double milliseconds(Prover& prover, const Obligation& obligation) {
  auto start = std::chrono::steady_clock::now();
  Answer answer = prover.prove(obligation);
  double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (answer.verdict != Verdict::Proved) std::printf("not proved: %s\n", print(obligation).c_str());
  return ms;
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main() {
  const std::string folder = HEXPROOF_SOURCE_DIR "/examples/conv2d_conv2d/";
  Prover first, fresh, solvers({.normal_form = false});
  Derivation derivation(pick_function(parse_file(folder + "conv2d_conv2d.py"), ""));
  std::string schedule = folder + "schedule_k1_h1.py";
  run_schedule(derivation, first, std::make_shared<const SourceFile>(SourceFile{schedule, read_file(schedule)}));
  std::vector<double> all, quick, slow;
  size_t count = 0;
  for (const Step& step : derivation.steps()) {
    for (const auto& [obligation, answer] : step.obligations) {
      all.push_back(milliseconds(fresh, obligation));
      if (count++ % 20 != 0) continue;
      quick.push_back(all.back());
      slow.push_back(milliseconds(solvers, obligation));
    }
  }
  std::printf("%zu obligations: median %.3f ms, 99 %% %.3f ms, most %.3f ms\n", all.size(), quantile(all, 0.5),
              quantile(all, 0.99), quantile(all, 1));
  std::printf("%zu of them by the solvers alone: median %.3f ms; ratio of the medians %.0f\n", slow.size(),
              quantile(slow, 0.5), quantile(slow, 0.5) / quantile(quick, 0.5));
}
