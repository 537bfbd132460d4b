// InferBound: the examples of its document, on ranges and on buffers; every bound proved.
#include "rewrite/te/bounds/bounds.h"

#include "tests/te/support.h"

namespace hexproof::te {
namespace bounds_test {

struct Inferred {
  Script script;
  Bounds bounds;
  std::string table;

  const StageBounds& of(const std::string& name) const {
    for (const StageBounds& b : bounds.stages) {
      if (script.schedule->stage(b.stage).name == name) return b;
    }
    throw Error("no stage " + name);
  }
};

Inferred inferred(const std::string& text, const std::string& path) {
  Inferred out;
  out.script = run_script(std::make_shared<const SourceFile>(SourceFile{path, text}));
  out.bounds = infer_bound(*out.script.schedule);
  std::vector<std::vector<Answer>> answers;
  for (const StageBounds& b : out.bounds.stages) {
    answers.push_back(session().prover().prove_all(b.covers));
    for (size_t k = 0; k < b.covers.size(); ++k) {
      EXPECT_EQ(answers.back()[k].verdict, Verdict::Proved) << print(b.covers[k]);
    }
  }
  out.table = print(*out.script.schedule, out.bounds, answers);
  return out;
}

std::string text_of(const std::string& name) {
  std::ifstream in(std::string(HEXPROOF_SOURCE_DIR) + "/tests/te/inferbound/" + name + ".py");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Each face of the box has a witness.
void expect_smallest(const Inferred& i, const std::string& stage) {
  for (const Face& f : i.of(stage).box) EXPECT_TRUE(f.witness) << i.table;
}

struct Example {
  const char* name;
  const char* path;    // the attach path of the producer
  const char* box[2];  // in the table
  const char* buffer;  // in the lowered program
};

TEST(InferBound, ExamplesOfTheDocument) {
  const Example kExamples[] = {
      {"ex1", "stage C, at the root, attach path {}", {"[0, 5)", "[0, 16)"}, "C = T.alloc_buffer((5, 16)"},
      {"ex2", "attach path {j, i}", {"[i, +1)", "[j, +1)"}, "C = T.decl_buffer((1, 1)"},
      {"ex3", "attach path {i}", {"[i, +1)", "[0, 16)"}, "C = T.decl_buffer((1, 16)"},
      {"ex4", "attach path {dk, dj, di}", {"[dj, +1)", "[dk, +1)"}, "C = T.decl_buffer((1, 1)"},
      {"ex5",
       "attach path {j.inner, j.outer, i}",
       {"[i, +1)", "[j_outer * 8 + j_inner, +1)"},
       "C = T.decl_buffer((1, 1)"},
      {"nested", "attach path {dj, di, ej, ei}", {"[di, +1)", "[dj, +1)"}, "(1, 1), \"int32\") as C"},
      {"root", "stage C, at the root, attach path {}", {"[0, 5)", "[0, 16)"}, "C = T.alloc_buffer((5, 16)"},
  };
  for (const Example& e : kExamples) {
    const Inferred i = inferred(text_of(e.name), e.name);
    EXPECT_HAS(i.table, e.path);
    const StageBounds& c = i.of("C");
    EXPECT_HAS(i.table, std::string("box      axis 0"));
    for (int d = 0; d < 2; ++d) EXPECT_HAS(i.table, e.box[d]);
    EXPECT_EQ(c.box.size(), 2u);
    expect_smallest(i, "C");
    EXPECT_HAS(made_by(text_of(e.name)), e.buffer);
  }
}

TEST(InferBound, SplitOfAFusedAxisIsTheSmallestBoxForAnyFactor) {
  for (auto [name, rows, columns] :
       {std::tuple{"ex6", 1, 4}, {"ex6_by_8", 2, 4}, {"ex6_by_3", 2, 4}, {"ex6_unfused", 1, 4}}) {
    const Inferred i = inferred(text_of(name), name);
    const StageBounds& b = i.of("B");
    EXPECT_TRUE(is_int(b.box[0].extent, rows)) << i.table;
    EXPECT_TRUE(is_int(b.box[1].extent, columns)) << i.table;
    expect_smallest(i, "B");
    EXPECT_HAS(made_by(text_of(name)),
               "B = T.decl_buffer((" + std::to_string(rows) + ", " + std::to_string(columns) + ")");
  }
}

/// The second example of fusing, with other numbers: rows of m, tiles of f.
std::string fused(int n, int m, int f) {
  return "from tvm import te\nimport tvm\nA = te.placeholder((" + std::to_string(n) + ", " + std::to_string(m) +
         "), name='A', dtype='int32')\n"
         "B = te.compute(A.shape, lambda bi, bj: A[bi, bj] + 2, name='B')\n"
         "C = te.compute(A.shape, lambda ci, cj: B[ci, cj] * 3, name='C')\n"
         "s = te.create_schedule(C.op)\n"
         "xo, xi = s[C].split(s[C].fuse(*C.op.axis), " +
         std::to_string(f) +
         ")\n"
         "s[B].compute_at(s[C], xo)\ntvm.lower(s, [A, C])\n";
}

TEST(InferBound, FusedAxesByEnumeration) {
  for (auto [n, m, f] : {std::tuple{4, 6, 5}, {5, 4, 6}, {3, 8, 2}, {6, 5, 10}, {4, 7, 3}, {7, 3, 4}}) {
    // The greatest number of rows that one tile touches, and of columns between the first and the last.
    int rows = 0, columns = 0;
    for (int o = 0; o * f < n * m; ++o) {
      int r0 = n, r1 = -1, c0 = m, c1 = -1;
      for (int k = o * f; k < std::min((o + 1) * f, n * m); ++k) {
        r0 = std::min(r0, k / m), r1 = std::max(r1, k / m), c0 = std::min(c0, k % m), c1 = std::max(c1, k % m);
      }
      rows = std::max(rows, r1 - r0 + 1), columns = std::max(columns, c1 - c0 + 1);
    }
    const Inferred i = inferred(fused(n, m, f), "fused");
    EXPECT_TRUE(is_int(i.of("B").box[0].extent, rows)) << rows << "\n" << i.table;
    EXPECT_TRUE(is_int(i.of("B").box[1].extent, columns)) << columns << "\n" << i.table;
    EXPECT_HAS(made_by(fused(n, m, f)),
               "B = T.decl_buffer((" + std::to_string(rows) + ", " + std::to_string(columns) + ")");
  }
}

TEST(InferBound, ImperfectSplitHasAnExactExtent) {
  const std::string text = R"(
from tvm import te
A = te.placeholder((20,), name="A", dtype="int32")
B = te.compute((20,), lambda i: A[i] + 1, name="B")
C = te.compute((20,), lambda i: B[i] + B[te.min(i + 1, 19)], name="C")
s = te.create_schedule(C.op)
xo, xi = s[C].split(C.op.axis[0], factor=16)
s[B].compute_at(s[C], xo)
)";
  const Inferred i = inferred(text, "imperfect");
  EXPECT_HAS(i.table, "[0, T.min(16, 20 - i_outer * 16))");
  EXPECT_TRUE(is_int(i.of("B").box[0].extent, 17)) << i.table;
  expect_smallest(i, "B");
  EXPECT_HAS(made_by(text), "B = T.decl_buffer((17,)");
}

TEST(InferBound, SymbolicExtents) {
  const std::string text = R"(
from tvm import te
n = te.var("n")
A = te.placeholder((n, 32), name="A", dtype="int32")
B = te.compute((n, 32), lambda i, j: A[i, j] + 1, name="B")
C = te.compute((n, 30), lambda i, j: B[i, j] + B[i, j + 2], name="C")
s = te.create_schedule(C.op)
io, jo, ii, ji = s[C].tile(C.op.axis[0], C.op.axis[1], 8, 10)
s[B].compute_at(s[C], jo)
)";
  const Inferred i = inferred(text, "symbolic");
  EXPECT_HAS(i.table, "[0, T.min(8, n - i_outer * 8))");
  EXPECT_TRUE(is_int(i.of("B").box[0].extent, 8)) << i.table;
  EXPECT_TRUE(is_int(i.of("B").box[1].extent, 12)) << i.table;
  EXPECT_HAS(made_by(text), "12), \"int32\")");
}

TEST(InferBound, SeveralConsumersAndGuards) {
  const std::string text = R"(
from tvm import te
A = te.placeholder((40,), name="A", dtype="int32")
B = te.compute((40,), lambda i: A[i] + 1, name="B")
C = te.compute((32,), lambda i: B[i + 1] * 2, name="C")
D = te.compute((32,), lambda i: te.if_then_else(i >= 2, B[i - 2], 0) + C[i], name="D")
s = te.create_schedule(D.op)
io, ii = s[D].split(D.op.axis[0], factor=8)
s[C].compute_at(s[D], io)
s[B].compute_at(s[D], io)
)";
  const Inferred i = inferred(text, "several");
  EXPECT_EQ(i.of("B").requests.size(), 2u);
  EXPECT_TRUE(is_int(i.of("B").box[0].extent, 11)) << i.table;
  EXPECT_HAS(i.table, "[i_outer * 8 - 2, +11)");
  expect_smallest(i, "B");
}

