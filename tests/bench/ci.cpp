// What a pipeline waits for, each beside its bar: start-up, an audit of the certificate of examples/conv2d_conv2d with
// one solver and with two, hexproof-check without solving, the page, one of ten thousand obligations in a browser, and
// a second run over unchanged inputs.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Measured {
  double seconds, processor;
  int code;
};

Measured run(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const auto start = std::chrono::steady_clock::now();
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  ::wait4(pid, &status, 0, &usage);
  auto of = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          of(usage.ru_utime) + of(usage.ru_stime), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

Measured print(const char* name, const Measured& m, const char* bar) {
  std::printf("%-44s %8.3f s by the clock, %8.3f s of the processor, exit %d   (bar: %s)\n", name, m.seconds,
              m.processor, m.code, bar);
  std::fflush(stdout);
  return m;
}

/// A report with so many obligations.
void write_obligations(const std::string& path, int count) {
  std::ofstream out(path);
  out << R"({"verdict": "proved", "functions": [{"function": "main", "obligations": [)";
  for (int k = 0; k < count; ++k) {
    out << (k ? ", " : "") << R"({"rule": "simplify", "why": "the new index arithmetic fits its type", "goal": "i < )"
        << k << R"(", "function": "main", "statement": "B[i] = A[i]", "verdict": "proved", "solver": "z3"})";
  }
  out << "]}]}\n";
}

/// The number behind the key in a JSON text; 0 without one.
double number_at(const std::string& path, const std::string& key) {
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const size_t at = text.find("\"" + key + "\": ");
  return at == text.npos ? 0 : std::atof(text.c_str() + at + key.size() + 4);
}

/// What a browser takes for a page of ten thousand obligations, beside one without any; false without a browser.
bool open_pages(const std::string& command, const fs::path& folder) {
  const char* browser = "/usr/bin/chromium";  // of the packages that ./dev installs
  if (!fs::exists(browser)) {
    std::fprintf(stderr, "error: a page of 10 000 obligations: there is no %s\n", browser);
    return false;
  }
  double seconds[2] = {};
  for (int k : {0, 1, 0, 1}) {  // the first two fill caches of the file system
    const std::string report = folder / "many.json", page = folder / "many.html";
    write_obligations(report, k == 0 ? 0 : 10'000);
    run({command, "report", report, "-o", page});
    seconds[k] = run({browser, "--headless=new", "--no-sandbox", "--disable-gpu",
                      "--user-data-dir=" + (folder / "browser").string(), "--dump-dom", "file://" + page})
                     .seconds;
  }
  std::printf("%-44s %8.3f s more than one of none (%.3f s)   (bar: 1 s)\n", "a page of 10 000 obligations opens in",
              seconds[1] - seconds[0], seconds[0]);
  return true;
}

}  // namespace

int main() {
  const std::string source = HEXPROOF_SOURCE_DIR "/examples/conv2d_conv2d/", command = HEXPROOF_BINARY_DIR "/hexproof";
  const fs::path folder = fs::temp_directory_path() / ("hexproof-bench-ci-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string certificate = (folder / "certificate").string(), page = (folder / "page.html").string(),
                    cache = (folder / "proofs.sqlite").string();
  for (const char* name : {"check", "apply", "certify", "equiv", "audit", "run", "report", "fuzz", "rules"}) {
    print((std::string("start of ") + name).c_str(), run({command, name, "--help"}), "0.05 s");
  }
  const std::vector<std::string> certify = {
      command,   "certify", source + "conv2d_conv2d.py", source + "schedule_k1_h1.py", "--no-run", "-o", certificate,
      "--cache", cache};
  print("certify, without proofs", run(certify), "none");
  print("certify, with all proofs kept", run(certify), "none: the result is judged anew");
  print("audit with Z3", run({command, "audit", certificate, "--solver", "z3"}), "15 s");
  print("audit with both solvers", run({command, "audit", certificate}), "60 s");
  print("hexproof-check without a solver", run({HEXPROOF_BINARY_DIR "/hexproof-check", certificate}), "5 s");
  print("report", run({command, "report", certificate, "-o", page}), "none");
  std::error_code error;
  std::printf("%-44s %8.3f MB   (bar: 5 MB)\n", "the page", static_cast<double>(fs::file_size(page, error)) / 1e6);
  const bool opened = open_pages(command, folder);
  const std::string proofs = (folder / "proofs").string();
  std::vector<std::string> first = {command, "obligations", source + "conv2d_conv2d.py", source + "schedule_k1_h1.py",
                                    "--out", proofs};
  print("obligations", run(first), "none");
  const std::vector<std::string> discharge = {command, "discharge", "--shard", "1/1", proofs};
  const Measured cold = print("discharge of all formulas", run(discharge), "none");
  std::vector<std::string> second = discharge;
  const std::string said = folder / "second.json";
  second.insert(second.end(), {"--json", said});
  const Measured warm = print("discharge again", run(second), "a fiftieth");
  const double before = number_at(said, "answered_before"), formulas = number_at(said, "formulas") + before;
  std::printf("%-44s %8.1f %% of %.0f formulas   (bar: 99 %%)\n", "answered before", 100 * before / formulas, formulas);
  std::printf("%-44s %8.1f times   (bar: 50 times)\n", "faster", cold.seconds / warm.seconds);
  fs::remove_all(folder);
  return opened ? 0 : 1;
}
