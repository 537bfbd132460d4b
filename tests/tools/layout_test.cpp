// hexproof layout: shapes, predicates, pictures, refusals.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace layout_test {

CommandResult layout(const std::string& shape, const std::string& map, const std::string& more = "") {
  return hexproof_command("layout --shape '" + shape + "' --map '" + map + "' " + more);
}

void expect_line(const CommandResult& r, const std::string& line) {
  EXPECT_NE(r.text.find(line + "\n"), std::string::npos) << "not there: " << line << "\n" << r.text;
}

// The figure of RFC 77.
TEST(LayoutCommand, Draws) {
  CommandResult r = layout("14", "lambda i: [i//4, i%4]");
  EXPECT_EQ(r.code, 0);
  expect_line(r, "logical shape      (14,)");
  expect_line(r, "transformed shape  (4, 4)");
  expect_line(r, "padding            lambda io, ii: [io * 4 + ii >= 14]");
  expect_line(r, "│00│01│02│03│04│05│06│07│08│09│10│11│12│13│");
  expect_line(r,
              "┌──┬──┬──┬──┐\n│00│01│02│03│\n├──┼──┼──┼──┤\n│04│05│06│07│\n├──┼──┼──┼──┤\n│08│09│10│11│\n"
              "├──┼──┼──┼──┤\n│12│13│..│..│\n└──┴──┴──┴──┘");
  r = layout("16", "lambda i: [(i+2)//8, (i+2)%8]");
  expect_line(r, "│..│..│00│01│02│03│04│05│");
  expect_line(r, "│14│15│..│..│..│..│..│..│");
  EXPECT_NE(r.text.find("8 cells of padding"), std::string::npos) << r.text;
  EXPECT_EQ(layout("16", "lambda i: [i//4, i%4]", "--quiet").text, "");
}

