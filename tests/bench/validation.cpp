// What the second line costs: the derivation (check of the source and every step proved) and its validation (check of
// the result, equiv of first against last, runs), side by side, without a cache on disk.
#include <chrono>
#include <cstdio>
#include <string>

#include "backend/field/evaluator.h"
#include "fuzz/programs/program.h"
#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/layout/interface.h"
#include "rewrite/report/report.h"
#include "rewrite/schedule/reader.h"
#include "verify/equiv/validate.h"

namespace {

using namespace hexproof;

const char* kMatmul =
    "def matmul(A: T.Buffer((16, 8), \"float32\"), B: T.Buffer((8, 16), \"float32\"), C: T.Buffer((16, 16), "
    "\"float32\")):\n"
    "    for i, j, k in T.grid(16, 16, 8):\n"
    "        with T.block(\"C\"):\n"
    "            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
    "            with T.init():\n"
    "                C[vi, vj] = T.float32(0)\n"
    "            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";
const char* kTiled =
    "c = sch.get_block(\"C\")\n"
    "sch.transform_layout(c, (\"write\", 0), lambda i, j: [i // 4, j // 8, i % 4, j % 8])\n"
    "i, j, k = sch.get_loops(c)\n"
    "io, ii = sch.split(i, factors=[None, 4])\n"
    "jo, ji = sch.split(j, factors=[None, 8])\n"
    "sch.reorder(io, jo, k, ii, ji)\n";

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void measure(const std::string& name, const PrimFunc& program, const std::string& schedule) {
  Prover prover({.jobs = 1});
  double start = seconds();
  CheckReport source = check(program, prover);
  Derivation derivation(program);
  run_schedule(derivation, prover, std::make_shared<SourceFile>(SourceFile{name, schedule}));
  double derived = seconds() - start;
  start = seconds();
  std::unique_ptr<NativeEvaluator> native = make_native_evaluator();
  Validation v = validate(derivation.source(), before_lowering(derivation), relation_request(derivation.interface()),
                          prover, {.native = native.get(), .satisfy = satisfy_assumes});
  double validated = seconds() - start;
  std::printf("%-8s derivation %7.3f s   validation %7.3f s   ratio %5.2f   (%zu steps)\n", name.c_str(), derived,
              validated, validated / derived, derivation.steps().size());
  std::printf("%-8s   %zu runs %.3f s", "", v.runs ? v.runs->inputs : 0, v.runs ? v.runs->milliseconds / 1000 : 0);
  if (v.equiv) {
    for (const Evidence& e : v.equiv->evidence) {
      std::printf("; %s %.3f s, %s", e.method.c_str(), e.milliseconds / 1000, std::string(to_text(e.finding)).c_str());
    }
  }
  std::printf("\n");
}

}  // namespace

int main() {
  const std::string example = HEXPROOF_SOURCE_DIR "/examples/conv2d_conv2d/";
  for (const char* schedule : {"k1_h1", "k2_h2"}) {
    measure(schedule, parse_file(example + "conv2d_conv2d.py").functions.at(0),
            read_file(example + "schedule_" + schedule + ".py"));
  }
  auto text = std::make_shared<SourceFile>(SourceFile{"matmul", kMatmul});
  measure("matmul", parse_module(text).functions.at(0), kTiled);
}
