// A folder of formulas as somebody else may have left it: what does not fit is named, and nothing holds its reader up.
#include <sys/stat.h>

#include "ir/base/digest.h"
#include "tests/tools/shards_fixture.h"

namespace hexproof {
namespace shards_test {

class ShardsFolder : public Shards {
 protected:
  void SetUp() override {
    Shards::SetUp();
    index_file_ = folder_ + "/index.json";
    index_ = Json::parse(read_file(index_file_));
  }
  void write_index(const Json& changed) const { write_file(index_file_, changed.dump(2) + "\n"); }
  /// By both readers, with what they say.
  void expect_ends(int code, const std::string& says) {
    for (const CommandResult& r : {merge(), discharge("1/1")}) {
      EXPECT_EQ(r.code, code) << r.text;
      EXPECT_NE(r.text.find(says), std::string::npos) << says << "\n" << r.text;
    }
  }
  std::string path_of(size_t k) const { return index_["formulas"][k]["file"]; }

  std::string index_file_;
  Json index_;
};

// Answers stay in the folder, under names that are digests.
TEST_F(ShardsFolder, NothingIsWrittenElsewhere) {
  Json changed = index_;
  fs::rename(folder_ + "/" + path_of(0), folder_ + "/obligations/package.smt2");
  changed["formulas"][0]["file"] = "obligations/package.smt2";
  write_index(changed);
  expect_ends(2, "is no name of a formula");
  fs::rename(folder_ + "/obligations/package.smt2", folder_ + "/" + path_of(0));
  write_index(index_);
  const std::string elsewhere = fresh_folder("elsewhere");
  fs::create_directories(elsewhere);
  fs::remove_all(folder_ + "/answers");
  fs::create_directory_symlink(elsewhere, folder_ + "/answers");
  const CommandResult r = discharge("1/1");
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_NE(r.text.find("what stands there is no folder"), std::string::npos) << r.text;
  EXPECT_TRUE(fs::is_empty(elsewhere));
  fs::remove_all(elsewhere);
}

// Nothing is left out, and no formula stands for another one.
TEST_F(ShardsFolder, FormulasThatAreNotThoseOfTheIndex) {
  EXPECT_EQ(discharge("1/1").code, 0);
  auto expect_rejected = [&](const Json& changed, const std::string& name, const std::string& why) {
    write_index(changed);
    expect_ends(12, "rejected: " + folder_ + "/" + name + ":1:1: " + why);
  };
  Json changed = index_;
  changed["formulas"].erase(0);
  expect_rejected(changed, path_of(0), "is not listed in index.json");
  changed["formulas"] = Json::array();
  expect_rejected(changed, path_of(1), "is not listed in index.json");
  fs::create_directories(folder_ + "/obligations/more");
  expect_rejected(index_, "obligations/more", "is not listed");
  fs::remove(folder_ + "/obligations/more");
  write_file(folder_ + "/obligations/more.smt", "(check-sat)\n");
  expect_rejected(index_, "obligations/more.smt", "is not listed");
  fs::remove(folder_ + "/obligations/more.smt");
  // (What a killed process left half-written is nobody's formula.)
  write_file(folder_ + "/" + path_of(0) + ".tmp-17", "(");
  EXPECT_EQ(merge().code, 0) << merge().text;
  changed = index_;
  std::swap(changed["formulas"][0]["sha256"], changed["formulas"][1]["sha256"]);
  expect_rejected(changed, path_of(0), "is not the formula that index.json lists");
  changed = index_;
  std::swap(changed["formulas"][0]["file"], changed["formulas"][1]["file"]);
  expect_rejected(changed, path_of(1), "is not the formula that index.json lists");
  fs::remove(folder_ + "/" + path_of(0));
  expect_rejected(index_, path_of(0), "is listed in index.json and is not there");
}

// An index that is none does not say that all of nothing is shown.
TEST_F(ShardsFolder, AnIndexThatIsNone) {
  auto expect_refused = [&](const std::function<void(Json&)>& change, const std::string& why) {
    Json changed = index_;
    change(changed);
    write_index(changed);
    expect_ends(2, why);
  };
  expect_refused([](Json& j) { j["formulas"] = nullptr; },
                 index_file_ + ":5:3: error: 'formulas' is no list of formulas");
  expect_refused([](Json& j) { j.erase("formulas"); }, "error: 'formulas' is no list of formulas");
  expect_refused([](Json& j) { j["formulas"] = Json::object(); }, "error: 'formulas' is no list of formulas");
  expect_refused([](Json& j) { j["schema_version"] = 7; }, index_file_ + ":2:3: error: 'schema_version' is not 1");
  expect_refused([](Json& j) { j.erase("schema_version"); }, "error: 'schema_version' is not 1");
  expect_refused([](Json& j) { j["program"] = 7; }, "error: 'program' is no text");
  expect_refused([](Json& j) { j["formulas"][0] = 7; }, "error: 'file' is no text");
  expect_refused([](Json& j) { j["formulas"][1].erase("sha256"); }, "error: 'sha256' is no text");
  expect_refused([](Json& j) { j["formulas"][1]["shown_by"] = "anybody"; },
                 index_file_ + ":18:7: error: 'shown_by' is neither unsat nor sat");
  for (const char* name :
       {"/etc/passwd", "obligations/../index.json", "obligations/more/0123456789abcdef.smt2", "answers/x.json"}) {
    expect_refused([&](Json& j) { j["formulas"][0]["file"] = name; }, index_file_ + ":7:7: error: 'file' is no name");
  }
  expect_refused([](Json& j) { j["formulas"].push_back(j["formulas"][0]); }, "'file' is listed twice");
  for (const std::string& text : {std::string("{"), std::string("[]\n"), std::string(), index_.dump() + "\n",
                                  "{\n  \"formulas\": [],\n" + index_.dump(2).substr(2) + "\n"}) {
    write_file(index_file_, text);
    expect_ends(2, index_file_ + ":1:1: error: the index is");
  }
}

// One reading of answers for who asks and for who counts.
TEST_F(ShardsFolder, AnAnswerThatDoesNotFitIsAskedAgain) {
  const std::string name = fs::path(path_of(0)).stem().string(), answer = folder_ + "/answers/" + name + ".json";
  const std::string digest = index_["formulas"][0]["sha256"];
  for (const Json& other :
       {Json("{"), Json(), Json{{"sha256", "0"}, {"answers", {{"z3", "unsat"}}}},
        Json{{"sha256", digest}, {"answers", Json::object()}}, Json{{"sha256", digest}, {"answers", nullptr}},
        Json{{"sha256", digest}, {"answers", {{"somebody", "unsat"}}}},
        Json{{"sha256", digest}, {"answers", {{"z3", "yes"}}}}, Json{{"sha256", digest}, {"answers", {{"z3", 1}}}}}) {
    EXPECT_EQ(discharge("1/1").code, 0);
    EXPECT_EQ(merge().code, 0) << merge().text;
    write_file(answer, other.is_string() ? other.get<std::string>() : other.dump());
    EXPECT_EQ(merge().code, 5) << other;
    const CommandResult again = discharge("1/1");
    EXPECT_NE(again.text.find(" 1 formulas asked"), std::string::npos) << other << "\n" << again.text;
  }
  EXPECT_EQ(merge().code, 0);
}

// That an assume can hold is shown by a model.
TEST_F(ShardsFolder, AnAssumeIsListed) {
  const std::string program = temporary("assumed.py",
                                        "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n"
                                        "    T.assume(n >= 0 and n <= 16)\n"
                                        "    for i in range(n):\n        A[i] = 1\n");
  fs::remove_all(folder_);
  CommandResult r = hexproof_command("obligations " + program + " --out " + folder_);
  ASSERT_EQ(r.code, 0) << r.text;
  index_ = Json::parse(read_file(index_file_));
  std::string assume;
  for (const Json& one : index_["formulas"]) {
    EXPECT_EQ(one["shown_by"] == "sat", one["rule"] == "check-assume") << one;
    if (one["rule"] == "check-assume") assume = one["file"];
  }
  ASSERT_FALSE(assume.empty()) << index_;
  EXPECT_EQ(discharge("1/1").code, 0);
  EXPECT_EQ(merge().code, 0) << merge().text;
  const std::string answer = folder_ + "/answers/" + fs::path(assume).stem().string() + ".json";
  Json json = Json::parse(read_file(answer));
  json["answers"] = {{"z3", "unsat"}};
  write_file(answer, json.dump());
  EXPECT_EQ(merge().code, 5);
  EXPECT_NE(merge().text.find("open: " + assume), std::string::npos) << merge().text;
}

TEST_F(ShardsFolder, AScriptOfTensorExpressions) {
  const std::string script = temporary("shards_te.py",
                                       "from tvm import te\n"
                                       "A = te.placeholder((14,), dtype=\"int32\", name=\"A\")\n"
                                       "B = te.compute((14,), lambda i: A[i] * 2, name=\"B\")\n"
                                       "s = te.create_schedule(B.op)\n"
                                       "xo, xi = s[B].split(B.op.axis[0], factor=4)\n");
  fs::remove_all(folder_);
  CommandResult r = hexproof_command("obligations " + script + " --out " + folder_);
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_GE(formulas(), 3u);
  EXPECT_EQ(discharge("1/1").code, 0);
  EXPECT_EQ(merge().code, 0) << merge().text;
}

// A formula that says more than what is to be shown could answer for the solver, or write files.
TEST_F(ShardsFolder, AFormulaThatDoesMoreThanAssert) {
  const std::string written = folder_ + "/written";
  for (const std::string& more : {std::string("(echo \"unsat\")\n"), std::string("(exit)\n"),
                                  "(set-option :diagnostic-output-channel \"" + written + "\")\n"}) {
    const std::string text = more + "(set-logic QF_LIA)\n(assert true)\n(check-sat)\n", digest = sha256(text);
    Json changed = index_;
    const std::string name = "obligations/" + digest.substr(0, 16) + ".smt2";
    write_file(folder_ + "/" + name, text);
    Json one = index_["formulas"][0];
    one["file"] = name, one["sha256"] = digest;
    changed["formulas"].push_back(one);
    write_index(changed);
    expect_ends(12, "rejected: " + folder_ + "/" + name + ":1:1: holds ");
    fs::remove(folder_ + "/" + name);
  }
  EXPECT_FALSE(fs::exists(written));
}

// A formula's file that is another file, too, is not written through.
TEST_F(ShardsFolder, FilesOfTwoNames) {
  const std::string path = folder_ + "/" + path_of(0), program = read_file(program_);
  fs::remove(path);
  fs::create_hard_link(program_, path);
  const CommandResult made = hexproof_command("obligations " + program_ + " " + schedule_ + " --out " + folder_);
  EXPECT_EQ(made.code, 2) << made.text;
  EXPECT_NE(made.text.find("the file has another name"), std::string::npos) << made.text;
  EXPECT_EQ(read_file(program_), program);
}

// A pipe that nobody writes to holds its reader up for ever, and one that nobody reads its writer.
TEST_F(ShardsFolder, PipesInPlaceOfFiles) {
  EXPECT_EQ(discharge("1/1").code, 0);
  const std::string answer = "answers/" + fs::path(path_of(0)).stem().string() + ".json";
  for (const std::string& name : {std::string("index.json"), path_of(0), answer}) {
    const std::string path = folder_ + "/" + name, bytes = read_file(path);
    fs::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    expect_ends(2, "cannot read '" + path + "': it is no regular file");
    if (name != answer) {
      const CommandResult made = hexproof_command("obligations " + program_ + " " + schedule_ + " --out " + folder_);
      EXPECT_EQ(made.code, 2) << made.text;
      EXPECT_NE(made.text.find(path), std::string::npos) << made.text;
    }
    fs::remove(path);
    fs::create_symlink("/dev/zero", path);
    expect_ends(2, "cannot read '" + path + "': it is a symbolic link");
    fs::remove(path);
    write_file(path, bytes);
  }
  EXPECT_EQ(merge().code, 0);
}

}  // namespace shards_test
}  // namespace hexproof
