// Schedule primitives and the reader of schedules: what they do, and every way in which they say no.
#include <gtest/gtest.h>

#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"

namespace hexproof {
namespace schedule_test {

constexpr const char* kCopy = R"(
@T.prim_func
def main(A: T.Buffer((4, 64), "float32"), B: T.Buffer((4, 64), "float32")):
    for i, j in T.grid(4, 64):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
)";

constexpr const char* kSum = R"(
@T.prim_func
def main(A: T.Buffer((16, 16), "int32"), S: T.Buffer((16,), "int32")):
    for i, k in T.grid(16, 16):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = 0
            S[vi] = S[vi] + A[vi, vk]
)";

constexpr const char* kShift = R"(
@T.prim_func
def main(A: T.Buffer((16, 16), "int32")):
    for i, j in T.grid(15, 15):
        with T.block("A"):
            vi, vj = T.axis.remap("SS", [i, j])
            A[vi + 1, vj] = A[vi, vj + 1]
)";

class ScheduleTest : public testing::Test {
 protected:
  Prover prover;

  Derivation run(const char* program, const std::string& schedule) {
    Derivation derivation(pick_function(parse_module(program), ""));
    run_schedule(derivation, prover, source(schedule));
    EXPECT_EQ(ill_formed(derivation.current()), "");
    return derivation;
  }
  static std::shared_ptr<const SourceFile> source(const std::string& text) {
    return std::make_shared<const SourceFile>(SourceFile{"s.py", text});
  }
  std::string result(const char* program, const std::string& schedule) {
    return print(run(program, schedule).current());
  }
  /// The message of the exception of that kind; the derivation stays as it was.
  template <class Exception>
  std::string failure(const std::string& schedule, const char* program = kCopy) {
    Derivation derivation(pick_function(parse_module(program), ""));
    try {
      run_schedule(derivation, prover, source(schedule));
    } catch (const Exception& e) {
      return e.what();
    } catch (const std::exception& e) {
      ADD_FAILURE() << "another exception: " << e.what();
      return "";
    }
    ADD_FAILURE() << "no exception for\n" << schedule << "\n" << print(derivation.current());
    return "";
  }
  void expect_error(const std::string& schedule, const std::string& part, const char* program = kCopy) {
    std::string message = failure<Error>(schedule, program);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("s.py:"), std::string::npos) << message;
  }
  void expect_unsupported(const std::string& schedule, const std::string& part) {
    std::string message = failure<Unsupported>(schedule);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("s.py:"), std::string::npos) << message;
  }
  static int count(const std::string& text, const std::string& part) {
    int n = 0;
    for (size_t k = text.find(part); k != std::string::npos; k = text.find(part, k + 1)) ++n;
    return n;
  }
};

TEST_F(ScheduleTest, SplitReorderAndKinds) {
  Derivation d = run(kCopy, R"(
from tvm import tir
sch = tir.Schedule(Module, debug_mask="all")   # a comment
b = sch.get_block("B")
i, j = sch.get_loops(b)
jo, ji = sch.split(j, factors=[None, 8])
sch.reorder(jo, i)
sch.vectorize(ji)
sch.parallel(jo)
sch.unroll(loop=i)
print_nothing = sch.mod
)");
  std::string text = print(d.current());
  EXPECT_NE(text.find("for j_0 in T.parallel(8)"), std::string::npos) << text;
  EXPECT_NE(text.find("for i in T.unroll(4)"), std::string::npos) << text;
  EXPECT_NE(text.find("for j_1 in T.vectorized(8)"), std::string::npos) << text;
  ASSERT_EQ(d.steps().size(), 5u);
  EXPECT_EQ(d.steps()[0].primitive, "sch.split(j, factors=[None, 8])");
  EXPECT_EQ(d.steps()[0].span.line, 6);
}

TEST_F(ScheduleTest, SplitInThreeAndFactorsThatDoNotDivide) {
  std::string text = result(kCopy, "i, j = sch.get_loops('B')\nsch.split(j, [2, 4, 8])\n");
  EXPECT_EQ(count(text, "if "), 0) << text;
  EXPECT_NE(text.find("T.grid(4, 2, 4, 8)"), std::string::npos) << text;
  text = result(kCopy, "i, j = sch.get_loops('B')\nsch.split(j, [None, 7])\n");
  EXPECT_EQ(count(text, "< 64"), 1) << text;
  text = result(kCopy, "i, j = sch.get_loops('B')\nsch.split(j, [8, None])\n");
  EXPECT_NE(text.find("T.grid(4, 8, 8)"), std::string::npos) << text;
}

