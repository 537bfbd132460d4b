// What the parser reads: types, promotion, scopes, every tier of TVMScript.
#include <gtest/gtest.h>

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace parser_test {

PrimFunc parse(const std::string& body,
               const std::string& params = "A: T.Buffer((16,), \"float32\"), B: T.Buffer((16,), \"int32\")") {
  return parse_module("@T.prim_func\ndef main(" + params + "):\n" + body, "t.py").functions.at(0);
}

/// The body as it is printed back, without indentation.
std::string body_of(const PrimFunc& func) { return print(func.body); }
std::string read(const std::string& body,
                 const std::string& params = "A: T.Buffer((16,), \"float32\"), B: T.Buffer((16,), \"int32\")") {
  return body_of(parse(body, params));
}

TEST(Parser, PythonNumbersTakeTheDtypeOfTheOtherOperand) {
  EXPECT_EQ(read("  A[0] = A[1] * 2 + 1\n"), "A[0] = A[1] * T.float32(2.0) + T.float32(1.0)\n");
  EXPECT_EQ(read("  B[0] = 2 * B[1]\n"), "B[0] = 2 * B[1]\n");
  EXPECT_EQ(read("  C[0] = C[1] + 3\n", "C: T.Buffer((4,), \"int8\")"), "C[0] = C[1] + T.int8(3)\n");
  EXPECT_EQ(read("  C[0] = C[1] + 0.1\n", "C: T.Buffer((4,), \"float64\")"), "C[0] = C[1] + T.float64(0.1)\n");
  EXPECT_EQ(read("  C[0] = C[1] + 0.5\n", "C: T.Buffer((4,), \"float16\")"),
            "C[0] = T.Cast(\"float16\", T.Cast(\"float32\", C[1]) + T.float32(0.5))\n")
      << "a Python float is float32, and float16 gives way";
}

TEST(Parser, DtypesMatchAsInTvm) {
  const char* params =
      "i: T.int32, l: T.int64, u: T.uint32, b: T.int8, f: T.float32, h: T.float16, C: T.Buffer((4,), \"int64\"), "
      "F: T.Buffer((4,), \"float32\"), U: T.Buffer((4,), \"uint32\")";
  EXPECT_EQ(read("  C[0] = i + l\n", params), "C[0] = T.Cast(\"int64\", i) + l\n");
  EXPECT_EQ(read("  C[0] = l * b\n", params), "C[0] = l * T.Cast(\"int64\", b)\n");
  EXPECT_EQ(read("  U[0] = i + u\n", params), "U[0] = T.Cast(\"uint32\", i) + u\n");
  EXPECT_EQ(read("  F[0] = i * f\n", params), "F[0] = T.Cast(\"float32\", i) * f\n");
  EXPECT_EQ(read("  F[0] = h + f\n", params), "F[0] = T.Cast(\"float32\", h) + f\n");
  EXPECT_EQ(read("  C[0] = T.int32(7) + l\n", params), "C[0] = T.int64(7) + l\n");
  EXPECT_EQ(read("  F[0] = i\n", params), "F[0] = T.Cast(\"float32\", i)\n");
}

TEST(Parser, PythonComputesWithItsOwnConstants) {
  EXPECT_EQ(read("  B[2 * 3] = -7 // 2 + 7 % -4\n"), "B[6] = -5\n");
  EXPECT_EQ(read("  A[0] = 1 / 4\n"), "A[0] = T.float32(0.25)\n");
  EXPECT_EQ(read("  B[0] = 1 << 4 | 3\n"), "B[0] = 19\n");
  EXPECT_EQ(read("  A[0] = -0.0\n"), "A[0] = T.float32(-0.0)\n");
  EXPECT_EQ(read("  B[0] = T.int32(2) + 3\n"), "B[0] = T.int32(2) + 3\n") << "a typed constant is not folded";
  EXPECT_EQ(read("  B[0] = T.max(2, 3)\n"), "B[0] = T.max(2, 3)\n");
  EXPECT_EQ(read("  B[0] = 4.0\n"), "B[0] = 4\n") << "a whole float constant may be stored as an integer";
}

TEST(Parser, Precedence) {
  EXPECT_EQ(read("  B[0] = B[1] - (B[2] - B[3]) * 2 // 3\n"), "B[0] = B[1] - (B[2] - B[3]) * 2 // 3\n");
  EXPECT_EQ(read("  T.assume(not B[0] == 1 and B[1] < 2 or B[2] > 3)\n"),
            "T.assume(not B[0] == 1 and B[1] < 2 or B[2] > 3)\n");
  EXPECT_EQ(read("  T.assume((not B[0] == 1) and (B[1] < 2 or B[2] > 3))\n"),
            "T.assume(not B[0] == 1 and (B[1] < 2 or B[2] > 3))\n");
  EXPECT_EQ(read("  B[0] = -B[1]\n"), "B[0] = B[1] * -1\n") << "as TVM negates";
  EXPECT_EQ(read("  B[0] = B[1] & B[2] | B[3] ^ ~B[4] << 2\n"), "B[0] = B[1] & B[2] | B[3] ^ ~B[4] << 2\n");
}

TEST(Parser, ChainedComparisonsAreConjunctions) {
  PrimFunc func = parse("  for i in range(16):\n    if 0 <= i < 14 < 15:\n      B[i] = 0\n");
  EXPECT_EQ(body_of(func), "for i in range(16):\n    if 0 <= i and i < 14 and T.bool(True):\n        B[i] = 0\n");
}

TEST(Parser, LoopsOfEveryKind) {
  EXPECT_EQ(read("  for i in T.serial(2, 6):\n    B[i] = 0\n"), "for i in range(2, 6):\n    B[i] = 0\n");
  EXPECT_EQ(read("  for i in T.serial(4, annotations={\"k\": 1}):\n    B[i] = 0\n"),
            "for i in T.serial(4, annotations={\"k\": 1}):\n    B[i] = 0\n");
  EXPECT_EQ(read("  for i, j in T.grid(4, 4):\n    B[i * 4 + j] = 0\n"),
            "for i, j in T.grid(4, 4):\n    B[i * 4 + j] = 0\n");
  EXPECT_EQ(read("  for i in T.parallel(4):\n    for j in T.vectorized(i, i + 4):\n      B[j] = 0\n"),
            "for i in T.parallel(4):\n    for j in T.vectorized(i, i + 4):\n        B[j] = 0\n");
  PrimFunc func = parse("  for i in range(n, m):\n    B[0] = i\n", "B: T.Buffer(1, \"int32\"), n: T.int32, m: T.int32");
  const For* loop = func.body.as<For>();
  ASSERT_TRUE(loop);
  EXPECT_EQ(print(loop->extent), "m - n");
  func = parse("  for i in range(n, n + m * 2):\n    B[0] = i\n", "B: T.Buffer(1, \"int32\"), n: T.int32, m: T.int32");
  EXPECT_EQ(print(func.body.as<For>()->extent), "m * 2");
  func = parse("  for i in T.unroll(T.int64(8)):\n    B[0] = 0\n", "B: T.Buffer(1, \"int32\")");
  EXPECT_EQ(func.body.as<For>()->var.dtype(), kInt64);
  EXPECT_EQ(func.body.as<For>()->kind, ForKind::Unrolled);
  func = parse("  bx = T.launch_thread(\"blockIdx.x\", 4)\n  B[bx] = 0\n");
  EXPECT_EQ(func.body.as<For>()->thread_tag, "blockIdx.x");
  func = parse("  tx = T.env_thread(\"threadIdx.x\")\n  with T.launch_thread(tx, 4):\n    B[tx] = 0\n");
  EXPECT_EQ(body_of(func), "for tx in T.thread_binding(4, thread=\"threadIdx.x\"):\n    B[tx] = 0\n");
}

TEST(Parser, ShapesInEveryForm) {
  for (const char* type : {"T.Buffer((14,), \"int32\")", "T.Buffer[(14,), \"int32\"]", "T.Buffer[14, \"int32\"]",
                           "T.Buffer([14], \"int32\")", "T.Buffer(14, \"int32\")",
                           "T.Buffer(shape=(14,), dtype=\"int32\")", "T.Buffer((7 * 2,), T.int32)"}) {
    PrimFunc func = parse("  pass\n", std::string("A: ") + type);
    EXPECT_EQ(print(func),
              "# from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((14,), \"int32\")):\n    "
              "T.evaluate(0)\n")
        << type;
  }
  EXPECT_EQ(parse("  pass\n", "A: T.Buffer(4)").params[0].buffer->dtype, kFloat32) << "float32 when left out";
  EXPECT_EQ(read("  A[()] = 1\n", "A: T.Buffer((), \"int32\")"), "A[()] = 1\n");
}

TEST(Parser, HandlesAndShapeVariables) {
  PrimFunc func = parse(
      "  n = T.int32()\n  m = T.int64()\n  A = T.match_buffer(a, (n, m), \"int8\", scope=\"global.vtcm\")\n  A[0, 0] = "
      "1\n",
      "a: T.handle");
  ASSERT_EQ(func.scalars().size(), 2u);
  EXPECT_EQ(func.scalars()[1].dtype(), kInt64);
  EXPECT_EQ(func.params[0].buffer->scope, "global.vtcm");
  EXPECT_EQ(print(func),
            "# from tvm.script import tir as T\n\n@T.prim_func\ndef main(a: T.handle):\n    n = T.int32()\n    m = "
            "T.int64()\n"
            "    A = T.match_buffer(a, (n, m), \"int8\", scope=\"global.vtcm\")\n    A[0, 0] = T.int8(1)\n");
}

TEST(Parser, BlocksWithEverything) {
  std::string text =
      "for i, j, k in T.grid(16, 16, 16):\n"
      "    with T.block(\"update\"):\n"
      "        vi, vj = T.axis.remap(\"SR\", [i, j])\n"
      "        vk = T.axis.opaque((1, 9), k // 2 + 1)\n"
      "        T.where(i < 15)\n"
      "        T.reads(A[vi], B[vj:vj + 2])\n"
      "        T.writes(A[vi])\n"
      "        T.block_attr({\"list\": [1, \"two\", None], \"x\": T.bool(True)})\n"
      "        with T.init():\n"
      "            A[vi] = T.float32(0.0)\n"
      "        A[vi] = A[vi] + T.Cast(\"float32\", B[vj])\n";
  std::string indented;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at) + 1;
    indented += "    " + text.substr(at, end - at), at = end;
  }
  EXPECT_EQ(read(indented), text);
  std::string newer = indented;
  newer.replace(newer.find("T.block("), 8, "T.sblock(");
  EXPECT_EQ(read(newer), text);
  EXPECT_EQ(read("  with T.block():\n    A[0] = 0\n"), "with T.block(\"\"):\n    A[0] = T.float32(0.0)\n");
}

