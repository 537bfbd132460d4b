// Primitives on the nest of a loop in place of a block, and loops that only become neighbours.
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace {

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

}  // namespace
}  // namespace hexproof
