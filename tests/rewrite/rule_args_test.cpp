// The one list of a rule's arguments: what is kept of them, what is read back, and what is no argument.
#include "rewrite/kernel/rule_args.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "ir/base/file.h"
#include "rewrite/report/report.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/statements.h"

namespace hexproof {
namespace rule_args_test {

/// As a certificate shows them.
std::string shown(const Args& args) { return to_json(args).dump(); }

std::string why_not(const Args& args) {
  try {
    args_from<SplitArgs>(args);
  } catch (const NotApplicable& error) {
    return error.what();
  }
  return "";
}

TEST(RuleArgs, AreWhatACertificateKeeps) {
  const RuleCall call = SplitArgs{.at = {0, 1}, .factor = 4, .outer = "io", .inner = "ii"};
  EXPECT_EQ(call.rule, "split");
  EXPECT_EQ(shown(call.args), R"({"at":[0,1],"factor":4,"inner":"ii","outer":"io"})");
  const SplitArgs back = args_from<SplitArgs>(call.args);
  EXPECT_EQ(shown(args_of(back)), shown(call.args));
  EXPECT_TRUE(args_of(RemoveAssumeArgs{}).empty());
  EXPECT_TRUE(RemoveAssumeArgs{}.kFields.empty());
}

TEST(RuleArgs, OptionalOnesMayBeMissing) {
  EXPECT_EQ(args_of(OvercomputeArgs{.at = {0}}).size(), 1u);
  const OvercomputeArgs none = args_from<OvercomputeArgs>({{"at", Path{0}}});
  EXPECT_FALSE(none.takes || none.stores);
  const OvercomputeArgs some = args_from<OvercomputeArgs>({{"at", Path{0}}, {"takes", int64_t{0}}});
  EXPECT_EQ(some.takes, std::optional(false));
  EXPECT_THROW(args_from<OvercomputeArgs>({{"at", Path{0}}, {"stores", std::string("sam")}}), NotApplicable);
}

TEST(RuleArgs, OneOfSeveralKinds) {
  const Buffer buffer = make_buffer("A", kInt32, {i32(4)});
  for (const Arg& arg : {Arg(buffer), Arg(std::string("A"))}) {
    const Args read = args_of(args_from<FlattenArgs>({{"buffer", arg}}));
    EXPECT_EQ(read.at("buffer").index(), arg.index());
    EXPECT_EQ(shown(read), R"({"buffer":"A"})");
  }
  EXPECT_THROW(args_from<FlattenArgs>({{"buffer", Path{0}}}), NotApplicable);
}

TEST(RuleArgs, WhatIsMissingOrNoneIsNamed) {
  const Args all = args_of(SplitArgs{.at = {0}, .factor = 4, .outer = "o", .inner = "i"});
  EXPECT_EQ(why_not(all), "");
  Args less = all, wrong = all, more = all;
  less.erase("factor"), wrong["factor"] = std::string("4"), more["factr"] = int64_t{4};
  EXPECT_EQ(why_not(less), "argument 'factor' is missing or of the wrong kind");
  EXPECT_EQ(why_not(wrong), "argument 'factor' is missing or of the wrong kind");
  EXPECT_EQ(why_not(more), "'split' has no argument 'factr', but at, factor, outer, inner");
}

TEST(RuleArgs, TracesAreText) {
  std::vector<Trace> traces{{}, {Trace::Kind::Overwritten, {2, 0, 11}, 1}, {Trace::Kind::Unread, {}, 0}};
  using Field = ArgField<std::vector<Trace>>;
  const Arg written = Field::write(traces);
  EXPECT_EQ(std::get<std::string>(written), "same; by 2.0.11#1; unread");
  ASSERT_TRUE(Field::read(written));
  EXPECT_EQ(std::get<std::string>(Field::write(*Field::read(written))), std::get<std::string>(written));
  for (const std::string text : {"sam", "by", "by x", "same;same", "by 1."}) EXPECT_FALSE(Field::read(text)) << text;
  EXPECT_FALSE(Field::read(int64_t{1}));
}

// The head of a rule says what each of its arguments means: it names them all.
TEST(RuleArgs, StandAtTheHeadOfTheirRule) {
  for (const Rule* rule : all_rules()) {
    std::string file = rule->name + ".cpp", text;
    std::replace(file.begin(), file.end(), '-', '_');
    for (const auto& entry : std::filesystem::recursive_directory_iterator(HEXPROOF_SOURCE_DIR "/rewrite/rules")) {
      if (entry.path().filename() == file) text = read_file(entry.path().string());
    }
    ASSERT_NE(text, "") << file;
    const std::string head = text.substr(0, text.find("#include"));
    for (const std::string& field : rule->fields) {
      EXPECT_NE(head.find(field), std::string::npos) << rule->name << " does not say what '" << field << "' is";
    }
  }
}

}  // namespace rule_args_test
}  // namespace hexproof
