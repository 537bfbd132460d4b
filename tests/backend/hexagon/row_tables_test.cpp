// Parameters of two physical axes: what a target supports, and kernels whose arguments are tables of rows, under QEMU.
#include "backend/row_tables.h"

#include <regex>
#include <set>

#include "backend/arguments.h"
#include "tests/backend/emitted.h"

namespace hexproof {
namespace row_tables_test {

using namespace testing;

const char* kProgram = R"(
def f(A: T.Buffer((8, 96), "int32", axis_separators=[1]), B: T.Buffer((4, 2, 3, 32), "int32", axis_separators=[2])):
    for i, j in T.grid(8, 96):
        B[i // 2, i % 2, j // 32, j % 32] = A[i, j] * 3 + i
)";

/// With every grant, that of alignment included.
Kernel certified_kernel(const std::string& text) {
  PrimFunc func = pick_function(parse_module(text), "");
  Prover prover;
  const CheckReport report = check(func, prover);
  EXPECT_EQ(report.finding, Finding::Proved) << text << report.reason << report.counterexample;
  Derivation derivation(func);
  return emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report, prover)});
}

size_t occurrences(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(RowTables, RowsGoInAndOut) {
  const Kernel kernel = certified_kernel(kProgram);
  expect_interpreted(kernel);
  const ArgumentBlock block = place_arguments(kernel.func, {});
  ASSERT_EQ(block.buffers.size(), 2u);
  for (const PlacedArgument& placed : block.buffers) {
    EXPECT_TRUE(placed.row_table);
    EXPECT_EQ(placed.offsets.size(), 8u);
    EXPECT_EQ(placed.bytes, 96 * 4);
    EXPECT_FALSE(std::is_sorted(placed.offsets.begin(), placed.offsets.end()));
    std::set<int64_t> ordered(placed.offsets.begin(), placed.offsets.end()), distances;
    for (auto a = ordered.begin(), b = std::next(a); b != ordered.end(); ++a, ++b) distances.insert(*b - *a);
    EXPECT_GT(distances.size(), 1u);
    EXPECT_GT(*distances.begin(), placed.bytes) << "no gap between two rows";
  }
}

/// Without a proof, and so without a flag, it is the same program.
TEST(RowTables, WithoutGrantsTheyMeanTheSame) {
  const Kernel kernel = emit(Derivation(pick_function(parse_module(kProgram), "")), {.target = Target::Hexagon});
  for (const char* flag : {"invariant.load", "inbounds", "row_tables", "noalias"})
    EXPECT_FALSE(has(kernel.llvm_ir, flag)) << flag;
  expect_interpreted(kernel);
}

TEST(RowTables, CellsOfEveryType) {
  for (const char* type : {"bool", "int8", "uint16", "float16", "float32", "int64", "float64"}) {
    SCOPED_TRACE(type);
    const std::string text = std::string(R"(
def f(A: T.Buffer((3, 5, 7), "TYPE", axis_separators=[2]), B: T.Buffer((5, 3, 7), "TYPE", axis_separators=[1]), C: T.Buffer((15, 7), "TYPE")):
    for i, j, k in T.grid(3, 5, 7):
        B[j, i, 6 - k] = A[i, j, k]
    for i, j, k in T.grid(3, 5, 7):
        C[i * 5 + j, k] = B[j, i, k]
    for i, k in T.grid(3, 7):
        A[i, 4, k] = C[i, k]
)");
    expect_interpreted(certified_kernel(std::regex_replace(text, std::regex("TYPE"), type)), 3);
  }
}

TEST(RowTables, OneRowAndNone) {
  expect_interpreted(certified_kernel(R"(
def f(A: T.Buffer((4, 9), "int32", axis_separators=[0]), B: T.Buffer((36, 1), "int32", axis_separators=[1])):
    for i, j in T.grid(4, 9):
        B[i * 9 + j, 0] = A[i, j] + 1
)"));
  expect_interpreted(certified_kernel(R"(
def f(A: T.Buffer((0, 9), "int32", axis_separators=[1]), B: T.Buffer((4, 0), "int32", axis_separators=[1]), C: T.Buffer((4,), "int32")):
    for i, j in T.grid(0, 9):
        A[i, j] = 1
    for i, j in T.grid(4, 0):
        B[i, j] = 1
    for i in range(4):
        C[i] = C[i] + 1
)"));
}

TEST(RowTables, VectorCells) {
  expect_interpreted(certified_kernel(R"(
def f(A: T.Buffer((4, 24), "int16", axis_separators=[1]), B: T.Buffer((4, 24), "int16", axis_separators=[1])):
    V = T.decl_buffer((4, 6), "int16x4", data=A.data, axis_separators=[1])
    for i, j in T.grid(4, 6):
        B[i, T.ramp(j * 4, 1, 4)] = V[i, j]
    for i, j in T.grid(2, 6):
        V[i, j] = V[3 - i, j]
)"));
}

TEST(RowTables, SizesAreBoundWhenTheKernelIsLinked) {
  if (!have_qemu()) GTEST_SKIP();
  const Kernel kernel = certified_kernel(R"(
def f(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "int32", axis_separators=[1])
    B = T.match_buffer(b, (n, m), "int32", axis_separators=[1])
    for i, j in T.grid(n, m):
        B[i, j] = A[n - 1 - i, j] + j
)");
  EXPECT_TRUE(has(c_header(kernel), "a pointer for each index of (n,), to the elements of (m,)")) << c_header(kernel);
  EXPECT_THROW(link_hexagon(kernel), Unsupported);
  std::vector<Tensor> want(2, make_tensor(kInt32, {5, 37})), got;
  for (size_t k = 0; k < want[0].data.size(); ++k) want[0].data[k] = static_cast<uint8_t>(k * 7);
  got = want;
  ASSERT_FALSE(run(kernel.func, want).error);
  run_hexagon(link_hexagon(kernel, bind_scalars(kernel.func, got, {})), got);
  for (size_t k = 0; k < 2; ++k) EXPECT_EQ(first_difference(want[k], got[k]), -1) << k;
}

TEST(RowTables, WhatATargetSupports) {
  const std::string host = refusal(kProgram, Target::Host);
  EXPECT_TRUE(has(host, "'A' has 2 physical axes") && has(host, "the host supports one")) << host;
  EXPECT_TRUE(has(host, "set_axis_separator(block, buffer, []) makes it flat")) << host;
  const std::string three =
      refusal(replaced(kProgram, "axis_separators=[2]", "axis_separators=[1, 3]"), Target::Hexagon);
  EXPECT_TRUE(has(three, "'B' has 3 physical axes") && has(three, "Hexagon supports two")) << three;
  EXPECT_TRUE(has(three, "set_axis_separator(block, buffer, [axis]) leaves two")) << three;
  const std::string behind = refusal(replaced(kProgram, "axis_separators=[1]", "axis_separators=[2]"), Target::Hexagon);
  EXPECT_TRUE(has(behind, "no axis of the argument 'A' stands behind its axis separator")) << behind;
  const std::string many =
      refusal("def f(A: T.Buffer((70000, 1), \"int32\", axis_separators=[1])):\n    A[0, 0] = 1\n", Target::Hexagon);
  EXPECT_TRUE(has(many, "the argument 'A' has more than 65536 rows")) << many;
  const std::string layout = R"(
def f(a: T.handle, B: T.Buffer((8, 8), "int32")):
    A = T.match_buffer(a, (8, 8), "int32", axis_separators=[1], LAYOUT)
    for i, j in T.grid(8, 8):
        B[i, j] = A[i, j]
)";
  for (const char* more : {"strides=[16, 1]", "elem_offset=8"}) {
    const std::string said = refusal(replaced(layout, "LAYOUT", more), Target::Hexagon);
    EXPECT_TRUE(has(said, "'A' has two physical axes") && has(said, "strides or an offset")) << said;
  }
}

/// As `flatten_buffers` leaves it; and views whose rows are others.
TEST(RowTables, ViewsHaveTheSameRows) {
  const std::string text = R"(
def f(A: T.Buffer((4, 2, 3, 32), "int32", axis_separators=[2]), B: T.Buffer((8, 96), "int32")):
    V = T.decl_buffer(VIEW, data=A.data)
    for i, j in T.grid(6, 48):
        V[i, j] = V[i, j] * 3
    for i, j in T.grid(8, 96):
        B[i, j] = A[i // 2, i % 2, j // 32, j % 32]
)";
  expect_interpreted(certified_kernel(replaced(text, "VIEW", "(8, 96), \"int32\", axis_separators=[1]")));
  expect_interpreted(certified_kernel(replaced(text, "VIEW", "(8, 96), \"uint32\", axis_separators=[1]")));
  for (const char* view :
       {"(8, 96), \"int32\"", "(8, 96), \"int32\", axis_separators=[0]", "(8, 96), \"int32\", axis_separators=[2]",
        "(8, 96), \"int32\", strides=[96, 1]", "(8, 96), \"int32\", axis_separators=[1], strides=[96, 1]",
        "(7, 96), \"int32\", axis_separators=[1], elem_offset=96", "(6, 128), \"int32\", axis_separators=[1]",
        "(8, 48), \"int32\", axis_separators=[1]"}) {
    const std::string said = refusal(replaced(text, "VIEW", view), Target::Hexagon);
    EXPECT_TRUE(has(said, "'V' is a view of the argument 'A'") && has(said, "set_axis_separator")) << view << said;
  }
}

/// An alignment is proved from the start of the row, wherever the row is.
TEST(RowTables, AlignmentCountsFromTheRow) {
  const std::string text = R"(
def f(A: T.Buffer((8, COLUMNS), "int32", axis_separators=[1]), B: T.Buffer((8, 32), "int32", axis_separators=[1])):
    for k in T.serial(8):
        acc = T.decl_buffer((32,), "int32", scope="local")
        for j in T.vectorized(32):
            acc[j] = A[k, j + START]
        for j in T.vectorized(32):
            B[k, j] = acc[j] * 3
)";
  for (const auto& [columns, start, aligned] :
       {std::tuple{"64", "32", 2u}, {"70", "32", 2u}, {"70", "0", 2u}, {"70", "31", 1u}, {"64", "16", 1u}}) {
    const Kernel kernel = certified_kernel(replaced(replaced(text, "COLUMNS", columns), "START", start));
    EXPECT_EQ(occurrences(kernel.llvm_ir, ", align 128"), aligned) << columns << " " << start;
    EXPECT_TRUE(has(kernel.llvm_ir, "stands at a multiple of 128 bytes of its row"));
    expect_interpreted(kernel, 5);
  }
}

TEST(RowTables, VectorCodeStaysInOneRow) {
  struct Case {
    const char *loops, *cell;
    bool vector;
    const char* why;
  };
  for (const Case& c :
       {Case{"for i in range(8):\n        for j in T.vectorized(96):", "i, j", true, ""},
        Case{"for j in range(96):\n        for i in T.vectorized(8):", "i, j", false, "cell by cell"},
        Case{"for i in range(8):\n        for j in T.vectorized(96):", "j // 12, j", false, "cell by cell"}}) {
    const std::string text = std::string(R"(
def f(A: T.Buffer((8, 96), "int32", axis_separators=[1]), B: T.Buffer((8, 96), "int32", axis_separators=[1])):
    )") + c.loops + "\n            B[i, j] = A[" +
                             c.cell + "] + 1\n";
    const Kernel kernel = certified_kernel(text);
    ASSERT_EQ(kernel.vectorized.size(), 1u);
    EXPECT_EQ(kernel.vectorized[0].code, c.vector ? VectorizedLoop::Code::Vector : VectorizedLoop::Code::Scalar)
        << text;
    EXPECT_TRUE(has(kernel.vectorized[0].why, c.why)) << kernel.vectorized[0].why;
    expect_interpreted(kernel);
  }
}

/// A store to the rows of one table changes none of another one: what a loop reads there is loaded once.
TEST(RowTables, RowsOfTwoTablesAreApart) {
  const Kernel kernel = certified_kernel(R"(
def f(A: T.Buffer((8, 96), "float32", axis_separators=[1]), B: T.Buffer((8, 96), "float32", axis_separators=[1])):
    for i in range(8):
        for j in range(96):
            B[i, j] = B[i, j] * A[i, 5]
)");
  EXPECT_EQ(occurrences(kernel.llvm_ir, "= load float,"), 2u);
  const size_t loop = kernel.llvm_ir.find("phi i32", kernel.llvm_ir.find("phi i32") + 1);
  ASSERT_NE(loop, std::string::npos) << kernel.llvm_ir;
  EXPECT_EQ(occurrences(kernel.llvm_ir.substr(loop), "= load float,"), 1u) << kernel.llvm_ir;
  expect_interpreted(kernel);
}

/// Which row it is would be asked for each lane.
TEST(RowTables, ARowUnderAConditionOrByDataIsScalarCode) {
  const std::string text = R"(
def f(A: T.Buffer((8, 96), "int32", axis_separators=[1]), B: T.Buffer((8, 96), "int32"), C: T.Buffer((8, 96), "int32")):
    for i in range(8):
        for j in T.vectorized(96):
            BODY
)";
  for (const char* body :
       {"if C[i, j] > 0:\n                B[i, j] = A[i, j]", "if C[i, j] > 0:\n                A[i, j] = B[i, j]",
        "B[i, j] = T.if_then_else(C[i, j] > 0, A[i, j], 0)"}) {
    const Kernel kernel = certified_kernel(replaced(text, "BODY", body));
    ASSERT_EQ(kernel.vectorized.size(), 1u);
    EXPECT_EQ(kernel.vectorized[0].code, VectorizedLoop::Code::Scalar) << body;
    EXPECT_TRUE(has(kernel.vectorized[0].why, "it takes a row of 'A' under a condition")) << kernel.vectorized[0].why;
    expect_interpreted(kernel);
  }
  const Kernel by_data = certified_kernel(
      replaced(replaced(text, "C: T.Buffer((8, 96)", "C: T.Buffer((8, 1)"), "BODY", "B[i, j] = A[C[i, 0] & 7, j]"));
  ASSERT_EQ(by_data.vectorized.size(), 1u);
  EXPECT_EQ(by_data.vectorized[0].code, VectorizedLoop::Code::Scalar);
  EXPECT_EQ(by_data.vectorized[0].why, "which row of 'A' it takes, is data");
  expect_interpreted(by_data);
  // A choice between cells that are read in any case.
  const Kernel kernel = certified_kernel(replaced(text, "BODY", "B[i, j] = T.Select(C[i, j] > 0, A[i, j], 0)"));
  EXPECT_EQ(kernel.vectorized.at(0).code, VectorizedLoop::Code::Vector);
  expect_interpreted(kernel);
}

TEST(RowTables, AnInstructionStaysInOneRow) {
  const std::string text = R"(
def f(A: T.Buffer((8, 4), "uint8"), W: T.Buffer((8, 32, 4), "uint8", axis_separators=[SEPARATOR]), C: T.Buffer((8, 32), "int32", axis_separators=[1])):
    for i in range(8):
        for lane in T.serial(32, annotations={"hexproof.tensorize": "dot_32x4_u8u8i32_vrmpy"}):
            for q in range(4):
                C[i, lane] = C[i, lane] + T.Cast("int32", A[i, q]) * T.Cast("int32", W[i, lane, q])
)";
  const Kernel kernel = certified_kernel(replaced(text, "SEPARATOR", "1"));
  EXPECT_TRUE(has(kernel.llvm_ir, "llvm.hexagon.V6.vrmpy")) << kernel.llvm_ir;
  expect_interpreted(kernel);
  // Rows of an odd length, and a word that stands askew in them.
  const std::string askew = replaced(
      replaced(replaced(text, "(8, 4), \"uint8\"", "(8, 5), \"uint8\", axis_separators=[1]"), "A[i, q]", "A[i, q + 1]"),
      "SEPARATOR", "1");
  expect_interpreted(certified_kernel(askew));
  const std::string said = refusal(replaced(text, "SEPARATOR", "2"), Target::Hexagon);
  EXPECT_TRUE(has(said, "goes over rows of 'W'") && has(said, "with the loop 'lane'")) << said;
}

TEST(RowTables, FlagsNameTheContract) {
  PrimFunc func = pick_function(parse_module(kProgram), "");
  Prover prover;
  Derivation derivation(func);
  const Grants grants = grants_for(derivation, check(func, prover));
  EXPECT_TRUE(grants.row_tables());
  const std::string ir = emit(derivation, {.target = Target::Hexagon, .grants = grants, .optimise = false}).llvm_ir;
  std::smatch found;
  ASSERT_TRUE(std::regex_search(ir, found, std::regex("(![0-9]+) = !\\{!\"row_tables\""))) << ir;
  const std::string table = found[1];
  ASSERT_TRUE(std::regex_search(ir, found, std::regex("(![0-9]+) = !\\{!\"in_bounds\"")));
  ASSERT_TRUE(std::regex_search(ir, found, std::regex("(![0-9]+) = !\\{" + found[1].str() + ", " + table + "\\}")))
      << ir;
  const std::string both = found[1];
  size_t loads = 0, addresses = 0;
  std::istringstream lines(ir);
  for (std::string line; std::getline(lines, line);) {
    if (has(line, "= load ptr,")) {
      ++loads;
      EXPECT_TRUE(has(line, "!invariant.load") && line.ends_with("!hexproof.because " + table)) << line;
    }
    if (has(line, "getelementptr inbounds")) {
      ++addresses;
      EXPECT_TRUE(line.ends_with("!hexproof.because " + both)) << line;
    }
  }
  EXPECT_EQ(loads, 2u);
  EXPECT_EQ(addresses, 4u);
  // Both rows' cells are of the scope of their table, and of no other one.
  EXPECT_EQ(occurrences(ir, ", !alias.scope !"), 4u);
  EXPECT_GE(occurrences(ir, " = distinct !{"), 3u) << "a domain and two scopes";
  // A program without such parameters knows nothing of them.
  const std::string flat = std::regex_replace(std::string(kProgram), std::regex(", axis_separators=\\[.\\]"), "");
  EXPECT_FALSE(has(emitted(flat, Target::Hexagon).kernel.llvm_ir, "row_tables"));
}

TEST(RowTables, TheHeaderStatesTheContract) {
  const std::string header = c_header(certified_kernel(kProgram));
  for (const char* words :
       {"Every pointer to elements is a multiple of 128, and no two of them overlap.",
        "nobody writes it while the function runs",
        "arg0  A: (8, 96) int32, a table of rows: a pointer for each index of (8,), to the elements of (96,)",
        "arg1  B: (4, 2, 3, 32) int32, a table of rows: a pointer for each index of (4, 2), to the elements of (3, 32)",
        "void f_kernel(int32_t* const* restrict arg0_A, int32_t* const* restrict arg1_B, uint8_t* restrict "
        "arg2_workspace);"}) {
    EXPECT_TRUE(has(header, words)) << words << "\n" << header;
  }
}

TEST(RowTables, ABlockThatBreaksTheContractIsRefused) {
  const PrimFunc func = pick_function(parse_module(kProgram), "");
  const ArgumentBlock kept = place_arguments(func, {});
  EXPECT_NO_THROW(demand_contract(func, kept));
  auto said = [&](const std::function<void(ArgumentBlock&)>& change) -> std::string {
    ArgumentBlock block = kept;
    change(block);
    try {
      demand_contract(func, block);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const std::string crooked = said([](ArgumentBlock& b) { b.buffers[0].offsets[3] += 64; });
  EXPECT_TRUE(has(crooked, "a row of parameter 'A'") && has(crooked, "no multiple of 128")) << crooked;
  for (const std::string& apart : {said([](ArgumentBlock& b) { b.buffers[1].offsets[0] = b.buffers[1].offsets[5]; }),
                                   said([](ArgumentBlock& b) { b.buffers[1].offsets[0] = b.buffers[0].offsets[5]; }),
                                   said([](ArgumentBlock& b) { b.buffers[1].offsets[0] = b.bytes; })}) {
    EXPECT_TRUE(has(apart, "a row of parameter '") && has(apart, "does not lie apart")) << apart;
  }
}

/// What no proof stands behind, written behind a row: the run sees it.
TEST(RowTables, AWriteBetweenRowsIsSeen) {
  if (!have_qemu()) GTEST_SKIP();
  for (const char* cell : {"A[i, j + 1]", "A[i, j + 8]"}) {
    const PrimFunc func = pick_function(parse_module(std::string(R"(
def f(A: T.Buffer((4, 32), "int32", axis_separators=[1])):
    for i, j in T.grid(4, 32):
        )") + cell + " = 7\n"),
                                        "");
    const Kernel kernel = emit(Derivation(func), {.target = Target::Hexagon});
    std::vector<Tensor> buffers = any_inputs(func, 1);
    try {
      run_hexagon(link_hexagon(kernel), buffers);
      FAIL() << cell;
    } catch (const InternalError& e) {
      EXPECT_TRUE(has(e.what(), "wrote where none of its arguments is")) << e.what();
    }
  }
}

/// In the middle of a flat parameter's gap, too.
TEST(RowTables, AWriteBehindAFlatParameterIsSeen) {
  if (!have_qemu()) GTEST_SKIP();
  const PrimFunc func = pick_function(parse_module(R"(
def f(A: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(4):
        A[i] = 7
)"),
                                      "");
  std::vector<Tensor> buffers = any_inputs(func, 1);
  EXPECT_THROW(run_hexagon(link_hexagon(emit(Derivation(func), {.target = Target::Hexagon})), buffers), InternalError);
}

}  // namespace row_tables_test
}  // namespace hexproof
