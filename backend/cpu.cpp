#include "backend/cpu.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <array>
#include <functional>

#include "ir/base/diagnostic.h"

namespace hexproof {
namespace {

/// Each level has what those before it have, and more.
struct Level {
  const char* name;
  std::vector<std::string> features;
};
const std::array<Level, 3>& levels() {
  static const std::array<Level, 3> all = {
      Level{"x86-64", {}},
      Level{"x86-64-v3",
            {"avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf", "sse3", "sse4.1",
             "sse4.2", "ssse3"}},
      Level{"x86-64-v4", {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}}};
  return all;
}
/// What rows take beyond the last level.
const std::vector<std::string> kMore = {"avx512vnni"};

bool has_here(const std::string& feature) {
  static const auto here = llvm::sys::getHostCPUFeatures();
  auto it = here.find(feature);
  return it != here.end() && it->second;
}

bool is_x86_64() { return llvm::Triple(llvm::sys::getProcessTriple()).getArch() == llvm::Triple::x86_64; }

HostCpu native() {
  HostCpu best;
  if (!is_x86_64()) return best;
  for (const Level& level : levels()) {
    HostCpu cpu{level.name, {}};
    if (missing_here(cpu).empty()) best = cpu;
  }
  if (best.level != levels().back().name) return best;
  std::copy_if(kMore.begin(), kMore.end(), std::back_inserter(best.more), has_here);
  return best;
}

}  // namespace

std::string HostCpu::name() const {
  std::string out = level;
  for (const std::string& feature : more) out += "+" + feature;
  return out;
}

bool HostCpu::has(const std::string& feature) const {
  return std::find(more.begin(), more.end(), feature) != more.end();
}

HostCpu host_cpu(const std::string& name) {
  if (name == "native") return native();
  HostCpu cpu{name.substr(0, name.find('+')), {}};
  bool known = std::any_of(levels().begin(), levels().end(), [&](const Level& l) { return cpu.level == l.name; });
  for (size_t at = cpu.level.size(); at < name.size();) {
    size_t end = std::min(name.find('+', at + 1), name.size());
    cpu.more.push_back(name.substr(at + 1, end - at - 1));
    known = known && cpu.level == levels().back().name &&
            std::find(kMore.begin(), kMore.end(), cpu.more.back()) != kMore.end();
    at = end;
  }
  // A processor has one name.
  known = known && std::adjacent_find(cpu.more.begin(), cpu.more.end(), std::greater_equal<>()) == cpu.more.end();
  if (!known) {
    throw Error("'" + name + "' is no processor that kernels are made for: x86-64, x86-64-v3, x86-64-v4, " +
                "x86-64-v4+avx512vnni, or native (what this machine has of them)");
  }
  return cpu;
}

std::vector<std::string> missing_here(const HostCpu& cpu) {
  std::vector<std::string> out;
  auto ask = [&](const std::vector<std::string>& features) {
    std::copy_if(features.begin(), features.end(), std::back_inserter(out),
                 [](const std::string& feature) { return !has_here(feature); });
  };
  for (const Level& level : levels()) {
    ask(level.features);
    if (level.name == cpu.level) break;
  }
  ask(cpu.more);
  return out;
}

void demand_runs_here(const HostCpu& cpu) {
  const std::vector<std::string> missing = missing_here(cpu);
  if (missing.empty()) return;
  std::string list;
  for (const std::string& feature : missing) list += (list.empty() ? "" : ", ") + feature;
  throw Unsupported({}, "this machine cannot run code for " + cpu.name() + ": it has no " + list,
                    "--cpu native takes what it has; certify makes the kernel without a run by --no-run");
}

}  // namespace hexproof
