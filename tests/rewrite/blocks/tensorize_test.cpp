// tensorize: a nest is marked only where it is the instruction's description, to the byte.
#include "ir/base/diagnostic.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace tensorize_test {

const char* kName = "dot_32x4_u8u8i32_vrmpy";

const char* kNest = R"(
def f(A: T.Buffer((16, 32), "uint8"), B: T.Buffer((8, 32, 4), "uint8"), C: T.Buffer((16, 64), "int32")):
    for p, c in T.grid(16, 8):
        for i, k in T.grid(32, 4):
            C[p, 32 + i] = C[p, 32 + i] + T.Cast("int32", A[p, c * 4 + k]) * T.Cast("int32", B[c, i, k])
)";

std::string with(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::string text = kNest;
  for (const auto& [what, to] : changes) {
    bool found = false;
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += to.size()) {
      text.replace(at, what.size(), to), found = true;
    }
    EXPECT_TRUE(found) << what;
  }
  return text;
}

Args at_i(const PrimFunc& func, const std::string& name = kName) {
  return {{"at", loop_named(func, "i")}, {"intrinsic", name}};
}

std::string refused(const std::string& text, const std::string& name = kName) {
  PrimFunc func = parse(text);
  try {
    Derivation derivation(func);
    derivation.apply("tensorize", at_i(func, name), test_prover());
  } catch (const NotApplicable& e) {
    return e.what();
  } catch (const Refused& e) {
    return e.what();
  }
  return {};
}

void expect_refused(const std::string& text, const std::string& why, const std::string& name = kName) {
  std::string said = refused(text, name);
  EXPECT_NE(said.find(why), std::string::npos) << "said: " << said << "\nof: " << text;
}

TEST(Tensorize, MarksTheLoopAndChangesNothingElse) {
  PrimFunc func = parse(kNest);
  PrimFunc after = applied(func, "tensorize", at_i(func));
  std::string text = print(after);
  EXPECT_NE(text.find("annotations={\"hexproof.tensorize\": \"dot_32x4_u8u8i32_vrmpy\"}"), std::string::npos) << text;
  EXPECT_EQ(count_marks(after.body), 1u);
  EXPECT_EQ(print(parse(text)), text);
  EXPECT_EQ(difference(func, after), "");
}

TEST(Tensorize, SumsAndProductsInEitherOrder) {
  EXPECT_EQ(refused(with({{"C[p, 32 + i] + T.Cast(\"int32\", A[p, c * 4 + k]) * T.Cast(\"int32\", B[c, i, k])",
                           "T.Cast(\"int32\", B[c, i, k]) * T.Cast(\"int32\", A[p, k + c * 4]) + C[p, 32 + i]"}})),
            "");
}

TEST(Tensorize, ABlockAroundTheStoreIsNoHindrance) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((4,), "uint8"), B: T.Buffer((32, 4), "uint8"), C: T.Buffer((32,), "int32")):
    for i, k in T.grid(32, 4):
        with T.block("update"):
            vi, vk = T.axis.remap("SR", [i, k])
            C[vi] = C[vi] + T.Cast("int32", A[vk]) * T.Cast("int32", B[vi, vk])
)");
  EXPECT_EQ(count_marks(applied(func, "tensorize", at_i(func)).body), 1u);
}

TEST(Tensorize, FlatAddressesAndViews) {
  EXPECT_EQ(refused(R"(
def f(A: T.Buffer((512,), "uint8"), B: T.Buffer((1024,), "uint8"), C: T.Buffer((1024,), "int32")):
    V = T.decl_buffer((16, 32), "int32", data=C.data, elem_offset=64, strides=(32, 1))
    for p, c in T.grid(16, 8):
        for i, k in T.grid(32, 4):
            V[p, i] = V[p, i] + T.Cast("int32", A[p * 32 + c * 4 + k]) * T.Cast("int32", B[c * 128 + (i * 4 + k)])
)"),
            "");
}

