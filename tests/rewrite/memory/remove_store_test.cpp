#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace remove_store_test {

Args overwritten(const PrimFunc& func, size_t store, size_t by) {
  return {{"at", nth<Store>(func, store)}, {"kind", std::string("overwritten")}, {"by", nth<Store>(func, by)}};
}
Args of_kind(const PrimFunc& func, size_t store, const std::string& kind) {
  return {{"at", nth<Store>(func, store)}, {"kind", kind}};
}

TEST(RemoveStore, Overwritten) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.float32(0)
    for j in range(16):
        B[j] = A[j]
)";
  PrimFunc func = parse(text);
  PrimFunc after = applied(func, "remove-store", overwritten(func, 0, 1));
  EXPECT_EQ(find_all(after, [](const Stmt& s) { return s.as<Store>() != nullptr; }).size(), 1u);
  EXPECT_EQ(difference(func, after), "");
}

TEST(RemoveStore, OverwrittenThroughASplitLoop) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int8"), B: T.Buffer((16,), "int8")):
    for i in range(16):
        B[i] = T.int8(0)
    for io, ii in T.grid(4, 4):
        B[io * 4 + ii] = A[io * 4 + ii]
)";
  PrimFunc func = parse(text);
  EXPECT_EQ(difference(func, applied(func, "remove-store", overwritten(func, 0, 1))), "");
}

TEST(RemoveStore, Condition1OverwrittenOnlyInPart) {
  PrimFunc shorter = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = 0
    for j in range(15):
        B[j] = A[j]
)");
  expect_refused_rightly(shorter, "remove-store", overwritten(shorter, 0, 1), "written again");
  PrimFunc guarded = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = 0
    for j in range(16):
        if j != 5:
            B[j] = A[j]
)");
  expect_refused_rightly(guarded, "remove-store", overwritten(guarded, 0, 1), "written again");
}

TEST(RemoveStore, Condition1OverwrittenOnlyWhenDataSaysSo) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = 0
    for j in range(16):
        if A[j] > 0:
            B[j] = A[j]
)");
  EXPECT_TRUE(not_applicable(func, "remove-store", overwritten(func, 0, 1)));
}

TEST(RemoveStore, Condition2ReadInBetween) {
  PrimFunc between = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = 0
    for k in range(16):
        C[k] = B[15 - k]
    for j in range(16):
        B[j] = A[j]
)");
  expect_refused_rightly(between, "remove-store", overwritten(between, 0, 2), "nothing reads the cell");
  PrimFunc after_it = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = 0
    for j in range(16):
        B[j] = A[j] + B[j]
)");
  expect_refused_rightly(after_it, "remove-store", overwritten(after_it, 0, 1), "nothing reads the cell");
  PrimFunc same_loop = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = 0
        C[i] = B[i]
    for j in range(16):
        B[j] = A[j]
)");
  expect_refused_rightly(same_loop, "remove-store", overwritten(same_loop, 0, 2), "nothing reads the cell");
  // What is read after it has been overwritten does not count, and neither do the operands of the store itself.
  PrimFunc sound = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = B[i] + 1
        B[i] = A[i]
        C[i] = B[i]
)");
  EXPECT_EQ(difference(sound, applied(sound, "remove-store", overwritten(sound, 0, 1))), "");
}

// RFC 0077's example: the cell equals zero, but it may be the other zero.
TEST(RemoveStore, Condition3AlreadyThereMeansTheBits) {
  auto program = [](const std::string& type, const std::string& value) {
    std::string constant = "T." + type + "(" + value + ")";
    return parse("def before(B: T.Buffer((1,), \"" + type + "\")):\n    T.assume(B[0] == " + constant +
                 ")\n    B[0] = " + constant + "\n");
  };
  for (const char* type : {"float16", "float32", "float64"}) {
    PrimFunc func = program(type, "0");
    expect_refused_rightly(func, "remove-store", of_kind(func, 0, "already-there"), "bits of the value", {}, 400);
    PrimFunc one = program(type, "1");
    EXPECT_EQ(difference(one, applied(one, "remove-store", of_kind(one, 0, "already-there")), {}, 400), "");
    func.attrs["hexproof.fp"] = std::string("nsz");
    applied(func, "remove-store", of_kind(func, 0, "already-there"));
  }
  for (const char* type : {"int8", "int32", "uint16"}) {
    PrimFunc func = program(type, "0");
    EXPECT_EQ(difference(func, applied(func, "remove-store", of_kind(func, 0, "already-there")), {}, 400), "");
  }
}