TEST_F(ScheduleTest, FuseLeavesCleanIndices) {
  Derivation d = run(kCopy,
                     "i, j = sch.get_loops(sch.get_block('B'))\njo, ji = sch.split(j, [None, 8])\n"
                     "f = sch.fuse(i, jo, ji)\nsch.split(f, [None, 32])\n");
  std::string text = print(d.current());
  EXPECT_NE(text.find("i_j_0_j_1_fused_0"), std::string::npos) << text;
}

TEST_F(ScheduleTest, FunctionsLoopsAndUnpacking) {
  std::string text = result(kCopy, R"(
def tile(s, name, factor=4):
    """A docstring."""
    *outer, last = s.get_loops(s.get_block(name))
    o, i = s.split(last, [None, factor])
    return outer + [o], i

outer, inner = tile(sch, "B", factor=2 ** 3)
for k in range(1):
    sch.unroll(inner)
for loop in outer[-1:]:
    sch.parallel(loop)
)");
  EXPECT_NE(text.find("T.unroll(8)"), std::string::npos) << text;
  EXPECT_NE(text.find("T.parallel(8)"), std::string::npos) << text;
}

TEST_F(ScheduleTest, TransformLayoutOfAnArgument) {
  Derivation d = run(kCopy,
                     "sch.transform_layout('B', ('read', 0), lambda i, j: [i, j // 8, j % 8])\n"
                     "sch.transform_layout(block='B', buffer='B', index_map=lambda i, j: [j, i])\n");
  EXPECT_EQ(d.interface().size(), 2u);
  std::string text = print(d.current());
  EXPECT_NE(text.find("(4, 8, 8)"), std::string::npos) << text;
  EXPECT_NE(text.find("(64, 4)"), std::string::npos) << text;
}

TEST_F(ScheduleTest, PadValues) {
  auto padded = [&](const std::string& pad) {
    return result(kCopy, "sch.transform_layout('B', ('write', 0), lambda i, j: [i // 3, i % 3, j], " + pad + ")\n");
  };
  auto expect_pad = [&](const std::string& pad, const std::string& value) {
    std::string text = padded("pad_value=" + pad);
    EXPECT_NE(text.find("= " + value + "\n"), std::string::npos) << pad << text;
  };
  EXPECT_EQ(padded("").find("if "), std::string::npos);
  EXPECT_EQ(padded("pad_value=None"), padded(""));
  EXPECT_EQ(padded("pad_value=lambda a, b, c: None"), padded(""));
  expect_pad("0", "T.float32(0.0)");
  expect_pad("-0.0", "T.float32(-0.0)");
  expect_pad("-1.5 * 2", "T.float32(-3.0)");
  expect_pad("float('-inf')", "T.float32(\"-inf\")");
  expect_pad("T.float32(2)", "T.float32(2.0)");
  expect_pad("tir.const(2, 'float32')", "T.float32(2.0)");
  expect_pad("T.undef()", "T.undef()");
  expect_pad("tir.undef(dtype='float32')", "T.undef()");
  expect_pad("lambda a, b, c: 7", "T.float32(7.0)");
  expect_pad("lambda a, b, c: B[0, b, 63 - c] * 2.0", "B[0, vb, 63 - vc] * T.float32(2.0)");
  expect_error(
      "sch.transform_layout('B', ('write', 0), lambda i, j: [i // 3, i % 3, j], pad_value=lambda a, b, c: "
      "B[0, b, c] + a)\n",
      "'+' of float32 and int32");
  expect_error("sch.transform_layout('B', 'A', lambda i, j: [j, i], pad_value=lambda i: 0)\n", "takes 1 indices");
  expect_error("sch.transform_layout('B', 'A', lambda i, j: [j, i], pad_value='zero')\n", "a pad value is None");
  expect_error("sch.transform_layout('B', 'A', lambda i, j: [j, i], pad_value=T.undef('int8'))\n", "int8");
}

