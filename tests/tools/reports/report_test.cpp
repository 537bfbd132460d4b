// --json: one report in every outcome of every command, of one schema (docs/reports.md).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace report_test {

using Json = nlohmann::json;

std::string copy(int extent) {
  return "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n    for i in range(" +
         std::to_string(extent) +
         "):\n        with T.block(\"copy\"):\n            vi = T.axis.spatial(8, i)\n            B[vi] = A[vi]\n";
}

/// The report that a command leaves. It says which command it was, what the exit code is, and what that means.
Json reported(const std::string& arguments, int code, const std::string& verdict) {
  std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "-report.json";
  std::filesystem::remove(path);
  CommandResult r = hexproof_command(arguments + " --quiet --json " + path);
  EXPECT_EQ(r.code, code) << arguments << "\n" << r.text;
  if (!std::filesystem::exists(path)) {
    ADD_FAILURE() << "no report of " << arguments;
    return {};
  }
  Json json = Json::parse(read_file(path));
  EXPECT_EQ(json["schema_version"], 1) << arguments;
  EXPECT_EQ(json["command"], arguments.substr(0, arguments.find(' '))) << arguments;
  EXPECT_EQ(json["exit_code"], code) << arguments;
  EXPECT_EQ(json["verdict"], verdict) << arguments;
  EXPECT_TRUE(json["versions"].contains("z3")) << arguments;
  std::string docs = read_file(HEXPROOF_SOURCE_DIR "/docs/reports.md");
  EXPECT_NE(docs.find("| `" + verdict + "`"), std::string::npos) << verdict << " is not in docs/reports.md";
  for (const auto& [key, value] : json.items())
    EXPECT_NE(docs.find("`" + key + "`"), std::string::npos) << key << " is not in docs/reports.md";
  return json;
}

/// Every key of the objects in it is explained.
void expect_explained(const Json& json, const std::string& docs) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      EXPECT_NE(docs.find("`" + key + "`"), std::string::npos) << key << " is not in docs/reports.md";
  }
  for (const Json& part : json) {
    if (part.is_structured()) expect_explained(part, docs);
  }
}

struct Files {
  std::string good = temporary("good.py", copy(8)), wrong = temporary("wrong.py", copy(9));
  std::string broken = temporary("broken.py", "def f(\n");
  std::string schedule = temporary("fine.sch.py", "i, = sch.get_loops(\"copy\")\nsch.split(i, [None, 4])\n");
  std::string refused = temporary("refused.sch.py", "sch.unroll(sch.get_loops(\"copy\")[0])\nsch.frobnicate(1)\n");
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-report-folder";
};

TEST(Reports, OfWhatIsProved) {
  Files f;
  EXPECT_EQ(reported("check " + f.good, 0, "proved")["functions"][0]["finding"], "proved");
  EXPECT_GT(reported("apply " + f.good + " " + f.schedule + " -o " + f.folder + ".py", 0, "proved")["steps"].size(),
            0u);
  EXPECT_TRUE(reported("certify " + f.good + " --target host --no-run -o " + f.folder, 0, "proved").contains("kernel"));
  EXPECT_EQ(reported("equiv " + f.good + " " + f.good, 0, "proved")["pairs"][0]["verdict"], "proved");
  EXPECT_EQ(reported("run " + f.good, 0, "ran")["function"], "f");
  reported("touched " + f.good + " --buffer A", 0, "proved");
  reported("layout --shape 14 --map 'lambda i: [i//4, i%4]'", 0, "proved");
  reported("rules", 0, "listed");
  reported("fuzz --runs 1", 0, "passed");
}

