#include "tests/support/clang_hexagon.h"

#include <cstdlib>

#include "backend/scratch.h"
#include "ir/base/diagnostic.h"
#include "ir/base/file.h"

namespace hexproof::testing {
namespace {

const char* const kHead = R"(
typedef unsigned char byte;
enum { H = 16, W = 16, C = 128, K = 128, S = SIZE, I = W + S - 1 };
void conv(const byte *restrict data, const byte *restrict weight, int *restrict output, byte *workspace) {
)";
const char* const kPlain = R"(
  for (int h = 0; h < H; ++h)
    for (int w = 0; w < W; ++w)
      for (int k = 0; k < K; ++k) {
        int sum = 0;
        for (int c = 0; c < C; ++c)
          for (int r = 0; r < S; ++r)
            for (int q = 0; q < S; ++q)
              sum += data[((h + r) * I + w + q) * C + c] * weight[((k * C + c) * S + r) * S + q];
        output[(h * W + w) * K + k] = sum;
      }
}
)";
const char* const kInOutput = R"(
  for (int h = 0; h < H; ++h)
    for (int w = 0; w < W; ++w) {
      int *sums = output + (h * W + w) * K;
      for (int k = 0; k < K; ++k) sums[k] = 0;
      for (int r = 0; r < S; ++r)
        for (int q = 0; q < S; ++q)
          for (int c = 0; c < C; ++c) {
            int x = data[((h + r) * I + w + q) * C + c];
            for (int k = 0; k < K; ++k) sums[k] += x * weight[((r * S + q) * C + c) * K + k];
          }
    }
}
)";
const char* const kInLocals = R"(
  for (int h = 0; h < H; ++h)
    for (int w = 0; w < W; ++w) {
      int sums[K];
      for (int k = 0; k < K; ++k) sums[k] = 0;
      for (int r = 0; r < S; ++r)
        for (int q = 0; q < S; ++q)
          for (int c = 0; c < C; ++c) {
            int x = data[((h + r) * I + w + q) * C + c];
            for (int k = 0; k < K; ++k) sums[k] += x * weight[((r * S + q) * C + c) * K + k];
          }
      for (int k = 0; k < K; ++k) output[(h * W + w) * K + k] = sums[k];
    }
}
)";

}  // namespace

std::optional<std::string> clang_for_hexagon() {
  for (const char* name : {"clang-19", "clang", "clang-14"}) {
    const std::string ask = std::string(name) + " --print-targets 2> /dev/null | grep -q hexagon";
    if (std::system(ask.c_str()) == 0) return name;
  }
  return {};
}

std::vector<CForm> conv_forms(int size) {
  std::vector<CForm> forms = {{"plain C", kPlain, false},
                              {"channels inside, sums in the output", kInOutput, true},
                              {"channels inside, sums in an array", kInLocals, true}};
  std::string head = kHead;
  head.replace(head.find("SIZE"), 4, std::to_string(size));
  for (CForm& form : forms) form.text.insert(0, head);
  return forms;
}

Kernel clang_kernel(const std::string& clang, const CForm& form, const PrimFunc& func) {
  ScratchFolder folder;
  write_file(folder.path("conv.c"), form.text);
  const std::string line = clang +
                           " --target=hexagon-unknown-linux-musl -mcpu=hexagonv66 -mhvx -mhvx-length=128b -O3 "
                           "-ffreestanding -G0" +
                           (form.packed ? " -fvectorize" : "") + " -c -o " + folder.path("conv.o") + " " +
                           folder.path("conv.c");
  if (std::system(line.c_str()) != 0) throw Error(clang + " does not compile the form '" + form.name + "'");
  const std::string object = read_file(folder.path("conv.o"));
  Kernel kernel;
  kernel.symbol = "conv";
  kernel.target = Target::Hexagon;
  kernel.func = func;
  kernel.object.assign(object.begin(), object.end());
  return kernel;
}

}  // namespace hexproof::testing
