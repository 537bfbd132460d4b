// The steps of examples/ci by the clock: three kernels from nothing, and again when nothing has changed.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>

namespace {

namespace fs = std::filesystem;

double seconds_of(const std::string& command) {
  const auto begin = std::chrono::steady_clock::now();
  if (std::system(command.c_str()) != 0) {
    std::fprintf(stderr, "error: %s\n", command.c_str());
    std::exit(1);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main() {
  const fs::path examples = HEXPROOF_SOURCE_DIR "/examples";
  const fs::path folder = fs::temp_directory_path() / ("hexproof-bench-ci-" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder / "kernels");
  for (const auto& [name, from, schedule] :
       {std::tuple{"conv1d", "conv1d_padded/conv1d.py", "conv1d_padded/schedule.py"},
        {"maxpool", "maxpool_padded/maxpool.py", "maxpool_padded/schedule_branching.py"},
        {"sums", "embed/scale.py", "embed/scale.schedule.py"}}) {
    fs::copy_file(examples / from, folder / "kernels" / (std::string(name) + ".py"));
    fs::copy_file(examples / schedule, folder / "kernels" / (std::string(name) + ".schedule.py"));
  }
  for (const char* name : {"certify.sh", "kernels.txt"}) fs::copy_file(examples / "ci" / name, folder / name);
  const std::string run =
      "cd '" + folder.string() +
      "' && PATH='" HEXPROOF_BINARY_DIR
      "':$PATH HEXPROOF_CACHE=kept/proofs HEXPROOF_KEPT=kept/certificates ./certify.sh kernels.txt out "
      ">/dev/null";
  const double first = seconds_of(run), again = seconds_of(run);
  std::printf("ci_first_seconds %.2f\nci_again_seconds %.2f\nci_ratio %.3f\n", first, again, again / first);
  fs::remove_all(folder);
  return again * 10 <= first ? 0 : 1;
}
