#include "tools/api/certificate/stored_run.h"

#include "backend/cpu.h"
#include "backend/hexagon.h"
#include "rewrite/layout/interface.h"

namespace hexproof::api {
namespace {

using Tensors = std::vector<hexproof::Tensor>;

std::string differences(const Derivation& derivation, const Expected& want, const Tensors& computed) {
  const Comparison result = compare(derivation, want, computed);
  std::string out;
  for (const std::string& line : result.lines) out += "\n  " + line;
  return result.agrees ? std::string() : "it computes something else:" + out;
}

/// Why a kernel does not run to its end; empty: `tensors` hold what it computed. `elf`: the program that it is linked
/// to; empty: it is linked here.
std::string why_it_fails(const Kernel& kernel, const std::string& elf, Tensors* tensors) {
  try {
    if (kernel.target == hexproof::Target::Host) {
      run_host(kernel, *tensors);
      return {};
    }
    Executable executable = link_hexagon(kernel);
    if (!elf.empty()) executable.elf.assign(elf.begin(), elf.end());
    run_hexagon(executable, *tensors);
  } catch (const KernelFailure& e) {
    return e.what();
  } catch (const HexagonFailure& e) {
    return e.what();
  } catch (const InternalError& e) {  // an object that does not link, or load
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
      out.why = e.what(), out.open = true;
      return out;
    }
  } else if (!have_qemu()) {
    out.why = "there is no emulator for Hexagon", out.open = true;
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
      // Where the kernel that comes out does not run under the emulator either, that may be the emulator's.
      Tensors again = pack_all(derivation, want.inputs);
      out.ran = anew.target == hexproof::Target::Host || why_it_fails(anew, "", &again).empty();
      out.open = !out.ran;
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
