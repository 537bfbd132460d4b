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
const char* const kInputChannelsInside = R"(
  for (int h = 0; h < H; ++h)
    for (int w = 0; w < W; ++w)
      for (int k = 0; k < K; ++k) {
        int sum = 0;
        for (int r = 0; r < S; ++r)
          for (int q = 0; q < S; ++q)
            for (int c = 0; c < C; ++c)
              sum += data[((h + r) * I + w + q) * C + c] * weight[((k * C + c) * S + r) * S + q];
        output[(h * W + w) * K + k] = sum;
      }
}
)";
// SUMS is where they are kept: the output, or an array beside it. WEIGHT is an element of the weights.
const char* const kOutputChannelsInside = R"(
  for (int h = 0; h < H; ++h)
    for (int w = 0; w < W; ++w) {
      int *to = output + (h * W + w) * K, array[K], *sums = SUMS;
      for (int k = 0; k < K; ++k) sums[k] = 0;
      for (int r = 0; r < S; ++r)
        for (int q = 0; q < S; ++q)
          for (int c = 0; c < C; ++c) {
            int x = data[((h + r) * I + w + q) * C + c];
            for (int k = 0; k < K; ++k) sums[k] += x * weight[WEIGHT];
          }
      if (sums != to) for (int k = 0; k < K; ++k) to[k] = sums[k];
    }
}
)";
const char* const kPixelsInside = R"(
  for (int h = 0; h < H; ++h)
    for (int k = 0; k < K; ++k) {
      int sums[W];
      for (int w = 0; w < W; ++w) sums[w] = 0;
      for (int c = 0; c < C; ++c)
        for (int r = 0; r < S; ++r)
          for (int q = 0; q < S; ++q) {
            int x = weight[((k * C + c) * S + r) * S + q];
            for (int w = 0; w < W; ++w) sums[w] += x * data[((h + r) * I + w + q) * C + c];
          }
      for (int w = 0; w < W; ++w) output[(h * W + w) * K + k] = sums[w];
    }
}
)";

const char* const kDepthwiseHead = R"(
typedef unsigned char byte;
enum { H = 16, W = 28, C = 128, S = 3, I = W + S - 1 };
void conv(const byte *restrict data, const byte *restrict weight, int *restrict output, byte *workspace) {
  for (int h = 0; h < H; ++h)
    for (int w = 0; w < W; ++w) {
      int *to = output + (h * W + w) * C, array[C], *sums = SUMS;
)";
const char* const kDepthwisePlain = R"(
      for (int c = 0; c < C; ++c) {
        int sum = 0;
        for (int r = 0; r < S; ++r)
          for (int q = 0; q < S; ++q) sum += data[((h + r) * I + w + q) * C + c] * weight[(r * S + q) * C + c];
        sums[c] = sum;
      }
)";
const char* const kDepthwiseChannelsInside = R"(
      for (int c = 0; c < C; ++c) sums[c] = 0;
      for (int r = 0; r < S; ++r)
        for (int q = 0; q < S; ++q)
          for (int c = 0; c < C; ++c) sums[c] += data[((h + r) * I + w + q) * C + c] * weight[(r * S + q) * C + c];
)";
const char* const kDepthwiseEnd = R"(
      if (sums != to) for (int c = 0; c < C; ++c) to[c] = sums[c];
    }
}
)";

std::string with(std::string text, const std::string& name, const std::string& value) {
  return text.replace(text.find(name), name.size(), value);
}

}  // namespace

std::optional<std::string> clang_for_hexagon() {
  for (const char* name : {"clang-19", "clang", "clang-14"}) {
    const std::string ask = std::string(name) + " --print-targets 2> /dev/null | grep -q hexagon";
    if (std::system(ask.c_str()) == 0) return name;
  }
  return {};
}

std::vector<CForm> conv_forms(int size) {
  const std::string as_it_is = "((k * C + c) * S + r) * S + q", packed = "((r * S + q) * C + c) * K + k";
  const auto channels = [&](const std::string& sums, const std::string& weight) {
    return with(with(kOutputChannelsInside, "SUMS", sums), "WEIGHT", weight);
  };
  std::vector<CForm> forms = {
      {.name = "plain C", .text = kPlain, .plain = true},
      {.name = "input channels inside", .text = kInputChannelsInside},
      {.name = "output channels inside, sums in the output", .text = channels("to", as_it_is)},
      {.name = "output channels inside, sums in an array", .text = channels("array", as_it_is)},
      {.name = "pixels inside, sums in an array", .text = kPixelsInside},
      {.name = "weights packed, sums in the output", .text = channels("to", packed), .packed = true},
      {.name = "weights packed, sums in an array", .text = channels("array", packed), .packed = true}};
  for (CForm& form : forms) form.text.insert(0, with(kHead, "SIZE", std::to_string(size)));
  return forms;
}

std::vector<CForm> depthwise_forms() {
  const auto form = [](const std::string& sums, const char* body) {
    return with(kDepthwiseHead, "SUMS", sums) + body + kDepthwiseEnd;
  };
  return {{.name = "plain C", .text = form("to", kDepthwisePlain), .plain = true},
          {.name = "vectorised over channels", .text = form("to", kDepthwisePlain)},
          {.name = "channels inside, sums in the output", .text = form("to", kDepthwiseChannelsInside)},
          {.name = "channels inside, sums in an array", .text = form("array", kDepthwiseChannelsInside)}};
}

Kernel clang_kernel(const std::string& clang, const CForm& form, const PrimFunc& func) {
  ScratchFolder folder;
  write_file(folder.path("conv.c"), form.text);
  const std::string line = clang +
                           " --target=hexagon-unknown-linux-musl -mcpu=hexagonv66 -mhvx -mhvx-length=128b -O3 "
                           "-ffreestanding -G0" +
                           (form.plain ? "" : " -fvectorize") + " -c -o " + folder.path("conv.o") + " " +
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
