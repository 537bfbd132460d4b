// A view that is larger than its memory: an access is an error where it leaves the view or the memory, and fine
// elsewhere. The interpreter, check, and both methods of equiv agree on that.
#include <fmt/format.h>

#include "ir/interpreter/interpreter.h"
#include "tests/verify/check/check_fixture.h"
#include "tests/verify/equiv/parametric/equiv_parametric.h"
#include "tests/verify/equiv/symbolic/equiv_symbolic.h"

namespace hexproof {
namespace views_test {

/// A is copied to B by way of 14 cells that are seen as four by four.
std::string tiled(const std::string& loop, const std::string& cell) {
  return "def f(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
         "    memory = T.alloc_buffer((14,), \"int32\")\n"
         "    V = T.decl_buffer((4, 4), \"int32\", data=memory.data)\n"
         "    for i in range(" +
         loop + "):\n        V[" + cell + "] = A[i]\n    for i in range(" + loop + "):\n        B[i] = V[" + cell +
         "]\n";
}
constexpr const char* kTiles = "i // 4, i % 4";
std::string plain(const std::string& loop) {
  return fmt::format(
      "def f(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
      "    for i in range({}):\n        B[i] = A[i]\n",
      loop);
}

std::string error_of(const std::string& text) {
  PrimFunc func = parse(text);
  std::vector<Tensor> buffers{make_tensor(kInt32, {16}), make_tensor(kInt32, {16})};
  RunResult result = run(func, buffers);
  return result.error ? result.error->message : "";
}

struct Views : CheckTest {};

TEST_F(Views, WithinTheMemory) {
  EXPECT_EQ(error_of(tiled("14", kTiles)), "");
  proved(tiled("14", kTiles));
  EXPECT_PROVED(plain("14"), tiled("14", kTiles));
  EquivParametricTest::proved(plain("14"), tiled("14", kTiles));
  // Under a guard.
  proved(R"(
def f(A: T.Buffer((14,), "int32")):
    memory = T.alloc_buffer((14,), "int32")
    V = T.decl_buffer((4, 4), "int32", data=memory.data)
    for i, j in T.grid(4, 4):
        if i * 4 + j < 14:
            V[i, j] = A[i * 4 + j]
)");
}

TEST_F(Views, BehindTheMemory) {
  // In the view, and not in the memory.
  EXPECT_NE(error_of(tiled("15", kTiles)).find("outside of the memory"), std::string::npos);
  refuted(tiled("15", kTiles), "outside of the memory");
  const std::string before = plain("15");
  EXPECT_REFUTED(before, tiled("15", kTiles));
  EquivParametricTest::open(before, tiled("15", kTiles));
  // A read alone.
  const std::string read = R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    V = T.decl_buffer((5, 4), "int32", data=A.data)
    for i in range(16):
        B[i] = V[(i + 1) // 4, (i + 1) % 4]
)";
  EXPECT_NE(error_of(read).find("outside of the memory"), std::string::npos);
  refuted(read, "outside of the memory");
}

TEST_F(Views, OutsideOfTheView) {
  // In the memory, and in no row of the view.
  EXPECT_NE(error_of(tiled("13", "0, i")).find("out of bounds"), std::string::npos);
  refuted(tiled("13", "0, i"), "out of bounds");
  EquivParametricTest::open(plain("14"), tiled("14", "0, i"));
}

TEST_F(Views, SymbolicMemory) {
  auto text = [](const std::string& bound) {
    return "def f(a: T.handle, n: T.int32):\n    A = T.match_buffer(a, (n,), \"int32\")\n"
           "    memory = T.alloc_buffer((n,), \"int32\")\n"
           "    V = T.decl_buffer(((n + 3) // 4, 4), \"int32\", data=memory.data)\n"
           "    for i, j in T.grid((n + 3) // 4, 4):\n        if i * 4 + j < " +
           bound + ":\n            V[i, j] = 1\n";
  };
  proved(text("n"));
  refuted(text("n + 1"), "outside of the memory");
}

}  // namespace views_test
}  // namespace hexproof
