// Seconds of a fingerprint at full size: two 1x1 convolutions (134 million multiply-adds each program), and 3x3 ones
// (1.2 thousand million). Usage: bench_equiv_fingerprint [1x1|3x3]
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>

#include "backend/field/evaluator.h"
#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace {

const char* const kFilterMap = "lambda o, i, h, w: [o // 32, i // 32, h, w, (i % 32) // 4, o % 32, i % 4]";
const char* const kOutputMap = "lambda n, h, w, c: [n, h // 8, w // 8, c // 32, h % 8, w % 8, c % 32]";

IndexMap layout(const char* text) {
  return read_index_map(std::make_shared<const SourceFile>(SourceFile{"<layout>", text}));
}
PrimFunc read(const std::string& path) { return pick_function(parse_file(path), ""); }

void compare(const char* name, const PrimFunc& before, const PrimFunc& after, const RelationRequest& request,
             double limit) {
  ProgramPair pair = pair_programs(before, after, request);
  Prover prover;
  auto native = make_native_evaluator();
  auto start = std::chrono::steady_clock::now();
  std::clock_t cpu = std::clock();
  Instance at = *instantiate(pair, {});
  Evidence found = equiv_fingerprint(pair, at, prover, *native, 1);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  double core = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  std::printf("%s: %.2f s of a core, %.2f s by the clock (limit %.0f s): %s\n", name, core, time.count(), limit,
              found.says.c_str());
  std::fflush(stdout);
}

/// Two convolutions with a window of 3 x 3, one after the other, no padding; `tiled` walks the same sums in tiles.
PrimFunc convolutions(bool tiled) {
  const char* loops[2][2] = {
      {"    for h, w, k, c, rh, rw in T.grid(62, 62, 128, 128, 3, 3):\n",
       "    for h, w, k, c, rh, rw in T.grid(60, 60, 128, 128, 3, 3):\n"},
      {"    for ho, wo, ko, c, rh, rw, hi, wi, ki in T.grid(2, 2, 4, 128, 3, 3, 31, 31, 32):\n",
       "    for ho, wo, ko, c, rh, rw, hi, wi, ki in T.grid(6, 6, 4, 128, 3, 3, 10, 10, 32):\n"}};
  const std::string index[2][3] = {{"h", "w", "k"}, {"ho * TILE + hi", "wo * TILE + wi", "ko * 32 + ki"}};
  std::string text = R"(
@T.prim_func
def main(data: T.Buffer((64, 64, 128), "float32"), filter1: T.Buffer((128, 128, 3, 3), "float32"),
         filter2: T.Buffer((128, 128, 3, 3), "float32"), output: T.Buffer((60, 60, 128), "float32")):
    temp = T.alloc_buffer((62, 62, 128), "float32")
)";
  for (int which = 0; which < 2; ++which) {
    std::string from = which == 0 ? "data" : "temp", to = which == 0 ? "temp" : "output";
    int size = which == 0 ? 62 : 60;
    std::string filter = "filter" + std::to_string(which + 1);
    auto at = [&](int axis) {
      std::string out = index[tiled ? 1 : 0][axis];
      if (size_t i = out.find("TILE"); i != std::string::npos) out.replace(i, 4, which == 0 ? "31" : "10");
      return out;
    };
    std::string zero = std::to_string(size);
    text += "    for h, w, k in T.grid(" + zero + ", " + zero + ", 128):\n";
    text += "        " + to + "[h, w, k] = T.float32(0)\n";
    text += loops[tiled ? 1 : 0][which];
    std::string cell = to + "[" + at(0) + ", " + at(1) + ", " + at(2) + "]";
    text += "        " + cell + " = " + cell + " + " + from + "[" + at(0) + " + rh, " + at(1) + " + rw, c] * " +
            filter + "[" + at(2) + ", c, rh, rw]\n";
  }
  return pick_function(parse_module(text), "");
}

}  // namespace
}  // namespace hexproof

int main(int argc, char** argv) {
  using namespace hexproof;
  const std::string which = argc > 1 ? argv[1] : "";
  const std::string root = HEXPROOF_SOURCE_DIR, seeds = root + "/../shared/seeds/kernels/conv2d_conv2d_1x1_k";
  try {
    if (which != "3x3" && std::filesystem::exists(seeds + "1_h1.py")) {
      RelationRequest request;
      request.layouts = {
          {"filter1", layout(kFilterMap)}, {"filter2", layout(kFilterMap)}, {"output", layout(kOutputMap)}};
      PrimFunc plain = read(root + "/examples/conv2d_conv2d/conv2d_conv2d.py");
      compare("1x1, plain and tiled", plain, read(seeds + "1_h1.py"), request, 5);
      compare("1x1, two tilings", read(seeds + "1_h1.py"), read(seeds + "2_h2.py"), {}, 5);
    } else if (which != "3x3") {
      std::printf("1x1: skipped, the seed kernels are not there\n");
    }
    if (which != "1x1") compare("3x3, plain and tiled", convolutions(false), convolutions(true), {}, 30);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
