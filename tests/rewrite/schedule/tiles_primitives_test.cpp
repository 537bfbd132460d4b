// blockize, reindex and its kin, cache_inplace, loop_partition, storage_align, transform_block_layout in schedules.
#include <algorithm>

#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace tiles_primitives_test {

constexpr const char* kMatmul = R"(
@T.prim_func
def main(A: T.Buffer((8, 12), "int32"), B: T.Buffer((12, 8), "int32"), C: T.Buffer((8, 8), "int32"), D: T.Buffer((8, 8), "int32")):
    X = T.alloc_buffer((8, 8), "int32")
    for i, j, k in T.grid(8, 8, 12):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
    for i in range(8):
        for j in range(8):
            with T.block("X"):
                vi, vj = T.axis.remap("SS", [i, j])
                X[vi, vj] = D[vi, vj]
        for j in range(8):
            with T.block("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = X[vi, vj] + D[vi, vj]
)";

PrimFunc after(const std::string& schedule) {
  Derivation derivation(parse_module(kMatmul).functions.at(0));
  run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  EXPECT_EQ(difference(derivation.source(), derivation.current()), "");
  return derivation.current();
}

std::string said(const std::string& schedule) {
  Derivation derivation(parse_module(kMatmul).functions.at(0));
  try {
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  } catch (const std::runtime_error& e) {
    const bool one = std::count(schedule.begin(), schedule.end(), '\n') == 1;
    EXPECT_TRUE(!one || derivation.steps().empty()) << "all or nothing";
    return e.what();
  }
  return "";
}

void expect_holds(const PrimFunc& func, const std::string& text) {
  EXPECT_NE(print(func).find(text), std::string::npos) << text << "\nis not in\n" << print(func);
}
void expect_said(const std::string& schedule, const std::string& text) {
  EXPECT_NE(said(schedule).find(text), std::string::npos) << schedule << said(schedule);
}

constexpr const char* kTiled = R"(
c = sch.get_block("C")
i, j, k = sch.get_loops(c)
io, ii = sch.split(i, [None, 4])
ko, ki = sch.split(k, [None, 4])
sch.reorder(io, j, ko, ii, ki)
)";

TEST(TilesPrimitives, BlockizeALoop) {
  const PrimFunc func = after(std::string(kTiled) + R"(
tile = sch.blockize(ii)
sch.annotate(tile, "a", 1)
sch.annotate(sch.get_block("C_o"), "b", 1)
sch.annotate(sch.get_block("C_init"), "c", 1)
a, b = sch.get_loops(c)
x, y, z = sch.get_loops(tile)
)");
  expect_holds(func, "vi_o, vj_o, vk_o = T.axis.remap(\"SSR\", [i_0, j, k_0])");
  expect_holds(func, "vi_i = T.axis.spatial(4, i_1)");
  expect_holds(func, "vj_i = T.axis.spatial(1, 0)");
  expect_holds(func, "C[vi_o * 4 + vi_i, vj_o");
  EXPECT_EQ(print(after(std::string(kTiled) + "sch.blockize(ii, preserve_unit_iters=False)\n")).find("vj_i"),
            std::string::npos);
  expect_said("sch.blockize(\"C\")\n", "expected a loop or a list of blocks, not a string");
  expect_said("sch.blockize([])\n", "at least one block");
}

TEST(TilesPrimitives, BlockizeBlocks) {
  expect_holds(after("b = sch.blockize([sch.get_block(\"X\"), \"D\"])\nsch.annotate(b, \"n\", 1)\n"),
               "with T.block(\"X_D_o\"):\n            vi_o = T.axis.");
  expect_said("sch.blockize([\"C\", \"C\"])\n", "stands in another one");
}