TEST(Parser, LetsInEveryForm) {
  EXPECT_EQ(read("  x = B[0] + 1\n  y: T.int64 = 5\n  B[1] = x\n"),
            "x: T.int32 = B[0] + 1\ny: T.int64 = T.int64(5)\nB[1] = x\n");
  EXPECT_EQ(read("  with T.LetStmt(B[0]) as x:\n    B[1] = x\n  B[2] = 0\n"),
            "with T.LetStmt(B[0]) as x:\n    B[1] = x\nB[2] = 0\n");
  EXPECT_EQ(read("  x = T.int32()\n  B[0] = T.Let(x + x, where={x: B[1]})\n"),
            "x = T.int32()\nB[0] = T.Let(x + x, where={x: B[1]})\n");
  EXPECT_EQ(read("  x = T.meta_var(B[0])\n  B[1] = x\n"), "B[1] = B[0]\n");
  EXPECT_EQ(read("  x = 1\n  x = x + 1\n  x += 2\n  B[0] = x\n"),
            "x: T.int32 = 1\nx_1: T.int32 = x + 1\nx_2: T.int32 = x_1 + 2\nB[0] = x_2\n");
}

TEST(Parser, AssumeAndUndef) {
  EXPECT_EQ(read("  T.assume(A[0] == T.undef())\n  T.evaluate(T.assume(B[0] < 3))\n  A[1] = T.undef()\n"),
            "T.assume(A[0] == T.undef())\nT.assume(B[0] < 3)\nA[1] = T.undef()\n");
  PrimFunc func = parse("  A[1] = T.undef()\n");
  EXPECT_EQ(func.body.as<Store>()->value->dtype, kFloat32);
}