std::string found(const std::string& name) {
  std::ifstream in(std::string(HEXPROOF_SOURCE_DIR) + "/tests/found/" + name + ".py");
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(InferBound, GatherAsksForEverything) {
  const Inferred i = inferred(R"(
from tvm import te
A = te.placeholder((40,), name="A", dtype="int32")
X = te.placeholder((16,), name="X", dtype="int32")
B = te.compute((40,), lambda i: A[i] + 1, name="B")
C = te.compute((16,), lambda i: B[X[i]], name="C")
s = te.create_schedule(C.op)
s[B].compute_at(s[C], C.op.axis[0])
)",
                              "gather");
  EXPECT_HAS(i.table, "everything");
  EXPECT_TRUE(i.of("B").box[0].whole);
  EXPECT_FALSE(i.of("B").box[0].witness);
}

TEST(InferBound, ABoundThatIsTooSmallIsRefuted) {
  // The obligation is the whole claim: with one cell less in the box it is false.
  const Inferred i = inferred(text_of("ex6_by_3"), "ex6_by_3");
  Obligation o = i.of("B").covers.at(0);
  EXPECT_EQ(session().prover().prove(o).verdict, Verdict::Proved);
  const StageBounds& b = i.of("B");
  for (size_t d = 0; d < 2; ++d) {
    Obligation less = b.covers.at(d);
    const Expr in_box = b.box[d].whole ? less.goal : less.goal->args[0];
    const Expr index = in_box->args[0]->args[1];
    less.goal = lt(index, b.box[d].base + b.box[d].extent - i32(1));
    EXPECT_EQ(session().prover().prove(less).verdict, Verdict::Refuted);
  }
}