TEST_F(ScheduleTest, CachesAndDecomposeReduction) {
  std::string text = result(kCopy,
                            "c = sch.cache_read('B', 0, 'global')\nw = sch.cache_write('B', 0, 'global')\n"
                            "sch.get_loops(c)\nsch.get_loops(w)\n");
  EXPECT_NE(text.find("A_global"), std::string::npos) << text;
  EXPECT_NE(text.find("B_global"), std::string::npos) << text;
  text = result(kSum,
                "b = sch.get_block('S')\ni, k = sch.get_loops(b)\ninit = sch.decompose_reduction(b, k)\n"
                "sch.get_loops(init)\ni, k = sch.get_loops(b)\nsch.unroll(k)\n");
  EXPECT_NE(text.find("S_init"), std::string::npos) << text;
  EXPECT_NE(text.find("S_update"), std::string::npos) << text;
}

TEST_F(ScheduleTest, CleanUp) {
  std::string text = result(kCopy,
                            "i, j = sch.get_loops('B')\njo, ji = sch.split(j, [None, 8])\nf = sch.fuse(jo, ji)\n"
                            "sch.lower_blocks()\nsch.inline_lets()\nsch.simplify()\nsch.remove_branches()\n"
                            "sch.remove_unit_loops()\nsch.sink_allocations()\nsch.compact_buffers()\n");
  EXPECT_EQ(count(text, "//"), 0) << text;
  EXPECT_EQ(count(text, "%"), 0) << text;
  EXPECT_EQ(count(text, "T.block"), 0) << text;
}

constexpr const char* kTwo = R"(
@T.prim_func
def main(A: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32")):
    P = T.alloc_buffer((64,), "int32")
    for i in range(64):
        with T.block("P"):
            vi = T.axis.spatial(64, i)
            P[vi] = A[vi] + 1
    for x in range(64):
        with T.block("C"):
            vx = T.axis.spatial(64, x)
            C[vx] = P[vx] * 2
)";

TEST_F(ScheduleTest, ComputeAtAndCompaction) {
  std::string text =
      result(kTwo, "x, = sch.get_loops('C')\nsch.compute_at(sch.get_block('P'), x)\nsch.compact_buffers()\n");
  EXPECT_EQ(count(text, "for "), 1) << text;
  EXPECT_NE(text.find("(1,)"), std::string::npos) << text;
  text = result(kTwo, "sch.transform_layout('C', 'P', lambda i: [i // 8, IndexMap.AXIS_SEPARATOR, i % 8])\n");
  EXPECT_NE(text.find("axis_separators=[1]"), std::string::npos) << text;
}

TEST_F(ScheduleTest, FlattenBuffers) {
  std::string text = result(kCopy, "sch.lower_blocks()\nsch.flatten_buffer()\n");
  EXPECT_EQ(count(text, "i * 64 + j"), 2) << text;
}

TEST_F(ScheduleTest, MergeAndDistribute) {
  std::string text =
      result(kTwo, "i, = sch.get_loops('P')\nx, = sch.get_loops('C')\nm = sch.merge(i, x)\nsch.unroll(m)\n");
  EXPECT_EQ(count(text, "for "), 1) << text;
  text = result(kTwo,
                "i, = sch.get_loops('P')\nx, = sch.get_loops('C')\na, b = sch.distribute(sch.merge(i, x), 1)\n"
                "sch.parallel(a)\nsch.unroll(b)\n");
  EXPECT_NE(text.find("T.parallel(64)"), std::string::npos) << text;
  EXPECT_NE(text.find("T.unroll(64)"), std::string::npos) << text;
}

TEST_F(ScheduleTest, ARefusalHasTheLineAndLeavesTheProgram) {
  Derivation d(pick_function(parse_module(kShift), ""));
  try {
    run_schedule(d, prover, source("i, j = sch.get_loops('A')\nsch.reorder(j, i)\n"));
    ADD_FAILURE() << "accepted";
  } catch (const PrimitiveRefused& refused) {
    EXPECT_EQ(refused.span.line, 2);
    EXPECT_NE(std::string(refused.what()).find("s.py:2:"), std::string::npos) << refused.what();
    EXPECT_NE(refused.answer.verdict, Verdict::Proved);
  }
  EXPECT_TRUE(d.steps().empty());
}

