// Every step of the derivations of the examples, judged again by whole-program comparison, which knows no rule. The
// schedules are those of the examples with smaller tiles, so that every cell can be looked at.
#include <gtest/gtest.h>

#include <regex>

#include "ir/file.h"
#include "ir/text.h"
#include "rewrite/schedule/reader.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace {

std::string example(const std::string& name) {
  return read_file(std::string(HEXPROOF_SOURCE_DIR) + "/examples/conv2d_conv2d/" + name);
}

/// Numbers of a text by others, all at once.
std::string with_numbers(const std::string& text, const std::map<std::string, std::string>& numbers) {
  static const std::regex number(R"(\b\d+\b)");
  std::string out;
  size_t last = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) {
    out += text.substr(last, static_cast<size_t>(it->position()) - last);
    bool counts_back = it->position() > 0 && text[static_cast<size_t>(it->position()) - 1] == '-';  // loops[-4:]
    auto found = counts_back ? numbers.end() : numbers.find(it->str());
    out += found == numbers.end() ? it->str() : found->second;
    last = static_cast<size_t>(it->position() + it->length());
  }
  return out + text.substr(last);
}

RelationRequest relation_of(const std::vector<InterfaceChange>& changes) {
  RelationRequest out;
  for (const InterfaceChange& change : changes) out.layouts.emplace(change.before()->name, change.map());
  return out;
}

class Derivations : public testing::TestWithParam<std::string> {};

TEST_P(Derivations, EveryStepIsProvedAgain) {
  // 8 x 8 tiles of 32 channels become 2 x 2 tiles of 4 channels, in groups of 2; four tiles along each axis.
  std::string program = with_numbers(example("conv2d_conv2d.py"), {{"64", "8"}, {"128", "16"}});
  std::string schedule = with_numbers(example(GetParam()), {{"8", "2"}, {"32", "4"}, {"4", "2"}});
  Derivation derivation(parse_module(program, "conv2d_conv2d.py").functions.at(0));
  Prover prover;
  run_schedule(derivation, prover, std::make_shared<SourceFile>(SourceFile{GetParam(), schedule}));
  ASSERT_GT(derivation.steps().size(), 40u);
  for (size_t k = 0; k < derivation.steps().size(); ++k) {
    const Step& step = derivation.steps()[k];
    ProgramPair pair = pair_programs(step.before, step.after, relation_of(step.interface_changes));
    EquivReport report = equiv(pair, prover);
    EXPECT_EQ(report.finding, Finding::Proved) << "step " << k << ", " << step.rule << ": " << report.reason
                                               << (report.counterexample ? report.counterexample->table : "");
  }
  ProgramPair whole = pair_programs(derivation.source(), derivation.current(), relation_of(derivation.interface()));
  EXPECT_EQ(equiv(whole, prover).finding, Finding::Proved);
}

INSTANTIATE_TEST_SUITE_P(Examples, Derivations, testing::Values("schedule_k1_h1.py", "schedule_k2_h2.py"),
                         [](const auto& info) { return info.param.substr(0, info.param.find('.')); });

}  // namespace
}  // namespace hexproof