TEST(Parser, MemoryAndViews) {
  std::string text =
      "X = T.allocate([16], \"float32\", \"local\")\n"
      "V = T.decl_buffer((4, 4), \"float32\", data=X, strides=(4, 1), elem_offset=0, scope=\"local\", "
      "axis_separators=[1])\n"
      "K = T.allocate_const([T.int8(1), T.int8(-2)], \"int8\", [2])\n"
      "L = T.decl_buffer((2,), \"int8\", data=K)\n"
      "W = T.decl_buffer((4, 4), \"int32\", data=B.data)\n"
      "T.attr(X, \"storage_alignment\", 128)\n"
      "V[0, 0] = A[0] + T.Cast(\"float32\", L[1]) + T.Cast(\"float32\", W[0, 0] + B[1])\n";
  std::string indented;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at) + 1;
    indented += "    " + text.substr(at, end - at), at = end;
  }
  EXPECT_EQ(read(indented), text);
  EXPECT_EQ(read("  X = T.allocate([4], \"float32\", \"global\")\n  V = T.Buffer((4,), data=X)\n  V[0] = 0\n"),
            "X = T.allocate([4], \"float32\", \"global\")\nV = T.decl_buffer((4,), \"float32\", data=X)\nV[0] = "
            "T.float32(0.0)\n");
}