TEST(Tensorize, Condition1TheNestIsTheDescription) {
  // Extents, order and kind of the loops.
  expect_refused(with({{"T.grid(32, 4)", "T.grid(16, 4)"}}), "the loop 'i' has the extent 16");
  expect_refused(with({{"T.grid(32, 4)", "T.grid(32, 2)"}}), "the loop 'k' has the extent 2");
  expect_refused(with({{"for i, k in T.grid(32, 4)", "for i, k in T.grid(4, 32)"},
                       {"4 + k", "4 + i"},
                       {", i, k]", ", k, i]"},
                       {"32 + i", "32 + k"}}),
                 "the loop 'i' has the extent 4");
  expect_refused(with({{"for i, k in T.grid(32, 4):", "for i in T.vectorized(32):\n          for k in range(4):"},
                       {"            C[", "                C["}}),
                 "the loop 'i' is not serial");
  // Types: wrong sign, wrong width of the sum.
  expect_refused(with({{"(16, 32), \"uint8\"", "(16, 32), \"int8\""}}),
                 "is of int8, where the instruction takes uint8");
  expect_refused(with({{"(8, 32, 4), \"uint8\"", "(8, 32, 4), \"int8\""}}), "is of int8");
  expect_refused(with({{"int32", "int16"}}), "is of int16");
  expect_refused(with({{"T.Cast(\"int32\", A[p, c * 4 + k])", "T.Cast(\"int32\", T.Cast(\"int8\", A[p, c * 4 + k]))"}}),
                 "stands where the instruction computes");
  // The expression.
  expect_refused(with({{"] + T.Cast", "] - T.Cast"}}), "stands where the instruction computes");
  expect_refused(with({{"C[p, 32 + i] + T", "C[p, 32 + i] * 2 + T"}}), "stands where the instruction computes");
  // The cell that is read is the one that is written.
  expect_refused(with({{"= C[p, 32 + i]", "= C[p, i]"}}), "elsewhere in the nest");
}

// The instruction takes its operands as they lie in its description.
TEST(Tensorize, Condition2OperandsThatLieApart) {
  // Steps: a lane apart, an operand that is not dense, one that stands still.
  expect_refused(with({{"(8, 32, 4)", "(8, 64, 4)"}, {"B[c, i, k]", "B[c, i * 2, k]"}}),
                 "moves by 8 elements with the loop 'i'");
  expect_refused(with({{"(8, 32, 4)", "(8, 32, 8)"}}), "moves by 8 elements with the loop 'i'");
  expect_refused(with({{"c * 4 + k]", "c * 4]"}}), "moves by 0 elements with the loop 'k'");
  expect_refused(with({{"c * 4 + k]", "c * 4 + (3 - k)]"}}), "moves by -1 elements with the loop 'k'");
  expect_refused(with({{"c * 4 + k]", "(c * 4 + k) % 32]"}}), "does not move by a constant step");
}

TEST(Tensorize, Condition2WhereOperandsLieIsOwed) {
  PrimFunc func = parse(kNest);
  Rewrite rewrite = rule_by_name("tensorize").apply(func, at_i(func));
  size_t owed = 0;
  for (const Obligation& o : rewrite.needs) {
    owed += o.why.find("lies in memory as the instruction takes it") != std::string::npos;
  }
  EXPECT_EQ(owed, 3u) << "one of each operand";
}

TEST(Tensorize, Condition3AlignmentIsOwed) {
  for (auto [what, to, operand] : {std::tuple{"C[p, 32 + i]", "C[p, 31 + i]", "'acc'"},
                                   {"C[p, 32 + i]", "C[p, 16 + i]", "'acc'"},
                                   {"(16, 64)", "(16, 65)", "'acc'"},
                                   {"A[p, c * 4 + k]", "A[p, c * 3 + k]", "'a'"}}) {
    std::string said = refused(with({{what, to}}));
    EXPECT_NE(said.find("starts at a multiple of"), std::string::npos) << said;
    EXPECT_NE(said.find(operand), std::string::npos) << said;
  }
  std::string text = with({{"(8, 32, 4)", "(2000,)"}, {"B[c, i, k]", "B[c * 132 + i * 4 + k]"}});
  EXPECT_NE(refused(text).find("'b' in 'B' starts at a multiple of 128"), std::string::npos);
}

/// An accumulator that is also an operand: later iterations of the nest would read what earlier ones wrote.
TEST(Tensorize, WhatIsWrittenIsNoOperand) {
  const std::string text = R"(
def f(A: T.Buffer((32,), "int32"), B: T.Buffer((32, 4), "uint8")):
    V = T.decl_buffer((128,), "uint8", data=A.data)
    for i, k in T.grid(32, 4):
        A[i] = A[i] + T.Cast("int32", V[k]) * T.Cast("int32", B[i, k])
)";
  expect_refused(text, "is in the memory that the nest writes");
}

