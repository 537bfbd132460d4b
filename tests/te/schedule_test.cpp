// How it is computed: schedules as steps of the kernel, judged by check, equivalence and runs.
#include "tests/te/support.h"

namespace hexproof::te {
namespace schedule_test {

TEST(TensorSchedule, TilesCachesAndAnInitInFront) {
  const std::string text = made_by_file(script_file("matmul"));
  EXPECT_HAS(text, "C_local = T.decl_buffer((8, 8), \"int32\", scope=\"local\")");
  EXPECT_HAS(text, "A_global = T.decl_buffer((8, 4), \"int32\")");
  EXPECT_HAS(text, "for ax0, ax2_1, ax1 in T.grid(8, 4, 8):");
  EXPECT_HAS(text, "in T.unroll(8):");
}

TEST(TensorSchedule, InlineAndAttach) {
  const std::string text = made_by_file(script_file("stencil"));
  EXPECT_HAS(text, "B = T.decl_buffer((18,), \"int32\")");
  EXPECT_FALSE(has(text, "C")) << text;
}

TEST(TensorSchedule, LoopsFollowATransformedLayout) {
  const std::string text = made_by_file(std::string(HEXPROOF_SOURCE_DIR) + "/tests/te/rfc39/iterators.py");
  EXPECT_HAS(text, "placeholder: T.Buffer((1024, 32, 4), \"float32\"), compute: T.Buffer((4, 8192, 4), \"float32\")");
  EXPECT_HAS(text, "T.grid(4, 4, 8192)");
}

TEST(TensorSchedule, Rfactor) {
  const std::string text = made_by_file(script_file("rfactor"));
  EXPECT_HAS(text, "B_rf = T.alloc_buffer((16, 1), \"int32\")");
}

constexpr const char* kChain = R"(
from tvm import te
A = te.placeholder((8, 8), name="A", dtype="int32")
k = te.reduce_axis((0, 8), name="k")
m = te.compute((8,), lambda i: te.max(A[i, k], axis=k), name="m")
E = te.compute((8, 8), lambda i, j: A[i, j] - m[i], name="E")
k2 = te.reduce_axis((0, 8), name="k2")
S = te.compute((8,), lambda i: te.sum(E[i, k2], axis=k2), name="S")
O = te.compute((8, 8), lambda i, j: E[i][j] * S[i], name="O")
s = te.create_schedule(O.op)
)";

TEST(TensorSchedule, AttachPointsComeInAnyOrder) {
  const std::string inner = "s[m].compute_at(s[E], E.op.axis[0])\n", outer = "s[E].compute_at(s[O], O.op.axis[0])\n",
                    sum = "s[S].compute_at(s[O], O.op.axis[0])\n";
  const std::string text = made_by(kChain + inner + outer + sum);
  EXPECT_EQ(text, made_by(kChain + sum + outer + inner));
  EXPECT_HAS(text, "E = T.decl_buffer((1, 8), \"int32\")");
  EXPECT_HAS(text, "T.decl_buffer((1,), \"int32\") as m");
}

TEST(TensorSchedule, LastAttachmentCounts) {
  const std::string text = made_by(std::string(kChain) +
                                   "s[S].compute_at(s[O], O.op.axis[1])\ns[S].compute_root()\n"
                                   "s[E].compute_at(s[O], O.op.axis[0])\ns[E].compute_root()\n");
  EXPECT_HAS(text, "E = T.alloc_buffer((8, 8), \"int32\")");
}

TEST(TensorSchedule, ImperfectTilesAreGuarded) {
  const std::string text = made_by(R"(
from tvm import te
A = te.placeholder((32, 32, 4), name="A", dtype="int32")
B = te.compute((32, 32, 4), lambda i, j, c: A[i, j, c] + 1, name="B")
C = te.compute((30, 32, 4), lambda i, j, c: B[i, j, c] + B[i + 2, j, c], name="C")
D = te.compute((30, 32, 4), lambda i, j, c: B[i, j, c] + C[i, j, c], name="D")
s = te.create_schedule(D.op)
io, jo, ii, ji = s[D].tile(D.op.axis[0], D.op.axis[1], 7, 8)
s[C].compute_at(s[D], jo)
s[B].compute_at(s[D], jo)
)");
  EXPECT_HAS(text, "B = T.decl_buffer((9, 8, 4), \"int32\")");
  EXPECT_HAS(text, "C = T.decl_buffer((7, 8, 4), \"int32\")");
  EXPECT_HAS(text, "if i_0 * 7 + ax0 < 32:");
}

TEST(TensorSchedule, KindsOfLoops) {
  const std::string text = made_by(R"(
from tvm import te
A = te.placeholder((16, 32), name="A", dtype="int32")
B = te.compute((16, 32), lambda i, j: A[i, j] + 1, name="B")
s = te.create_schedule(B.op)
io, ii = s[B].split(B.op.axis[0], nparts=4)
jo, ji = s[B].split(B.op.axis[1], factor=8)
s[B].reorder(io, jo, ii, ji)
s[B].parallel(io)
s[B].unroll(ii)
s[B].vectorize(ji)
s[B].pragma(jo, "auto_unroll_max_step", 16)
)");
  EXPECT_HAS(text, "in T.parallel(4)");
  EXPECT_HAS(text, "in T.unroll(4)");
  EXPECT_HAS(text, "in T.vectorized(8)");
  EXPECT_HAS(text, "pragma_auto_unroll_max_step");
}

TEST(TensorSchedule, LoopOfOneIterationStaysAPlaceToAttachTo) {
  // D runs over one row of E: its row loop is gone, and C is computed at it.
  const std::string text = made_by(R"(
from tvm import te
A = te.placeholder((5, 16), name="A", dtype="int32")
C = te.compute((5, 16), lambda ci, cj: A[ci, cj] + 5, name="C")
D = te.compute((5, 16), lambda di, dj: C[di, dj] * 2, name="D")
E = te.compute((5, 16), lambda ei, ej: D[ei, ej] * 4, name="E")
s = te.create_schedule(E.op)
s[C].compute_at(s[D], D.op.axis[1])
s[D].compute_at(s[E], E.op.axis[1])
)");
  EXPECT_HAS(text, "T.decl_buffer((1, 1), \"int32\") as C");
  EXPECT_HAS(text, "D = T.decl_buffer((1, 1), \"int32\")");
}

// A cache has the indices of its tensor, whichever is written first: it and the layout of the tensor.
TEST(TensorSchedule, ACacheOfAnInputWithAnotherLayout) {
  const std::string head = R"(
from tvm import te
A = te.placeholder((8, 8), name="A", dtype="int32")
C = te.compute((8, 8), lambda i, j: A[i, j], name="C")
s = te.create_schedule(C.op)
)";
  const std::string layout =
      "s[A].transform_layout(lambda i, j: [i, j // 3, j % 3])\n";  // with padding, which nobody reads
  const std::string cache = "AA = s.cache_read(A, \"local\", [C])\n";
  const std::string rest =
      "s[AA].compute_at(s[C], C.op.axis[0])\n"
      "s[AA].split(AA.op.axis[1], factor=2)\n";
  const std::string text = made_by(head + layout + cache + rest);
  EXPECT_EQ(text, made_by(head + cache + layout + rest));
  EXPECT_HAS(text, "A_local = T.decl_buffer((1, 8), \"int32\", scope=\"local\")");
  EXPECT_HAS(text, "A: T.Buffer((8, 3, 3), \"int32\")");
  // And a layout of its own.
  EXPECT_HAS(made_by(head + layout + cache + "s[AA].transform_layout(lambda i, j: [j, i])\n"), "A_local[");
}

TEST(TensorSchedule, OneCacheOfSeveralReaders) {
  const std::string text = made_by(R"(
from tvm import te
A = te.placeholder((16,), name="A", dtype="int32")
B = te.compute((16,), lambda i: A[i] + 1, name="B")
C = te.compute((16,), lambda i: A[i] * B[i], name="C")
s = te.create_schedule(C.op)
AA = s.cache_read(A, "local", [B, C])
s[AA].compute_at(s[C], C.op.axis[0])
s[B].compute_at(s[C], C.op.axis[0])
)");
  EXPECT_HAS(text, "A_local = T.decl_buffer((1,), \"int32\", scope=\"local\")");
}

}  // namespace schedule_test
}  // namespace hexproof::te
