// How long check takes on the seed kernels: with an empty cache, and with the proofs on disk.
#include "verify/check/check.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "ir/text/text.h"

namespace {

double checked(const hexproof::PrimFunc& func, const std::string& cache, size_t* obligations) {
  hexproof::ProverOptions options;
  options.cache_path = cache;
  options.jobs = 1;
  auto start = std::chrono::steady_clock::now();
  hexproof::Prover prover(options);
  *obligations = hexproof::check(func, prover).obligations.size();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  namespace fs = std::filesystem;
  fs::path folder = fs::path(HEXPROOF_SOURCE_DIR) / ".." / "shared" / "seeds" / "kernels";
  if (!fs::exists(folder)) {
    std::printf("the seed documents are not here: %s\n", folder.c_str());
    return 0;
  }
  fs::path cache = fs::temp_directory_path() / ("hexproof-bench-check-" + std::to_string(getpid()) + ".db");
  for (const char* name : {"1x1_k1_h1", "1x1_k2_h2", "3x3_k1_h1", "3x3_k2_h2"}) {
    fs::path file = folder / (std::string("conv2d_conv2d_") + name + ".py");
    hexproof::PrimFunc func = hexproof::pick_function(hexproof::parse_file(file.string()), "");
    fs::remove(cache);
    size_t obligations = 0;
    double cold = checked(func, cache.string(), &obligations);
    double warm = checked(func, cache.string(), &obligations);
    std::printf("check_%s_cold_seconds %.3f\ncheck_%s_warm_seconds %.3f\ncheck_%s_obligations %zu\n", name, cold, name,
                warm, name, obligations);
  }
  fs::remove(cache);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("check_peak_megabytes %ld\n", usage.ru_maxrss / 1024);
  return 0;
}
