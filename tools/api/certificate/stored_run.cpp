#include "tools/api/certificate/stored_run.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "backend/cpu.h"
#include "backend/hexagon.h"
#include "rewrite/layout/interface.h"

namespace hexproof::api {
namespace {

using Tensors = std::vector<hexproof::Tensor>;

/// Memory that a child process shares with this one.
class Shared {
 public:
  explicit Shared(size_t size) : size_(std::max<size_t>(size, 1)) {
    void* at = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw Error("no memory is left for the run of the stored object");
    data = static_cast<uint8_t*>(at);
  }
  ~Shared() { munmap(data, size_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  uint8_t* data;

 private:
  size_t size_;
};

/// Why it did not end as it should; empty: `tensors` hold what it computed.
std::string run_in_a_child(const Kernel& kernel, Tensors* tensors) {
  constexpr unsigned kSeconds = 3600;  // a backstop
  size_t size = 0;
  for (const hexproof::Tensor& one : *tensors) size += one.data.size();
  Shared shared(size);
  const pid_t child = fork();
  if (child < 0) return "no process can be started";
  if (child == 0) {
    signal(SIGALRM, SIG_DFL);
    alarm(kSeconds);
    try {
      run_host(kernel, *tensors);
      size_t at = 0;
      for (const hexproof::Tensor& one : *tensors) {
        std::memcpy(shared.data + at, one.data.data(), one.data.size());
        at += one.data.size();
      }
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "it ends with signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return "it cannot be loaded, or does not come back";
  size_t at = 0;
  for (hexproof::Tensor& one : *tensors) {
    std::memcpy(one.data.data(), shared.data + at, one.data.size());
    at += one.data.size();
  }
  return {};
}

std::string differences(const Derivation& derivation, const Expected& want, const Tensors& computed) {
  const Comparison result = compare(derivation, want, computed);
  std::string out;
  for (const std::string& line : result.lines) out += "\n  " + line;
  return result.agrees ? std::string() : "it computes something else:" + out;
}

/// Why a kernel does not run to its end; empty: `tensors` hold what it computed. `elf`: the program that it is linked
/// to; empty: it is linked here.
std::string why_it_fails(const Kernel& kernel, const std::string& elf, Tensors* tensors) {
  if (kernel.target == hexproof::Target::Host) return run_in_a_child(kernel, tensors);
  try {
    Executable executable = link_hexagon(kernel);
    if (!elf.empty()) executable.elf.assign(elf.begin(), elf.end());
    run_hexagon(executable, *tensors);
  } catch (const HexagonFailure& e) {
    return e.what();
  } catch (const InternalError& e) {  // an object that does not link
    return e.what();
  }
  return {};
}

}  // namespace

StoredRun run_stored(const Derivation& derivation, const Kernel& anew, const CertificateBytes& stored, uint64_t seed) {
  StoredRun out;
  out.why = why_no_run(derivation.source());
  if (!out.why.empty()) return out;
  if (anew.target == hexproof::Target::Host) {
    try {
      demand_runs_here(anew.cpu);
    } catch (const Unsupported& e) {
      out.why = e.what();
      return out;
    }
  } else if (!have_qemu()) {
    out.why = "there is no emulator for Hexagon";
    return out;
  }
  const Expected want = interpret(derivation.source(), seed);
  Kernel kernel = anew;
  const std::string& object = stored.at("kernel.o");
  kernel.object.assign(object.begin(), object.end());
  std::vector<std::string> programs{""};
  if (anew.target != hexproof::Target::Host) programs.push_back(stored.at("kernel.elf"));
  for (const std::string& elf : programs) {
    Tensors tensors = pack_all(derivation, want.inputs);
    out.why = why_it_fails(kernel, elf, &tensors);
    if (!out.why.empty()) {
      // Where the kernel that comes out does not run either, this machine cannot run it.
      Tensors again = pack_all(derivation, want.inputs);
      out.ran = why_it_fails(anew, "", &again).empty();
      return out;
    }
    out.why = differences(derivation, want, tensors);
    if (!out.why.empty()) break;
  }
  out.ran = true;
  out.equal = out.why.empty();
  return out;
}

}  // namespace hexproof::api
