// The programs in the source documents, when these are present: RFC 77, RFC 39 and the kernels parse, print and read
// back to the same program. The other two documents (the Hexagon schedules and InferBound) hold TIR in its older
// printed form, which is not TVMScript and is not read.
#include "tests/support/documents.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "tests/seeds/findings.h"

namespace hexproof {
namespace {

/// Parses, prints, reads again and checks; the message of the Error or Unsupported when the text is no program.
std::string round_trip(const std::string& text, const std::string& path, const ExpectedFindings& findings,
                       std::map<std::string, int>* met) {
  IRModule module;
  try {
    module = parse_module(text, path);
  } catch (const Error& error) {
    return error.what();
  } catch (const Unsupported& error) {
    return error.what();
  }
  std::string printed = print(module);
  IRModule back = parse_module(printed, path + " printed");
  EXPECT_EQ(print(back), printed) << path;
  EXPECT_EQ(back.functions.size(), module.functions.size()) << path;
  for (size_t i = 0; i < back.functions.size(); ++i) {
    EXPECT_TRUE(same_program(module.functions[i], back.functions[i])) << path << "\n" << printed;
    EXPECT_EQ(ill_formed(module.functions[i]), "") << path;
  }
  check_module(module, path, findings, met);
  return "";
}

/// What stands in a document and is no program: the line of its decorator, and what is wrong with it in our words.
using Exceptions = std::map<int, const char*>;

void check_document(const std::string& name, const Exceptions& exceptions, size_t programs,
                    const ExpectedFindings& findings = {}) {
  std::filesystem::path path = documents_folder() / name;
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "the source documents are absent: " << name << " is not beside the project";
  size_t good = 0, bad = 0;
  std::map<std::string, int> met;
  for (const Definition& definition : definitions(path)) {
    std::string where = name.substr(0, 8) + ":" + std::to_string(definition.line);
    std::string problem = round_trip(definition.text, where, findings, &met);
    auto exception = exceptions.find(definition.line);
    if (exception == exceptions.end()) {
      EXPECT_EQ(problem, "") << where;
      ++good;
    } else {
      EXPECT_NE(problem, "") << where << " is listed as no program (" << exception->second << ") and parses";
      ++bad;
    }
  }
  EXPECT_EQ(good, programs);
  EXPECT_EQ(bad, exceptions.size()) << "a listed line holds no definition";
  for (const auto& [key, finding] : findings) EXPECT_EQ(met.count(key), 1u) << key << " is listed and not there";
}

TEST(Documents, Rfc77) {
  const char* no_handle = "Overcompute vs Branching: T.match_buffer without the parameter that it matches";
  const char* one_index = "Simplify, complementary conditions: a buffer of two dimensions with one index";
  const char* lost_index = "Explicitly write next operator's default: uses `i` after its loop became (io, ii)";
  const char* out_of_scope = "Points of Communication: a buffer allocated in one block and used in the next";
  check_document("rfc-0077-layout-transform-padding.md",
                 {{226, no_handle},
                  {242, no_handle},
                  {260, no_handle},
                  {397, "transform_layout, after: A_cache is allocated with one dimension and used with two"},
                  {461, "transform_layout, after: B has two dimensions and is stored to with one index"},
                  {879, one_index},
                  {894, one_index},
                  {1048, "Hoist Expression: A[i] of a buffer of two dimensions"},
                  {1056, "Hoist Expression, incorrectly hoisted: reads a variable before it has a value"},
                  {1711, lost_index},
                  {1735, lost_index},
                  {1757, lost_index},
                  {1779, lost_index},
                  {2729, out_of_scope},
                  {2750, out_of_scope}},
                 89,
                 {{"rfc-0077:1332 func", {Finding::Refuted, "index 4 of axis 0 of buffer 'A'"}},
                  {"rfc-0077:1363 func", {Finding::Refuted, "index 4 of axis 0 of buffer 'A'"}}});
}

TEST(Documents, Rfc39) {
  const char* other_convention =
      "Option 2 of the indexing conventions, which was not chosen: its assertion on a dtype is false";
  check_document("rfc-0039-buffer-physical-layout.md", {{650, other_convention}, {655, other_convention}}, 8);
}

TEST(Documents, Kernels) {
  std::filesystem::path folder = documents_folder() / "kernels";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "the source documents are absent: kernels/ is not beside the project";
  const ExpectedFindings findings = {{"conv2d_conv2d_3x3_k1_h1 main", {Finding::Refuted, "packed_input_global"}},
                                     {"conv2d_conv2d_3x3_k2_h2 main", {Finding::Refuted, "packed_input_global"}}};
  std::map<std::string, int> met;
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".py") continue;
    ++count;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    EXPECT_EQ(round_trip(text.str(), entry.path().stem().string(), findings, &met), "");
  }
  EXPECT_EQ(count, 4u);
}

}  // namespace
}  // namespace hexproof