// What is read outside of the buffer is not computed: no cover rests on the program being free of errors.
TEST(InferBound, ACoverOwesThatTheBufferHasTheCell) {
  for (const char* name : {"program", "program_contradiction"}) {
    const std::string path = found("te-bounds-of-a-program-with-errors/" + std::string(name));
    const Script script = run_script(std::make_shared<const SourceFile>(SourceFile{"errors.py", path}));
    const Bounds bounds = infer_bound(*script.schedule);
    const StageBounds* b = bounds.of(0) && !bounds.of(0)->covers.empty() ? bounds.of(0) : bounds.of(1);
    ASSERT_EQ(b->covers.size(), 1u);
    EXPECT_FALSE(b->box[0].whole) << "the box moves with the loop";
    EXPECT_EQ(session().prover().prove(b->covers[0]).verdict, Verdict::Refuted) << print(b->covers[0]);
  }
}

// A guard on data is a guard, too.
TEST(InferBound, ACoverKnowsWhatGuardsDecide) {
  const Inferred i = inferred(R"(
from tvm import te
A = te.placeholder((20,), name="A", dtype="int32")
B = te.compute((20,), lambda i: A[i] + 1, name="B")
C = te.compute((20,), lambda i: te.if_then_else(te.all(A[i] > 3, i >= 2), B[i - 2], 0), name="C")
s = te.create_schedule(C.op)
s[B].compute_at(s[C], C.op.axis[0])
)",
                              "data guard");
  EXPECT_EQ(i.of("B").covers.size(), 1u);  // proved, above
}