TEST(RemoveStore, AlreadyThereIsTheCellItself) {
  PrimFunc func = parse(R"(
def before(B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = B[i]
)");
  EXPECT_EQ(difference(func, applied(func, "remove-store", of_kind(func, 0, "already-there"))), "");
  PrimFunc other = parse(R"(
def before(B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = B[3 - i]
)");
  expect_refused_rightly(other, "remove-store", of_kind(other, 0, "already-there"), "bits of the value");
}

// A float comes back from its bits; an integer need not, when they are a NaN's.
TEST(RemoveStore, Condition3AlreadyThereAsAnotherType) {
  PrimFunc bits = parse(R"(
def before(B: T.Buffer((4,), "float32")):
    V = T.decl_buffer((4,), "int32", data=B.data)
    for i in range(4):
        V[i] = T.reinterpret("int32", T.reinterpret("float32", V[i]))
)");
  EXPECT_EQ(difference(bits, applied(bits, "remove-store", of_kind(bits, 0, "already-there"))), "");
  PrimFunc floats = parse(R"(
def before(B: T.Buffer((1,), "int32")):
    F = T.decl_buffer((1,), "float32", data=B.data)
    B[0] = 2143289345
    F[0] = F[0]
)");
  expect_refused_rightly(floats, "remove-store", of_kind(floats, 1, "already-there"), "bits of the value");
}

TEST(RemoveStore, Condition3WhatWasKnownIsGone) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    T.assume(B[0] == 0)
    B[0] = A[0]
    B[0] = 0
)");
  expect_refused_rightly(func, "remove-store", of_kind(func, 1, "already-there"), "bits of the value", {}, 400);
}

TEST(RemoveStore, ADeadLocalBuffer) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32")):
    with T.block("root"):
        L = T.alloc_buffer((4,), "int32")
        for i in range(4):
            L[i] = A[i]
            A[i] = 1
)");
  PrimFunc after = applied(func, "remove-store", of_kind(func, 0, "dead"));
  EXPECT_EQ(difference(func, after), "");
}

// An argument is observed, and so is what is read.
TEST(RemoveStore, Condition6MemoryThatSomebodySees) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32")):
    with T.block("root"):
        L = T.alloc_buffer((4,), "int32")
        for i in range(4):
            L[i] = A[i]
            A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "remove-store", of_kind(func, 1, "dead")));  // an argument is observed
  PrimFunc read = parse(R"(
def before(A: T.Buffer((4,), "int32")):
    with T.block("root"):
        L = T.alloc_buffer((4,), "int32")
        for i in range(4):
            L[i] = A[i]
            A[i] = L[i] + 1
)");
  EXPECT_TRUE(not_applicable(read, "remove-store", of_kind(read, 0, "dead")));
}

TEST(RemoveStore, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32")):
    A[0] = 1
    for i in range(4):
        A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "remove-store", overwritten(func, 1, 0)));
  EXPECT_TRUE(not_applicable(func, "remove-store", overwritten(func, 0, 0)));
  EXPECT_TRUE(not_applicable(func, "remove-store", of_kind(func, 0, "no such kind")));
  EXPECT_TRUE(not_applicable(func, "remove-store", {{"at", loop_named(func, "i")}, {"kind", std::string("dead")}}));
}

// A store of an undef leaves the cell free from then on, whatever it held.
TEST(RemoveStore, Condition4AnUndef) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32")):
    A[0] = 1
    A[1] = T.undef(dtype="int32")
    A[2] = A[2] + T.undef(dtype="int32") * 0
)");
  expect_not_applicable(func, "remove-store", of_kind(func, 1, "already-there"), "holds an undef");
  expect_not_applicable(func, "remove-store", of_kind(func, 2, "already-there"), "holds an undef");
}

// Two later stores share the cells; one of these is written by neither, and holds another value.
TEST(RemoveStore, Condition5ACellThatIsLeftOver) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i]
    for i in range(FROM):
        B[i] = 1
    for i in range(4, 8):
        B[i] = 2
)";
  auto with = [&](const std::string& from) {
    std::string out = text;
    return parse(out.replace(out.find("FROM"), 4, from));
  };
  PrimFunc all = with("4"), hole = with("3");
  auto args = [](const PrimFunc& func, const std::string& trace) {
    return Args{{"at", nth<Store>(func)}, {"kind", std::string("by-cases")}, {"trace", trace}};
  };
  EXPECT_EQ(difference(all, applied(all, "remove-store", args(all, "by 1.0#0 else by 2.0#0"))), "");
  expect_refused_rightly(hole, "remove-store", args(hole, "by 1.0#0 else by 2.0#0"), "written again");
  expect_refused_rightly(hole, "remove-store", args(hole, "by 2.0#0 else same"), "bits of the value");
  expect_not_applicable(hole, "remove-store", args(hole, "by 2.0#0 else unread"), "neither same nor by a later store");
}

}  // namespace remove_store_test
}  // namespace hexproof
