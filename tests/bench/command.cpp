// What a user waits for: `check` of the examples and `certify` of the 1x1 kernel at full size without the run under
// QEMU, with a cold and with a warm proof cache, and the memory that `check` takes.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Measured {
  double seconds;
  double megabytes;
  int code;
};

Measured run(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  auto start = std::chrono::steady_clock::now();
  pid_t pid = ::fork();
  if (pid == 0) {
    int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  ::wait4(pid, &status, 0, &usage);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {seconds, static_cast<double>(usage.ru_maxrss) / 1024, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

/// The same command without a cache on disk, and again with what the first run left there.
void cold_and_warm(const std::string& name, std::vector<std::string> words, const fs::path& cache) {
  fs::remove_all(cache.parent_path());
  fs::create_directories(cache.parent_path());
  words.insert(words.end(), {"--cache", cache.string()});
  Measured cold = run(words), warm = run(words);
  std::printf("%-34s cold %7.3f s   warm %7.3f s   ratio %5.1f   %4.0f MB   exit %d\n", name.c_str(), cold.seconds,
              warm.seconds, cold.seconds / warm.seconds, cold.megabytes, cold.code);
}

}  // namespace

int main() {
  const std::string source = HEXPROOF_SOURCE_DIR, command = HEXPROOF_BINARY_DIR "/hexproof";
  const fs::path folder = fs::temp_directory_path() / ("hexproof-bench-" + std::to_string(::getpid()));
  const fs::path cache = folder / "cache" / "proofs.sqlite";
  const std::string seeds = source + "/../shared/seeds/kernels/";
  for (const char* kernel : {"1x1_k1_h1", "1x1_k2_h2", "3x3_k1_h1", "3x3_k2_h2"}) {
    std::string path = seeds + "conv2d_conv2d_" + kernel + ".py";
    if (!fs::exists(path)) {
      std::printf("check %s: the document is not there, skipped\n", kernel);
      continue;
    }
    cold_and_warm(std::string("check ") + kernel + ", one core", {command, "check", path, "--jobs", "1"}, cache);
  }
  const std::string example = source + "/examples/conv2d_conv2d/";
  for (const char* schedule : {"schedule_k1_h1.py", "schedule_k2_h2.py"}) {
    cold_and_warm(std::string("certify ") + schedule,
                  {command, "certify", example + "conv2d_conv2d.py", example + schedule, "--no-run", "-o",
                   (folder / "certificate").string()},
                  cache);
  }
  fs::remove_all(folder);
}
