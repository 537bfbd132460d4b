// What is computed: the naive program of a graph.
#include "tests/te/support.h"

namespace hexproof::te {
namespace tensor_test {

TEST(TensorScript, IsKnownByItsCode) {
  EXPECT_TRUE(is_script("A = te.placeholder((4,))"));
  EXPECT_TRUE(is_script("x = 1\ntvm.lower(s, [A])"));
  EXPECT_FALSE(is_script("# te.compute(\n@T.prim_func\ndef main(A: T.Buffer((4,))):\n  A[0] = 1.0"));
  EXPECT_FALSE(is_script("x = 'te.compute('"));
  EXPECT_FALSE(is_script("byte.compute_at(x)"));
  EXPECT_FALSE(is_script("te.computed()"));
}

TEST(CreatePrimFunc, ReductionHasAnInit) {
  const std::string text = naive(R"(
from tvm import te
A = te.placeholder((4, 8), name="A", dtype="int32")
k = te.reduce_axis((0, 8), name="k")
B = te.compute((4,), lambda i: te.sum(A[i, k], axis=k), name="B")
te.create_prim_func([A, B])
)");
  EXPECT_HAS(text, "for i, k in T.grid(4, 8):");
  EXPECT_HAS(text, "v_i, v_k = T.axis.remap(\"SR\", [i, k])");
  EXPECT_HAS(text, "with T.init():\n                B[v_i] = 0\n            B[v_i] = B[v_i] + A[v_i, v_k]");
}

TEST(CreatePrimFunc, EveryReducerStartsAtItsIdentity) {
  for (auto [name, start, step] : {std::tuple{"sum", "B[v_i] = T.int8(0)", "B[v_i] + A[v_i, v_k]"},
                                   std::tuple{"prod", "B[v_i] = T.int8(1)", "B[v_i] * A[v_i, v_k]"},
                                   std::tuple{"max", "B[v_i] = T.int8(-128)", "T.max(B[v_i], A[v_i, v_k])"},
                                   std::tuple{"min", "B[v_i] = T.int8(127)", "T.min(B[v_i], A[v_i, v_k])"}}) {
    const std::string text = naive(std::string(R"(
from tvm import te
A = te.placeholder((4, 8), name="A", dtype="int8")
k = te.reduce_axis((0, 8), name="k")
B = te.compute((4,), lambda i: te.)") +
                                   name + R"((A[i, k], axis=k), name="B")
te.create_prim_func([A, B])
)");
    EXPECT_HAS(text, start);
    EXPECT_HAS(text, step);
  }
}

TEST(CreatePrimFunc, VariadicNamedAndSymbolic) {
  const std::string text = naive(R"(
from tvm import te
n = te.var("n")
A = te.placeholder((n, 4), name="A")
B = te.compute((n, 4), lambda *i: A(*i) + 1, name="B")
C = te.compute((n, 4), lambda i, *rest: te.if_then_else(i < 2, B(i, *rest), te.exp(A[i][rest[0]])), name="C")
te.create_prim_func([A, C])
)");
  EXPECT_HAS(text, "n = T.int32()");
  EXPECT_HAS(text, "A = T.match_buffer(A_handle, (n, 4), \"float32\")");
  EXPECT_HAS(text, "B[v_i0, v_i1] = A[v_i0, v_i1] + T.float32(1.0)");
  EXPECT_HAS(text, "T.if_then_else(v_i < 2, B[v_i, v_rest0], T.exp(A[v_i, v_rest0]))");
}

TEST(CreatePrimFunc, SeveralOutputs) {
  const std::string text = naive(R"(
from tvm import te
A = te.placeholder((4,), name="A", dtype="int32")
P, Q = te.compute((4,), lambda i: (A[i] + 1, A[i] * 2), name="PQ")
te.create_prim_func([A, P, Q])
)");
  EXPECT_HAS(text, "PQ_v0[v_i] = A[v_i] + 1");
  EXPECT_HAS(text, "PQ_v1[v_i] = A[v_i] * 2");
}

constexpr const char* kArgmax = R"(
from tvm import te
def fcombine(x, y):
    lhs = te.if_then_else(x[1] >= y[1], x[0], y[0])
    rhs = te.if_then_else(x[1] >= y[1], x[1], y[1])
    return lhs, rhs
argmax = te.comm_reducer(fcombine, lambda t0, t1: (-1, te.min_value(t1)), name="argmax")
idx = te.placeholder((4, 8), name="idx", dtype="int32")
val = te.placeholder((4, 8), name="val", dtype="int32")
k = te.reduce_axis((0, 8), name="k")
T0, T1 = te.compute((4,), lambda i: argmax((idx[i, k], val[i, k]), axis=k), name="T")
te.create_prim_func([idx, val, T0, T1])
)";

TEST(CommReducer, OfTuplesIsProvedAndTakesTheOldValues) {
  const std::string text = naive(kArgmax);
  EXPECT_HAS(text, "v_T_v0: T.int32 = T.if_then_else(T_v1[v_i] >= val[v_i, v_k], T_v0[v_i], idx[v_i, v_k])");
  EXPECT_HAS(text, "T_v0[v_i] = v_T_v0");
  EXPECT_EQ(made_by(kArgmax), text);  // no schedule: nothing changes
}

TEST(CommReducer, ThatIsNotAssociativeIsRefusedWithValues) {
  for (const char* dtype : {"int32", "float32", "int8"}) {
    const Complaint c = refused(std::string(R"(
from tvm import te
A = te.placeholder((4, 8), name="A", dtype=")") +
                                dtype + R"(")
k = te.reduce_axis((0, 8), name="k")
minus = te.comm_reducer(lambda x, y: x - y, lambda t: 0, name="minus")
B = te.compute((4,), lambda i: minus(A[i, k], axis=k), name="B")
te.create_prim_func([A, B])
)");
    EXPECT_EQ(c.kind, api::Failure::Kind::Input);
    EXPECT_EQ(c.line, 6);
    EXPECT_HAS(c.text, "'minus' is not associative: for a = ");
  }
}

/// A reduction of floats by a function of x and y.
std::string reduced_by(const std::string& function) {
  return R"(
from tvm import te
import tvm
A = te.placeholder((4, 8), name="A")
k = te.reduce_axis((0, 8), name="k")
odd = te.comm_reducer(lambda x, y: )" +
         function + R"(, lambda t: 1, name="odd")
B = te.compute((4,), lambda i: odd(A[i, k], axis=k), name="B")
te.create_prim_func([A, B])
)";
}

TEST(CommReducer, ThatCannotBeAskedIsUnsupported) {
  for (const char* function : {
           "x / y",
           // What holds of integers alone is no law of floats: 1 - 1 is 0, and 0 is not above a half.
           "tvm.tir.Select(x > 0.5, x - y, x)",
           "tvm.tir.Select(x > 1e10, y, x + y)",
           "tvm.tir.Select(tvm.tir.all(x > 0, x < 1), x - y, x)",  // nothing is between 0 and 1
           "tvm.tir.Select(x * x < x, x - y, x)",
       }) {
    EXPECT_EQ(refused(reduced_by(function)).kind, api::Failure::Kind::Unsupported) << function;
  }
}

TEST(CommReducer, OfFloatsDoesNotWrap) {
  // Modulo 2**32 the last product is 0.
  const Complaint c = refused(reduced_by("x + y + x * x * 65536 * 65536"));
  EXPECT_EQ(c.kind, api::Failure::Kind::Input);
  EXPECT_HAS(c.text, "'odd' is not associative");
}

TEST(CommReducer, OfFloatsIsProved) {
  for (const char* function : {"x + y", "x * y", "x + y + x * y", "x * y * 3", "te.max(x, y)", "te.min(x, y)",
                               "tvm.tir.Select(x > y, x, y)", "x", "y"}) {
    EXPECT_HAS(naive(reduced_by(function)), "with T.init()");
  }
}

// All that the naive program reads to compute an operation, the operation says.
TEST(Operations, ExpressionsAreAllThatIsEvaluated) {
  const std::string head = R"(
from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="int32")
B = te.compute((8,), lambda i: A[i] * 7, name="B")
m = te.var("m")
k = te.reduce_axis((0, 8), name="k")
start = te.comm_reducer(lambda x, y: x + y, lambda t: B[5] + m, name="start")
)";
  for (const char* line : {"start(A[k], axis=k)", "start(A[k], axis=k, where=A[k] > 0)",
                           "te.sum(A[k], axis=k, init=B[0] + m)", "te.sum(A[k], axis=k, where=B[k] > m)"}) {
    const std::string text =
        naive(head + "C = te.compute((4,), lambda i: " + line + ", name=\"C\")\nte.create_prim_func([A, C])\n");
    EXPECT_HAS(text, "m: T.int32");                           // a parameter
    EXPECT_HAS(text, "B = T.alloc_buffer((8,), \"int32\")");  // a part of the program
  }
  // A cache is read by all of it.
  const std::string cached = made_by(head + R"(
C = te.compute((4,), lambda i: start(B[k], axis=k), name="C")
s = te.create_schedule(C.op)
s.cache_read(B, "local", [C])
tvm.lower(s, [A, C])
)");
  EXPECT_HAS(cached, "C[i] = B_local[5] + m");
}

}  // namespace tensor_test
}  // namespace hexproof::te
