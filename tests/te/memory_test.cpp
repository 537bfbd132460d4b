// What schedules say of the memory of stages: aligned rows, caches of several outputs, second slots.
#include "tests/te/support.h"

namespace hexproof::te {
namespace memory_test {

constexpr const char* kStencil = R"(
from tvm import te
import tvm
A = te.placeholder((18, 8), name="A", dtype="int32")
B = te.compute((18, 8), lambda i, j: A[i, j] + 1, name="B")
C = te.compute((16, 8), lambda i, j: B[i, j] + B[i + 2, j], name="C")
s = te.create_schedule(C.op)
)";

TEST(StorageAlign, RowsLieAnOffsetBehindAMultipleApart) {
  const std::string aligned = "s[B].storage_align(B.op.axis[0], factor=8, offset=1)\n";
  EXPECT_HAS(made_by(kStencil + aligned), "B = T.alloc_buffer((18, 9), \"int32\")");
  // Rows that lie so already stay.
  EXPECT_HAS(made_by(std::string(kStencil) + "s[B].storage_align(B.op.axis[0], 4, 0)\n"),
             "B = T.alloc_buffer((18, 8), \"int32\")");
  // Of a box, its rows; wherever the note stands in the script.
  EXPECT_HAS(made_by(kStencil + aligned +
                     "xo, xi = s[C].split(C.op.axis[0], 4)\ns[B].compute_at(s[C], xo)\n"
                     "s[B].storage_align(B.op.axis[0], 32, 16)\n"),
             "B = T.decl_buffer((6, 16), \"int32\")");
}

TEST(StorageAlign, OfALayoutAndItsGroups) {
  const std::string layout = "g, r, c = s[B].transform_layout(lambda i, j: [i // 3, te.AXIS_SEPARATOR, i % 3, j])\n";
  EXPECT_HAS(made_by(kStencil + layout + "s[B].storage_align(r, 8, 1)\n"),
             "B = T.alloc_buffer((6, 3, 9), \"int32\", axis_separators=[1])");
  // Along the last axis of a group elements lie next to one another.
  const Complaint c = refused(kStencil + layout + "s[B].storage_align(g, 8, 0)\n");
  EXPECT_EQ(c.line, 9);
  EXPECT_HAS(c.text, "elements of the last axis lie next to one another");
  EXPECT_HAS(refused(kStencil + layout + "s[B].storage_align(B.op.axis[0], 8, 1)\n").text,
             "was split, fused or replaced");
}

constexpr const char* kTwo = R"(
from tvm import te
import tvm
A = te.placeholder((16, 8), name="A", dtype="int32")
P, Q = te.compute((16, 8), lambda i, j: (A[i, j] + 1, A[i, j] * 2), name="PQ")
)";

// A stage of several outputs is one nest, whatever is done with it.
TEST(SeveralOutputs, AreOneStage) {
  const std::string head = std::string(kTwo) + R"(
C = te.compute((16, 8), lambda i, j: P[i, j] + Q[i, j], name="C")
s = te.create_schedule(C.op)
xo, xi = s[C].split(C.op.axis[0], 4)
)";
  const std::string at = made_by(head +
                                 "s[P].compute_at(s[C], xo)\ns[Q].storage_align(P.op.axis[0], 8, 1)\n"
                                 "s[Q].set_scope(\"local\")\n");
  for (const char* name : {"PQ_v0", "PQ_v1"}) {
    EXPECT_HAS(at, std::string(name) + " = T.decl_buffer((4, 9), \"int32\", scope=\"local\")");
  }
  EXPECT_HAS(made_by(head + "s[P].split(P.op.axis[0], 4)\n"), "PQ_v1[i_0 * 4 + i_1, j] = A[i_0 * 4 + i_1, j] * 2");
  EXPECT_HAS(made_by(head + "s[Q].compute_inline()\n"), "= A[i_0 * 4 + i_1, j] + 1 + A[i_0 * 4 + i_1, j] * 2");
}

