// te.scan: recurrences over time, in the interpreter, by equivalence, and what is refused.
#include "tests/te/support.h"

namespace hexproof::te {
namespace scan_test {

// TVM's own example: a sum along the first axis.
constexpr const char* kCumulative = R"(from tvm import te
import tvm
X = te.placeholder((16, 8), name="X", dtype="int32")
state = te.placeholder((16, 8), dtype="int32")
init = te.compute((1, 8), lambda _, i: X[0, i])
update = te.compute((16, 8), lambda t, i: state[t - 1, i] + X[t, i], name="update")
Y = te.scan(init, update, state, inputs=[X], name="Y")
s = te.create_schedule(Y.op)
)";  // 8 lines

TEST(Scan, IsOneLoopOverTime) {
  const std::string text = naive(kCumulative);
  EXPECT_HAS(text, "def main(X: T.Buffer((16, 8), \"int32\"), Y: T.Buffer((16, 8), \"int32\")):");
  EXPECT_HAS(text, "Y[v__, v_i] = X[0, v_i]");
  EXPECT_HAS(text, "for t in range(1, 16):");
  EXPECT_HAS(text, "v_t, v_i = T.axis.remap(\"OO\", [t, i])");
  EXPECT_HAS(text, "Y[v_t, v_i] = Y[v_t - 1, v_i] + X[v_t, v_i]");
}

TEST(Scan, OtherAxesAreScheduled) {
  const std::string text = made_by(std::string(kCumulative) + R"(
xo, xi = s[init].split(init.op.axis[1], factor=4)
yo, yi = s[update].split(update.op.axis[1], factor=4)
s[update].reorder(yi, yo)
s[update].vectorize(yo)
s[init].unroll(xi)
s[Y].pragma(Y.op.scan_axis, "auto_unroll_max_step", 16)
)");
  EXPECT_HAS(text, "for t in T.serial(1, 16, annotations={\"pragma_auto_unroll_max_step\": 16}):");
  EXPECT_HAS(text, "in T.unroll(4)");
  EXPECT_HAS(text, "in T.vectorized(2)");
}

constexpr const char* kTwoStages = R"(from tvm import te
import tvm
X = te.placeholder((6, 8), name="X", dtype="int32")
P = te.compute((6, 8), lambda t, i: X[t, i] * 3, name="P")
state = te.placeholder((6, 8), dtype="int32", name="state")
init = te.compute((2, 8), lambda t, i: X[t, i], name="init")
half = te.compute((6, 8), lambda t, i: state[t - 1, i] * state[t - 2, 7 - i], name="half")
update = te.compute((6, 8), lambda t, i: half[t, i] + P[t, i], name="update")
Y = te.scan(init, update, state, name="Y")
Z = te.compute((6, 8), lambda t, i: Y[5 - t, i] + 1, name="Z")
s = te.create_schedule(Z.op)
)";  // 11 lines

TEST(Scan, StepsStandInTheLoop) {
  const std::string text = made_by(kTwoStages);
  EXPECT_HAS(text, "    for t in range(2, 6):\n");
  EXPECT_HAS(text, "half[");
}

TEST(Scan, StagesAtTheLoopOverTimeAndAtLoopsOfSteps) {
  const std::string at_time = made_by(std::string(kTwoStages) + "s[P].compute_at(s[Y], Y.op.scan_axis)\n");
  EXPECT_HAS(at_time, "P = T.decl_buffer((1, 8), \"int32\")");
  const std::string loops = "yo, yi = s[update].split(update.op.axis[1], factor=4)\n";
  const std::string inside = made_by(kTwoStages + loops +
                                     "s[half].compute_at(s[update], yo)\n"
                                     "s[P].compute_at(s[update], yi)\n");
  EXPECT_HAS(inside, "half = T.decl_buffer((1, 4), \"int32\")");
  EXPECT_HAS(inside, "P = T.decl_buffer((1, 1), \"int32\")");
  EXPECT_FALSE(has(made_by(std::string(kTwoStages) + "s[half].compute_inline()\ns[P].compute_inline()\n"), "half"));
}