TEST(Reports, OfAScriptOfTensorExpressions) {
  const std::string docs = read_file(HEXPROOF_SOURCE_DIR "/docs/reports.md");
  auto script = [](const std::string& name, const std::string& index) {
    return temporary(name,
                     "from tvm import te\nA = te.placeholder((16,), name=\"A\", dtype=\"int32\")\n"
                     "B = te.compute((16,), lambda i: A[" +
                         index +
                         "], name=\"B\")\n"
                         "C = te.compute((16,), lambda i: B[i], name=\"C\")\ns = te.create_schedule(C.op)\n");
  };
  Json stages = reported("bounds " + script("bounds-te.py", "i"), 0, "proved")["stages"];
  ASSERT_FALSE(stages.empty());
  expect_explained(stages, docs);
  EXPECT_EQ(reported("bounds " + script("bounds-bad.py", "i + 1"), 10, "refuted")["naive"]["finding"], "refuted");
}

// The input that shows it is there: scalars, and the cells that decide.
TEST(Reports, ACounterexampleHoldsTheCellsThatDecide) {
  std::string gather = temporary("gather.py",
                                 "def f(idx: T.Buffer((64,), \"int32\"), A: T.Buffer((64,), \"float32\"), "
                                 "B: T.Buffer((64,), \"float32\")):\n"
                                 "    for i in range(64):\n        B[i] = A[idx[i]]\n");
  std::string text = reported("check " + gather, 10, "refuted")["functions"][0]["counterexample"];
  std::smatch index, cell;
  ASSERT_TRUE(std::regex_search(text, index, std::regex("index (-?[0-9]+) of axis 0 of buffer 'A'"))) << text;
  ASSERT_TRUE(std::regex_search(text, cell, std::regex("input: idx\\[[0-9]+\\] = (-?[0-9]+)"))) << text;
  EXPECT_EQ(index[1], cell[1]) << text;
}

// No file is named that nobody wrote.
TEST(Reports, ObligationsAreNamedInCertificatesAlone) {
  Files f;
  EXPECT_EQ(reported("check " + f.good, 0, "proved").dump().find("smtlib"), std::string::npos);
  Json certified = reported("certify " + f.good + " --target host --no-run -o " + f.folder, 0, "proved");
  std::string named = certified["source_check"]["obligations"][0]["smtlib"];
  EXPECT_TRUE(std::filesystem::exists(f.folder + "/" + named)) << named;
  const std::string docs = read_file(HEXPROOF_SOURCE_DIR "/docs/reports.md");
  for (Json one : certified["source_check"]["obligations"]) {
    one.erase("values");
    expect_explained(one, docs);
  }
}

// What is given stands beside the goal, and one name is one variable in both.
TEST(Reports, AnObligationSaysWhatIsGiven) {
  const std::string program = temporary("given.py",
                                        "def f(A: T.Buffer((64,), \"int32\")):\n    for i in T.parallel(8):\n"
                                        "        for j in range(8):\n            A[i * 8 + j] = 1\n");
  const Json all = reported("check " + program, 0, "proved")["functions"][0]["obligations"];
  EXPECT_EQ(all[0]["given"], Json({"0 <= i", "i < 8", "0 <= j", "j < 8"})) << all;
  const Json& race = all.back();
  EXPECT_EQ(race["goal"], "not i * 8 + j == i_1 * 8 + j_1") << race;
  const std::string given = race["given"].dump();
  for (const char* part : {"\"i != i_1\"", "\"i < 8\"", "\"i_1 < 8\"", "\"j_1 < 8\""})
    EXPECT_NE(given.find(part), given.npos) << given;
}