TEST_F(ScheduleTest, MistakesHaveTheirPlace) {
  expect_error("sch.get_block('C')\n", "did you mean 'B'");
  expect_error("sch.spilt(1, [1, 2])\n", "did you mean 'split'");
  expect_error("bb = sch.get_block('B')\nsch.get_loops(b)\n", "'b' is not defined");
  expect_error("i, j, k = sch.get_loops('B')\n", "ValueError: not enough values to unpack");
  expect_error("i, j = sch.get_loops('B')\nsch.split(j, factors=[None, None])\n", "only one factor");
  expect_error("i, j = sch.get_loops('B')\nsch.split(j, factors=[None, 0])\n", "not positive");
  expect_error("i, j = sch.get_loops('B')\nsch.split(j, factors=[2, 8])\n", "smaller than the extent");
  expect_error("i, j = sch.get_loops('B')\nsch.split(j, factor=[2, 8])\n", "did you mean 'factors'");
  expect_error("i, j = sch.get_loops('B')\nsch.split(j)\n", "lacks its argument 'factors'");
  expect_error("i, j = sch.get_loops('B')\nsch.split('j', [2, 8])\n", "expected a loop");
  expect_error("i, j = sch.get_loops('B')\nsch.split(j, [None, 8])\nsch.unroll(j)\n", "is gone");
  expect_error("i, j = sch.get_loops('B')\nsch.fuse(j, i)\n", "does not stand inside");
  expect_error("i, j = sch.get_loops('B')\nsch.fuse(j)\n", "at least two loops");
  expect_error("i, j = sch.get_loops('B')\nsch.reorder(j, j)\n", "named twice");
  expect_error("i, j = sch.get_loops('B')\nsch.unroll(i)\nsch.unroll(i)\n", "serial");
  expect_error("i, j = sch.get_loops('B')\nsch.merge(i, j)\n", "does not follow");
  expect_error("sch.transform_layout('B', 'A', lambda i: [i])\n", "takes 1 indices");
  expect_error("sch.transform_layout('B', 'C', lambda i, j: [j, i])\n", "does not access a buffer 'C'");
  expect_error("sch.transform_layout('B', ('red', 0), lambda i, j: [j, i])\n", "a buffer is its name");
  expect_error("sch.transform_layout('B', 'A', [1])\n", "is a lambda");
  expect_error("sch.cache_read('B', 3, 'global')\n", "no read number 3");
  expect_error("return 1\n", "'return' outside function");
  expect_error("x = 1 // 0\n", "s.py:1:5: error: ZeroDivisionError: integer division or modulo by zero");
  expect_error("sch.get_loop('i', 2 ** 63)\n", "exceeds 64 bits");
  expect_error("x = [1, 2][5]\n", "IndexError: list index out of range");
  expect_error("x = (1, 2\n", "s.py:1:5: error: '(' was never closed");
  expect_error("for i in range(3):\nx = 1\n", "expected an indented block after 'for'");
  expect_error("def f(n):\n    return f(n)\nf(1)\n",
               "s.py:2:12: error: RecursionError: maximum recursion depth exceeded");
  expect_error("def f():\n    return 1\nf(1)\n", "s.py:3:1: error: TypeError: f() takes 0 positional arguments");
  expect_error("x = 1 + 'a'\n", "TypeError: unsupported operand type(s)");
  expect_error("sch.get_block(name=1)\n", "expected the name of a block");
  std::string nested = "x = ";
  for (int k = 0; k < 5000; ++k) nested += k < 2500 ? "(" : ")";
  expect_error(nested + "\n", "too many nested parentheses");
}

TEST_F(ScheduleTest, WhatIsOutsideIsUnsupported) {
  expect_unsupported("sch.read_at('B')\n", "'read_at'");
  expect_unsupported("sch.read_at(1, 'B', 0, 'local')\n", "cache_read and cache_write copy");
  expect_unsupported("sch[0].bind()\n", "s[...]");
  expect_unsupported("@T.prim_func\ndef main():\n    pass\n", "a schedule holds no program");
  expect_unsupported("tvm.build(sch.mod)\n", "'build(...)'");
}