TEST(TilesPrimitives, Reindex) {
  const PrimFunc func = after(R"(
c = sch.get_block("C")
a = sch.reindex(c, ("read", 0))
b = sch.reindex(c, "B", skip_simplify=True)
w = sch.reindex(c, ("write", 0))
for block in [a, b, w]:
    sch.get_loops(block)
)");
  expect_holds(func, "B_reindex[v0, v1] = B[v1, v0]");
  expect_holds(func, "C[v0, v1] = C_reindex[v0, v1]");
  expect_said("sch.reindex(\"C\", (\"read\", 2))\n", "no read number 2");
  expect_said("sch.reindex(\"D\", (\"write\", 0))\n", "outside of the block");
}

TEST(TilesPrimitives, ReindexCaches) {
  const PrimFunc func = after(R"(
c = sch.get_block("C")
a = sch.reindex_cache_read(c, 1, "global.vtcm", lambda i, j, k: [j // 4, k, j % 4])
w = sch.reindex_cache_write(c, 0, "local", lambda i, j, k: (j, i))
sch.get_loops(a)
sch.get_loops(w)
)");
  expect_holds(func, "B_global_vtcm = T.alloc_buffer((2, 12, 4), \"int32\", scope=\"global.vtcm\")");
  expect_holds(func, "C[v0, v1] = C_local[v1, v0]");
  expect_said("sch.reindex_cache_read(\"C\", 0, \"local\", lambda i, j, k: [i])\n", "stands for one cell");
  expect_said("sch.reindex_cache_read(\"C\", 0, \"local\", lambda i, j: [i, j])\n", "takes 2 indices");
}

TEST(TilesPrimitives, CacheInplace) {
  const PrimFunc func = after("r, w = sch.cache_inplace(\"D\", 0, \"local\")\nsch.get_loops(r)\nsch.get_loops(w)\n");
  expect_holds(func, "with T.block(\"D_local_read\")");
  expect_holds(func, "D_local[vi, vj] = X[vi, vj] + D_local[vi, vj]");
  expect_said("sch.cache_inplace(\"X\", 0, \"local\")\n", "updates no buffer number 0");
}

TEST(TilesPrimitives, LoopPartition) {
  const PrimFunc func = after(R"(
i, j, k = sch.get_loops("C")
a, b, c = sch.loop_partition(i, [2, 1])
x, y = sch.loop_partition(sch.get_loops("C_i2")[1], factors=[None, 3])
sch.parallel(a)
sch.unroll(b)
sch.parallel(y)
)");
  expect_holds(func, "for i0 in T.parallel(2)");
  expect_holds(func, "for i1 in T.unroll(2, 3)");
  expect_holds(func, "T.block(\"C_i2_j1\")");
  for (const char* wrong : {"[8]", "[9]", "[None]", "[None, None]", "[0, 3]", "[None, 8]", "[]"}) {
    EXPECT_NE(said(std::string("sch.loop_partition(sch.get_loops(\"C\")[0], ") + wrong + ")\n"), "") << wrong;
  }
}

TEST(TilesPrimitives, StorageAlign) {
  expect_holds(after("sch.storage_align(\"X\", 0, axis=0, factor=16, offset=1)\n"), "X = T.alloc_buffer((8, 17)");
  expect_holds(after("sch.storage_align(\"X\", 0, -2, 8, 0)\n"), "X = T.alloc_buffer((8, 8)");
  expect_said("sch.storage_align(\"C\", 0, 0, 32, 1)\n", "is an argument");
  expect_said("sch.storage_align(\"X\", 0, 2, 32, 1)\n", "no axis 2");
  expect_said("sch.storage_align(\"X\", 0, 1, 32, 0)\n", "the last axis");
  expect_said("sch.storage_align(\"X\", 0, 0, 0, 0)\n", "the factor is at least 1");
}

TEST(TilesPrimitives, TransformBlockLayout) {
  const PrimFunc func = after("sch.transform_block_layout(\"C\", lambda i, j, k: [i * 8 + j, k // 4, k % 4])\n");
  expect_holds(func, "T.grid(64, 3, 4)");
  expect_holds(func, "T.axis.remap(\"SRR\"");
  expect_holds(after("sch.transform_block_layout(\"X\", lambda i, j: [j, i])\n"), "X[");
  EXPECT_NE(said("sch.transform_block_layout(\"C\", lambda i, j, k: [i, j])\n"), "");
  expect_said("sch.transform_block_layout(\"C\", lambda i, j: [i, j])\n", "takes 2 indices");
}

TEST(TilesPrimitives, TensorizeABlockByADescription) {
  const std::string registered = std::string(kTiled) + R"(
desc = """
def dot4(A: T.Buffer((4,), "int32"), B: T.Buffer((4, 8), "int32"), C: T.Buffer((1,), "int32")):
    for k in range(4):
        C[0] = C[0] + A[k] * B[k, 0]
"""
tir.TensorIntrin.register("dot4_of_the_test", desc, None, override=True)
tile = sch.blockize(ki)
)";
  const PrimFunc func = after(registered + "sch.tensorize(tile, \"dot4_of_the_test\")\n");
  expect_holds(func, "\"tensor_intrin\": \"dot4_of_the_test\"");
  expect_said(registered + "sch.tensorize(tile, \"dot5_of_the_test\")\n", "there is no intrinsic 'dot5_of_the_test'");
  expect_said(registered + "sch.tensorize(\"X\", \"dot4_of_the_test\")\n", "holds no nest of loops");
  expect_said("tir.TensorIntrin.register(\"y_of_the_test\", \"def f():\\n    pass\\n\")\n", "is no description");
  expect_said(
      "tir.TensorIntrin.register(\"dot_32x4_u8u8i32_vrmpy\", \"def f(A: T.Buffer((4,), 'int32')):\\n    for i in "
      "range(4):\\n        A[i] = 1\\n\")\n",
      "is the name of an instruction");
}

TEST(TilesPrimitives, CacheIndex) {
  const PrimFunc func = after(R"(
i, j, k = sch.get_loops("C")
sch.fuse(i, j)
sch.inline_lets()
made = sch.cache_index("C", "local")
assert made == [], made
)");
  expect_holds(func, "T.block(\"C\")");
}

constexpr const char* kChain = R"(
@T.prim_func
def main(A: T.Buffer((8, 8), "int32"), D: T.Buffer((8, 8), "int32"), E: T.Buffer((8, 8), "int32")):
    B = T.alloc_buffer((8, 8), "int32")
    for i, j in T.grid(8, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2
    for i in range(8):
        for j in range(8):
            with T.block("E"):
                vi, vj = T.axis.remap("SS", [i, j])
                E[vi, vj] = vi + vj
        for j in range(8):
            with T.block("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = B[vi, vj] + 1
)";

std::string in_chain(const std::string& schedule) {
  Derivation derivation(parse_module(kChain).functions.at(0));
  try {
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  EXPECT_EQ(difference(derivation.source(), derivation.current()), "");
  return print(derivation.current());
}

TEST(TilesPrimitives, WhereInTheLoopABlockGoes) {
  auto b_before_e = [](const std::string& text) { return text.find("block(\"B\")") < text.find("block(\"E\")"); };
  const std::string at = "sch.compute_at(\"B\", sch.get_loops(\"D\")[0]";
  EXPECT_FALSE(b_before_e(in_chain(at + ")\n")));
  EXPECT_FALSE(b_before_e(in_chain(at + ", index=-1)\n")));
  EXPECT_TRUE(b_before_e(in_chain(at + ", index=-2)\n")));
  EXPECT_TRUE(b_before_e(in_chain(at + ", index=0)\n")));
  EXPECT_FALSE(b_before_e(in_chain(at + ", index=1)\n")));
  EXPECT_NE(in_chain(at + ", index=2)\n").find("cannot stand at place 2"), std::string::npos);
  EXPECT_NE(in_chain(at + ", index=-3)\n").find("-2 for the first"), std::string::npos);
  const std::string units = in_chain(at + ", preserve_unit_loops=True)\nassert len(sch.get_loops(\"B\")) == 3\n");
  EXPECT_NE(units.find("range(1)") & units.find("T.grid(1, 8)"), std::string::npos) << units;
  EXPECT_NE(in_chain(at + ")\nassert len(sch.get_loops(\"B\")) == 2\n").find("block(\"B\")"), std::string::npos);
}

TEST(TilesPrimitives, DecisionsOfComputeLocations) {
  auto decided = [](const std::string& decision) {
    return in_chain("l = sch.sample_compute_location(\"B\"" + decision + ")\nsch.compute_at(\"B\", l)\n");
  };
  EXPECT_EQ(decided(""), print(parse_module(kChain).functions.at(0)));
  EXPECT_EQ(decided(", decision=-2"), print(parse_module(kChain).functions.at(0)));
  EXPECT_EQ(decided(", decision=-1").find("block(\"B\")"), std::string::npos);
  EXPECT_EQ(decided(", decision=0"), in_chain("sch.compute_at(\"B\", sch.get_loops(\"D\")[0])\n"));
  EXPECT_NE(decided(", decision=2").find("there is no loop 2"), std::string::npos);
  EXPECT_NE(decided(", decision=-3").find("there is no loop -3"), std::string::npos);
}

TEST(TilesPrimitives, CopiesAndTraces) {
  const std::string text = in_chain(R"py(
b = sch.get_block("B")
other = sch.copy()
other.compute_inline(b)
assert 'T.block("B")' not in other.mod.script()
assert 'T.block("B")' in sch.mod.script()
sch.unroll(sch.get_loops(b)[1])
assert "unroll" not in other.mod.script()
assert sch.trace.as_python() == ['b0 = sch.get_block(name="B")', 'l0, l1 = sch.get_loops(block=b0)', 'sch.unroll(loop=l1)'], sch.trace
assert len(other.trace.insts) == 2
sch.enter_postproc()
assert len(sch.trace.simplified().insts) == 3 and len(sch.trace.insts) == 4
sch.work_on("main")
)py");
  EXPECT_NE(text.find("T.unroll(8)"), std::string::npos) << text;
  EXPECT_NE(in_chain("sch.work_on(\"other\")\n").find("needs a module"), std::string::npos);
}

TEST(TilesPrimitives, PadEinsum) {
  const char* text = R"(
@T.prim_func
def main(A: T.Buffer((5, 7), "int32"), B: T.Buffer((7, 8), "int32"), C: T.Buffer((5, 8), "int32")):
    for i, j, k in T.grid(5, 8, 7):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";
  auto padded = [&](const std::string& padding) {
    Derivation derivation(parse_module(text).functions.at(0));
    try {
      run_schedule(derivation, test_prover(),
                   std::make_shared<const SourceFile>(SourceFile{"s.py", "sch.pad_einsum(\"C\", " + padding + ")\n"}));
    } catch (const std::runtime_error& e) {
      EXPECT_TRUE(derivation.steps().empty()) << "all or nothing";
      return std::string(e.what());
    }
    EXPECT_EQ(difference(derivation.source(), derivation.current()), "");
    return print(derivation.current());
  };
  const std::string all = padded("[4, 4, 4]");
  EXPECT_NE(all.find("T.grid(8, 8, 8)"), std::string::npos) << all;
  EXPECT_NE(all.find("C_global = T.alloc_buffer((8, 8)"), std::string::npos) << all;
  EXPECT_EQ(padded("[5, 4, 7]").find("alloc_buffer"), std::string::npos);
  // Wider than the extents are.
  const std::string wide = padded("[16, 1, 32]");
  EXPECT_NE(wide.find("T.grid(16, 8, 32)"), std::string::npos) << wide;
  EXPECT_NE(wide.find("A_global = T.alloc_buffer((16, 32)"), std::string::npos) << wide;
  EXPECT_NE(padded("[4, 4]").find("the padding 2 numbers"), std::string::npos);
  EXPECT_NE(padded("[0, 4, 4]").find("a positive number"), std::string::npos);
}

}  // namespace tiles_primitives_test
}  // namespace hexproof