TEST(Reports, OfWhatIsRefutedAndOfEveryFailure) {
  Files f;
  EXPECT_FALSE(reported("check " + f.wrong, 10, "refuted")["functions"][0]["counterexample"].empty());
  for (const std::string& command : {"apply " + f.wrong + " " + f.schedule, "certify " + f.wrong + " -o " + f.folder}) {
    EXPECT_EQ(reported(command, 10, "refuted")["source_checks"][0]["finding"], "refuted");
  }
  EXPECT_FALSE(reported("run " + f.wrong, 10, "refuted")["counterexample"].empty());
  EXPECT_EQ(reported("run " + f.wrong + " --target host", 10, "refuted")["source_check"]["finding"], "refuted");
  EXPECT_EQ(reported("touched " + f.wrong + " --buffer A", 10, "refuted")["source_check"]["finding"], "refuted");
  reported("layout --shape 14 --map 'lambda i: [i//4]'", 10, "refuted");
  for (const std::string& command :
       {"check " + f.broken, "apply " + f.broken + " " + f.schedule, "certify " + f.broken + " -o " + f.folder,
        "equiv " + f.good + " " + f.broken, "run " + f.broken, "touched " + f.broken + " --buffer A"}) {
    Json error = reported(command, 2, "error")["error"];
    EXPECT_EQ(error["line"], 1) << command;
    EXPECT_EQ(error["column"], 6) << command;
    EXPECT_EQ(error["file"], f.broken) << command;
    EXPECT_NE(error["text"].get<std::string>().find("'(' is never closed"), std::string::npos) << error;
  }
  reported("layout --shape 14 --map 'lambda i: [j]'", 2, "error");
  Json refused = reported("apply " + f.good + " " + f.refused, 2, "error");
  EXPECT_EQ(refused["error"]["line"], 2);
  reported("apply " + f.good + " " + temporary("blockize.sch.py", "sch.read_at(sch.get_loops(\"copy\")[0])\n"), 13,
           "unsupported");
}

// What cannot be written keeps nothing else from being written, and all that is written says how the run ended.
TEST(Reports, OfAnOutputThatCannotBeWritten) {
  Files f;
  const std::string at = testing::TempDir() + "/" + std::to_string(::getpid()) + "-unwritten", none = at + "-none/x";
  const std::string full = "/dev/full";  // which is seen when the work is done
  auto report_at = [&](const std::string& name) { return Json::parse(read_file(at + name)); };
  auto fresh = [&] {
    for (const char* name : {".json", ".xml", ".sarif"}) std::filesystem::remove(at + name);
  };
  for (const char* bad : {"--junit", "--sarif"}) {
    const bool junit = std::string(bad) == "--junit";
    const std::string other = junit ? " --sarif " + at + ".sarif" : " --junit " + at + ".xml";
    fresh();
    CommandResult r = hexproof_command("check " + f.good + " " + bad + " " + full + other + " --json " + at + ".json");
    EXPECT_EQ(r.code, 2) << r.text;
    EXPECT_NE(r.text.find("HX0011"), std::string::npos) << r.text;
    ASSERT_TRUE(std::filesystem::exists(at + ".json")) << bad;
    const Json json = report_at(".json");
    EXPECT_EQ(json["exit_code"], 2);
    EXPECT_EQ(json["verdict"], "error");
    EXPECT_EQ(json["error"]["code"], "HX0011") << json["error"];
    EXPECT_GT(json["functions"][0]["obligations"].size(), 0u);  // what was shown stays said
    if (junit) {
      EXPECT_EQ(report_at(".sarif")["runs"][0]["invocations"][0]["exitCode"], 2);
    } else {
      EXPECT_NE(read_file(at + ".xml").find("failures=\"1\""), std::string::npos) << read_file(at + ".xml");
    }
  }
  fresh();
  for (const std::string& json : {none, full}) {
    fresh();
    EXPECT_EQ(hexproof_command("check " + f.good + " --json " + json + " --junit " + at + ".xml").code, 2);
    EXPECT_NE(read_file(at + ".xml").find("failures=\"1\""), std::string::npos) << read_file(at + ".xml");
  }
  // What was found wrong is how the run ends.
  for (const auto& [file, code] : {std::pair{f.wrong, 10}, {f.broken, 2}}) {
    fresh();
    CommandResult r = hexproof_command("check " + file + " --junit " + full + " --json " + at + ".json");
    EXPECT_EQ(r.code, code) << r.text;
    EXPECT_EQ(report_at(".json")["exit_code"], code);
    EXPECT_NE(r.text.find("HX0011"), std::string::npos) << r.text;
  }
}