TEST_F(ScheduleTest, ItIsPythonThatRuns) {
  std::string text = result(kCopy, R"(
import functools
from tvm import tir
from tvm.script import tir as T
from tvm.tir import IndexMap
import tvm.tir.tensor_intrin

sizes = {"outer": 2, "inner": [f for f in (4, 8, 16) if f > 4][0]}
i, j = sch.get_loops("B")
count = 0
while count < 1:
    count += 1
with_default = functools.partial(sch.split, factors=[None, sizes["inner"]])
jo, ji = with_default(j)
if __name__ == "__main__":
    sch.vectorize(ji)
try:
    sch.unroll(j)
except Exception as e:
    assert "is gone" in str(e) and e.line == 18, (e, e.line)
sch.transform_layout("B", "A", lambda *idx: [idx[1], *idx[:1]])
sch.transform_layout("B", "B", IndexMap.from_func(lambda n, *rest, k=4: [rest[0] // k, n, rest[0] % k]))
assert isinstance(jo, type(ji)) and jo != ji and jo in {jo}
assert "B" in sch.mod.script() and not hasattr(sch, "no_such_primitive")
)");
  EXPECT_NE(text.find("T.vectorized(8)"), std::string::npos) << text;
  EXPECT_NE(text.find("A: T.Buffer((64, 4), \"float32\")"), std::string::npos) << text;
  EXPECT_NE(text.find("B: T.Buffer((16, 4, 4), \"float32\")"), std::string::npos) << text;
}

TEST_F(ScheduleTest, WhateverAScheduleDoesEndsInAMessage) {
  expect_error("import sys\nsys.exit(0)\n", "s.py:2:1: error: the schedule ends the program");
  expect_error("raise KeyboardInterrupt\n", "KeyboardInterrupt");
  expect_error("class E(BaseException):\n  def __str__(self): return 1 // 0\nraise E()\n", "s.py:3:1: error: E");
  expect_error("x = []\nx.append(x)\nsch.reorder(x)\n", "nests too deeply");
  expect_error("i, j = sch.get_loops('B')\nsch.transform_layout('B', 'A', lambda i, j: [i if i > 1 else 0, j])\n",
               "s.py:2:");
  expect_error("sch.transform_layout('B', 'A', lambda i, j: [i if i > 1 else 0, j])\n", "T.if_then_else");
  expect_error("sch.transform_layout('B', 'A', lambda i, j: [sch.get_block('C'), j])\n",
               "another primitive of this schedule is at work");
  expect_error("sch.transform_layout('B', 'A', lambda i, j: [[i], j])\n", "gives indices, not a list");
  expect_error("sch.transform_layout('B', 'A', lambda i, j: [i // T.float32(2), j])\n", "'//' of int32 and float32");
  expect_error("sch.get_block('\\udc80')\n", "a string that is no text");
  expect_error("import no_such_module\n", "ModuleNotFoundError");
  expect_error("sch.get_loops(object())\n", "expected a block, not an object");
  expect_error("import json\njson.loads('{')\n", "hint: raised at ");
  expect_error("eval('sch.get_block(1)')\n", "expected the name of a block");
}

TEST_F(ScheduleTest, AScheduleThatHasEndedSaysSo) {
  // A module outlives the schedule that imported it, and so do the handles in it.
  run(kCopy, "import sys, types\nsys.modules['kept'] = types.SimpleNamespace(sch=sch)\n");
  expect_error("import kept\nkept.sch.get_block('B')\n", "this schedule has ended");
  run(kCopy, "import sys\ndel sys.modules['kept']\n");
}

TEST_F(ScheduleTest, SignaturesAreThoseOfTheTable) {
  run(kCopy,
      "import inspect\n"
      "assert str(inspect.signature(sch.split)) == '(loop, factors, preserve_unit_iters=True)'\n"
      "assert str(inspect.signature(sch.tensorize)).endswith('unaligned=[])')\n"
      "assert 'one for each factor' in sch.split.__doc__\n"
      "for name in dir(sch):\n"
      "    if not name.startswith('_') and name not in ('mod', 'state', 'trace'):\n"
      "        inspect.signature(getattr(sch, name))\n");
}

}  // namespace schedule_test
}  // namespace hexproof
