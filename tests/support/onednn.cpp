#include "tests/support/onednn.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "ir/base/diagnostic.h"
#include "ir/base/file.h"
#include "tests/support/debian.h"

namespace hexproof::testing {
namespace {

/// Arguments: N H W C K KH KW stride, "int8" or "float32", rounds. It prints both rates.
const char* const kRace = R"(
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>
#include "dnnl.hpp"

using namespace dnnl;
using Tag = memory::format_tag;
using Type = memory::data_type;
extern "C" void KERNEL(void*, void*, void*, void*);

static double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static void* room(size_t bytes) {
  auto* at = static_cast<uint8_t*>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
  for (size_t k = 0; k < bytes; ++k) at[k] = 0;
  return at;
}

struct Theirs {
  convolution_forward primitive;
  std::unordered_map<int, memory> arguments;
};
static Theirs theirs(engine& e, const long* s, bool bytes, Tag data) {
  const long oh = (s[1] - s[5]) / s[7] + 1, ow = (s[2] - s[6]) / s[7] + 1;
  auto type = [&](Type t) { return bytes ? t : Type::f32; };
  memory::desc src({s[0], s[3], s[1], s[2]}, type(Type::u8), data);
  memory::desc weights({s[4], s[3], s[5], s[6]}, type(Type::s8), Tag::any);
  memory::desc dst({s[0], s[4], oh, ow}, type(Type::s32), data);
  convolution_forward::desc desc(prop_kind::forward_inference, algorithm::convolution_direct, src, weights, dst,
                                 {s[7], s[7]}, {0, 0}, {0, 0});
  convolution_forward::primitive_desc chosen(desc, e);
  Theirs out{convolution_forward(chosen), {}};
  for (auto [arg, md] : {std::pair{DNNL_ARG_SRC, chosen.src_desc()}, {DNNL_ARG_WEIGHTS, chosen.weights_desc()},
                         {DNNL_ARG_DST, chosen.dst_desc()}}) {
    out.arguments.emplace(arg, memory(md, e, room(md.get_size())));
  }
  return out;
}

int main(int, char** argv) {
  long s[8];
  for (int k = 0; k < 8; ++k) s[k] = std::atol(argv[k + 1]);
  const bool bytes = std::string(argv[9]) == "int8";
  const int rounds = std::atoi(argv[10]);
  const long oh = (s[1] - s[5]) / s[7] + 1, ow = (s[2] - s[6]) / s[7] + 1;
  const size_t width = bytes ? 1 : 4;
  engine cpu(engine::kind::cpu, 0);
  stream queue(cpu);
  std::vector<Theirs> forms;
  for (Tag tag : {Tag::nhwc, Tag::any}) forms.push_back(theirs(cpu, s, bytes, tag));
  void* data = room(s[0] * s[1] * s[2] * s[3] * width);
  void* weight = room(s[3] * s[4] * s[5] * s[6] * width);
  void* output = room(s[0] * oh * ow * s[4] * 4);
  void* workspace = room(1 << 24);
  double best = 1e9, ours = 1e9;
  for (int round = 0; round < rounds; ++round) {
    for (Theirs& form : forms) {
      const double start = seconds();
      form.primitive.execute(queue, form.arguments);
      queue.wait();
      best = std::min(best, seconds() - start);
    }
    const double start = seconds();
    KERNEL(data, weight, output, workspace);
    ours = std::min(ours, seconds() - start);
  }
  const double macs = double(s[0] * oh * ow) * double(s[3] * s[4]) * double(s[5] * s[6]) / 1e9;
  std::printf("%.3f %.3f\n", macs / ours, macs / best);
}
)";

void demand(const std::string& line) {
  if (std::system(line.c_str()) != 0) throw Error("this failed: " + line);
}

}  // namespace

std::optional<OneDnn> OneDnn::fetched(const std::string& folder) {
  OneDnn out;
  out.folder_ = folder;
  std::optional<std::string> usr = unpacked(folder + "/onednn", {"libdnnl2", "libdnnl-dev", "ocl-icd-libopencl1"});
  if (!usr) return {};
  out.usr_ = *usr;
  return out;
}

Rates OneDnn::race(const HostKernel& kernel, const std::string& isa, int rounds) const {
  const std::string libraries = usr_ + "/lib/x86_64-linux-gnu", program = folder_ + "/race";
  write_file(folder_ + "/race.cpp", kRace);
  demand("g++ -O2 -std=c++17 -DKERNEL=" + kernel.symbol + " -I" + usr_ + "/include -o " + program + " " + folder_ +
         "/race.cpp " + kernel.object + " -L" + libraries + " -ldnnl -Wl,--allow-shlib-undefined");
  const ConvShape& s = kernel.shape;
  std::ostringstream words;
  for (int64_t n : {s.n, s.h, s.w, s.c, s.k, s.kh, s.kw, s.stride}) words << ' ' << n;
  const std::string said = folder_ + "/race.txt";
  demand("OMP_NUM_THREADS=1 DNNL_MAX_CPU_ISA=" + isa + " LD_LIBRARY_PATH=" + libraries + " " + program + words.str() +
         (kernel.bytes ? " int8 " : " float32 ") + std::to_string(rounds) + " > " + said);
  Rates out;
  std::ifstream(said) >> out.ours >> out.theirs;
  return out;
}

}  // namespace hexproof::testing