// What is known before the work ends the run before it: nothing else was written but the other reports, and it is told
// once.
TEST(Reports, OfAnOutputThatIsKnownToBeUnwritable) {
  Files f;
  const std::string at = testing::TempDir() + "/" + std::to_string(::getpid()) + "-known", none = at + "-none/x";
  write_file(at + ".py", "mine\n");
  for (const std::string& bad :
       {"--sarif " + none, "--junit " + testing::TempDir(), "--certificate " + f.good + "/c", "--save " + f.good}) {
    std::filesystem::remove(at + ".json");
    const CommandResult r =
        hexproof_command("apply " + f.wrong + " " + f.schedule + " -o " + at + ".py --json " + at + ".json " + bad);
    EXPECT_EQ(r.code, 2) << r.text;
    EXPECT_EQ(r.text.find("error: "), r.text.rfind("error: ")) << r.text;
    const Json json = Json::parse(read_file(at + ".json"));
    EXPECT_EQ(json["error"]["code"], "HX0011") << json;
    EXPECT_FALSE(json.contains("source_checks")) << json;
    EXPECT_EQ(read_file(at + ".py"), "mine\n");
  }
}

// Of an end that nobody need look at first, that a report is missing is the end; what else there is stays in the
// others.
TEST(Reports, OfAnUndecidedRunWithAnOutputThatCannotBeWritten) {
  Files f;
  const std::string at = testing::TempDir() + "/" + std::to_string(::getpid()) + "-open.json";
  const std::string open = "equiv " + f.good + " " + f.good + " --method tests --json " + at;
  EXPECT_EQ(hexproof_command(open).code, 5);
  for (const char* unwritten : {" --sarif /dev/full", " --junit /dev/full", " > /dev/full"}) {
    EXPECT_EQ(hexproof_command(open + unwritten).code, 2) << unwritten;
    const Json json = Json::parse(read_file(at));
    EXPECT_EQ(json["verdict"], "error") << unwritten;
    EXPECT_EQ(json["error"]["code"], "HX0011") << unwritten;
    EXPECT_EQ(json["pairs"].size(), 1u) << unwritten;
  }
  const std::string missing = temporary("missing.sch.py", "sch.read_at(sch.get_loops(\"copy\")[0])\n");
  const CommandResult r = hexproof_command("apply " + f.good + " " + missing + " --json " + at + " --sarif /dev/full");
  EXPECT_EQ(r.code, 2) << r.text;
  const Json json = Json::parse(read_file(at));
  EXPECT_EQ(json["error"]["code"], "HX0290") << json["error"];
  ASSERT_EQ(json["errors"].size(), 2u) << json;
  EXPECT_EQ(json["errors"][0]["line"], 1);
  EXPECT_EQ(json["errors"][1]["code"], "HX0011");
}

TEST(Reports, OfSomethingThatCouldNotBeSaid) {
  Files f;
  const std::string at = testing::TempDir() + "/" + std::to_string(::getpid()) + "-unsaid";
  for (const std::string& command :
       std::vector<std::string>{"check " + f.good, "apply " + f.good + " " + f.schedule,
                                "apply " + f.good + " " + f.schedule + " -o " + at + ".py", "rules",
                                "certify " + f.good + " --target host --no-run -o " + f.folder}) {
    std::filesystem::remove(at + ".json");
    CommandResult r = hexproof_command(command + " --json " + at + ".json 2> " + at + ".err > /dev/full #");
    EXPECT_EQ(r.code, 2) << command;
    Json json = Json::parse(read_file(at + ".json"));
    EXPECT_EQ(json["exit_code"], 2) << command;
    EXPECT_EQ(json["verdict"], "error") << command;
    EXPECT_EQ(json["error"]["code"], "HX0011") << command;
    EXPECT_NE(read_file(at + ".err").find("HX0011"), std::string::npos) << read_file(at + ".err");
  }
  EXPECT_EQ(hexproof_command("check " + f.wrong + " --json " + at + ".json > /dev/full").code, 10);
  EXPECT_EQ(Json::parse(read_file(at + ".json"))["exit_code"], 10);
  EXPECT_EQ(hexproof_command("--help 2> " + at + ".err > /dev/full #").code, 2);
  EXPECT_NE(read_file(at + ".err").find("HX0011"), std::string::npos) << read_file(at + ".err");
}

}  // namespace report_test
}  // namespace hexproof
