// Stores that leave no trace for reasons that cells share among themselves: several later stores, and permissions.
#include <fmt/format.h>

#include "rewrite/memory/unobservable_stores.h"
#include "rewrite/passes/passes.h"
#include "tests/rewrite/traps/traps.h"

namespace hexproof {
namespace shared_traces_test {

constexpr const char* kTypes[] = {"int8", "int32", "float16", "float32"};

Args branch(const PrimFunc& func, const std::string& stores = "") {
  Args args{{"at", nth<If>(func)}};
  if (!stores.empty()) args["stores"] = stores;
  return args;
}
PrimFunc passed(const PrimFunc& func, int (*pass)(Strategy&)) {
  Derivation derivation(func);
  Strategy s(derivation, test_prover());
  pass(s);
  EXPECT_EQ(difference(func, derivation.current(), {}, 60), "") << print(derivation.current());
  return derivation.current();
}
PrimFunc overcomputed(const PrimFunc& func) {
  return passed(func, [](Strategy& s) { return remove_branching_through_overcompute(s); });
}
size_t count(const PrimFunc& func, bool (*is)(const Stmt&)) { return find_all(func, is).size(); }
size_t ifs(const PrimFunc& func) {
  return count(func, [](const Stmt& s) { return s.as<If>() != nullptr; });
}
size_t stores(const PrimFunc& func) {
  return count(func, [](const Stmt& s) { return s.as<Store>() != nullptr; });
}

constexpr const char* kShared = R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for i in range(8):
        if i < 5:
            B[i] = A[i]
    for i in range(FROM, 8):
        B[i] = T.TYPE(0)
    C[0] = B[READ]
    B[5] = T.TYPE(1)
)";

TEST(Trap, 04_overwritten_by_several_stores) {
  for (const char* type : kTypes) {
    auto program = [&](const std::string& from, const std::string& read) {
      return parse(put(put(put(kShared, "FROM", from), "READ", read), "TYPE", type));
    };
    PrimFunc both = program("6", "7");
    Args args = branch(both, "by 1.0#0 else by 3#0");
    expect_sound(both, "overcompute", args);
    EXPECT_EQ(ifs(overcomputed(both)), 0u);
    // Neither writes B[6].
    PrimFunc hole = program("7", "7");
    expect_refused_rightly(hole, "overcompute", branch(hole, "by 1.0#0 else by 3#0"), "written again");
    EXPECT_EQ(ifs(overcomputed(hole)), 1u);
    // B[5] is read before the second one writes it; B[6] after the first one did.
    PrimFunc seen = program("6", "5");
    expect_refused_rightly(seen, "overcompute", branch(seen, "by 1.0#0 else by 3#0"), "reads the cell");
    EXPECT_EQ(ifs(overcomputed(program("6", "6"))), 0u);
  }
}

TEST(SharedTraces, OverwrittenOrThereAlready) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE")):
    Z = T.alloc_buffer((8,), "TYPE")
    for i in range(8):
        Z[i] = T.TYPE(3)
    for i in range(4):
        Z[i] = A[i]
    for i in range(8):
        B[i] = T.TYPE(3)
    for i in range(8):
        if i < LIMIT:
            B[i] = Z[i]
    B[3] = T.TYPE(1)
)";
  for (const char* type : kTypes) {
    PrimFunc func = parse(put(put(text, "LIMIT", "3"), "TYPE", type));
    std::string later = fmt::format("by {} else same", fmt::join(nth<Store>(func, 4), "."));
    expect_sound(func, "overcompute", branch(func, later));
    EXPECT_EQ(ifs(overcomputed(func)), 0u);
    PrimFunc more = parse(put(put(text, "LIMIT", "2"), "TYPE", type));
    expect_refused_rightly(more, "overcompute", branch(more, later), "bits that the cell holds");
  }
}

// Of what an undef left nobody can say that it changed.
PrimFunc overcomputed_undef(const PrimFunc& func) {
  Derivation derivation(func);
  Strategy s(derivation, test_prover());
  remove_branching_through_overcompute(s);
  return derivation.current();
}
Args branch_of_sum(const PrimFunc& func) {
  return {{"at", nth<If>(func, 1)}, {"stores", std::string("permitted; permitted")}};
}