TEST(Scan, MemoryOfAScan) {
  EXPECT_HAS(made_by(std::string(kTwoStages) + "s[Y].storage_align(Y.op.axis[0], 8, 1)\ns[Y].set_scope(\"local\")\n"),
             "Y = T.alloc_buffer((6, 9), \"int32\", scope=\"local\")");
  EXPECT_HAS(made_by(std::string(kTwoStages) + "YY = s.cache_read(Y, \"local\", [Z])\n"), "Y_local");
}

// A network with a state: sums in a step, and two states.
TEST(Scan, SeveralStatesAndSums) {
  const std::string text = made_by(R"(
from tvm import te
X = te.placeholder((5, 4), name="X", dtype="int32")
W = te.placeholder((4, 4), name="W", dtype="int32")
hs = te.placeholder((5, 4), dtype="int32", name="hs")
cs = te.placeholder((5, 4), dtype="int32", name="cs")
hi = te.compute((1, 4), lambda t, i: 0, name="hi")
ci = te.compute((1, 4), lambda t, i: 1, name="ci")
k = te.reduce_axis((0, 4), name="k")
gate = te.compute((5, 4), lambda t, i: te.sum(W[i, k] * hs[t - 1, k], axis=k), name="gate")
cu = te.compute((5, 4), lambda t, i: cs[t - 1, i] * 2 + gate[t, i], name="cu")
hu = te.compute((5, 4), lambda t, i: cu[t, i] + X[t, i], name="hu")
H, C = te.scan([hi, ci], [hu, cu], [hs, cs], inputs=[X, W], name="cell")
s = te.create_schedule(H.op)
s[gate].compute_at(s[cu], cu.op.axis[1])
tvm.lower(s, [X, W, H, C])
)");
  EXPECT_HAS(text, "cell_v0[t, i] = cell_v1[t, i] + X[t, i]");
  EXPECT_HAS(text, "gate");
}

// A sum of all that the step before left.
TEST(Scan, UpdatesThatSum) {
  const std::string text = made_by(R"(
from tvm import te
W = te.placeholder((4, 4), name="W", dtype="int32")
h = te.placeholder((5, 4), dtype="int32", name="h")
start = te.compute((1, 4), lambda t, i: i + 1, name="start")
k = te.reduce_axis((0, 4), name="k")
next = te.compute((5, 4), lambda t, i: te.sum(W[i, k] * h[t - 1, k], axis=k), name="next")
H = te.scan(start, next, h, name="H")
s = te.create_schedule(H.op)
io, ii = s[next].split(next.op.axis[1], 2)
s[next].reorder(io, k, ii)
)");
  EXPECT_HAS(text, "H[t, i_0 * 2 + i_1_init] = 0");
  EXPECT_HAS(text, "for k, i_1 in T.grid(4, 2):");
}

struct Mistake {
  const char* head;
  const char* lines;
  int line;
  const char* message;
};

constexpr const char* kParts = R"(from tvm import te
import tvm
X = te.placeholder((6, 8), name="X", dtype="int32")
state = te.placeholder((6, 8), dtype="int32", name="state")
init = te.compute((1, 8), lambda t, i: X[t, i], name="init")
)";  // 5 lines

