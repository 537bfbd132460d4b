// The formulas of a schedule cut into files: shards run anywhere and again, and nothing is called complete that is not.
#include "tests/tools/shards_fixture.h"

namespace hexproof {
namespace shards_test {

TEST_F(Shards, ThreeOfThem) {
  ASSERT_GE(formulas(), 3u);
  EXPECT_EQ(merge().code, 5);
  EXPECT_EQ(discharge("1/3").code, 0);
  EXPECT_EQ(discharge("3/3").code, 0);
  CommandResult part = merge();
  EXPECT_EQ(part.code, 5);
  EXPECT_NE(part.text.find("(incomplete)"), std::string::npos) << part.text;
  // One is killed half-way: an answer is missing, another one is cut off. It runs again, and so does one that was done.
  EXPECT_EQ(discharge("2/3").code, 0);
  auto first = fs::directory_iterator(folder_ + "/answers")->path();
  write_file(first.string(), "{\"sha256\":");
  EXPECT_EQ(merge().code, 5);
  fs::remove(first);
  for (const char* shard : {"1/3", "2/3", "3/3", "2/3"}) EXPECT_EQ(discharge(shard).code, 0);
  EXPECT_EQ(answers(), formulas());
  CommandResult all = merge();
  EXPECT_EQ(all.code, 0) << all.text;
}

TEST_F(Shards, AnAnswerThatIsThereIsNotAskedAgain) {
  EXPECT_EQ(discharge("1/1").code, 0);
  CommandResult again = discharge("1/1");
  EXPECT_NE(again.text.find(" 0 formulas asked"), std::string::npos) << again.text;
}

TEST_F(Shards, ChangedFormulasAndAnswers) {
  EXPECT_EQ(discharge("1/1").code, 0);
  const std::string formula = fs::directory_iterator(folder_ + "/obligations")->path().string();
  const std::string text = read_file(formula);
  write_file(formula, text + "; more\n");
  CommandResult r = merge();
  EXPECT_EQ(r.code, 12) << r.text;
  EXPECT_NE(r.text.find(formula), std::string::npos) << r.text;
  EXPECT_EQ(discharge("1/1").code, 12);
  write_file(formula, text);
  const std::string answer = fs::directory_iterator(folder_ + "/answers")->path().string();
  Json json = Json::parse(read_file(answer));
  json["answers"] = {{"z3", "unsat"}, {"cvc5", "sat"}};
  write_file(answer, json.dump());
  EXPECT_EQ(merge().code, 12);
  json["answers"] = {{"z3", "unknown"}};
  write_file(answer, json.dump());
  EXPECT_EQ(merge().code, 5);
  json["sha256"] = "0";
  write_file(answer, json.dump());
  EXPECT_EQ(merge().code, 5);
}

TEST_F(Shards, MadeAgainTheFolderIsTheSameAndAnotherScheduleIsRefused) {
  const std::string index = read_file(folder_ + "/index.json");
  EXPECT_EQ(hexproof_command("obligations " + program_ + " " + schedule_ + " --jobs 1 --out " + folder_).code, 0);
  EXPECT_EQ(read_file(folder_ + "/index.json"), index);
  EXPECT_EQ(hexproof_command("obligations " + program_ + " --out " + folder_).code, 2);
  EXPECT_EQ(read_file(folder_ + "/index.json"), index);
}

TEST_F(Shards, BadShards) {
  for (const char* shard : {"0/3", "4/3", "x", "1", "1/0", "-1/3", "1x/3", "1/3x", "+1/3", "1/"})
    EXPECT_EQ(discharge(shard).code, 1) << shard;
  EXPECT_EQ(hexproof_command("merge " + folder_ + "/none").code, 2);
}

}  // namespace shards_test
}  // namespace hexproof
