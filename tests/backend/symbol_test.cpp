// A kernel has a name that nothing else has.
#include "backend/symbol.h"

#include <gtest/gtest.h>

#include "backend/hexagon.h"
#include "tests/backend/emitted.h"
#include "verify/equiv/table.h"

namespace hexproof {
namespace symbol_test {

TEST(Symbol, NamesThatMeanSomethingElse) {
  for (const char* taken :
       {"expf",   "exp",    "logf", "tanhf",  "powf",  "floorf",  "fmodf",     "sqrtf",  "erff",           "memcpy",
        "memset", "printf", "main", "double", "class", "uint8_t", "INT32_MAX", "writev", "hexproof_start", "errno"}) {
    EXPECT_EQ(kernel_symbol(taken), std::string(taken) + "_kernel");
  }
  EXPECT_EQ(kernel_symbol("3x3 tile"), "kernel3x3_tile_kernel");
  EXPECT_EQ(kernel_symbol("__divdi3"), "kernel__divdi3_kernel");
}

// What an operation becomes a call of is the library's function, and not the kernel.
TEST(Symbol, AKernelCalledAsWhatItCalls) {
  for (const char* name : {"expf", "logf", "floorf", "memcpy", "fmodf"}) {
    const PrimFunc func =
        parse_module(std::string("def ") + name +
                         "(A: T.Buffer((2,), \"float32\"), B: T.Buffer((2,), \"float32\")):\n"
                         "    if B[0] == T.float32(0):\n"
                         "        B[0] = T.float32(1)\n"
                         "        B[1] = T.exp(A[1]) + T.floor(A[0]) + T.log(A[1]) + T.fmod(A[0], A[1])\n",
                     "p.py")
            .functions.at(0);
    const Kernel kernel = emit(Derivation(func), {.target = Target::Host});
    std::vector<Tensor> got = {make_tensor(kFloat32, {2}), make_tensor(kFloat32, {2})};
    set_element(got[0], 0, float_scalar(kFloat32, 7.5)), set_element(got[0], 1, float_scalar(kFloat32, 2));
    std::vector<Tensor> want = got;
    ASSERT_FALSE(run(func, want).error);
    run_host(kernel, got);
    EXPECT_EQ(element(got[1], 1).d(), element(want[1], 1).d()) << name;
  }
}

// A kernel that does not come to its end does not end the process that runs it.
TEST(Symbol, ARunThatBreaksDown) {
  const PrimFunc func = parse_module("def f(A: T.Buffer((2,), \"int32\")):\n    A[0] = 1\n", "p.py").functions.at(0);
  Kernel kernel = emit(Derivation(func), {.target = Target::Host});
  const PrimFunc wild = parse_module(
                            "def f(A: T.Buffer((1099511627776,), \"int32\")):\n"
                            "    for i in range(T.int64(1099511627776)):\n        A[i] = 1\n",
                            "p.py")
                            .functions.at(0);
  kernel.object = emit(Derivation(wild), {.target = Target::Host}).object;
  std::vector<Tensor> tensors = {make_tensor(kInt32, {2})};
  EXPECT_THROW(run_host(kernel, tensors), KernelFailure);
}

}  // namespace symbol_test
}  // namespace hexproof
