// Convolutions of examples/ as kernels for this machine, certified from the naive programs, beside oneDNN's on one
// thread; and the documented loops beside what TVM makes of them. Each takes the best of many runs, in turns with
// oneDNN's. Fails below a bar. What this machine has no instructions for, or what cannot be fetched, is left out, with
// a message.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "backend/cpu.h"
#include "backend/kernel.h"
#include "ir/base/file.h"
#include "ir/interpreter/inputs/random_inputs.h"
#include "ir/text/text.h"
#include "tests/support/onednn.h"

namespace {

namespace fs = std::filesystem;
using hexproof::testing::ConvShape;

struct Row {
  const char *name, *program, *schedule, *fp;
  ConvShape shape;
  bool bytes;
  double bar;  // of oneDNN's rate
  int rounds;
};

const ConvShape k1x1{1, 64, 64, 128, 128, 1, 1}, k3x3{1, 66, 66, 128, 128, 3, 3};
const std::vector<Row> kRows = {
    {"u8*s8 1x1", "conv2d_int8/conv2d_1x1_u8s8.py", "conv2d_int8/schedule_1x1_host.py", "", k1x1, true, 0.9, 2000},
    {"u8*s8 3x3", "conv2d_int8/conv2d_3x3_u8s8.py", "conv2d_int8/schedule_3x3_host.py", "", k3x3, true, 0.9, 300},
    {"float32 1x1, contracted", "conv2d_float32/conv2d_1x1.py", "conv2d_float32/schedule_1x1_host.py", "contract", k1x1,
     false, 0.9, 500},
    {"float32 1x1, separate", "conv2d_float32/conv2d_1x1.py", "conv2d_float32/schedule_1x1_host.py", "", k1x1, false,
     0.7, 500},
};

bool certified(const std::string& program, const std::string& schedule, const std::string& fp,
               const std::string& folder) {
  const std::string examples = HEXPROOF_SOURCE_DIR "/examples/";
  const std::string line = HEXPROOF_BINARY_DIR "/hexproof certify " + examples + program + " " + examples + schedule +
                           " --target host --cpu native --quiet -o " + folder + (fp.empty() ? "" : " --fp " + fp);
  return std::system(line.c_str()) == 0;
}

/// The documented loops, of two float32 convolutions, with vectors in registers inside them. TVM 0.14 was measured on
/// the documented schedules of convolutions of this size; ours are to be twice as fast.
struct Documented {
  const char *name, *program, *schedule;
  double flops;  // of the naive program
  double tvm;    // GFLOP/s
};
constexpr double kFlops1x1 = 2.0 * 2 * 64 * 64 * 128 * 128, kFlops3x3 = 2.0 * (66 * 66 + 64 * 64) * 128 * 128 * 9;
constexpr double kTvmBar = 2;
const std::vector<Documented> kDocumented = {
    {"1x1", "conv2d_conv2d.py", "schedule_k1_h1_host.py", kFlops1x1, 1.9},
    {"1x1, split", "conv2d_conv2d.py", "schedule_k2_h2_host.py", kFlops1x1, 3.6},
    {"3x3", "conv2d_conv2d_3x3.py", "schedule_3x3_k1_h1_host.py", kFlops3x3, 1.1},
    {"3x3, split", "conv2d_conv2d_3x3.py", "schedule_3x3_k2_h2_host.py", kFlops3x3, 2.7},
};

/// Seconds of the certificate's kernel on random numbers, the best of a few calls, loading included.
double seconds_of(const std::string& certificate, const hexproof::HostCpu& cpu) {
  using namespace hexproof;
  Kernel kernel;
  kernel.cpu = cpu;
  kernel.func = pick_function(parse_module(read_file(certificate + "/final.py")), "");
  kernel.symbol = kernel.func.name;
  const std::string object = read_file(certificate + "/kernel.o");
  kernel.object.assign(object.begin(), object.end());
  std::vector<Tensor> tensors = random_inputs(kernel.func, 1, Values::Ordinary);
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 10; ++k) {
    const auto start = std::chrono::steady_clock::now();
    run_host(kernel, tensors);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

bool against_tvm(const std::string& certificate, const hexproof::HostCpu& cpu) {
  std::printf("%-28s %10s %10s %7s %6s\n", "GFLOP/s, one thread", "hexproof", "TVM", "ratio", "bar");
  bool good = true;
  for (const Documented& row : kDocumented) {
    const std::string folder = "conv2d_conv2d/";
    if (!certified(folder + row.program, folder + row.schedule, "", certificate)) {
      std::printf("%-28s is not certified\n", row.name);
      good = false;
      continue;
    }
    const double rate = row.flops / seconds_of(certificate, cpu) / 1e9, ratio = rate / row.tvm;
    std::printf("%-28s %10.1f %10.1f %7.1f %6.1f%s\n", row.name, rate, row.tvm, ratio, kTvmBar,
                ratio < kTvmBar ? "  below the bar" : "");
    std::fflush(stdout);
    good &= ratio >= kTvmBar;
  }
  return good;
}

}  // namespace

int main() {
  const hexproof::HostCpu cpu = hexproof::host_cpu("native");
  std::printf("%s\n", cpu.name().c_str());
  const std::string folder = (fs::temp_directory_path() / ("hexproof-host-" + std::to_string(::getpid()))).string();
  std::optional<hexproof::testing::OneDnn> onednn = hexproof::testing::OneDnn::fetched(folder);
  if (!onednn) std::printf("oneDNN (Debian's libdnnl-dev) cannot be fetched: nothing to compare with\n");
  std::printf("%-28s %10s %10s %7s %6s\n", "GMAC/s, one thread", "hexproof", "oneDNN", "ratio", "bar");
  bool good = true;
  for (const Row& row : kRows) {
    if (!onednn) break;
    if (row.bytes && !cpu.has("avx512vnni")) {
      std::printf("%-28s this machine has no AVX-512 VNNI: left out\n", row.name);
      continue;
    }
    const std::string certificate = folder + "/certificate";
    if (!certified(row.program, row.schedule, row.fp, certificate)) {
      std::printf("%-28s is not certified\n", row.name);
      good = false;
      continue;
    }
    const hexproof::testing::HostKernel kernel{certificate + "/kernel.o", "conv2d", row.shape, row.bytes};
    // Held to vectors: tiles (AMX) are another kind of instruction, for which there is no row.
    const hexproof::testing::Rates rates = onednn->race(kernel, "AVX512_CORE_VNNI", row.rounds);
    const double ratio = rates.ours / rates.theirs;
    std::printf("%-28s %10.1f %10.1f %7.2f %6.1f%s\n", row.name, rates.ours, rates.theirs, ratio, row.bar,
                ratio < row.bar ? "  below the bar" : "");
    std::fflush(stdout);
    good &= ratio >= row.bar;
  }
  good &= against_tvm(folder + "/certificate", cpu);
  fs::remove_all(folder);
  return good ? 0 : 1;
}