TEST(Scan, WhatIsNoRecurrenceIsRefusedAtTheLine) {
  const Mistake kMistakes[] = {
      {kParts, "u = te.compute((6, 8), lambda t, i: state[t, i] + 1, name='u')\nte.scan(init, u, state)", 7,
       "it is not so that 'u' reads the state 'state' at an earlier time: for"},
      {kParts, "u = te.compute((6, 8), lambda t, i: state[te.min(t + 1, 5), i], name='u')\nte.scan(init, u, state)", 7,
       "at an earlier time: for"},
      {kParts, "u = te.compute((6, 8), lambda t, i: state[t - 2, i], name='u')\nte.scan(init, u, state)", 7,
       "at an earlier time: for"},
      {kParts, "u = te.compute((6, 8), lambda t, i: state[2, i], name='u')\nte.scan(init, u, state)", 7,
       "at an earlier time: for"},
      {kParts, "u = te.compute((6, 8), lambda t, i: state[X[t, i], i], name='u')\nte.scan(init, u, state)", 7,
       "at a time that memory holds"},
      {kParts,
       "h = te.compute((6, 8), lambda t, i: state[t - 1, i], name='h')\n"
       "u = te.compute((6, 8), lambda t, i: h[te.max(t - 1, 0), i], name='u')\nte.scan(init, u, state)",
       8, "'u' reads 'h' at another time than its own"},
      {kParts,
       "h = te.compute((8,), lambda i: state[0, i], name='h')\n"
       "u = te.compute((6, 8), lambda t, i: h[i], name='u')\nte.scan(init, u, state)",
       8, "is not its time"},
      {kParts, "u = te.compute((6, 8), lambda t, i: X[t, i], name='u')\nte.scan(init, u, X[0])", 7,
       "a scan is made of tensors"},
      {kParts, "u = te.compute((5, 8), lambda t, i: X[t, i], name='u')\nte.scan(init, u, state)", 7,
       "'u' has another shape than the state"},
      {kParts, "te.scan(state, state, state)", 6, "is the result of a te.compute"},
      {kParts, "u = te.compute((6, 8), lambda t, i: state[t - 1, i], name='u')\nte.scan(u, u, state)", 7,
       "holds all times"},
      {kParts,
       "u = te.compute((6, 8), lambda t, i: state[t - 1, i], name='u')\nY = te.scan(init, u, state)\n"
       "Z = te.compute((8,), lambda i: u[3, i] + Y[1, i], name='Z')\ntvm.lower(te.create_schedule(Z.op), [X, Z])",
       9, "'Z' reads 'u', a part of the scan 'scan', outside of its steps"},
      {kCumulative, "s[update].split(update.op.axis[0], 4)", 9, "'t' is the time of the scan 'Y'"},
      {kCumulative, "s[update].compute_inline()", 9, "'update' is a part of the scan 'Y': it is not inlined"},
      {kCumulative, "s[Y].split(Y.op.scan_axis, 4)", 9, "the time of the scan 'Y' runs in one loop"},
      {kCumulative, "s.cache_write(Y, 'local')", 9, "the scan 'Y' is not cached"},
      {kCumulative, "s.cache_read(state, 'local', [update])", 9, "is a part of the scan 'Y': it is not cached"},
      {kCumulative, "s[update].storage_align(update.op.axis[0], 8, 1)", 9, "is computed in the memory of the scan 'Y'"},
      {kCumulative, "s[Y].parallel(Y.op.scan_axis)", 9, ""},
      {kCumulative, "update.op.scan_axis", 9, "'update' is no scan"},
      {kTwoStages, "s[half].compute_at(s[Z], Z.op.axis[0])", 12,
       "'half' is also read by 'update', outside of that loop"},
      {kTwoStages, "s[update].compute_at(s[Z], Z.op.axis[0])", 12, "it is not computed elsewhere"},
      {kTwoStages, "s[Y].compute_at(s[Z], Z.op.axis[0])", 12, "the scan 'Y' is not computed elsewhere"},
  };
  for (const Mistake& m : kMistakes) {
    const Complaint c = refused(std::string(m.head) + m.lines + "\n");
    EXPECT_NE(c.kind, api::Failure::Kind::Internal) << c.text;
    EXPECT_EQ(c.line, m.line) << c.text;
    EXPECT_HAS(c.text, m.message);
  }
}

}  // namespace scan_test
}  // namespace hexproof::te
