// The convolutions of examples/conv2d_int8 and conv2d_float32 as certified kernels: from the naive program, proved, run
// under QEMU at full size and compared bit by bit with the interpreter on the naive program. Multiply-adds are those of
// the naive program. Fails below a bar.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Row {
  const char *name, *program, *schedule;
  double macs;     // of the naive program
  double bar;      // multiply-adds per packet
  double seconds;  // to certify, the run and the comparison included
};

constexpr double k1x1 = 64.0 * 64 * 128 * 128, k3x3 = k1x1 * 9;
const std::vector<Row> kRows = {
    {"u8*u8 1x1", "conv2d_int8/conv2d_1x1.py", "conv2d_int8/schedule_1x1.py", k1x1, 225, 15},
    {"u8*u8 3x3", "conv2d_int8/conv2d_3x3.py", "conv2d_int8/schedule_3x3.py", k3x3, 230, 90},
    {"u8*s8 1x1, pixels in lanes", "conv2d_int8/conv2d_1x1_u8s8.py", "conv2d_int8/schedule_1x1_u8s8.py", k1x1, 220, 15},
    {"u8*s8 3x3, pixels in lanes", "conv2d_int8/conv2d_3x3_u8s8.py", "conv2d_int8/schedule_3x3_u8s8.py", k3x3, 220, 90},
    {"u8*u8 1x1, requantised", "conv2d_int8/conv2d_1x1_requant.py", "conv2d_int8/schedule_1x1_requant.py", k1x1, 205,
     15},
    {"u8*u8 3x3, requantised", "conv2d_int8/conv2d_3x3_requant.py", "conv2d_int8/schedule_3x3_requant.py", k3x3, 225,
     90},
    {"float32 1x1, 4x4 scalars", "conv2d_float32/conv2d_1x1.py", "conv2d_float32/schedule_1x1.py", k1x1, 0.9, 60},
};

int run(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  pid_t pid = ::fork();
  if (pid == 0) {
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

int main() {
  const std::string example = HEXPROOF_SOURCE_DIR "/examples/";
  const fs::path folder = fs::temp_directory_path() / ("hexproof-bench-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::printf("%-28s %12s %8s %6s %7s %9s %8s  %s\n", "", "packets", "MAC/pkt", "bar", "spills", "two/pkt", "seconds",
              "");
  bool good = true;
  for (const Row& row : kRows) {
    const std::string json = (folder / "report.json").string();
    auto start = std::chrono::steady_clock::now();
    int code = run({HEXPROOF_BINARY_DIR "/hexproof", "certify", example + row.program, example + row.schedule, "-o",
                    (folder / "certificate").string(), "--json", json, "--quiet", "--cache", "off"});
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (code != 0) {
      std::printf("%-28s certify ended with %d\n", row.name, code);
      good = false;
      continue;
    }
    std::ifstream file(json);
    nlohmann::json kernel = nlohmann::json::parse(file).at("kernel");
    double packets = kernel.at("run").at("packets").get<double>();
    long spills = 0, pairs = 0, products = 0;
    for (const auto& loop : kernel.at("inner_loops")) {
      spills += loop.at("stack_accesses").get<long>();
      pairs += loop.at("packets_with_two_products").get<long>(),
          products += loop.at("packets_with_a_product").get<long>();
    }
    double rate = row.macs / packets;
    // Scalar code has one float operation per packet, and room for a spill beside it.
    bool fast = rate >= row.bar, clean = products == 0 || (spills == 0 && pairs * 10 >= products * 8),
         soon = seconds <= row.seconds;
    bool equal = kernel.at("run").at("bit_equal").get<bool>();
    good = good && fast && clean && soon && equal;
    std::printf("%-28s %12.0f %8.2f %6.1f %7ld %5ld/%-3ld %8.1f  %s%s%s%s\n", row.name, packets, rate, row.bar, spills,
                pairs, products, seconds, fast ? "" : "below the bar ", clean ? "" : "inner loop ",
                soon ? "" : "too slow to certify ", equal ? "every output equal" : "outputs differ");
    std::fflush(stdout);
  }
  fs::remove_all(folder);
  return good ? 0 : 1;
}