TEST(Parser, ViewsOfAnotherType) {
  // A is of float32, B of int32: each access says which bits it means, and that reads back.
  auto both_ways = [](std::string text, std::string printed) {
    text += "  A[9] = A[8]\n  B[9] = B[8]\n", printed += "A[9] = A[8]\nB[9] = B[8]\n";
    EXPECT_EQ(read(text), printed);
    std::string again;
    for (size_t at = 0; at < printed.size();) {
      const size_t end = printed.find('\n', at) + 1;
      again += "  " + printed.substr(at, end - at), at = end;
    }
    EXPECT_EQ(read(again), printed);
  };
  const std::string view = "  V = T.buffer_decl([16], \"int32\", data=A.data)\n";
  const std::string printed = "V = T.decl_buffer((16,), \"float32\", data=A.data)\n";
  both_ways(view + "  B[0] = V[1] & 7\n", printed + "B[0] = T.reinterpret(\"int32\", V[1]) & 7\n");
  both_ways(view + "  V[0] = B[1]\n", printed + "V[0] = T.reinterpret(\"float32\", B[1])\n");
  both_ways(view + "  V[0] += 1\n",
            printed + "V[0] = T.reinterpret(\"float32\", T.reinterpret(\"int32\", V[0]) + 1)\n");
  both_ways(view + "  V[0:4] = V[4:8]\n", printed + "V[T.Ramp(0, 1, 4)] = V[T.Ramp(4, 1, 4)]\n");
  both_ways(view + "  V[0] = T.undef()\n", printed + "V[0] = T.undef()\n");
  both_ways(view + "  T.assume(V[0] == T.undef())\n  T.assume(T.undef(dtype=\"int32\") == V[0])\n",
            printed + "T.assume(V[0] == T.undef())\nT.assume(T.undef() == V[0])\n");
  both_ways(view + "  assert V.dtype == \"int32\"\n  assert V[0].dtype == \"int32\"\n  V[0] = A[0].astype(\"int32\")\n",
            printed + "V[0] = T.reinterpret(\"float32\", T.Cast(\"int32\", A[0]))\n");
  // Other lanes besides; a view of a view is one of the memory; between integers it is a cast.
  both_ways(
      "  V = T.decl_buffer((4,), \"uint32x4\", data=A.data)\n  W = T.decl_buffer((16,), \"float32\", data=V.data)\n"
      "  W[0] = A[1]\n  V[1] = V[0]\n",
      "V = T.decl_buffer((4,), \"float32x4\", data=A.data)\nW = T.decl_buffer((16,), \"float32\", data=A.data)\n"
      "W[0] = A[1]\nV[1] = V[0]\n");
  both_ways("  V = T.decl_buffer((16,), \"uint32\", data=B.data)\n  V[0] = V[1]\n  V[2] = V[3] + 1\n",
            "V = T.decl_buffer((16,), \"int32\", data=B.data)\nV[0] = V[1]\n"
            "V[2] = T.Cast(\"int32\", T.Cast(\"uint32\", V[3]) + T.uint32(1))\n");
  both_ways(
      "  X = T.allocate([4], \"float16\", \"global\")\n  V = T.decl_buffer((4,), \"bfloat16\", data=X)\n  V[0] = "
      "V[1]\n",
      "X = T.allocate([4], \"float16\", \"global\")\nV = T.decl_buffer((4,), \"float16\", data=X)\n"
      "V[0] = T.reinterpret(\"float16\", T.reinterpret(\"uint16\", T.reinterpret(\"bfloat16\", "
      "T.reinterpret(\"uint16\", V[1]))))\n");
  // Claims of blocks name the cells.
  EXPECT_EQ(
      read(view + "  with T.block(\"b\"):\n    T.reads(V[0])\n    T.writes(V[1:3])\n    V[1] = V[0]\n    V[2] = V[0]\n")
          .find("T.reads(T.reinterpret"),
      std::string::npos);
  // The call itself, in either spelling; a constant of Python is of its width.
  both_ways("  A[0] = T.reinterpret(\"float32\", 0x80000000)\n  B[0] = T.reinterpret(A[1], dtype=\"int32\")\n",
            "A[0] = T.reinterpret(\"float32\", T.uint32(2147483648))\nB[0] = T.reinterpret(\"int32\", A[1])\n");
  for (const char* wrong :
       {"  A[0] = T.reinterpret(\"float32\", T.int64(1))\n", "  A[0] = T.reinterpret(\"bool\", A[1])\n",
        "  A[0] = T.reinterpret(\"float32x2\", A[1])\n", "  T.reinterpret(\"int32\", A[0]) = 1\n",
        "  A[0] = T.reinterpret(\"int32\")\n", "  A[0] = T.reinterpret(\"float32\", \"x\")\n",
        "  A[0] = T.reinterpret(\"handle\", A.data)\n"}) {
    EXPECT_THROW(read(wrong), Error) << wrong;
  }
}

