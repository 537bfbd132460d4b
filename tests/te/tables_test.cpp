// The samples of both documents, run as scripts; two pages are made of them.
#include <ctime>
#include <regex>

#include "rewrite/te/bounds/bounds.h"
#include "tests/te/support.h"

namespace hexproof::te {
namespace tables_test {

struct Sample {
  const char* file;
  int line;  // of the document
  const char* what;
  const char* result;  // stands in the program that it becomes
};

constexpr Sample kRfc39[] = {
    {"nchw", 79, "layout of a computed tensor, by a named function", "compute: T.Buffer((2, 2, 3, 5, 4), \"float32\")"},
    {"nchw_equivalent", 85, "the computation that comes to the same",
     "compute: T.Buffer((2, 2, 3, 5, 4), \"float32\")"},
    {"separators_1", 104, "no separator: one physical axis", "B: T.Buffer((3, 4, 5, 8), \"float32\")"},
    {"separators_2", 107, "one separator: (M*N, P*Q)", "B: T.Buffer((3, 4, 5, 8), \"float32\", axis_separators=[2])"},
    {"separators_3", 110, "two separators: (M, N*P, Q)",
     "B: T.Buffer((3, 4, 5, 8), \"float32\", axis_separators=[1, 3])"},
    {"separators_4", 113, "separator, reorder and split",
     "B: T.Buffer((3, 2, 4, 5, 4), \"float32\", axis_separators=[3])"},
    {"iterators", 131, "layouts of input and output; returned iterators",
     "placeholder: T.Buffer((1024, 32, 4), \"float32\"), compute: T.Buffer((4, 8192, 4), \"float32\")"},
    {"no_layout", 300, "no layout", "x: T.Buffer((64, 128), \"float32\")"},
    {"transpose", 322, "reordered axes", "x: T.Buffer((128, 64), \"float32\")"},
    {"nchwc", 351, "split axis", "x: T.Buffer((16, 32, 64, 64, 4), \"float32\")"},
    {"two_axes", 381, "split axis, two physical axes",
     "x: T.Buffer((16, 32, 64, 64, 4), \"float32\", axis_separators=[3])"},
};

/// Programs that say what type a load has: TVMScript, which `check` judges. Without a result: they are refused, as the
/// convention that the document does not prefer.
constexpr Sample kIndexing[] = {
    {"scalar_from_scalar", 589, "scalar load from scalar buffer", "A[0].dtype == \"float32\""},
    {"vector_from_vector", 594, "vector load from vector buffer", "A[0].dtype == \"float32x4\""},
    {"other_lanes", 599, "a view of other lanes", "A_vector_2[0].dtype == \"float32x2\""},
    {"other_type", 583, "a view of another type of one width", "A_bits[0].dtype == \"int32\""},
    {"vector_from_scalar_1", 606, "vector load from scalar buffer, by a ramp",
     "A[T.ramp(0, 1, 4)].dtype == \"float32x4\""},
    {"vector_from_scalar_2", 611, "vector load from scalar buffer, by a view", "A_vector[0].dtype == \"float32x4\""},
    {"scalar_from_vector", 617, "scalar load from vector buffer, by a view", "A_scalar[0].dtype == \"float32\""},
    {"option2_vector_from_vector", 651, "the convention that is not preferred: lanes of the index alone", ""},
    {"option2_scalar_from_vector", 656, "the same: an element of a vector", ""},
};

constexpr Sample kInferBound[] = {
    {"ex1", 335, "Ex. 1: nothing attached", "C = T.alloc_buffer((5, 16), \"int32\")"},
    {"ex2", 357, "Ex. 2: at the inner axis", "C = T.decl_buffer((1, 1), \"int32\")"},
    {"ex3", 375, "Ex. 3: at the outer axis", "C = T.decl_buffer((1, 16), \"int32\")"},
    {"ex4", 421, "Ex. 4: an axis that the producer does not use", "C = T.decl_buffer((1, 1), \"int32\")"},
    {"ex5", 457, "Ex. 5: at a split axis", "C = T.decl_buffer((1, 1), \"int32\")"},
    {"nested", 484, "an attach path through two stages", "(1, 1), \"int32\") as C"},
    {"root", 578, "a consumer that is attached", "D = T.decl_buffer((1, 1), \"int32\")"},
    {"ex6", 604, "Ex. 6: a split of a fused axis by 4", "B = T.decl_buffer((1, 4), \"float32\")"},
    {"ex6_unfused", 650, "Ex. 6 without fuse and split", "B = T.decl_buffer((1, 4), \"float32\")"},
    {"ex6_by_8", 733, "Ex. 6 by 8", "B = T.decl_buffer((2, 4), \"float32\")"},
    {"ex6_by_3", 738, "Ex. 6 by 3: the smallest rectangles", "B = T.decl_buffer((2, 4), \"float32\")"},
};

std::string row_of(const std::string& folder, const Sample& sample) {
  const std::string path = std::string(HEXPROOF_SOURCE_DIR) + "/tests/te/" + folder + "/" + sample.file + ".py";
  EXPECT_HAS(made_by_file(path), sample.result);  // judged by what knows no rule
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::clock_t start = std::clock();
  const Script script = run_script(std::make_shared<const SourceFile>(SourceFile{path, text}));
  Prover prover;
  Derivation derivation(script.naive.func);
  lower(script, derivation, prover);
  size_t proved = 0, bounds = 0;
  for (const Step& step : derivation.steps()) proved += step.obligations.size();
  if (script.schedule) {
    for (const StageBounds& b : infer_bound(*script.schedule).stages) {
      for (const Obligation& o : b.covers) {
        EXPECT_EQ(prover.prove(o).verdict, Verdict::Proved) << print(o);
        ++bounds;
      }
    }
  }
  const auto ms = 1000 * (std::clock() - start) / CLOCKS_PER_SEC;
  return "| `" + std::string(sample.file) + ".py` | " + std::to_string(sample.line) + " | " + sample.what +
         " | proved | `" + sample.result + "` | " + std::to_string(derivation.steps().size()) + " | " +
         std::to_string(proved) + " | " + std::to_string(bounds) + " | " + std::to_string(ms) + " |\n";
}

std::string row_of_program(const Sample& sample) {
  const std::string path = std::string(HEXPROOF_SOURCE_DIR) + "/tests/te/rfc39/indexing/" + sample.file + ".py";
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}}, expected = sample.result;
  EXPECT_HAS(text, "assert " + expected);
  const std::clock_t start = std::clock();
  std::string verdict = "proved", result = expected;
  try {
    const api::Program program = api::read(path);
    const api::Checked checked = api::check(program, program.functions().at(0), session());
    EXPECT_EQ(checked.verdict, api::Verdict::Proved) << path;
  } catch (const api::Failure& e) {
    EXPECT_HAS(std::string(e.what()), "this assertion is false");
    verdict = "refused", result = "this assertion is false";
  }
  EXPECT_EQ(expected.empty(), verdict == "refused") << path;
  const auto ms = 1000 * (std::clock() - start) / CLOCKS_PER_SEC;
  return "| `indexing/" + std::string(sample.file) + ".py` | " + std::to_string(sample.line) + " | " + sample.what +
         " | " + verdict + " | `" + result + "` | 0 | 0 | 0 | " + std::to_string(ms) + " |\n";
}

