// Primitives on the nest of a loop in place of a block, and loops that only become neighbours.
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/layouts/layouts.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace nests_schedule_test {

/// `runs`: random inputs satisfy the program's assumes now and then, so both programs are run, too.
std::string after(const std::string& program, const std::string& schedule, bool runs = true) {
  Derivation derivation(parse(program));
  run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  const std::string found = runs ? difference(derivation.source(), derivation.current()) : "";
  EXPECT_EQ(found, "") << print(derivation.current());
  return print(derivation.current());
}

template <class Exception>
std::string failure(const std::string& program, const std::string& schedule) {
  Derivation derivation(parse(program));
  try {
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  } catch (const Exception& e) {
    EXPECT_EQ(print(derivation.current()), print(derivation.source()));
    return e.what();
  }
  ADD_FAILURE() << "nothing failed\n" << print(derivation.current());
  return "";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr const char* kStages = R"(
def f(A: T.Buffer((3, 8), "int32"), B: T.Buffer((3, 8), "int32")):
    for io, ii in T.grid(3, 8):
        if 2 <= io * 8 + ii and io * 8 + ii < 20:
            B[io, ii] = 0
    for io, ii in T.grid(3, 8):
        if 2 <= io * 8 + ii and io * 8 + ii < 20:
            B[io, ii] = B[io, ii] + A[io, ii]
    for io, ii in T.grid(3, 8):
        if io == 0 and ii < 2 or io == 2 and ii >= FIRST:
            B[io, ii] = 0
)";
std::string stages(const std::string& first) {
  std::string out = kStages;
  return out.replace(out.find("FIRST"), 5, first);
}

TEST(Nests, BecomeNeighboursAndMerge) {
  const char* schedule = R"(
init, sum, padding = sch.get_child_loops("root")
init = sch.merge_adjacent_loops(init, padding)
sch.merge_complementary_conditions(init)
)";
  EXPECT_EQ(after(stages("4"), schedule), print(parse(R"(
def f(A: T.Buffer((3, 8), "int32"), B: T.Buffer((3, 8), "int32")):
    for io, ii in T.grid(3, 8):
        B[io, ii] = 0
    for io, ii in T.grid(3, 8):
        if 2 <= io * 8 + ii and io * 8 + ii < 20:
            B[io, ii] = B[io, ii] + A[io, ii]
)")));
  // A cell that the sum writes, too: neither loop may move over it.
  EXPECT_TRUE(holds(failure<PrimitiveRefused>(stages("3"), schedule), "touch no cell of each other's"));
  // Conditions that leave a cell out are not complementary.
  EXPECT_TRUE(holds(failure<PrimitiveRefused>(R"(
def f(B: T.Buffer((3, 8), "int32")):
    for io, ii in T.grid(3, 8):
        if 2 <= io * 8 + ii and io * 8 + ii < 20:
            B[io, ii] = 0
        if io == 0 and ii < 2 or io == 2 and ii >= 6:
            B[io, ii] = 0
)",
                                              "sch.merge_complementary_conditions('root')"),
                    "the conditions are equal"));
}

TEST(Nests, OrderAndPlaceOfTheLoops) {
  EXPECT_TRUE(holds(failure<Error>(stages("4"), R"(
init, sum, padding = sch.get_child_loops("root")
sch.merge_adjacent_loops(padding, init)
)"),
                    "does not follow"));
  EXPECT_TRUE(holds(failure<Error>(stages("4"), R"(
init, sum, padding = sch.get_child_loops("root")
sch.merge_adjacent_loops(init, sch.get_child_loops(padding)[0])
)"),
                    "does not follow"));
}

TEST(Nests, HoistOutOfOneLoopOnly) {
  const char* program = R"(
def f(A: T.Buffer((3, 8), "int32")):
    for io, ii, fi in T.grid(3, 8, 3):
        if not (io == 0 and ii < 2) and not (io == 2 and ii + fi >= 4):
            A[io, ii] = fi
)";
  const char* rows = R"(
nest = sch.get_child_loops("root")[0]
ii = sch.get_child_loops(nest)[0]
sch.hoist_expression(nest, conditionals="BooleanExpression", out_of=ii)
)";
  // `io == 2` is decided where `io == 0` holds; the copy of the loop in the else is followed.
  EXPECT_EQ(after(program, rows), print(parse(R"(
def f(A: T.Buffer((3, 8), "int32")):
    for io in range(3):
        if io == 0:
            for ii, fi in T.grid(8, 3):
                if not ii < 2:
                    A[io, ii] = fi
        elif io == 2:
            for ii, fi in T.grid(8, 3):
                if not ii + fi >= 4:
                    A[io, ii] = fi
        else:
            for ii, fi in T.grid(8, 3):
                A[io, ii] = fi
)")));
  std::string all = after(program, std::string(rows) + "sch.simplify_conditions(nest)\nsch.hoist_expression(nest)\n");
  EXPECT_TRUE(holds(all, "                if 2 <= ii:\n                    for fi in range(3):")) << all;
}

TEST(Nests, SeparateConditions) {
  EXPECT_EQ(after(R"(
def f(A: T.Buffer((3, 8), "int32")):
    for io, ii, fi in T.grid(3, 8, 3):
        if io * 8 + ii >= 2:
            if io * 8 + ii + fi - 2 < 18:
                A[io, ii] = fi
)",
                  "sch.separate_conditions(sch.get_child_loops(\"root\")[0])"),
            print(parse(R"(
def f(A: T.Buffer((3, 8), "int32")):
    for io, ii, fi in T.grid(3, 8, 3):
        if not (io == 0 and ii < 2) and not (io == 2 and ii + fi >= 4):
            A[io, ii] = fi
)")));
  EXPECT_TRUE(holds(failure<Error>("def f(A: T.Buffer((3,), \"int32\")):\n    for i in range(3):\n        A[i] = 0\n",
                                   "sch.separate_conditions(sch.get_child_loops(\"root\")[0])"),
                    "there is no place for it in loop 'i'"));
}

// What is added is zero by the assume: on integers nothing is stored, and the branch goes. On floats it counts.
TEST(Nests, SimplifyLeavesOutWhatAnAssumeMakesANoOp) {
  std::string text = R"(
def f(A: T.Buffer((8,), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        T.assume(i >= 2 or A[i] == 0)
    for i in range(8):
        B[i] = 0
    for i in range(8):
        if i >= 2:
            B[i] = B[i] + F[0]
        else:
            for f in range(3):
                B[i] = B[i] + F[f] * A[i]
)";
  std::string simple = after(text, "sch.apply_pass(\"tir.Simplify\")", false);
  EXPECT_FALSE(holds(simple, "else")) << simple;
  EXPECT_FALSE(holds(simple, "F[f]")) << simple;
  // Without the assume the branch stays.
  std::string without = text;
  without.replace(without.find("T.assume(i >= 2 or A[i] == 0)"), 29, "T.evaluate(0)");
  EXPECT_TRUE(holds(after(without, "sch.apply_pass(\"tir.Simplify\")"), "F[f]"));
}

// RFC 0077: the convolution applied to its own output, padded in the same way, B of 18 elements to C of 20. Both end as
// nests without a condition.
TEST(Nests, TwoConvolutionsInARow) {
  Derivation d(parse(R"(
def conv1d_twice(A: T.Buffer((16,), "int32"), F: T.Buffer((3,), "int32"), G: T.Buffer((3,), "int32"),
                 C: T.Buffer((20,), "int32")):
    B = T.alloc_buffer((18,), "int32")
    for bi in range(18):
        B[bi] = 0
        for fi in range(3):
            ai: T.int32 = bi - fi
            if 0 <= ai and ai < 16:
                B[bi] = B[bi] + F[fi] * A[ai]
    for ci in range(20):
        C[ci] = 0
        for gi in range(3):
            bj: T.int32 = ci - gi
            if 0 <= bj and bj < 18:
                C[ci] = C[ci] + G[gi] * B[bj]
)"));
  const char* schedule = R"(
layout = lambda i: [(i + 2) // 8, (i + 2) % 8]
for buffer in ["A", "B", "C"]:
    sch.transform_layout("root", buffer, layout, pad_value=0)
def one_nest(conv):
    sch.separate_conditions(conv)
    sch.hoist_expression(conv, conditionals="BooleanExpression", out_of=sch.get_child_loops(conv)[0])
    sch.simplify_conditions(conv)
    sch.hoist_expression(conv, conditionals="BooleanExpression")
    first, last, between = sch.get_child_loops(conv)
    sch.remove_branching_through_overcompute(first)
    sch.remove_branching_through_overcompute(last)
    sch.remove_branching_through_overcompute(conv)
first, padding, second, last = sch.get_child_loops("root")[1:5]
sch.sequential_buffer_access(second, "B")
sch.sequential_buffer_access(first, "A")
first, conv, padding, second, conv2, last = sch.get_child_loops("root")[1:7]
sch.sequential_buffer_access(first, "B")
sch.sequential_buffer_access(second, "C")
first, conv, padding, second, conv2, last = sch.get_child_loops("root")[1:7]
# The second convolution while it is known what the padding of B holds.
sch.merge_complementary_conditions(sch.merge_adjacent_loops(second, last))
one_nest(conv2)
sch.merge_complementary_conditions(sch.merge_adjacent_loops(first, padding))
one_nest(conv)
)";
  run_schedule(d, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  expect_related(d);
  std::string text = print(d.current());
  EXPECT_FALSE(holds(text, "if ")) << text;
  EXPECT_TRUE(holds(text, "C[(cio + (cii + gi) // 8) % 3, (cii + gi) % 8] + G[gi] * B[cio, cii]")) << text;
  EXPECT_TRUE(holds(text, "B[(bio + (bii + fi) // 8) % 3, (bii + fi) % 8] + F[fi] * A[bio, bii]")) << text;
}

// A refusal names the flags with which the primitive goes through, and no other.
TEST(Nests, FlagsThatAreAskedFor) {
  const std::string sums = R"(
def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((1,), "float32")):
    for i, j in T.grid(4, 8):
        B[0] = B[0] + A[i, j]
)";
  std::string message =
      failure<PrimitiveRefused>(sums, "i, j = sch.get_loop(\"i\"), sch.get_loop(\"j\")\nsch.reorder(j, i)");
  EXPECT_TRUE(holds(message, "it goes through with `reassoc` granted")) << message;
  const std::string padded = R"(
def f(A: T.Buffer((8,), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        T.assume(i >= 2 or A[i] == T.float32(0))
    for i, k in T.grid(8, 3):
        if i >= 2:
            B[i] = B[i] + F[k] * A[i]
)";
  const char* overcompute = "sch.remove_branching_through_overcompute(\"root\")";
  message = failure<PrimitiveRefused>(padded, overcompute);
  EXPECT_TRUE(holds(message, "it goes through with `nnan` `ninf` `nsz` granted")) << message;
  // No flag helps where another cell would be stored to, and integers have no flags.
  std::string other = padded;
  other.replace(other.find("F[k] * A[i]"), 11, "F[k] + A[i]");
  EXPECT_FALSE(holds(failure<PrimitiveRefused>(other, overcompute), "it goes through"));
}

}  // namespace nests_schedule_test
}  // namespace hexproof
