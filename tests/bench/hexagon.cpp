// The convolutions of examples/conv2d_int8 and conv2d_float32 as certified kernels: from the naive program, proved, run
// under QEMU at full size and compared bit by bit with the interpreter on the naive program. Multiply-adds are those of
// the naive program. Fails below a bar.
//
//   bench_hexagon                                            the examples, and convolutions of ResNet-50
//   bench_hexagon --shape N,H,W,C,K,KH,KW,stride,pad[,dilation]   one of any shape, with the tile that it gets
//   bench_hexagon --examples | --clang | --halide | --resnet           some of them
//   bench_hexagon --shapes COUNT [--seed K]                  so many shapes, drawn from the seed (else from the clock)
#include "backend/hexagon.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backend/host.h"
#include "ir/base/file.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"
#include "tests/support/clang_hexagon.h"
#include "tests/support/conv2d_int8.h"
#include "tests/support/halide_hexagon.h"

namespace {

namespace fs = std::filesystem;

struct Row {
  std::string name, program, schedule;
  double macs;          // of the naive program
  double bar;           // multiply-adds per packet
  double seconds;       // to certify, the run and the comparison included
  const char* fp = "";  // granted flags
};

constexpr double kResNetBar = 200, kResNetMean = 220;
constexpr long kShapes = 200, kShapesOfTheClock = 20;
constexpr uint64_t kShapesSeed = 2024;
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
    {"conv2d -> conv2d, 1x1 pair", "conv2d_int8/conv2d_conv2d.py", "conv2d_int8/schedule_conv2d.py", 2 * k1x1, 200, 60},
    {"u8*u8 1x1, weights packed inside", "conv2d_int8/conv2d_1x1.py", "conv2d_int8/schedule_1x1_packed_inside.py", k1x1,
     180, 15},
    {"(u8-7)*(s8+3) 1x1, zero points", "conv2d_int8/conv2d_1x1_zero_points.py",
     "conv2d_int8/schedule_1x1_zero_points.py", k1x1, 195, 20},
    {"(u8-7)*(s8+3) 3x3, zero points", "conv2d_int8/conv2d_3x3_zero_points.py",
     "conv2d_int8/schedule_3x3_zero_points.py", k3x3, 220, 90},
    {"float32 1x1, 4x4 scalars", "conv2d_float32/conv2d_1x1.py", "conv2d_float32/schedule_1x1.py", k1x1, 0.9, 60},
    {"float32 1x1, contracted", "conv2d_float32/conv2d_1x1.py", "conv2d_float32/schedule_1x1.py", k1x1, 1.8, 60,
     "contract"},
    // 450 million packets.
    {"float32 pair, documented loops", "conv2d_conv2d/conv2d_conv2d.py", "conv2d_conv2d/schedule_k1_h1_registers.py",
     2 * k1x1, 2 * k1x1 / 450e6, 240},
};
/// Its bar stands beside C.
const Row kDepthwise = {
    "depthwise 3x3", "depthwise_int8/depthwise_3x3.py", "depthwise_int8/schedule_3x3.py", 16.0 * 28 * 128 * 9, 0, 60};

/// ResNet-50's, without the padding: data that come with it.
const std::vector<const char*> kResNet = {
    "1,56,56,64,64,1,1,1,0",   "1,28,28,128,128,1,1,1,0", "1,14,14,256,256,1,1,1,0", "1,7,7,512,512,1,1,1,0",
    "1,56,56,256,128,1,1,2,0", "1,58,58,64,64,3,3,1,0",   "1,57,57,128,128,3,3,2,0", "1,30,30,128,128,3,3,1,0",
    "1,16,16,256,256,3,3,1,0", "1,9,9,512,512,3,3,1,0"};

/// The row of a shape, its program and schedule written into the folder.
Row row_of(const hexproof::testing::ConvShape& shape, const fs::path& folder, double bar) {
  const std::string program = (folder / "conv2d.py").string(), schedule = (folder / "schedule.py").string();
  std::ofstream(program) << conv_program(shape);
  std::ofstream(schedule) << conv_schedule(shape, conv_tile(shape));
  return {shape.text(), program, schedule, shape.macs(), bar, 90};
}

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

struct Measured {
  double rate = 0;  // multiply-adds per packet
  bool good = false;
  double packets = 0;
};

