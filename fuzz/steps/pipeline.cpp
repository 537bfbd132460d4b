#include "fuzz/steps/pipeline.h"

#include <fmt/format.h>

#include <sstream>

#include "fuzz/constructs/constructs.h"
#include "fuzz/coverage.h"
#include "fuzz/programs/padded.h"
#include "fuzz/programs/program.h"
#include "fuzz/programs/tensor_case.h"
#include "ir/text/text.h"
#include "rewrite/schedule/primitives.h"

namespace hexproof {
namespace {

/// C = A * B on extents up to `most` + 1 that few factors divide, and what reads C, under a condition that mostly
/// always holds.
PrimFunc matrix_product(Choices& choices, uint32_t most = 6) {
  const std::string type = choices.pick(std::vector<std::string>{"int32", "int8", "float32", "uint16"});
  const uint32_t m = 2 + choices.below(most), n = 2 + choices.below(most), k = 1 + choices.below(most);
  std::string text = fmt::format(R"(
@T.prim_func
def main(A: T.Buffer(({0}, {2}), "{3}"), B: T.Buffer(({2}, {1}), "{3}"), D: T.Buffer(({0}, {1}), "{3}")):
    C = T.alloc_buffer(({0}, {1}), "{3}")
    for i, j, k in T.grid({0}, {1}, {2}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.{3}(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
    for i, j in T.grid({0}, {1}):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.where(i + j < {4})
            D[vi, vj] = C[vi, vj] + T.{3}(1)
)",
                                 m, n, k, type, m + n - choices.below(3));
  return parse_module(text).functions.at(0);
}

/// Constructs in which rules of the primitive find their shape.
std::vector<int> homes_of(const std::string& primitive) {
  std::vector<int> out;
  std::istringstream rules(std::string(find_primitive(primitive)->rules));
  for (std::string rule; std::getline(rules >> std::ws, rule, ',');) {
    const std::vector<int> homes = habitat(rule);
    out.insert(out.end(), homes.begin(), homes.end());
  }
  return out;
}

}  // namespace

PrimFunc random_pipeline(Choices& choices, const std::string& wanted) {
  const uint32_t kind = choices.below(100);
  if (wanted == "pad_einsum" && kind < 80) return matrix_product(choices, 2);
  const std::vector<int> homes = homes_of(wanted);
  if (kind >= 65 && !homes.empty()) return random_constructed_program(choices, {choices.pick(homes)}).func;
  if (kind >= 55) return random_padded_program(choices);
  if (kind >= 48) return random_program(choices);
  if (kind >= 34) return matrix_product(choices);
  // As it reads back: its loops have the names that steps know them by.
  return parse_module(print(random_tensor_case(choices).script.naive.func)).functions.at(0);
}

}  // namespace hexproof
