// Pair files: what is read of them, and what is wrong with a head.
#include "tests/rfc77/pair_file.h"

#include <gtest/gtest.h>

#include "ir/base/diagnostic.h"
#include "ir/text/text.h"
#include "tests/rfc77/listing.h"
#include "tests/rfc77/tables.h"

namespace hexproof::rfc77 {
namespace {

constexpr const char* kText = R"(# section: Some section
# listing before: 10
# listing after: 20
# document after: equal
# repair after: A | B => C
# repair after: D\n => E
# errata: what is wrong
#   goes on
# errata: and more
# before
def f(A: T.Buffer((4,), "int32")):
    A[0] = 1
# schedule
sch.simplify()  
# a comment
sch.split(sch.get_loop("i"),
    [4, 4])
# after
def f(A: T.Buffer((4,), "int32")):
    A[0] = 1
)";

TEST(PairFile, IsRead) {
  PairFile pair = read_pair("chain/01-name", kText);
  EXPECT_EQ(pair.chain(), "chain");
  EXPECT_EQ(pair.section, "Some section");
  EXPECT_EQ(pair.before_listing.line, 10);
  EXPECT_EQ(pair.before_listing.agreement, Agreement::Same);
  EXPECT_EQ(pair.after_listing.agreement, Agreement::Equal);
  ASSERT_EQ(pair.after_listing.repairs.size(), 2u);
  EXPECT_EQ(pair.after_listing.repairs[0], (std::pair<std::string, std::string>("A | B", "C")));
  EXPECT_EQ(pair.after_listing.repairs[1].first, "D\n");
  EXPECT_EQ(pair.errata, (std::vector<std::string>{"what is wrong goes on", "and more"}));
  EXPECT_EQ(pair.errata_line(), 20);
  EXPECT_EQ(pair.expect, Expect::Proved);
  EXPECT_EQ(pair.step(), "sch.simplify(); sch.split(sch.get_loop(\"i\"), [4, 4])");
  // Lines are those of the file.
  EXPECT_EQ(parse_module(pair.before).functions.at(0).span.line, 11);
}

TEST(PairFile, Expectations) {
  auto with = [](const std::string& head, bool after) {
    return read_pair("c/p", "# section: s\n" + head + "# schedule\nsch.simplify()\n" + (after ? "# after\nx\n" : ""));
  };
  PairFile refused = with("# expect: refused: the condition\n# asks for: nsz\n", false);
  EXPECT_EQ(refused.expect, Expect::Refused);
  EXPECT_EQ(refused.refusal, "the condition");
  EXPECT_EQ(refused.asks_for, "nsz");
  EXPECT_EQ(with("# expect: unchanged\n# errata: e\n# errata at: 7\n", false).errata_line(), 7);
  EXPECT_EQ(with("# expect: unchanged\n", false).expect, Expect::Unchanged);
  EXPECT_EQ(with("# expect: proved\n", true).expect, Expect::Proved);
  for (const char* head : {"", "# expect: nothing\n", "# expect: refused:\n", "# nonsense: 1\n", "no comment\n",
                           "# no key\n", "# listing after: x\n", "# document after: wrong\n", "# repair after: a\n",
                           "# errata:\n", "# repair after: a => b\n", "# listing after: 3\n# repair after: a => b\n",
                           "# document after: refuted\n# errata: e\n", "# errata: e\n",
                           "# listing before: 3\n# document before: refuted\n# errata: e\n"}) {
    // The first one lacks its program after.
    EXPECT_THROW(with(head, *head != 0), Error) << head;
  }
  EXPECT_THROW(read_pair("c/p", "# section: s\n# after\nx\n"), Error);
  EXPECT_THROW(read_pair("c/p", "# schedule\nsch.simplify()\n# after\nx\n"), Error);
  EXPECT_THROW(read_pair("c/p", "# section: s\n# schedule\na\n# after\nx\n# after\ny\n"), Error);
}

TEST(PairFile, Runs) {
  auto pair = [](const std::string& name, bool before, const std::string& expect) {
    return read_pair(name, "# section: s\n" + expect + (before ? "# before\n" + name + "\n" : "") +
                               "# schedule\nx\n# after\nafter " + name + "\n");
  };
  std::vector<PairFile> pairs{pair("a/1", true, ""), pair("a/2", false, "# expect: refused: x\n"),
                              pair("a/3", false, ""), pair("b/1", false, "")};
  EXPECT_EQ(start_of_run(pairs, 2), 0u);
  EXPECT_NE(program_before(pairs, 0).find("a/1"), std::string::npos);
  EXPECT_NE(program_before(pairs, 1).find("after a/1"), std::string::npos);
  // What is refused changes nothing.
  EXPECT_NE(program_before(pairs, 2).find("after a/1"), std::string::npos);
  EXPECT_THROW(program_before(pairs, 3), Error);
}

TEST(Tables, LeaveOutTimes) {
  PairFile pair = read_pair("chain/01-name", kText);
  std::string table = table_of({{pair, "proved", 12, 3.4}});
  EXPECT_NE(table.find("| chain/01-name | `sch.simplify(); "), std::string::npos) << table;
  EXPECT_NE(table.find("| proved | 12 | 3 |"), std::string::npos) << table;
  EXPECT_EQ(without_times(table), without_times(table_of({{pair, "proved", 12, 99.5}})));
  EXPECT_NE(without_times(table), without_times(table_of({{pair, "proved", 13, 3.4}})));
  // A documented time stays, unless it is of another magnitude.
  EXPECT_EQ(table_of({{pair, "proved", 12, 30}}, table_of({{pair, "proved", 12, 50}})),
            table_of({{pair, "proved", 12, 50}}));
  EXPECT_EQ(table_of({{pair, "proved", 12, 3000}}, table_of({{pair, "proved", 12, 50}})),
            table_of({{pair, "proved", 12, 3000}}));
  PairFile earlier = pair;
  earlier.name = "zz/earlier", earlier.after_listing.line = 15;
  std::string errata = errata_of({pair, earlier});
  EXPECT_LT(errata.find("zz/earlier"), errata.find("chain/01-name")) << errata;
  EXPECT_NE(errata.find("what is wrong goes on<br>and more"), std::string::npos) << errata;
  PairFile again = pair;
  again.name = "again/01-name";
  EXPECT_NE(errata_of({pair, again}).find("| chain/01-name<br>again/01-name |"), std::string::npos);
  EXPECT_NE(errata.find("`A \\| B` → `C`"), std::string::npos) << errata;
}

TEST(Listings, AreCompared) {
  const char* ours = "def f(A: T.Buffer((16,), 'int32')):\n    for i in range(4):\n        A[i * 4] = 1\n";
  auto difference = [&](const std::string& theirs) {
    return program_difference(respelled(parse_module(theirs)), respelled(parse_module(ours)));
  };
  EXPECT_EQ(difference("def f(X: T.Buffer((16,), 'int32')):\n    for k in range(4):\n        X[4 * k] = 1\n"), "");
  EXPECT_NE(difference("def f(X: T.Buffer((16,), 'int32')):\n    for k in range(4):\n        X[3 * k] = 1\n"), "");
  EXPECT_NE(difference("def f(X: T.Buffer((16,), 'int32')):\n    for k in range(4):\n        X[k + 4] = 1\n"), "");
  // A listing that is said to be wrong and is not is found, as is one that is said to be right and is not.
  Prover prover;
  IRModule before = parse_module(ours);
  EXPECT_NE(not_refuted(before, before, {}, prover), "");
  IRModule other = parse_module("def f(A: T.Buffer((16,), 'int32')):\n    for i in range(4):\n        A[i * 4] = 2\n");
  EXPECT_EQ(not_refuted(before, other, {}, prover), "");
  EXPECT_NE(not_proved(before, other, prover), "");
  EXPECT_EQ(not_proved(before, before, prover), "");
}

}  // namespace
}  // namespace hexproof::rfc77
