// Caches outside of loops, in any scope, whose own layouts are transformed afterwards (RFC 0077, "Enhancement -
// cache_read, cache_write"): the function's signature stays.
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/traps/traps.h"

namespace hexproof {
namespace cache_layouts_test {

constexpr const char* kTypes[] = {"int8", "int32", "float16", "float32"};

PrimFunc scheduled(const std::string& program, const std::string& schedule) {
  Derivation derivation(parse(program));
  run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  EXPECT_EQ(difference(derivation.source(), derivation.current()), "") << print(derivation.current());
  EXPECT_TRUE(derivation.interface().empty());
  return derivation.current();
}
bool is_if(const Stmt& s) { return s.as<If>() != nullptr; }

constexpr const char* kDouble = R"(
def double(A: T.Buffer((14,), "TYPE"), B: T.Buffer((14,), "TYPE")):
    for i in range(14):
        B[i] = A[i] + A[i]
)";

// The RFC's own example, with the stages that fill the padding of both caches.
TEST(CacheLayouts, BothSidesOfAComputation) {
  for (const char* type : kTypes) {
    for (const char* scope : {"global", "local", "global.vtcm"}) {
      std::string name = std::string(scope) == "global.vtcm" ? "global_vtcm" : scope;
      PrimFunc func = scheduled(put(kDouble, "TYPE", type), put(put(R"(
sch.cache_read("root", "A", "SCOPE")
sch.cache_write("root", "B", "SCOPE")
sch.transform_layout("root", "A_NAME", lambda i: [i // 4, i % 4], pad_value=-1)
sch.transform_layout("root", "B_NAME", lambda i: [i // 4, i % 4], pad_value=-2)
)",
                                                                    "SCOPE", scope),
                                                                "NAME", name));
      std::string text = print(func);
      EXPECT_NE(text.find("(4, 4)"), std::string::npos) << text;
      EXPECT_EQ(find_all(func, &is_if).size(), 2u) << text;
    }
  }
}

// Then the computation runs over the padded caches, without a branch.
TEST(CacheLayouts, AComputationOverPaddedCaches) {
  for (const char* type : kTypes) {
    PrimFunc func = scheduled(put(R"(
def double(A: T.Buffer((14,), "TYPE"), B: T.Buffer((14,), "TYPE")):
    for i in range(14):
        with T.block("compute"):
            vi = T.axis.spatial(14, i)
            B[vi] = A[vi] + A[vi]
)",
                                  "TYPE", type),
                              R"(
sch.cache_read("compute", "A", "local")
sch.cache_write("compute", "B", "local")
sch.transform_layout("compute", "A_local", lambda i: [i // 4, i % 4], pad_value=0)
sch.transform_layout("compute", "B_local", lambda i: [i // 4, i % 4])
sch.sequential_buffer_access("compute", "B_local")
sch.remove_branching_through_overcompute("compute")
)");
    EXPECT_EQ(find_all(func, &is_if).size(), 1u) << print(func);
  }
}

// A buffer that is padded, and cached afterwards: the padding is not written, and keeps what it holds.
TEST(CacheLayouts, AWriteCacheOfAPaddedLayout) {
  const std::string text = R"(
def f(A: T.Buffer((14,), "TYPE"), B: T.Buffer((4, 4), "TYPE")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            B[io, ii] = T.TYPE(3)
    for i in range(14):
        with T.block("compute"):
            vi = T.axis.spatial(14, i)
            B[vi // 4, vi % 4] = A[vi]
)";
  for (const char* type : kTypes) {
    PrimFunc func = scheduled(put(text, "TYPE", type), "sch.cache_write(\"compute\", \"B\", \"local\")");
    std::string printed = print(func);
    EXPECT_NE(printed.find("T.where"), std::string::npos) << printed;
    // The guard is what is written, and nothing else is.
    PrimFunc before = parse(put(text, "TYPE", type));
    Args plain{{"block", std::string("compute")}, {"buffer", std::string("B")}};
    expect_refused_rightly(before, "cache-write", plain, "was written by the nest");
  }
}

// A guard that leaves out a cell that another store writes would lose it.
TEST(CacheLayouts, AGuardThatLosesACell) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in range(12):
        with T.block("compute"):
            vi = T.axis.spatial(12, i)
            B[vi // 4, vi % 4] = A[vi]
            B[3, vi % 3] = A[vi]
)");
  Args args{{"block", std::string("compute")}, {"buffer", std::string("B")}, {"cover", std::string("guard")}};
  expect_refused_rightly(func, "cache-write", args, "is copied back");
}

// Stages that fill one buffer together: its values and its padding.
TEST(CacheLayouts, CachesOfWhatSeveralStagesFill) {
  const std::string text = R"(
def f(A: T.Buffer((14,), "TYPE"), C: T.Buffer((4, 4), "TYPE")):
    B = T.alloc_buffer((4, 4), "TYPE")
    for i in range(FIRST):
        B[i // 4, i % 4] = A[i]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            B[io, ii] = T.TYPE(3)
    for io, ii in T.grid(4, 4):
        with T.block("compute"):
            vo, vi = T.axis.remap("SS", [io, ii])
            if LIMIT:
                C[vo, vi] = B[vo, vi]
)";
  for (const char* type : kTypes) {
    scheduled(put(put(put(text, "LIMIT", "True"), "FIRST", "14"), "TYPE", type),
              "sch.cache_read(\"compute\", \"B\", \"local\")");
    // B[3, 1] is not filled, and not read: a copy of the whole box would read it.
    PrimFunc hole = parse(put(put(put(text, "LIMIT", "vo * 4 + vi != 13"), "FIRST", "13"), "TYPE", type));
    Args all{{"block", std::string("compute")}, {"buffer", std::string("B")}, {"cover", std::string("all")}};
    expect_refused_rightly(hole, "cache-read", all, "was written before");
  }
  // Written by two stores of one nest.
  scheduled(R"(
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in range(14):
        B[i // 4, i % 4] = A[i]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            B[io, ii] = 3
)",
            "sch.cache_write(\"root\", \"B\", \"local\")");
}

}  // namespace cache_layouts_test
}  // namespace hexproof