Measured measure(const Row& row, const fs::path& folder, bool demands_inner_loops = true) {
  const std::string json = (folder / "report.json").string();
  auto start = std::chrono::steady_clock::now();
  std::vector<std::string> words = {HEXPROOF_BINARY_DIR "/hexproof",
                                    "certify",
                                    row.program,
                                    row.schedule,
                                    "-o",
                                    (folder / "certificate").string(),
                                    "--json",
                                    json,
                                    "--quiet",
                                    "--cache",
                                    "off"};
  if (*row.fp) words.insert(words.end(), {"--fp", row.fp});
  const int code = run(words);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (code != 0) {
    std::printf("%-32s certify ended with %d\n", row.name.c_str(), code);
    return {};
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
  bool fast = rate >= row.bar,
       clean = products == 0 || !demands_inner_loops || (spills == 0 && pairs * 10 >= products * 8),
       soon = seconds <= row.seconds;
  bool equal = kernel.at("run").at("bit_equal").get<bool>();
  std::printf("%-32s %12.0f %8.2f %6.1f %7ld %5ld/%-3ld %8.1f  %s%s%s%s\n", row.name.c_str(), packets, rate, row.bar,
              spills, pairs, products, seconds, fast ? "" : "below the bar ", clean ? "" : "inner loop ",
              soon ? "" : "too slow to certify ", equal ? "every output equal" : "outputs differ");
  std::fflush(stdout);
  return {rate, fast && clean && soon && equal, packets};
}

/// The row with its paths.
Row of_the_examples(Row row) {
  row.program.insert(0, HEXPROOF_SOURCE_DIR "/examples/"), row.schedule.insert(0, HEXPROOF_SOURCE_DIR "/examples/");
  return row;
}

/// Random bytes for each buffer of the naive program, and what it makes of them.
struct Runs {
  std::vector<hexproof::Tensor> inputs, want;
};
Runs runs_of(const hexproof::PrimFunc& func) {
  using namespace hexproof;
  Runs out;
  uint64_t seed = 7;
  for (const Buffer& b : func.buffer_params()) {
    out.inputs.push_back(make_tensor(b->dtype, constant_shape(b).value()));
    for (uint8_t& byte : out.inputs.back().data) byte = static_cast<uint8_t>(next_random(seed) >> 24);
  }
  out.want = out.inputs;
  HostBatch naive({.optimise = true});
  naive.add(func);
  naive.compile();
  naive.run(0, out.want);
  return out;
}

/// OIHW weights of 128 to 128 channels, `taps` each, with output channels side by side.
std::vector<uint8_t> packed_weights(const std::vector<uint8_t>& weights, size_t taps) {
  std::vector<uint8_t> out(weights.size());
  for (size_t k = 0; k < 128; ++k) {
    for (size_t c = 0; c < 128; ++c) {
      for (size_t t = 0; t < taps; ++t) out[(t * 128 + c) * 128 + k] = weights[(k * 128 + c) * taps + t];
    }
  }
  return out;
}

/// Multiply-adds per packet of a convolution as C.
struct CRates {
  double plain = 0, best = 0,
         packed = 0;  // the naive loops; the best form on the data as they are; with packed weights
  bool equal = true;
};
CRates rates_of(const std::string& clang, const std::string& name, const hexproof::PrimFunc& func, double macs,
                const std::vector<hexproof::testing::CForm>& forms, size_t taps) {
  const Runs runs = runs_of(func);
  CRates out;
  for (const hexproof::testing::CForm& form : forms) {
    std::vector<hexproof::Tensor> got = runs.inputs;
    if (form.packed) got[1].data = packed_weights(runs.inputs[1].data, taps);
    const hexproof::HexagonRun ran = run_hexagon(link_hexagon(clang_kernel(clang, form, func)), got);
    const double rate = macs / ran.packets;
    const bool equal = got[2].data == runs.want[2].data;
    out.equal &= equal;
    std::printf("%-56s %10u %8.2f  %s\n", (name + " " + form.name).c_str(), ran.packets, rate,
                equal ? "every output equal" : "outputs differ");
    double& best = form.plain ? out.plain : form.packed ? out.packed : out.best;
    best = std::max(best, rate);
  }
  return out;
}

/// The two convolutions of kRows and the depthwise one as C: how many times as many packets the plain form takes, and
/// the best auto-vectorised one. (The machine's limit is 256 multiply-adds per packet, 27 times the best form of 1x1.
/// Weights that are packed for the vectors stand beside them without a bar: the limit is 16 times what clang 19 makes
/// of these.)
constexpr double kPlainBar = 150, kBestBar1x1 = 20, kBestBar3x3 = 50, kDepthwiseBar = 2;

bool against_clang(const fs::path& folder) {
  using namespace hexproof;
  std::optional<std::string> clang = hexproof::testing::clang_for_hexagon();
  if (!clang || !have_qemu()) {
    std::printf("%-40s no clang with the target Hexagon, or no qemu-hexagon: left out\n", "against clang -O3");
    return true;
  }
  std::printf("%s -O3\n", clang->c_str());
  bool good = true;
  for (int size : {1, 3}) {
    const hexproof::testing::ConvShape shape{1, 15 + size, 15 + size, 128, 128, size, size};
    const std::string name = std::to_string(size) + "x" + std::to_string(size);
    const CRates c =
        rates_of(*clang, name, pick_function(parse_module(conv_program(shape)), ""), shape.macs(),
                 hexproof::testing::conv_forms(size), static_cast<size_t>(size) * static_cast<size_t>(size));
    const double bar = kRows[size == 1 ? 0 : 1].bar, best = size == 1 ? kBestBar1x1 : kBestBar3x3;
    std::printf(
        "%-40s %.0f and %.0f times fewer packets at the bar of %.0f (bars %.0f and %.0f); packed weights: %.0f\n", "",
        bar / c.plain, bar / c.best, bar, kPlainBar, best, bar / c.packed);
    good &= c.equal && bar / c.plain >= kPlainBar && bar / c.best >= best;
    std::fflush(stdout);
  }
  const Row row = of_the_examples(kDepthwise);
  const Measured ours = measure(row, folder);
  const PrimFunc func = pick_function(parse_module(read_file(row.program)), "");
  const CRates c = rates_of(*clang, "depthwise 3x3", func, row.macs, hexproof::testing::depthwise_forms(), 9);
  const double best = std::max(c.plain, c.best);
  std::printf("%-40s %.1f times fewer packets than the best form (bar %.0f)\n", "", ours.rate / best, kDepthwiseBar);
  return good && ours.good && c.equal && ours.rate >= kDepthwiseBar * best;
}

/// The two convolutions of kRows by Halide 14 on the same data and layouts, its schedule tuned over the same tiles: how
/// many of its packets ours may take.
constexpr double kHalide1x1 = 1.0, kHalide3x3 = 1.05;

bool against_halide(const fs::path& folder, double ours_1x1, double ours_3x3) {
  using namespace hexproof;
  std::optional<std::string> clang = hexproof::testing::clang_for_hexagon();
  if (!clang || !have_qemu()) {
    std::printf("%-40s no clang with the target Hexagon, or no qemu-hexagon: left out\n", "against Halide 14");
    return true;
  }
  std::optional<hexproof::testing::Halide> halide = hexproof::testing::Halide::fetched(folder.string(), *clang);
  if (!halide) {
    std::printf("%-40s libhalide14-0-dev cannot be fetched: left out\n", "against Halide 14");
    return true;
  }
  bool good = true;
  for (int size : {1, 3}) {
    const hexproof::testing::ConvShape shape{1, 63 + size, 63 + size, 128, 128, size, size};
    const PrimFunc func = pick_function(parse_module(conv_program(shape)), "");
    const Runs runs = runs_of(func);
    const std::vector<Tensor>& want = runs.want;
    std::vector<Tensor> inputs = runs.inputs;
    const size_t taps = static_cast<size_t>(size) * static_cast<size_t>(size);
    for (size_t k = 0; k < 128; ++k) {
      for (size_t c = 0; c < 128; ++c) {
        for (size_t t = 0; t < taps; ++t) {
          inputs[1].data[((((k / 32) * taps + t) * 32 + c / 4) * 32 + k % 32) * 4 + c % 4] =
              runs.inputs[1].data[(k * 128 + c) * taps + t];
        }
      }
    }
    double best = 0;  // packets
    for (const hexproof::testing::HalideTile& tile : hexproof::testing::Halide::tiles()) {
      std::vector<Tensor> got = inputs;
      const HexagonRun ran = run_hexagon(link_hexagon(halide->kernel(shape, tile, func)), got);
      const bool equal = got[2].data == want[2].data;
      good &= equal;
      std::printf("%-40s %10u %8.2f  %s\n",
                  ("Halide 14, " + std::to_string(size) + "x" + std::to_string(size) + ", tile " + tile.text()).c_str(),
                  ran.packets, shape.macs() / ran.packets, equal ? "every output equal" : "outputs differ");
      if (best == 0 || ran.packets < best) best = ran.packets;
      std::fflush(stdout);
    }
    const double ours = size == 1 ? ours_1x1 : ours_3x3, bar = size == 1 ? kHalide1x1 : kHalide3x3;
    std::printf("%-40s %.3f times its packets (bar %.2f)\n", "", ours / best, bar);
    good &= ours > 0 && ours <= best * bar;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  using hexproof::testing::conv_shape;
  const std::string what = argc > 1 ? argv[1] : "";
  const bool one = what == "--shape" && argc == 3;
  const bool many = what == "--shapes" && (argc == 3 || (argc == 5 && std::string(argv[3]) == "--seed"));
  if (argc > 1 && !one && !many && !(argc == 3 && what == "--examples") &&
      !(argc == 2 && (what == "--examples" || what == "--resnet" || what == "--clang" || what == "--halide"))) {
    std::fprintf(stderr,
                 "usage: bench_hexagon [--examples [NAME] | --clang | --halide | --resnet | --shape "
                 "N,H,W,C,K,KH,KW,stride,pad[,dilation] | --shapes "
                 "COUNT [--seed K]]\n");
    return 2;
  }
  if (one && !conv_shape(argv[2])) {
    std::fprintf(stderr, "'%s' is no convolution: N,H,W,C,K,KH,KW,stride,pad, and a dilation\n", argv[2]);
    return 2;
  }
  const fs::path folder = fs::temp_directory_path() / ("hexproof-bench-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::printf("%-32s %12s %8s %6s %7s %9s %8s  %s\n", "", "packets", "MAC/pkt", "bar", "spills", "two/pkt", "seconds",
              "");
  bool good = true;
  double packets[2] = {0, 0};  // of the first two rows
  if (what.empty() || what == "--examples") {
    const std::string part = argc > 2 ? argv[2] : "";  // of the name
    bool any = false;
    for (const Row& row : kRows) {
      if (row.name.find(part) == std::string::npos) continue;
      any = true;
      const Measured m = measure(of_the_examples(row), folder);
      good &= m.good;
      if (&row == &kRows[0] || &row == &kRows[1]) packets[&row - kRows.data()] = m.packets;
    }
    if (!any) std::fprintf(stderr, "no row has '%s' in its name\n", part.c_str());
    good &= any;
  }
  if (what.empty() || what == "--halide") {
    for (size_t k = 0; k < 2; ++k) {
      if (packets[k] == 0) packets[k] = measure(of_the_examples(kRows[k]), folder).packets;
    }
    good &= against_halide(folder, packets[0], packets[1]);
  }
  if (what.empty() || what == "--clang") good &= against_clang(folder);
  if (one) good &= measure(row_of(*conv_shape(argv[2]), folder, 0), folder).good;
  auto shapes = [&](long count, uint64_t seed) {
    std::printf("%ld shapes, seed %llu\n", count, static_cast<unsigned long long>(seed));
    for (; count > 0; --count) {
      const hexproof::testing::ConvShape shape = hexproof::testing::random_conv_shape(&seed);
      const double bar = fast_without_tuning(shape) ? hexproof::testing::kUntunedBar : 0;
      good &= measure(row_of(shape, folder, bar), folder, /*demands_inner_loops=*/false).good;
    }
  };
  const auto clock = static_cast<uint64_t>(::time(nullptr));
  if (many) shapes(std::atol(argv[2]), argc == 5 ? std::strtoull(argv[4], nullptr, 10) : clock);
  if (what.empty()) shapes(kShapes, kShapesSeed), shapes(kShapesOfTheClock, clock);
  if (what.empty() || what == "--resnet") {
    double logarithms = 0;
    for (const char* text : kResNet) {
      Measured m = measure(row_of(*conv_shape(text), folder, kResNetBar), folder);
      good &= m.good, logarithms += std::log(m.rate);
    }
    double mean = std::exp(logarithms / static_cast<double>(kResNet.size()));
    std::printf("%-32s %12s %8.2f %6.1f\n", "geometric mean", "", mean, kResNetMean);
    good &= mean >= kResNetMean;
  }
  fs::remove_all(folder);
  return good ? 0 : 1;
}
