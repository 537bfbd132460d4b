// The page of a certificate: one file, with all data in it, and nothing from elsewhere.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace page_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string path_of(const std::string& name) {
  std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "-page-" + name;
  fs::remove_all(path);
  return path;
}

/// The data that stands in the page.
Json data_of(const std::string& page) {
  const std::string kHead = "<script type=\"application/json\" id=\"data\">";
  const size_t from = page.find(kHead) + kHead.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(Page, OfACertificate) {
  std::string program = temporary("page.py",
                                  "def main(A: T.Buffer((14,), \"int32\"), B: T.Buffer((14,), \"int32\")):\n"
                                  "    for i in range(14):\n"
                                  "        with T.block(\"copy\"):\n"
                                  "            vi = T.axis.spatial(14, i)\n"
                                  "            B[vi] = A[vi] * 2\n");
  std::string schedule =
      temporary("page.sch.py",
                "b = sch.get_block(\"copy\")\nsch.transform_layout(b, (\"write\", 0), lambda i: [i // 4, "
                "i % 4], pad_value=0)\n");
  std::string folder = path_of("certificate"), page = path_of("page.html");
  ASSERT_EQ(
      hexproof_command("apply " + program + " " + schedule + " --certificate " + folder + " -o " + path_of("o.py"))
          .code,
      0);
  CommandResult r = hexproof_command("report " + folder + " -o " + page);
  ASSERT_EQ(r.code, 0) << r.text;
  const std::string text = read_file(page);
  EXPECT_LT(text.size(), 300'000u);
  EXPECT_FALSE(std::regex_search(text, std::regex("(src|href) *= *[\"']?(https?:|//)"))) << "something from elsewhere";
  EXPECT_EQ(text.find("@import"), std::string::npos);
  Json data = data_of(text);
  EXPECT_EQ(data["verdict"], "proved");
  ASSERT_FALSE(data["steps"].empty());
  EXPECT_EQ(data["steps"][0]["rule"], "transform-layout");
  bool changed = false;
  for (const Json& row : data["steps"][0]["diff"]) changed |= row[0] == "changed";
  EXPECT_TRUE(changed);
  EXPECT_GT(data["obligations"].size(), 3u);
  for (const Json& row : data["obligations"]) {
    EXPECT_EQ(row[5], "proved");
    EXPECT_TRUE(data["givens"].at(row[8].get<size_t>()).is_array()) << row;
    EXPECT_TRUE(fs::exists(folder + "/" + row[9].get<std::string>())) << row;
  }
  EXPECT_LT(data["givens"].size(), data["obligations"].size()) << "each list is held once";
  ASSERT_EQ(data["nests"].size(), 2u);
  EXPECT_EQ(data["nests"][0]["parts"][0]["kind"], "serial") << data["nests"];
  EXPECT_EQ(data["nests"][0]["parts"][0]["text"], "i from 0, 14") << data["nests"];
  ASSERT_EQ(data["layouts"].size(), 1u);
  EXPECT_NE(data["layouts"][0]["svg"].get<std::string>().find("<svg"), std::string::npos);
}

TEST(Page, OfARefutation) {
  std::string program = temporary("page-bad.py",
                                  "def f(idx: T.Buffer((64,), \"int32\"), A: T.Buffer((64,), \"float32\"), "
                                  "B: T.Buffer((64,), \"float32\")):\n"
                                  "    for i in range(64):\n        B[i] = A[idx[i]]\n");
  std::string report = path_of("report.json"), page = path_of("bad.html");
  ASSERT_EQ(hexproof_command("check " + program + " --json " + report).code, 10);
  ASSERT_EQ(hexproof_command("report " + report + " -o " + page).code, 0);
  Json data = data_of(read_file(page));
  EXPECT_EQ(data["verdict"], "refuted");
  ASSERT_EQ(data["counterexamples"].size(), 1u);
  EXPECT_NE(data["counterexamples"][0].dump().find("idx[0]"), std::string::npos) << data["counterexamples"];
}

// The condition of a step that is false, with values, as a table.
TEST(Page, OfARefusedStep) {
  std::string program = temporary("page-sums.py",
                                  "def f(B: T.Buffer((64,), \"int32\")):\n    for i in range(64):\n"
                                  "        with T.block(\"b\"):\n            v = T.axis.opaque(64, i)\n"
                                  "            B[v] = B[T.max(v - 1, 0)] + 1\n");
  std::string schedule = temporary("page-sums.sch.py", "sch.vectorize(sch.get_loops(\"b\")[0])\n");
  std::string report = path_of("sums.json"), page = path_of("sums.html");
  CommandResult r =
      hexproof_command("apply " + program + " " + schedule + " -o " + path_of("o.py") + " --json " + report);
  ASSERT_EQ(r.code, 10) << r.text;
  ASSERT_EQ(hexproof_command("report " + report + " -o " + page).code, 0);
  Json data = data_of(read_file(page));
  ASSERT_EQ(data["counterexamples"].size(), 1u) << data;
  EXPECT_NE(data["counterexamples"][0]["message"].get<std::string>().find("no two iterations touch one cell"),
            std::string::npos);
  EXPECT_GE(data["counterexamples"][0]["rows"].size(), 2u);
}

// Why nothing was shown, or what is wrong, stands in the page whatever the command was.
TEST(Page, OfWhatIsNotShown) {
  auto page_of = [](const std::string& command, int code) {
    std::string report = path_of("why.json"), page = path_of("why.html");
    CommandResult r = hexproof_command(command + " --json " + report);
    EXPECT_EQ(r.code, code) << r.text;
    EXPECT_EQ(hexproof_command("report " + report + " -o " + page).code, 0);
    return data_of(read_file(page));
  };
  const std::string head = "def f(A: T.Buffer((16,), \"float32\"), n: T.int32):\n";
  const std::string wrong = temporary("why-bad.py", head + "    for i in range(17):\n        A[i] = T.float32(1)\n");
  Json ran = page_of("run " + wrong + " --scalar 1", 10);
  const std::string right = temporary("why-good.py", head + "    for i in range(16):\n        A[i] = T.float32(1)\n");
  for (const Json& data : {ran, page_of("equiv " + right + " " + wrong, 10)}) {
    ASSERT_EQ(data["counterexamples"].size(), 1u) << data;
    const Json& met = data["counterexamples"][0];
    EXPECT_NE(met["message"].get<std::string>().find("index 16 of axis 0 of buffer 'A'"), std::string::npos) << data;
    EXPECT_EQ(met["rows"][0], Json::parse(R"(["i", "16"])")) << data;
    EXPECT_EQ(data.value("errors", Json::array()), Json::array()) << data;
  }
  const std::string vacuous =
      temporary("why-vacuous.py", head + "    T.assume(n > 4)\n    T.assume(n < 3)\n    A[0] = T.float32(1)\n");
  Json clash = page_of("check " + vacuous, 11);
  ASSERT_EQ(clash["counterexamples"].size(), 1u) << clash;
  EXPECT_EQ(clash["counterexamples"][0]["rows"].size(), 2u) << clash;
  EXPECT_EQ(clash["counterexamples"][0]["rows"][0][1], "T.assume(n > 4)") << clash;
  EXPECT_FALSE(clash["reasons"].empty());
  const std::string before = temporary("why-b.py", head + "    A[0] = T.exp(A[0])\n"),
                    after = temporary("why-a.py", head + "    A[0] = T.exp(A[0]) * T.float32(1)\n");
  Json open = page_of("equiv " + before + " " + after + " --method tests", 5);
  EXPECT_NE(open["reasons"].dump().find("tests: "), std::string::npos) << open;
  const std::string folder = path_of("why-cert");
  const std::string good = temporary("why-good.py", head + "    A[0] = T.float32(1)\n");
  ASSERT_EQ(hexproof_command("certify " + good + " --target host --no-run -o " + folder).code, 0);
  write_file(folder + "/final.py", read_file(folder + "/final.py") + "# more\n");
  Json rejected = page_of("audit " + folder, 12);
  EXPECT_NE(rejected["errors"].dump().find("final.py"), std::string::npos) << rejected;
}

// What stands in a program ends no script and makes no element.
TEST(Page, TextOfTheProgramIsText) {
  std::string report = path_of("evil.json"), page = path_of("evil.html");
  write_file(report,
             "{\"verdict\": \"proved\", \"obligations\": [{\"rule\": \"</script><script>alert(1)</script>\", "
             "\"why\": \"w\", \"goal\": \"<b>\", \"verdict\": \"proved\"}]}");
  ASSERT_EQ(hexproof_command("report " + report + " -o " + page).code, 0);
  const std::string text = read_file(page);
  EXPECT_EQ(text.find("<script>alert"), std::string::npos);
  EXPECT_EQ(data_of(text)["obligations"][0][1], "</script><script>alert(1)</script>");
}

Json layouts_of(const std::string& before, const std::string& after, const std::string& map) {
  const Json report = {{"verdict", "proved"},
                       {"steps", {{{"buffer", "A"}, {"shape_before", before}, {"shape_after", after}, {"map", map}}}}};
  const std::string page = path_of("layout.html");
  const CommandResult r = hexproof_command("report " + temporary("layout.json", report.dump()) + " -o " + page);
  EXPECT_EQ(r.code, 0) << r.text;
  return data_of(read_file(page))["layouts"];
}

TEST(Page, OfALargeLayoutDrawsAPart) {
  const Json layouts = layouts_of("(1, 100, 64, 256)", "(1, 13, 8, 8, 2048)",
                                  "lambda n, h, w, c: [n, h // 8, w // 8, c // 32, h % 8 * 256 + w % 8 * 32 + c % 32]");
  ASSERT_EQ(layouts.size(), 1u);
  const std::string svg = layouts[0].value("svg", "");
  EXPECT_NE(svg.find("a part of the cells: the first and the last of each axis of (1, 100, 64, 256)"), svg.npos);
  EXPECT_NE(svg.find("[0, 12, 7, :, :]"), svg.npos) << svg;
  EXPECT_NE(svg.find("class=\"padding\""), svg.npos);
  EXPECT_LT(svg.size(), 150'000u);
  // Rows that are longer than a screen are cut, too.
  EXPECT_NE(layouts_of("(100,)", "(100,)", "lambda i: [99 - i]")[0].value("svg", "").find("a part"), svg.npos);
  // What is no layout is told, and not drawn.
  for (const char* map : {"lambda i: [i]", "lambda i, j: [i]", "lambda i, j: [i * 5, j]", "lambda i, j: [i // 0, j]"}) {
    for (const char* shape : {"(8, 8)", "(1000, 8)"}) EXPECT_FALSE(layouts_of(shape, "(4, 8)", map).empty()) << map;
  }
}

TEST(Page, OfADamagedCertificateIsNotMade) {
  const std::string program = temporary("damaged.py", "def main(A: T.Buffer((4,), \"int32\")):\n    A[0] = 1\n");
  const std::string schedule = temporary("damaged.sch.py", ""), folder = path_of("damaged"),
                    page = path_of("none.html");
  ASSERT_EQ(hexproof_command("apply " + program + " " + schedule + " --certificate " + folder).code, 0);
  write_file(folder + "/final.py", read_file(folder + "/final.py") + "\n");
  const std::string json = path_of("damaged.json");
  const CommandResult r = hexproof_command("report " + folder + " -o " + page + " --json " + json);
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_NE(r.text.find("damaged/final.py:1:1: has another digest than SHA256SUMS says"), r.text.npos) << r.text;
  EXPECT_FALSE(fs::exists(page));
  EXPECT_EQ(Json::parse(read_file(json))["rejections"][0]["code"], "HX0601");
}

TEST(Page, OfNoReport) {
  EXPECT_EQ(hexproof_command("report " + temporary("no.json", "[1]") + " -o " + path_of("x.html")).code, 2);
  EXPECT_EQ(hexproof_command("report " + path_of("none") + " -o " + path_of("x.html")).code, 2);
  std::string self = temporary("self.json", "{}");
  EXPECT_EQ(hexproof_command("report " + self + " -o " + self).code, 2);
  for (const char* odd : {"{}", "{\"steps\": 7}", "{\"steps\": [7]}", "{\"obligations\": [[[]]]}", "{\"function\": {}}",
                          "{\"shape_before\": 1, \"map\": 2}", "{\"kind\": 1, \"loops\": 2}", "{\"differences\": 3}",
                          "{\"clashing\": 7}", "{\"rejections\": [7]}", "{\"evidence\": [7]}"}) {
    CommandResult r = hexproof_command("report " + temporary("odd.json", odd) + " -o " + path_of("x.html"));
    EXPECT_EQ(r.code, 2) << odd << "\n" << r.text;  // no verdict: no report
    const std::string judged =
        "{\"verdict\": \"proved\"" + std::string(odd == std::string("{}") ? "" : ", ") + (odd + 1);
    r = hexproof_command("report " + temporary("odd.json", judged) + " -o " + path_of("x.html"));
    EXPECT_TRUE(r.code == 0 || r.code == 2) << judged << "\n" << r.text;
  }
}

}  // namespace page_test
}  // namespace hexproof