TEST(Parser, Vectors) {
  EXPECT_EQ(read("  A[0:4] = A[4:8] * A[8:16:2] + T.broadcast(1.5, 4)\n"),
            "A[T.Ramp(0, 1, 4)] = A[T.Ramp(4, 1, 4)] * A[T.Ramp(8, 2, 4)] + T.Broadcast(T.float32(1.5), 4)\n");
  EXPECT_EQ(read("  A[T.ramp(0, 1, 4)] = A[T.Ramp(0, 1, 4)] * 2\n"),
            "A[T.Ramp(0, 1, 4)] = A[T.Ramp(0, 1, 4)] * T.Broadcast(T.float32(2.0), 4)\n");
}

TEST(Parser, ChoicesCastsExtremesAndMath) {
  EXPECT_EQ(
      read("  A[0] = T.if_then_else(B[0] > 0, A[1], 0) + T.Select(B[1] == 2, T.exp(A[2]), T.float32(\"inf\"))\n"),
      "A[0] = T.if_then_else(B[0] > 0, A[1], T.float32(0.0)) + T.Select(B[1] == 2, T.exp(A[2]), T.float32(\"inf\"))\n");
  EXPECT_EQ(read("  B[0] = T.cast(A[0], \"int32\") + T.min_value(\"int32\") + T.truncdiv(B[0], 3)\n"),
            "B[0] = T.Cast(\"int32\", A[0]) + -2147483648 + T.truncdiv(B[0], 3)\n");
  EXPECT_EQ(read("  A[0] = T.max_value(\"float32\") + T.pow(A[0], 2)\n"),
            "A[0] = T.float32(3.4028235e+38) + T.pow(A[0], T.float32(2.0))\n");
  EXPECT_EQ(read("  A[0] = T.exp(A[1], dtype=\"float32\")\n"), "A[0] = T.exp(A[1])\n");
  EXPECT_THROW(read("  A[0] = T.exp(A[1], dtype=\"float16\")\n"), Error);
  EXPECT_EQ(read("  if T.likely(B[0] < 3):\n    B[0] = 1\n"), "if T.likely(B[0] < 3):\n    B[0] = 1\n");
  EXPECT_EQ(read("  A[0] = T.call_pure_extern(\"float32\", \"gelu\", A[0], 1)\n"),
            "A[0] = T.call_pure_extern(\"float32\", \"gelu\", A[0], 1)\n");
}