constexpr const char* kHead =
    "\n| sample | line | what | verdict | in the result | steps | obligations | of bounds | ms "
    "|\n|---|---|---|---|---|---|---|---|---|\n";

/// Without the last column, which is time.
std::string without_times(const std::string& page) {
  return std::regex_replace(page, std::regex("\\| [0-9]+ \\|\n"), "|\n");
}

void expect_page(const std::string& name, const std::string& rows) {
  const std::string docs = std::string(HEXPROOF_SOURCE_DIR) + "/docs/" + name,
                    made = std::string(HEXPROOF_BINARY_DIR) + "/" + name;
  std::ifstream in(docs);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const size_t at = page.find(kHead);
  const std::string head = at == std::string::npos ? "" : page.substr(0, at);
  const size_t end = at == std::string::npos ? at : page.find("\n\n", at + 2);
  const std::string tail = end == std::string::npos ? "\n" : page.substr(end + 1);
  const std::string now = head + kHead + rows + tail;
  std::ofstream(made) << now;
  EXPECT_EQ(without_times(page), without_times(now)) << "to bring the page up to date: cp " << made << " docs/";
}

TEST(Documents, Rfc39) {
  std::string rows;
  for (const Sample& sample : kRfc39) rows += row_of("rfc39", sample);
  for (const Sample& sample : kIndexing) rows += row_of_program(sample);
  expect_page("rfc39.md", rows);
}

TEST(Documents, InferBound) {
  std::string rows;
  for (const Sample& sample : kInferBound) rows += row_of("inferbound", sample);
  expect_page("inferbound.md", rows);
}

}  // namespace tables_test
}  // namespace hexproof::te