TEST(CacheWrite, OfSeveralOutputsIsOneCopyOfAll) {
  const std::string text = made_by(std::string(kTwo) + R"(
s = te.create_schedule(P.op)
CP, CQ = s.cache_write([P, Q], "local")
xo, xi = s[P].split(P.op.axis[0], 4)
s[CP].compute_at(s[Q], xo)
yo, yi = s[CQ].split(CP.op.axis[1], 2)
tvm.lower(s, [A, P, Q])
)");
  EXPECT_HAS(text, "PQ_v0_local = T.decl_buffer((4, 8), \"int32\", scope=\"local\")");
  EXPECT_HAS(text, "PQ_v1_local = T.decl_buffer((4, 8), \"int32\", scope=\"local\")");
  EXPECT_HAS(text, "        for ax0_1, ax1 in T.grid(4, 8):\n            PQ_v0[");
  EXPECT_HAS(text, "\n            PQ_v1[");
}

TEST(CacheWrite, OfAReductionOfTuples) {
  const std::string text = made_by(R"(
from tvm import te
A = te.placeholder((8, 6), name="A", dtype="int32")
k = te.reduce_axis((0, 6), name="k")
both = te.comm_reducer(lambda x, y: (x[0] + y[0], te.max(x[1], y[1])), lambda t0, t1: (0, te.min_value(t1)), name="both")
S, M = te.compute((8,), lambda i: both((A[i, k], A[i, k]), axis=k), name="SM")
s = te.create_schedule(S.op)
CS, CM = s.cache_write([S, M], "local")
xo, xi = s[S].split(S.op.axis[0], 2)
s[CM].compute_at(s[M], xo)
tvm.lower(s, [A, S, M])
)");
  EXPECT_HAS(text, "SM_v0_local = T.decl_buffer((2,), \"int32\", scope=\"local\")");
  EXPECT_HAS(text, "SM_v1[");
}

TEST(DoubleBuffer, IsANoteOnTheBlockThatFillsTheSlot) {
  const std::string tiles = "xo, xi = s[C].split(C.op.axis[0], 4)\ns[B].compute_at(s[C], xo)\n";
  const std::string text = made_by(kStencil + tiles + "s[B].double_buffer()\n");
  EXPECT_HAS(text, "T.block_attr({\"double_buffer_scope\": 0})");
  EXPECT_HAS(text, "B = T.decl_buffer((6, 8), \"int32\")");
  EXPECT_FALSE(has(text, "T.block(\"C\")")) << text;
}

TEST(DoubleBuffer, OfASumHoldsItsInit) {
  const std::string text = made_by(R"(
from tvm import te
A = te.placeholder((8, 6), name="A", dtype="int32")
k = te.reduce_axis((0, 6), name="k")
S = te.compute((8,), lambda i: te.sum(A[i, k], axis=k), name="S")
C = te.compute((8,), lambda i: S[i] * 2, name="C")
s = te.create_schedule(C.op)
xo, xi = s[C].split(C.op.axis[0], 2)
s[S].compute_at(s[C], xo)
s[S].double_buffer()
)");
  EXPECT_HAS(text, "T.block_attr({\"double_buffer_scope\": 0})");
  EXPECT_HAS(text, "with T.init():");
}

// What one iteration leaves to the next cannot be filled ahead.
TEST(DoubleBuffer, FilledFromWhatItsLoopWritesIsRefused) {
  const Complaint c = refused(R"(from tvm import te
A = te.placeholder((8, 6), name="A", dtype="int32")
B = te.compute((8, 6), lambda i, j: A[i, j] + 1, name="B")
C = te.compute((8, 6), lambda i, j: B[i, j] * 2, name="C")
D = te.compute((8, 6), lambda i, j: C[i, j] + 3, name="D")
s = te.create_schedule(D.op)
s[B].compute_at(s[D], D.op.axis[0])
s[C].compute_at(s[D], D.op.axis[0])
s[C].double_buffer()
)");
  EXPECT_EQ(c.kind, api::Failure::Kind::Input) << c.text;
  EXPECT_EQ(c.line, 9);
  EXPECT_HAS(c.text, "a double buffer 'C' that is filled from 'B', which its loop writes");
}

}  // namespace memory_test
}  // namespace hexproof::te