TEST(Parser, ModulesAndDecorators) {
  IRModule module = parse_module(
      "import tvm\nfrom tvm.script import tir as T\n@tvm.script.ir_module\nclass Pair:\n  \"\"\"Two.\"\"\"\n"
      "  @T.prim_func(private=True)\n  def one(A: T.Buffer(1, \"int32\")) -> None:\n    A[0] = 1\n"
      "  @T.prim_func\n  def two(A: T.Buffer(1, \"int32\")):\n    A[0] = 2\n");
  EXPECT_EQ(module.name, "Pair");
  ASSERT_EQ(module.functions.size(), 2u);
  EXPECT_EQ(pick_function(module, "two").name, "two");
  EXPECT_THROW(pick_function(module, ""), Error);
  EXPECT_THROW(pick_function(module, "tow"), Error);
  module = parse_module(
      "def before(A: T.Buffer(16, \"int32\")):\n    A[0] = 1\ndef after(A: T.Buffer(16, \"int32\")):\n    A[0] = 1\n");
  EXPECT_EQ(module.functions.size(), 2u);
  EXPECT_TRUE(same_program(module.functions[0], module.functions[1]));
}

TEST(Parser, PiecesOfProgramsThatDoNothing) {
  EXPECT_EQ(read("  pass\n  T.evaluate(0)\n  A[0] = 1; B[0] = 2\n  \"\"\"words\"\"\"\n"),
            "A[0] = T.float32(1.0)\nB[0] = 2\n");
  EXPECT_EQ(read("  if B[0] == 1: A[0] = 1; A[1] = 2\n"),
            "if B[0] == 1:\n    A[0] = T.float32(1.0)\n    A[1] = T.float32(2.0)\n");
  EXPECT_EQ(read("  assert A[0].dtype == \"float32\"\n  B[0] = A.shape[0]\n"), "B[0] = 16\n");
}

}  // namespace parser_test
}  // namespace hexproof