TEST(LayoutCommand, SvgAndJson) {
  std::string svg = testing::TempDir() + "/layout.svg", json = testing::TempDir() + "/layout.json";
  EXPECT_EQ(layout("(2, 7)", "lambda i, j: [j//4, i, j%4]", "--svg " + svg + " --json " + json).code, 0);
  std::string picture = read_file(svg);
  EXPECT_TRUE(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
  size_t shaded = 0;
  for (size_t at = 0; (at = picture.find("class=\"padding\"", at)) != std::string::npos; ++at) ++shaded;
  EXPECT_EQ(shaded, 2u);
  auto report = nlohmann::json::parse(read_file(json));
  EXPECT_EQ(report["verdict"], "proved");
  EXPECT_EQ(report["transformed_shape"], "(2, 2, 4)");
  EXPECT_EQ(report["padding"], "lambda jo, i, ji: [jo * 4 + ji >= 7]");
}

// Of what is too large to be drawn as a whole the corners are, as in a page of the same report.
TEST(LayoutCommand, SvgOfALargeLayout) {
  const std::string at = testing::TempDir() + "/" + std::to_string(::getpid()) + "-large", svg = at + ".svg";
  for (const auto& [shape, map] :
       {std::pair{"100000", "lambda i: [i//64, i%64]"}, {"(128, 1022)", "lambda i, j: [j//4, i, j%4]"}}) {
    const CommandResult r = layout(shape, map, "--svg " + svg + " --json " + at + ".json");
    EXPECT_EQ(r.code, 0) << r.text;
    const std::string picture = read_file(svg);
    EXPECT_EQ(picture.find("too many cells"), std::string::npos);
    EXPECT_NE(picture.find("a part of the cells"), std::string::npos);
    EXPECT_NE(picture.find("class=\"padding\""), std::string::npos);
  }
  // A row that is long, and not too long, is drawn as a whole.
  EXPECT_EQ(layout("100", "lambda i: [i]", "--svg " + svg).code, 0);
  EXPECT_EQ(read_file(svg).find("a part of the cells"), std::string::npos);
}

TEST(LayoutCommand, SymbolicShapes) {
  CommandResult r = layout("(n, 8)", "lambda i, j: [i//4, j, i%4]");
  EXPECT_EQ(r.code, 0);
  expect_line(r, "transformed shape  ((n + 3) // 4, 8, 4)");
  expect_line(r, "padding            lambda io, j, ii: [io * 4 + ii >= n]");
  EXPECT_EQ(layout("n", "lambda i: [i]", "--svg " + testing::TempDir() + "/none.svg").code, 2);
}

TEST(LayoutCommand, Collisions) {
  CommandResult r = layout("14", "lambda i: [i//2]");
  EXPECT_EQ(r.code, 10);
  EXPECT_NE(r.text.find("the cells [0] and [1] both go to [0]"), std::string::npos) << r.text;
  r = layout("n", "lambda i: [i//2]");
  EXPECT_EQ(r.code, 10);
  EXPECT_NE(r.text.find("the cells [0] and [1] both go to [0]"), std::string::npos) << r.text;
  // Too many cells to look at each: the solver finds two.
  r = layout("1000000", "lambda i: [i * 3 % 1000000 // 2]");
  EXPECT_EQ(r.code, 10);
  EXPECT_NE(r.text.find("no two logical indices go to one cell"), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("for example with i0 = "), std::string::npos) << r.text;
}

TEST(LayoutCommand, BadInput) {
  for (auto [shape, map] : {std::pair{"14", "lambda i: [i//4, i%]"},
                            {"14", "lambda i: [i - 1]"},
                            {"14", "lambda i, j: [i]"},
                            {"14", "lambda i: [q]"},
                            {"14", "7"},
                            {"14", "lambda i: []"},
                            {"1x", "lambda i: [i]"},
                            {"0", "lambda i: [i]"},
                            {"99999999999", "lambda i: [i]"}}) {
    CommandResult r = layout(shape, map);
    EXPECT_EQ(r.code, 2) << shape << " " << map << "\n" << r.text;
    EXPECT_NE(r.text.find("^"), std::string::npos) << r.text;
  }
  EXPECT_EQ(layout("2147483647", "lambda i: [i // 7, i % 7]").code, 2);  // 2^31 bytes are too many
  EXPECT_EQ(hexproof_command("layout --shape 14").code, 1);
  EXPECT_EQ(layout("14", "").code, 1);
  EXPECT_EQ(layout("", "lambda i: [i]").code, 1);
}

CommandResult suggest(const std::string& program, const std::string& more = "", const std::string& buffer = "A") {
  return hexproof_command("layout --suggest " + temporary("sum.py", program) + " --block compute --buffer " + buffer +
                          " --map 'lambda i: [i//4, i%4]' " + more);
}
std::string sum_of(const std::string& type, const std::string& update, const std::string& start = "0") {
  return "@T.prim_func\ndef total(A: T.Buffer((14,), \"" + type + "\"), B: T.Buffer((1,), \"" + type +
         "\")):\n    with T.block(\"compute\"):\n        B[0] = T." + type + "(" + start +
         ")\n        for i in range(14):\n            B[0] = " + update + "\n";
}

TEST(LayoutCommand, SuggestsPadValues) {
  std::string json = testing::TempDir() + "/suggest.json";
  // A sum that starts at -0.0 may stay there until a 0.0 is added, and an assume of either zero allows a 0.0.
  std::string sum = sum_of("float32", "B[0] + A[i]", "-0.0");
  CommandResult r = suggest(sum, "--json " + json);
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("  T.float32(0.0) with nsz: 1 branch, "), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("others that were tried:\n  T.undef(dtype=\"float32\"): "), std::string::npos) << r.text;
  auto report = nlohmann::json::parse(read_file(json));
  ASSERT_EQ(report["pad_values"].size(), 2u);
  EXPECT_EQ(report["pad_values"][0]["value"], "T.float32(0.0)");
  EXPECT_EQ(report["pad_values"][0]["flags"], nlohmann::json::array({"nsz"}));
  EXPECT_GT(report["pad_values"][0]["steps"].size(), 2u);
  for (const auto& step : report["pad_values"][0]["steps"]) {
    for (const auto& obligation : step["obligations"]) EXPECT_EQ(obligation["verdict"], "proved");
  }
  EXPECT_EQ(report["refused"][0]["value"], "T.undef(dtype=\"float32\")");
  // With the flag granted nothing more is asked for.
  r = suggest(sum, "--fp nsz");
  EXPECT_NE(r.text.find("  T.float32(0.0): 1 branch, "), std::string::npos) << r.text;
  r = suggest(sum_of("int32", "B[0] * 3 + A[i]"));
  EXPECT_EQ(r.code, 0);
  expect_line(r, "none: no pad value was found under which a branch goes");
}

TEST(LayoutCommand, SuggestionsForWhatIsNotThere) {
  EXPECT_EQ(suggest(sum_of("int32", "B[0] + A[i]"), "", "C").code, 2);
  EXPECT_EQ(suggest(sum_of("int32", "B[0] + A[i + 1]")).code, 10) << "the program has an error";
  EXPECT_EQ(hexproof_command("layout --suggest x.py --map 'lambda i: [i]'").code, 1);
  EXPECT_EQ(hexproof_command("layout --suggest x.py --shape 14 --block b --buffer A --map 'lambda i: [i]'").code, 1);
}

}  // namespace layout_test
}  // namespace hexproof
