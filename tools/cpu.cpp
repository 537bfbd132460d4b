#include "tools/cpu.h"

#include "backend/cpu.h"
#include "ir/base/diagnostic.h"

namespace hexproof::tools {

void add_cpu(CLI::App& command, std::string& cpu) {
  command
      .add_option("--cpu", cpu,
                  "with --target host, the processor: x86-64 (if not given), x86-64-v3, x86-64-v4, "
                  "x86-64-v4+avx512vnni, or native, what this machine has of these")
      ->check([](const std::string& name) -> std::string {
        try {
          host_cpu(name);
          return {};
        } catch (const Error& e) {
          return e.what();
        }
      });
}

}  // namespace hexproof::tools