constexpr const char* kEarlier = R"(
def f(A: T.Buffer((4, 4), "TYPE"), B: T.Buffer((4, 4), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= FROM:
            B[io, ii] = T.undef(dtype="TYPE")
    BETWEEN
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[io, ii] = A[io, ii]
            for k in range(3):
                B[io, ii] = B[io, ii] + A[io, k]
)";

TEST(Trap, 13_permission_by_an_earlier_undef) {
  for (const char* type : kTypes) {
    auto program = [&](const std::string& from, const std::string& between) {
      return parse(put(put(put(kEarlier, "FROM", from), "BETWEEN", between), "TYPE", type));
    };
    // The value that the undef had may have been the one that is left now: outside of the padding nothing changes.
    auto agree = [&](const PrimFunc& func) {
      PrimFunc after = overcomputed_undef(func);
      EXPECT_EQ(ifs(after), 1u) << print(after);
      std::vector<Tensor> x = random_inputs(func, 3), y = x;
      ASSERT_FALSE(run(func, x).error);
      ASSERT_FALSE(run(after, y).error);
      size_t width = x[1].data.size() / 16;
      x[1].data.resize(14 * width), y[1].data.resize(14 * width);
      EXPECT_EQ(x[1].data, y[1].data);
    };
    agree(program("14", "C[0] = B[0, 0]"));
    // Not all of the cells; one that was looked at; one that was given a value.
    PrimFunc fewer = program("15", "C[0] = B[0, 0]");
    EXPECT_TRUE(refusal(fewer, "overcompute", branch_of_sum(fewer)));
    PrimFunc seen = program("14", "C[0] = B[3, 3]");
    EXPECT_TRUE(refusal(seen, "overcompute", branch_of_sum(seen)));
    PrimFunc filled = program("14", "B[3, 3] = C[0]");
    expect_refused_rightly(filled, "overcompute", branch_of_sum(filled), "given free");
  }
}

// The other direction: a store over an undef leaves one value, and without it there may be any.
TEST(Trap, 13_a_permission_is_no_reason_to_drop_a_store) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i >= 6:
            B[i] = T.undef(dtype="int32")
    for i in range(8):
        B[i] = A[i]
)");
  Args args{{"at", below(nth<For>(func, 1), 0)},
            {"condition", lt(Expr(stmt_at(func, nth<For>(func, 1)).as<For>()->var), imm(kInt32, 6))}};
  args["stores"] = std::string("permitted");
  EXPECT_TRUE(not_applicable(func, "introduce-branch", args));
  EXPECT_EQ(ifs(passed(func, &remove_overcompute_through_branching)), 1u);
  EXPECT_TRUE(not_applicable(
      func, "remove-store",
      {{"at", nth<Store>(func, 1)}, {"kind", std::string("by-cases")}, {"trace", std::string("permitted")}}));
  EXPECT_TRUE(refusal(func, "remove-store", drop_store(func, 1)));
}

TEST(RemoveStore, SeveralLaterStores) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE")):
    for i in range(8):
        B[i] = A[i]
    for i in range(FROM):
        B[i] = T.TYPE(1)
    for i in range(4, 8):
        B[i] = T.TYPE(2)
)";
  for (const char* type : kTypes) {
    PrimFunc func = parse(put(put(text, "FROM", "4"), "TYPE", type)),
             hole = parse(put(put(text, "FROM", "3"), "TYPE", type));
    Args args{
        {"at", nth<Store>(func)}, {"kind", std::string("by-cases")}, {"trace", std::string("by 1.0#0 else by 2.0#0")}};
    expect_sound(func, "remove-store", args);
    expect_refused_rightly(hole, "remove-store", args, "written again");
    EXPECT_EQ(stores(passed(func, &remove_no_op)), 2u);
    EXPECT_EQ(stores(passed(hole, &remove_no_op)), 3u);
  }
}

TEST(RemoveStore, OverwrittenOrThereAlready) {
  const std::string text = R"(
def f(B: T.Buffer((8,), "TYPE")):
    for i in range(8):
        T.assume(i >= 4 or B[i] == T.TYPE(3))
    for i in range(8):
        B[i] = T.TYPE(VALUE)
    for i in range(4, 8):
        B[i] = T.TYPE(2)
)";
  for (const char* type : kTypes) {
    PrimFunc func = parse(put(put(text, "VALUE", "3"), "TYPE", type)),
             other = parse(put(put(text, "VALUE", "4"), "TYPE", type));
    Args args{
        {"at", nth<Store>(func)}, {"kind", std::string("by-cases")}, {"trace", std::string("by 2.0#0 else same")}};
    applied(func, "remove-store", args);
    EXPECT_TRUE(refusal(other, "remove-store", args));
  }
}