/// Why: what the machine would compute in the place of a nest that is refused, as a program, and a cell that it gets
/// wrong.
TEST(Tensorize, WhatIsRefusedWouldBeWrong) {
  struct Case {
    const char* name;
    std::vector<std::pair<std::string, std::string>> nest, instead;
    const char* why;
  };
  const std::vector<Case> cases = {
      {"a byte of the wrong sign",
       {{"(16, 32), \"uint8\"", "(16, 32), \"int8\""}},
       {{"(16, 32), \"uint8\"", "(16, 32), \"int8\""}, {"A[p, c * 4 + k]", "T.Cast(\"uint8\", A[p, c * 4 + k])"}},
       "is of int8"},
      {"every other word of a vector",
       {{"(8, 32, 4)", "(8, 64, 4)"}, {"B[c, i, k]", "B[c, i * 2, k]"}},
       {{"(8, 32, 4)", "(8, 64, 4)"}},
       "moves by 8 elements with the loop 'i'"},
      {"a word that starts at another byte: the machine takes the one below",
       {{"(16, 32), \"uint8\"", "(16, 36), \"uint8\""}, {"A[p, c * 4 + k]", "A[p, c * 4 + k + 1]"}},
       {{"(16, 32), \"uint8\"", "(16, 36), \"uint8\""}},
       "starts at a multiple of 4 bytes"},
      {"a vector that starts one lane early: the machine takes the low bits of the address for 0",
       {{"32 + i", "31 + i"}},
       {{"32 + i", "i"}},
       "starts at a multiple of 128 bytes"},
      {"products that are subtracted", {{"] + T.Cast", "] - T.Cast"}}, {}, "stands where the instruction computes"},
      {"half of the lanes", {{"T.grid(32, 4)", "T.grid(16, 4)"}}, {}, "has the extent 16"},
  };
  for (const Case& c : cases) {
    const std::string text = with(c.nest);
    expect_refused(text, c.why);
    std::string differs = difference(parse(text), parse(with(c.instead)));
    EXPECT_NE(differs, "") << c.name;
    std::cout << c.name << ": " << differs << "\n";
  }
  // What is written is also an operand: the machine has read all of it before it writes.
  const std::string head = R"(
def f(A: T.Buffer((64,), "int32"), M: T.Buffer((32,), "int32")):
)";
  auto nest = [&](const std::string& x) {
    return R"(    for i in range(32):
        A[i + 16] = T.Cast("int32", T.min((T.Cast("int64", )" +
           x + R"([i]) * T.Cast("int64", M[i]) + T.int64(1073741824)) >> T.int64(31), T.int64(2147483647)))
)";
  };
  const std::string text = head + nest("A");
  const std::string instead = head + R"(    X = T.alloc_buffer((32,), "int32")
    for k in range(32):
        X[k] = A[k]
)" + nest("X");
  expect_refused(text, "is in the memory that the nest writes", "q_multiply_32_i32_q31");
  EXPECT_NE(difference(parse(text), parse(instead)), "");
}

TEST(Tensorize, UnknownNamesAndSecondMarks) {
  expect_refused(kNest, "there is no intrinsic 'dot'; there are dot_16x4_i8u8i32_vnni", "dot");
  PrimFunc func = parse(kNest);
  PrimFunc marked = applied(func, "tensorize", at_i(func));
  EXPECT_TRUE(not_applicable(marked, "tensorize", at_i(marked)));
}

TEST(Tensorize, NoRuleTakesTheMarkAway) {
  PrimFunc func = parse(kNest);
  PrimFunc marked = applied(func, "tensorize", at_i(func));
  // Splitting the marked loop would lose it: then nothing would say that the kernel became slow.
  Derivation derivation(marked);
  try {
    derivation.apply("split",
                     {{"at", loop_named(marked, "i")},
                      {"factor", int64_t{8}},
                      {"outer", std::string("io")},
                      {"inner", std::string("ii")}},
                     test_prover());
    EXPECT_EQ(count_marks(derivation.current().body), 1u);
  } catch (const NotApplicable& e) {
    EXPECT_NE(std::string(e.what()).find("takes away the mark"), std::string::npos) << e.what();
  }
  // Rules around it leave it.
  EXPECT_EQ(count_marks(applied(marked, "parallelize", {{"at", loop_named(marked, "p")}}).body), 1u);
}

TEST(Tensorize, EachRowHasItsNestAndNoOther) {
  for (const Intrinsic* row : all_intrinsics()) {
    const PrimFunc& func = description_of(*row);
    for (const Intrinsic* other : all_intrinsics()) {
      auto matched = match_nest(*func.body.as<For>(), description_of(*other));
      EXPECT_EQ(std::holds_alternative<NestMatch>(matched), row == other) << row->name << " " << other->name;
    }
    EXPECT_EQ(refused(row->description, row->name), "") << row->name;
  }
}

