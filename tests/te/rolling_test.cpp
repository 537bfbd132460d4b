// rolling_buffer: windows that slide keep what the last one computed.
#include <cstring>

#include "ir/interpreter/interpreter.h"
#include "ir/text/text.h"
#include "tests/te/support.h"

namespace hexproof::te {
namespace rolling_test {

/// How often the program loads each index along an axis of the parameter, run once: a count stands beside each store
/// that loads it.
std::vector<int32_t> loads(const std::string& text, const std::string& buffer, size_t axis, int64_t extent) {
  std::string counted;
  size_t from = 0, places = 0;
  while (from < text.size()) {
    const size_t end = std::min(text.find('\n', from), text.size());
    std::string line = text.substr(from, end - from);
    from = end + 1;
    if (const size_t head = line.find("):"); line.find("def main(") != line.npos) {
      line.insert(head, ", count: T.Buffer((" + std::to_string(extent) + ",), \"int32\")");
    }
    counted += line + "\n";
    const size_t value = line.find(" = "), at = line.find(buffer + "[", value == line.npos ? 0 : value);
    if (value == line.npos || at == line.npos) continue;
    // The index along the axis: commas outside of parentheses part them.
    std::vector<std::string> indices(1);
    int depth = 0;
    for (size_t k = at + buffer.size() + 1; depth > 0 || line[k] != ']'; ++k) {
      depth += line[k] == '(' ? 1 : line[k] == ')' ? -1 : 0;
      if (depth == 0 && line[k] == ',') {
        indices.emplace_back();
      } else {
        indices.back() += line[k];
      }
    }
    const std::string cell = "count[" + indices.at(axis) + "]";
    counted += line.substr(0, line.find_first_not_of(' ')) + cell + " = " + cell + " + 1\n";
    ++places;
  }
  EXPECT_EQ(places, 1u) << text;
  const IRModule module = parse_module(counted);
  const PrimFunc& func = pick_function(module, "");
  std::vector<hexproof::Tensor> tensors;
  for (const Param& p : func.params) {
    std::vector<int64_t> shape;
    for (const Expr& e : p.buffer->shape) shape.push_back(*as_int(e));
    tensors.push_back(make_tensor(p.buffer->dtype, shape));
  }
  const RunResult result = run(func, tensors);
  EXPECT_FALSE(result.error) << result.error->str();
  std::vector<int32_t> out(static_cast<size_t>(extent));
  std::memcpy(out.data(), tensors.back().data.data(), out.size() * sizeof(int32_t));
  return out;
}

std::string stencil(const std::string& loops, const std::string& more = "") {
  return R"(
A = te.placeholder((66,), name="A", dtype="int32")
B = te.compute((66,), lambda i: A[i] * 2, name="B")
C = te.compute((64,), lambda i: B[i] + B[i + 1] + B[i + 2], name="C")
s = te.create_schedule(C.op)
)" + loops +
         "s[B].compute_at(s[C], xo)\n" + more + "tvm.lower(s, [A, C])\n";
}

TEST(RollingBuffer, EachCellIsComputedOnce) {
  const std::string tiles = "xo, xi = s[C].split(C.op.axis[0], factor=8)\n";
  const std::vector<int32_t> twice = loads(made_by(stencil(tiles)), "A", 0, 66);
  EXPECT_EQ(twice[8], 2);  // without it, where two tiles meet
  const std::string text = made_by(stencil(tiles, "s[B].rolling_buffer()\n"));
  EXPECT_HAS(text, "B = T.alloc_buffer((10,), \"int32\")");
  EXPECT_EQ(loads(text, "A", 0, 66), std::vector<int32_t>(66, 1)) << text;
}

TEST(RollingBuffer, TilesThatDoNotDivide) {
  const std::string text =
      made_by(stencil("xo, xi = s[C].split(C.op.axis[0], factor=10)\n", "s[B].rolling_buffer()\n"));
  EXPECT_EQ(loads(text, "A", 0, 66), std::vector<int32_t>(66, 1)) << text;
}

TEST(RollingBuffer, InLoopsOfItsOwn) {
  const std::string text = made_by(stencil("xo, xi = s[C].split(C.op.axis[0], factor=8)\n",
                                           "bo, bi = s[B].split(B.op.axis[0], factor=5)\ns[B].rolling_buffer()\n"));
  EXPECT_EQ(loads(text, "A", 0, 66), std::vector<int32_t>(66, 1)) << text;
}

TEST(RollingBuffer, RowsOfSums) {
  const std::string text = made_by(R"(
A = te.placeholder((20, 6), name="A", dtype="int32")
k = te.reduce_axis((0, 6), name="k")
B = te.compute((20,), lambda i: te.sum(A[i, k], axis=k), name="B")
C = te.compute((18,), lambda i: B[i] * B[i + 2], name="C")
s = te.create_schedule(C.op)
xo, xi = s[C].split(C.op.axis[0], factor=3)
s[B].compute_at(s[C], xo)
s[B].rolling_buffer()
tvm.lower(s, [A, C])
)");
  EXPECT_EQ(loads(text, "A", 0, 20), std::vector<int32_t>(20, 6)) << text;
}

TEST(RollingBuffer, WhatDoesNotSlideIsAMistake) {
  const Complaint root = refused(R"(from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="int32")
B = te.compute((8,), lambda i: A[i] + 1, name="B")
C = te.compute((8,), lambda i: B[i] * 2, name="C")
s = te.create_schedule(C.op)
s[B].rolling_buffer()
tvm.lower(s, [A, C])
)");
  EXPECT_EQ(root.kind, api::Failure::Kind::Input);
  EXPECT_EQ(root.line, 7);
  EXPECT_HAS(root.text, "computed at no loop");
  const Complaint output = refused(R"(from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="int32")
C = te.compute((8,), lambda i: A[i] * 2, name="C")
s = te.create_schedule(C.op)
s[C].rolling_buffer()
tvm.lower(s, [A, C])
)");
  EXPECT_EQ(output.line, 6);
  EXPECT_HAS(output.text, "is an output");
  const Complaint whole = refused(R"(from tvm import te
import tvm
A = te.placeholder((8,), name="A", dtype="int32")
B = te.compute((8,), lambda i: A[i] + 1, name="B")
C = te.compute((4, 8), lambda i, j: B[j] * 2, name="C")
s = te.create_schedule(C.op)
s[B].compute_at(s[C], C.op.axis[0])
s[B].rolling_buffer()
tvm.lower(s, [A, C])
)");
  EXPECT_EQ(whole.line, 8);
  EXPECT_HAS(whole.text, "no window slides");
}

// The two convolutions by rows: each row of the input is loaded once, and not once per tile that needs it.
TEST(RollingBuffer, Conv2dLoadsEachInputRowOnce) {
  const std::string folder = std::string(HEXPROOF_SOURCE_DIR) + "/tests/te/conv2d/";
  const std::string text = made_by_file(folder + "k1_h2_3x3_rows_small.py");
  EXPECT_EQ(loads(text, "logical_input", 1, 64), std::vector<int32_t>(64, 8 * 32)) << text;
  // Circular: as many slices as a window has.
  EXPECT_HAS(text, "packed_input_global = T.alloc_buffer((1, 4, 1, 1, 8, 8, 32), \"float32\")");
  EXPECT_HAS(text, "temp_output = T.alloc_buffer((1, 3, 1, 1, 8, 8, 32), \"float32\")");
}

}  // namespace rolling_test
}  // namespace hexproof::te