// RFC 0077, "Remove No Op", and memory that nobody but itself reads.
TEST(RemoveNoOp, FourCasesAndDeadMemory) {
  for (const char* type : kTypes) {
    auto left = [&](const std::string& body) {
      return stores(passed(
          parse(put("\ndef f(A: T.Buffer((8,), \"TYPE\"), B: T.Buffer((8,), \"TYPE\")):\n" + body, "TYPE", type)),
          &remove_no_op));
    };
    // 1. Two stores to one cell; the second may not read the first.
    EXPECT_EQ(left("    B[0] = A[0]\n    B[0] = A[1]\n"), 1u);
    EXPECT_EQ(left("    B[0] = A[0]\n    B[0] = B[0] + A[1]\n"), 2u);
    // 2. A block that writes a superset, and one that leaves out a cell, or reads.
    EXPECT_EQ(left("    for i in range(2, 7):\n        B[i] = A[i]\n    for i in range(8):\n        B[i] = A[7 - i]\n"),
              1u);
    EXPECT_EQ(left("    for i in range(2, 7):\n        B[i] = A[i]\n    for i in range(6):\n        B[i] = A[7 - i]\n"),
              2u);
    EXPECT_EQ(left("    for i in range(2, 7):\n        B[i] = A[i]\n    for i in range(8):\n        B[i] = B[7 - i]\n"),
              2u);
    // 3. What is read is written back.
    EXPECT_EQ(left("    for i in range(8):\n        B[i] = B[i]\n    B[0] = A[0]\n"), 1u);
    EXPECT_EQ(left("    for i in range(7):\n        B[i] = B[i + 1]\n"), 1u);
    // 4. A value that is there (5 has one sign).
    EXPECT_EQ(left("    B[0] = T.TYPE(5)\n    A[0] = B[0]\n    B[0] = T.TYPE(5)\n"), 2u);
    EXPECT_EQ(left("    B[0] = T.TYPE(5)\n    A[0] = B[0]\n    B[0] = T.TYPE(6)\n"), 3u);
    // An accumulator that nobody reads; one that somebody does.
    const std::string local =
        "    L = T.alloc_buffer((2,), \"TYPE\")\n    L[0] = A[0]\n    for i in range(8):\n        L[0] = L[0] + A[i]\n";
    EXPECT_EQ(left(local + "    B[0] = A[0]\n"), 1u);
    EXPECT_EQ(left(local + "    B[0] = L[0]\n"), 3u);
    // A chain of local memory that ends nowhere.
    EXPECT_EQ(
        left("    L = T.alloc_buffer((8,), \"TYPE\")\n    K = T.alloc_buffer((8,), \"TYPE\")\n    for i in range(8):\n"
             "        L[i] = A[i]\n    for i in range(8):\n        K[i] = L[i]\n    B[0] = A[0]\n"),
        1u);
  }
}

TEST(MergeBranches, ConditionsOnWhatIsKnownOfMemory) {
  const std::string text = R"(
def f(A: T.Buffer((2,), "TYPE"), B: T.Buffer((2,), "int32")):
    for i in range(2):
        A[i] = T.TYPE(VALUE)
    if A[0] == T.TYPE(5):
        B[0] = 1
    if A[1] == T.TYPE(5):
        B[1] = 1
)";
  for (const char* type : kTypes) {
    PrimFunc func = parse(put(put(text, "VALUE", "5"), "TYPE", type));
    expect_sound(func, "merge-branches", {{"at", nth<If>(func)}});
    PrimFunc other = parse(put(put(text, "T.TYPE(VALUE)", "T.Cast(\"TYPE\", i + 4)"), "TYPE", type));
    expect_refused_rightly(other, "merge-branches", {{"at", nth<If>(other)}}, "conditions are equal");
  }
}

}  // namespace shared_traces_test
}  // namespace hexproof
