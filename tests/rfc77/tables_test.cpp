// The table of all pairs and the errata, written to the build folder; the pages in docs/ are these.
#include "tests/rfc77/tables.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "ir/base/file.h"
#include "ir/text/text.h"

namespace hexproof::rfc77 {
namespace {

std::string folder(const char* of) { return std::string(of) + "/"; }

void write(const std::string& name, const std::string& text) {
  std::ofstream out(folder(HEXPROOF_BINARY_DIR) + name);
  out << text;
  ASSERT_TRUE(out.good()) << name;
}

std::string page(const std::string& name) {
  try {
    return read_file(folder(HEXPROOF_SOURCE_DIR) + "docs/" + name);
  } catch (const Error& error) {
    return error.what();
  }
}

constexpr const char* kUpdate = "to bring the pages up to date: cp {0}rfc77.md {0}rfc77-errata.md {1}docs/";

TEST(Tables, AreTheDocumentedOnes) {
  const std::vector<PairFile> pairs = all_pairs();
  std::vector<Row> rows;
  for (size_t k = 0; k < pairs.size(); ++k) {
    Prover cold;
    IRModule before = parse_module(program_before(pairs, k), pairs[k].name + ".py");
    Ran ran = run_schedule_on(before, pairs[k].schedule, pairs[k].name, cold);
    rows.push_back({pairs[k], verdict_of(pairs[k], ran), ran.obligations, ran.milliseconds});
  }
  const std::string table = table_of(rows, page("rfc77.md")), errata = errata_of(pairs);
  write("rfc77.md", table);
  write("rfc77-errata.md", errata);
  const std::string update =
      fmt::format(fmt::runtime(kUpdate), folder(HEXPROOF_BINARY_DIR), folder(HEXPROOF_SOURCE_DIR));
  EXPECT_EQ(without_times(page("rfc77.md")), without_times(table)) << update;
  EXPECT_EQ(page("rfc77-errata.md"), errata) << update;
}

}  // namespace
}  // namespace hexproof::rfc77
