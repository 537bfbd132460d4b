// The processors of this family of machines that host kernels are made for.
#pragma once
#include <string>
#include <vector>

namespace hexproof {

/// A level of x86-64's psABI, and what a processor has beyond it that a row of rewrite/intrinsics/ takes. Nothing of
/// it depends on the machine that code is generated on.
struct HostCpu {
  std::string level = "x86-64";
  std::vector<std::string> more = {};  // LLVM's names, sorted: "avx512vnni"

  std::string name() const;  // "x86-64-v4+avx512vnni"
  bool has(const std::string& feature) const;
};

/// The processor of that name: a level ("x86-64", "x86-64-v3", "x86-64-v4"), with "+avx512vnni" behind the last or
/// without; or "native": what this machine can run of these. An Error that lists them for any other name.
HostCpu host_cpu(const std::string& name);

/// LLVM's names of what code for it may take and this machine has not.
std::vector<std::string> missing_here(const HostCpu& cpu);

/// Unsupported, with the cure, where this machine cannot run code for it.
void demand_runs_here(const HostCpu& cpu);

}  // namespace hexproof