constexpr const char* kDot4 = R"(
@T.prim_func
def dot4(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8"), C: T.Buffer((1,), "int32")):
    with T.block("root"):
        for i in range(4):
            with T.block("update"):
                vi = T.axis.reduce(4, i)
                C[0] = C[0] + T.Cast("int32", A[vi]) * T.Cast("int32", B[vi])
)";

TEST(Tensorize, ADescriptionOfTheUsersOwn) {
  const PrimFunc func = parse(R"(
def f(A: T.Buffer((8, 16), "int8"), B: T.Buffer((8, 16), "int8"), C: T.Buffer((8,), "int32")):
    for p, c in T.grid(8, 4):
        for i in range(4):
            C[p] = C[p] + T.Cast("int32", A[p, c * 4 + i]) * T.Cast("int32", B[p, c * 4 + i])
)");
  Args args{{"at", loop_named(func, "i")}, {"intrinsic", std::string("dot4")}, {"description", std::string(kDot4)}};
  const PrimFunc after = applied(func, "tensorize", args);
  EXPECT_NE(print(after).find("annotations={\"tensor_intrin\": \"dot4\"}"), std::string::npos) << print(after);
  EXPECT_EQ(count_marks(after.body), 0u);
  EXPECT_EQ(difference(func, after), "");
  args["at"] = loop_named(func, "c");
  EXPECT_TRUE(not_applicable(func, "tensorize", args));
  // The nest takes every second byte, where the description takes all.
  const PrimFunc second = parse(R"(
def f(A: T.Buffer((8, 32), "int8"), B: T.Buffer((8, 16), "int8"), C: T.Buffer((8,), "int32")):
    for p, c in T.grid(8, 4):
        for i in range(4):
            C[p] = C[p] + T.Cast("int32", A[p, c * 8 + i * 2]) * T.Cast("int32", B[p, c * 4 + i])
)");
  args["at"] = loop_named(second, "i");
  EXPECT_TRUE(not_applicable(second, "tensorize", args));
}

// Its operand is half as large as what its nest touches: whoever runs the description meets an error.
TEST(Tensorize, Condition4ADescriptionWithAnError) {
  const PrimFunc func = parse(R"(
def f(A: T.Buffer((8, 16), "int8"), B: T.Buffer((8, 16), "int8"), C: T.Buffer((8,), "int32")):
    for p, c in T.grid(8, 4):
        for i in range(4):
            C[p] = C[p] + T.Cast("int32", A[p, c * 4 + i]) * T.Cast("int32", B[p, c * 4 + i])
)");
  std::string small = kDot4;
  small.replace(small.find("(4,)"), 4, "(2,)");
  EXPECT_TRUE(refusal(func, "tensorize",
                      {{"at", loop_named(func, "i")}, {"intrinsic", std::string("dot4")}, {"description", small}}));
}

TEST(Tensorize, WhatIsNoDescription) {
  const PrimFunc func = parse(kNest);
  auto said = [&](const std::string& text) {
    const Args args{{"at", loop_named(func, "i")}, {"intrinsic", std::string("x")}, {"description", text}};
    try {
      rule_by_name("tensorize").apply(func, args);
    } catch (const NotApplicable& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string head = "def d(C: T.Buffer((4,), \"int32\"), A: T.Buffer((4,), \"int32\")):\n";
  for (const auto& [body, why] : std::vector<std::pair<std::string, std::string>>{
           {"    C[0] = A[0]\n", "no nest of loops"},
           {"    for i in range(4):\n        C[i] = 1\n", "is not used"},
           {"    for i in range(1, 4):\n        C[i] = A[i]\n", "from 0 to a constant"},
           {"    for i in T.parallel(4):\n        C[i] = A[i]\n", "from 0 to a constant"},
           {"    for i in range(4):\n        C[i] = A[i]\n        C[i] = A[i]\n", "else than one store"},
           {"    for i in range(4):\n        C[i] = A[i // 2]\n", "constant steps"},
           {"    for i in range(4):\n        with T.block(\"x\"):\n            T.where(i < 3)\n            C[i] = "
            "A[i]\n",
            "has an init or a condition"}}) {
    EXPECT_NE(said(head + body).find(why), std::string::npos) << body << said(head + body);
  }
  EXPECT_NE(said("def d(c: T.handle, n: T.int32):\n    C = T.match_buffer(c, (n,), \"int32\")\n"
                 "    for i in range(4):\n        C[i] = 1\n")
                .find("no buffers of constant shapes"),
            std::string::npos);
  EXPECT_NE(said("def d(:\n").find("no description"), std::string::npos);
}

}  // namespace tensorize_test
}  // namespace hexproof
