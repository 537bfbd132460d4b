// Primitives that relate blocks, make notes, replay decisions; and schedules that people write with them.
#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace more_primitives_test {

constexpr const char* kChain = R"(
@T.prim_func
def main(A: T.Buffer((16, 12), "int32"), D: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16, 12), "int32")
    C = T.alloc_buffer((16,), "int32")
    for i, j in T.grid(16, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2
    for i, k in T.grid(16, 12):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + B[vi, vk]
    for i in range(16):
        with T.block("D"):
            vi = T.axis.spatial(16, i)
            D[vi] = C[vi] + 1
)";

PrimFunc after(const std::string& schedule) {
  Derivation derivation(parse_module(kChain).functions.at(0));
  run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  EXPECT_EQ(difference(derivation.source(), derivation.current()), "");
  return derivation.current();
}

std::string said(const std::string& schedule) {
  Derivation derivation(parse_module(kChain).functions.at(0));
  try {
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

bool holds(const PrimFunc& func, const std::string& text) { return print(func).find(text) != std::string::npos; }

TEST(MorePrimitives, BlocksAndTheirRelations) {
  PrimFunc func = after(R"(
b, c, d = sch.get_child_blocks(sch.get_block("root"))
p, = sch.get_producers(c)
q, = sch.get_consumers(c)
o, = sch.get_output_blocks("root")
sch.annotate(b, "note", 0)
sch.annotate(p, "note_p", 1)
sch.annotate(q, "note_q", 2)
sch.annotate(o, "note_o", 3)
)");
  const std::string text = print(func);
  const size_t b = text.find("T.block(\"B\")"), c = text.find("T.block(\"C\")"), d = text.find("T.block(\"D\")");
  EXPECT_TRUE(b < text.find("note_p") && text.find("note_p") < c) << text;
  EXPECT_TRUE(d < text.find("note_q") && d < text.find("note_o")) << text;
  EXPECT_EQ(text.find("note", c), text.find("note", d)) << text;
}

TEST(MorePrimitives, Notes) {
  EXPECT_TRUE(holds(after("sch.annotate(sch.get_loops(\"B\")[0], \"pragma_auto_unroll_max_step\", 16)\n"),
                    "\"pragma_auto_unroll_max_step\": 16"));
  EXPECT_FALSE(
      holds(after("b = sch.get_block(\"B\")\nsch.annotate(b, \"x\", \"y\")\nsch.unannotate(b, \"x\")\n"), "\"x\""));
  EXPECT_NE(said("sch.annotate(sch.get_block(\"B\"), \"software_pipeline_stage\", 1)\n").find("unsupported"),
            std::string::npos);
  EXPECT_NE(said("sch.annotate(sch.get_block(\"B\"), \"x\", [1])\n").find("neither a text nor an integer"),
            std::string::npos);
  EXPECT_NE(said("sch.unannotate(sch.get_block(\"B\"), \"x\")\n").find("no note"), std::string::npos);
}

TEST(MorePrimitives, LoopsScopesThreadsAndOrders) {
  PrimFunc func = after(R"(
b = sch.get_block("B")
u = sch.add_unit_loop(b)
sch.reorder_block_iter_var(b, [1, 0])
sch.set_axis_separator(b, ("write", 0), [1])
i, j, u2 = sch.get_loops(b)
sch.bind(i, "blockIdx.x")
sch.set_scope("C", 0, "global.vtcm")
)");
  EXPECT_TRUE(holds(func, "for u in range(1)") || holds(func, "T.grid(12, 1)")) << print(func);
  EXPECT_TRUE(holds(func, "vj, vi = T.axis.remap(\"SS\", [j, i])")) << print(func);
  EXPECT_TRUE(holds(func, "thread=\"blockIdx.x\"")) << print(func);
  EXPECT_TRUE(holds(func, "scope=\"global.vtcm\"")) << print(func);
  EXPECT_TRUE(holds(func, "axis_separators=[1]")) << print(func);
  EXPECT_NE(said("sch.set_scope(\"D\", 0, \"global.vtcm\")\n").find("is an argument"), std::string::npos);
  EXPECT_NE(said("sch.bind(sch.get_loops(\"C\")[1], \"threadIdx.x\")\n").find("a reduction over the threads"),
            std::string::npos);
  EXPECT_NE(said("sch.reorder_block_iter_var(\"B\", [0, 0])\n").find("each variable"), std::string::npos);
  EXPECT_NE(said("sch.set_axis_separator(\"B\", (\"write\", 0), [2])\n").find("axis separator"), std::string::npos);
}

TEST(MorePrimitives, DecisionsOfATrace) {
  PrimFunc func = after(R"(
i, j = sch.get_loops("B")
a, b, c = sch.sample_perfect_tile(loop=i, n=3, max_innermost_factor=64, decision=[2, 2, 4])
sch.split(i, factors=[a, b, c])
x, y = sch.sample_perfect_tile(j, n=2, max_innermost_factor=4)
sch.split(j, factors=[x, y])
v = sch.sample_categorical(candidates=[0, 16, 64], probs=[0.25, 0.5, 0.25], decision=2)
sch.annotate(sch.get_block("C"), "meta_schedule.unroll_explicit", v)
w = sch.sample_categorical(candidates=[0, 16, 64], probs=[0.25, 0.5, 0.25])
sch.annotate(sch.get_block("D"), "meta_schedule.unroll_explicit", w)
sch.enter_postproc()
)");
  EXPECT_TRUE(holds(func, "T.grid(2, 2, 4, 3, 4)")) << print(func);
  EXPECT_TRUE(holds(func, "\"meta_schedule.unroll_explicit\": 64")) << print(func);
  EXPECT_TRUE(holds(func, "\"meta_schedule.unroll_explicit\": 16")) << print(func);
  for (const char* wrong : {"[2, 2, 3]", "[2, 8]", "[16, 1, -1]", "[16, 16, 16]"}) {
    EXPECT_NE(
        said(std::string("i, j = sch.get_loops(\"B\")\nsch.sample_perfect_tile(i, n=3, decision=") + wrong + ")\n"), "")
        << wrong;
  }
  EXPECT_NE(said("sch.sample_categorical([1, 2], [1.0, 0.0], decision=2)\n").find("no candidate 2"), std::string::npos);
  EXPECT_NE(said("sch.sample_partitioned_tile(sch.get_loops(\"B\")[0], n=2)\n").find("decision"), std::string::npos);
}

TEST(MorePrimitives, RfactorOfATileThenInto) {
  PrimFunc func = after(R"(
i, k = sch.get_loops("C")
ko, ki = sch.split(k, [None, 4])
rf = sch.rfactor(ki, 0)
sch.compute_inline("B")
sch.reverse_compute_at("D", sch.get_loops("C")[0])
)");
  EXPECT_TRUE(holds(func, "T.block(\"C_rf\")")) << print(func);
  EXPECT_TRUE(holds(func, "C_rf = T.alloc_buffer((4, 16), \"int32\")")) << print(func);
  EXPECT_FALSE(holds(func, "T.block(\"B\")")) << print(func);
  EXPECT_NE(said("sch.rfactor(sch.get_loops(\"C\")[0], 0)\n").find("none of the reduction"), std::string::npos);
  EXPECT_NE(said("sch.rfactor(sch.get_loops(\"C\")[1], 2)\n").find("axes"), std::string::npos);
}

// The usual matrix product: the cache stands in the loop over tiles when the sum is decomposed there.
TEST(MorePrimitives, DecomposeReductionBesideACache) {
  PrimFunc func = after(R"(
c = sch.get_block("C")
i, k = sch.get_loops(c)
ko, ki = sch.split(k, [None, 4])
sch.reorder(ko, i, ki)
cache = sch.cache_read(c, 0, "local")
sch.compute_at(cache, ko)
init = sch.decompose_reduction(c, ko)
)");
  EXPECT_TRUE(holds(func, "T.block(\"C_init\")")) << print(func);
}

}  // namespace more_primitives_test
}  // namespace hexproof