TEST(InferBound, Drawing) {
  const Inferred i = inferred(text_of("ex6_by_3"), "ex6_by_3");
  const std::string svg = draw(*i.script.schedule, i.bounds);
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg;
  EXPECT_HAS(svg, "stage B, computed at ci.cj.fused.outer of C");
}

// A box is called smallest where its first and its last cell are read: by what is computed, and under its conditions.
TEST(InferBound, SmallestCountsReadsThatHappen) {
  const Inferred clipped = inferred(found("te-bounds-smallest-box/clipped"), "clipped.py");
  for (const Face& f : clipped.of("A.local").box) {
    EXPECT_TRUE(!f.witness || as_int(f.base) == nullptr || *as_int(f.base) >= 5) << clipped.table;
  }
  const Inferred where = inferred(found("te-bounds-smallest-box/where"), "where.py");
  const Face& second = where.of("B").box.at(1);
  EXPECT_TRUE(!second.witness || *as_int(second.extent) == 2) << where.table;
}

// What a reduction starts at is read, too.
TEST(InferBound, TheIdentityOfAReducerIsARead) {
  const Inferred i = inferred(found("te-bounds-identity-reads/program"), "program.py");
  // All of it, or six cells that hold number 5 as well as number k.
  const auto& box = i.of("B").box.at(0);
  EXPECT_TRUE(box.whole || is_int(box.extent, 6)) << i.table;
  EXPECT_EQ(i.table.find("1 of 2 obligations"), std::string::npos) << i.table;
}

// An index is what its casts leave of it, and a condition is one on what they leave.
TEST(InferBound, CastsChangeWhatIsRead) {
  const std::string text = R"(
import tvm
from tvm import te
A = te.placeholder((512,), name="A", dtype="int32")
B = te.compute((512,), lambda i: A[i] * 2, name="B")
C = te.compute((2, 512), lambda y, i: {}, name="C")
s = te.create_schedule(C.op)
s[B].compute_at(s[C], C.op.axis[0])
tvm.lower(s, [A, C])
)";
  auto box_of = [&](const std::string& value) {
    std::string whole = text;
    const Inferred i = inferred(whole.replace(whole.find("{}"), 2, value), "casts.py");
    return i.of("B").box.at(0);
  };
  for (const char* value :
       {"B[i.astype('uint8').astype('int32')] + y", "B[i.astype('int8').astype('int32') + 128] + y"}) {
    const Face narrow = box_of(value);
    EXPECT_TRUE(is_int(narrow.extent, 256)) << value;
    EXPECT_TRUE(narrow.witness) << value;
  }
  for (const char* value : {"te.if_then_else((i * 2).astype('uint8').astype('int32') == 300, B[i % 64], 0)",
                            "te.if_then_else((i + 5).astype('bool') != (y + 1).astype('bool'), B[i % 64], 0)"}) {
    EXPECT_FALSE(box_of(value).witness) << value;
  }
}

}  // namespace bounds_test
}  // namespace hexproof::te
