// Mistakes: a message at the user's line, with the cure.
#include "tests/te/support.h"

namespace hexproof::te {
namespace bad_input_test {

constexpr const char* kHead = R"(from tvm import te
import tvm
A = te.placeholder((16, 8), name="A", dtype="int32")
B = te.compute((16, 8), lambda i, j: A[i, j] + 1, name="B")
C = te.compute((16, 8), lambda i, j: B[i, j] * 2, name="C")
D = te.compute((16, 8), lambda i, j: B[i, j] + C[i, j], name="D")
k = te.reduce_axis((0, 8), name="k")
R = te.compute((16,), lambda i: te.sum(A[i, k], axis=k), name="R")
s = te.create_schedule(D.op)
)";  // 9 lines

struct Mistake {
  const char* lines;
  int line;
  const char* message;
};

TEST(TensorMistakes, StandAtTheLine) {
  const Mistake kMistakes[] = {
      {"s[B].compute_at(s[C], C.op.axis[0])\ns[C].compute_at(s[D], D.op.axis[0])\ns[C].compute_at(s[B], B.op.axis[0])",
       12, "'C' would be computed inside of itself"},
      {"s[C].compute_at(s[B], B.op.axis[0])", 10, "'B' does not read what 'C' computes"},
      {"s[C].compute_at(s[D], D.op.axis[0])\ns[B].compute_at(s[D], D.op.axis[1])", 11,
       "'B' is also read by 'C', outside of that loop"},
      {"s[B].compute_at(s[C], C.op.axis[0])", 10, "'B' is also read by 'D', outside of that loop"},
      {"s[D].compute_at(s[C], C.op.axis[0])", 10, "'D' is an output"},
      {"s[D].split(D.op.axis[0], 0)", 10, "the factor 0 is not positive"},
      {"s[D].split(D.op.axis[0], 17)", 10, "the factor 17 is larger than the extent 16 of 'i'"},
      {"s[D].split(D.op.axis[0])", 10, "split takes either a factor or nparts"},
      {"s[D].split(D.op.axis[0], 4)\ns[D].split(D.op.axis[0], 4)", 11,
       "the axis 'i' of 'D' was split, fused or replaced"},
      {"s[D].reorder(D.op.axis[0], D.op.axis[0])", 10, "stands twice in reorder"},
      {"s[D].reorder(C.op.axis[0], D.op.axis[0])", 10, "'i' is no axis of 'D'"},
      {"s[D].fuse(D.op.axis[1], D.op.axis[0])", 10, "does not follow"},
      {"s[D].transform_layout(lambda i: [i])", 10, "the index map takes 1 indices, but 'D' has 2"},
      {"s[D].transform_layout(lambda i, j: [i, j, 0, 0, 0, 0, 0, 0, 0])", 10, "at most 8 axes"},
      {"s[R].unroll(R.op.axis[0])", 10, "'R' is no tensor of this schedule"},
      {"t = te.create_schedule(R.op)\ns[B].compute_at(t[R], R.op.axis[0])", 11, "a stage of another schedule"},
      {"s[C].compute_at(s[D], D.op.axis[0])\ns[D].split(D.op.axis[0], 4)", 10, "was split or fused: it is no loop"},
      {"s.cache_read(A, \"local\", [C])", 10, "'C' does not read 'A'"},
      {"E = te.compute((4,), lambda i: D.op.axis[0] + 1, name='E')", 10, "uses the axis 'i'"},
      {"E = te.compute((4,), lambda i: te.sum(A[i, i], axis=D.op.axis[0]))", 10, "is no axis to reduce over"},
      {"E = te.compute((4,), lambda i: te.sum(A[i, k], axis=k) + 1)", 10, "it may stand in no expression"},
      {"E = te.compute((4,), lambda i, j: A[i, j])", 10, "the function takes 2 indices, and the shape has 1"},
      {"E = te.compute((4,), lambda i: A[i, 0, 0])", 10, "'A' has 2 axes, and is read at 3 indices"},
      {"tvm.lower(s, [D])", 10, "the placeholder 'A' is read, and is no argument"},
      {"tvm.lower(s, [A, A, D])", 10, "stands twice among the arguments"},
      {"te.create_prim_func([A])", 10, "nothing is computed"},
      // Types
      {"te.sum(A[0, k] > 0, axis=k)", 10, "te.sum of bool"},
      {"te.max(A[0, k] > 0, axis=k)", 10, "te.max of bool"},
      {"te.sum(A[0, k], axis=k, where=A[0, k])", 10, "the condition 'where' is bool, not int32"},
      {"te.sum(A[0, k], axis=k, where='x')", 10, "the condition 'where' is bool, not a string"},
      {"te.sum(A[0, k], axis=k, init=1.5)", 10, "'init' is int32, not a float"},
      {"te.sum(A[0, k], axis=k, init='x')", 10, "'init' is int32, not a string"},
      {"te.sum(A[0, k], axis=k, init=2**31)", 10, "'init' is int32, and 2147483648 does not fit it"},
      {"te.comm_reducer(lambda x, y: x + y, lambda t: 0)(A[0, k], axis=k, init=[1, 2])", 10, "'init' has 2 values"},
      {"te.comm_reducer(lambda x, y: x + y, lambda t: 2**31)(A[0, k], axis=k)", 10, "2147483648 does not fit it"},
      {"te.comm_reducer(lambda x, y: x > y, lambda t: 0)(A[0, k], axis=k)", 10, "gives is int32, not bool"},
      {"te.sum('x', axis=k)", 10, "expected an expression, not a string"},
      {"te.exp('x')", 10, "expected an expression, not a string"},
      {"te.exp()", 10, "te.exp takes 1 values, not 0"},
      {"s.cache_read('A', \"local\", [B])", 10, "a tensor is cached, not 'A'"},
      {"s.cache_read(A, 3, [B])", 10, "a scope is a string, not 3"},
      // Domains
      {"te.reduce_axis((te.var('a'), te.var('b', 'int64')))", 10, "runs from int32 to int64"},
      {"te.reduce_axis((0, A[0, 0]), name='l')", 10, "the axis 'l' runs over what 'A' holds"},
      {"te.placeholder((A[0, 0],))", 10, "runs over what 'A' holds"},
      {"te.compute((A[0, 0],), lambda i: i)", 10, "the axis 'i' runs over what 'A' holds"},
      {"te.compute((8,), lambda i: te.sum(A[i, i], axis=te.reduce_axis((0, i + 1))))", 10, "depends on the axis 'i'"},
      {"te.compute((4,), lambda i: te.comm_reducer(lambda x, y: x + y, lambda t: D.op.axis[0])(A[i, k], axis=k))", 10,
       "uses the axis 'i'"},
      {"P = te.placeholder((te.var('n'),))\nQ = te.compute(P.shape, lambda i: P[i])\nt = te.create_schedule(Q.op)\n"
       "t[Q].split(Q.op.axis[0], 2**40)",
       13, "the factor 1099511627776 does not fit int32"},
      {"P = te.placeholder((65536, 65536))\nQ = te.compute(P.shape, lambda i, j: P[i, j])\n"
       "t = te.create_schedule(Q.op)\nt[Q].fuse(*Q.op.axis)",
       13, "the extent 4294967296 does not fit int32"},
      // Memory
      {"s.cache_write([D, C], 'local')", 10, "names all of its outputs, in their order: D"},
      {"P, Q = te.compute((4,), lambda i: (A[i, 0], A[i, 1]), name='PQ')\nt = te.create_schedule(P.op)\n"
       "t.cache_write([Q, P], 'local')",
       12, "names all of its outputs, in their order: PQ.v0, PQ.v1"},
      {"P, Q = te.compute((4,), lambda i: (A[i, 0], A[i, 1]), name='PQ')\nt = te.create_schedule(P.op)\n"
       "t.cache_write(Q, 'local')",
       12, "names all of its outputs, in their order: PQ.v0, PQ.v1"},
      {"s[D].storage_align(D.op.axis[0], 8, 1)", 10, "'D' is an output"},
      {"s[B].storage_align(C.op.axis[0], 8, 1)", 10, "'i' is no axis of 'B'"},
      {"s[B].storage_align(s[B].split(B.op.axis[0], 4)[0], 8, 1)", 10, "'i.outer' is no axis of the tensor 'B'"},
      {"s[B].storage_align(B.op.axis[1], 8, 0)", 10, "elements of the last axis lie next to one another"},
      {"s[B].storage_align(B.op.axis[0], 0, 0)", 10, "the factor is at least 1"},
      {"s[B].storage_align(B.op.axis[0], 2**70, 0)", 10, "the integer exceeds 64 bits"},
      {"s[B].storage_align(B.op.axis[0], None, 0)", 10, "takes a factor and an offset"},
      {"s[B].compute_inline()\ns[B].storage_align(B.op.axis[0], 8, 1)", 11, "'B' is inlined"},
      {"s[D].double_buffer()", 10, "'D' is an output"},
      {"s[C].double_buffer()", 10, "a double buffer 'C' that is not allocated in a loop around it"},
      {"s[A].transform_layout(lambda i, j: [j, i])\ns[A].transform_layout(lambda i, j: [j, i])", 11,
       "the layout of 'A' was changed before"},
  };
  for (const Mistake& m : kMistakes) {
    const Complaint c = refused(std::string(kHead) + m.lines + "\n");
    EXPECT_EQ(c.kind, api::Failure::Kind::Input) << c.text;
    EXPECT_EQ(c.line, m.line) << c.text;
    EXPECT_HAS(c.text, m.message);
  }
}

TEST(TensorMistakes, WhatIsNotModelledIsUnsupported) {
  for (const char* lines : {"te.extern((4,), [A], lambda i, o: 0)", "s[B].prefetch(A, B.op.axis[0], 1)",
                            "te.create_schedule(te.compute((te.var('m', 'int64'),), lambda i: A[0, 0]).op)"}) {
    const Complaint c = refused(std::string(kHead) + lines + "\n");
    EXPECT_EQ(c.kind, api::Failure::Kind::Unsupported) << c.text;
    EXPECT_EQ(c.line, 10) << c.text;
  }
}

TEST(TensorMistakes, AScriptWithoutAResult) {
  EXPECT_HAS(refused("from tvm import te\nA = te.placeholder((4,))\n").text, "makes no schedule and no program");
}

}  // namespace bad_input_test
}  // namespace hexproof::te
