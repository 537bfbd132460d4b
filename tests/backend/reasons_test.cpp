// Each flag of the emitted LLVM IR names the obligations or the contract behind it; without them it goes, and the
// program is the same.
#include <map>
#include <regex>
#include <sstream>

#include "backend/kernel.h"
#include "ir/base/file.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/schedule/reader.h"
#include "tests/backend/emitted.h"
#include "tests/support/conv2d_int8.h"

namespace hexproof {
namespace {

using namespace testing;

const char* kProgram = R"(
@T.prim_func
def f(A: T.Buffer((8, 16), "int32"), B: T.Buffer((8, 16), "int32"), C: T.Buffer((32,), "int32")):
    for i in T.parallel(8):
        for j in range(16):
            B[i, j] = A[i, j // 2 * 2 + j % 2] + C[i * 2 + j]
)";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// The node that an instruction names, as text.
std::string named_by(const std::string& line, const std::string& ir) {
  size_t at = line.find("!hexproof.because !");
  if (at == std::string::npos) return {};
  at += std::string("!hexproof.because ").size();
  std::string node = line.substr(at, line.find_first_not_of("0123456789", at + 1) - at);
  for (const std::string& other : lines_of(ir)) {
    if (other.rfind(node + " = ", 0) == 0) return other;
  }
  return {};
}

struct Kind {
  std::string grant;
  std::vector<std::string> rules;  // kinds of obligations
  std::vector<std::string> flags;
};
const std::vector<Kind> kKinds = {
    {"no_index_overflow", {"check-overflow"}, {}},
    {"in_bounds", {"check-bounds", "check-view", "check-allocation"}, {"inbounds"}},
    {"parallel_loops", {"check-race"}, {"llvm.loop.parallel_accesses", "llvm.access.group"}},
};

TEST(Reasons, EachFlagNamesItsGrant) {
  PrimFunc func = pick_function(parse_module(kProgram), "");
  Prover prover;
  CheckReport report = check(func, prover);
  Derivation derivation(func);
  Grants grants = grants_for(derivation, report);
  std::string ir = emit(derivation, {.grants = grants, .optimise = false}).llvm_ir;
  size_t flags = 0;
  std::set<std::string> named;
  for (const std::string& line : lines_of(ir)) {
    bool wraps_not = has(line, " nsw ") || has(line, " nuw "), inside = has(line, " inbounds ");
    if (!wraps_not && !inside) continue;
    ++flags;
    std::string node = named_by(line, ir);
    EXPECT_TRUE(has(node, "!\"no_index_overflow\"") || has(node, "!\"in_bounds\"")) << line << "\n" << node;
    if (inside) {
      EXPECT_TRUE(has(node, "!\"in_bounds\"")) << line;
    }
    // The positions of the obligations in the check report.
    EXPECT_TRUE(has(node, "i64 ")) << node;
    named.insert(node);
  }
  EXPECT_GE(flags, 10u);
  EXPECT_EQ(named.size(), 2u);
  size_t functions = 0;
  for (const std::string& line : lines_of(ir)) {
    if (!has(line, "noalias ") || has(line, "= !{")) continue;
    ASSERT_TRUE(has(line, "define ")) << line;
    ++functions;
    std::string contracts = named_by(line, ir);
    ASSERT_TRUE(has(contracts, "!{!")) << line;
    // The contracts are nodes of their own.
    std::string first = contracts.substr(contracts.find("!{") + 2);
    first = first.substr(0, first.find_first_of(",}"));
    EXPECT_TRUE(has(named_by("!hexproof.because " + first + " ", ir), "!\"no_alias_params\"")) << contracts;
  }
  EXPECT_EQ(functions, 1u);
}

/// No flag without its kind of obligation, and no other result.
TEST(Reasons, WithoutAKindOfObligationItsFlagsGo) {
  PrimFunc func = pick_function(parse_module(kProgram), "");
  Prover prover;
  const CheckReport whole = check(func, prover);
  Derivation derivation(func);
  for (const Kind& kind : kKinds) {
    CheckReport without = whole;
    std::erase_if(without.obligations, [&](const CheckedObligation& o) {
      return std::find(kind.rules.begin(), kind.rules.end(), o.obligation.rule) != kind.rules.end();
    });
    ASSERT_LT(without.obligations.size(), whole.obligations.size()) << kind.grant;
    std::string before = emit(derivation, {.grants = grants_for(derivation, whole), .optimise = false}).llvm_ir;
    Grants grants = grants_for(derivation, without);
    std::string after = emit(derivation, {.grants = grants, .optimise = false}).llvm_ir;
    for (const std::string& flag : kind.flags) {
      EXPECT_TRUE(has(before, flag)) << flag;
      EXPECT_FALSE(has(after, flag)) << flag;
    }
    auto without_wrapping = [](const std::string& ir) {
      size_t flagged = 0;
      for (const std::string& line : lines_of(ir)) flagged += has(line, " nsw ");
      return flagged;
    };
    if (kind.grant != "parallel_loops") {
      EXPECT_LT(without_wrapping(after), without_wrapping(before)) << kind.grant;
    }
    auto count = [&](const std::string& ir) {
      size_t flagged = 0;
      for (const std::string& line : lines_of(ir)) flagged += has(line, "!\"" + kind.grant + "\"");
      return flagged;
    };
    if (kind.grant != "parallel_loops") {
      EXPECT_EQ(count(before), 1u) << kind.grant;
    }
    EXPECT_EQ(count(after), 0u) << kind.grant;
    // What still has a flag names another grant.
    for (const std::string& line : lines_of(after)) {
      if (has(line, " nsw ") || has(line, " inbounds ")) {
        EXPECT_FALSE(named_by(line, after).empty()) << line;
      }
    }
    expect_interpreted(emit(derivation, {.grants = grants}));
  }
}

/// The nodes of a module by their names.
std::map<std::string, std::string> nodes_of(const std::vector<std::string>& lines) {
  std::map<std::string, std::string> out;
  for (const std::string& line : lines) {
    if (line.starts_with("!")) out.emplace(line.substr(0, line.find(' ')), line);
  }
  return out;
}

/// In whole kernels: none of these flags stands in a line that names nothing.
TEST(Reasons, NoFlagOfAKernelIsWithoutAName) {
  for (const char* name : {"1x1_zero_points", "3x3_requant", "3x3_u8s8"}) {
    SCOPED_TRACE(name);
    const std::string folder = HEXPROOF_SOURCE_DIR "/examples/conv2d_int8/", path = folder + "schedule_" + name + ".py";
    PrimFunc func = pick_function(parse_module(read_file(folder + "conv2d_" + name + ".py")), "");
    Derivation derivation(func);
    Prover prover;
    run_schedule(derivation, prover, std::make_shared<const SourceFile>(SourceFile{path, read_file(path)}));
    lower_hints(derivation, prover);
    CheckReport report = check(derivation.current(), prover);
    const Kernel kernel = emit(
        derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report, prover), .optimise = false});
    const std::vector<std::string> lines = lines_of(kernel.llvm_ir);
    const std::map<std::string, std::string> nodes = nodes_of(lines);
    std::map<std::string, size_t> seen;
    for (const std::string& line : lines) {
      if (line.starts_with("!") || line.starts_with("attributes")) continue;
      // What the kernel makes itself, it puts where it wants.
      if (line.starts_with("@") || has(line, "= alloca ")) continue;
      static const std::regex flags(" (nsw|nuw|inbounds|noalias|align) ([0-9]*)");
      std::string flag;
      for (std::sregex_iterator it(line.begin(), line.end(), flags), end; it != end; ++it) {
        if ((*it)[1] != "align" || (*it)[2] != "1") flag = (*it)[1];
      }
      if (flag.empty()) continue;
      ++seen[flag];
      const std::string mark = "!hexproof.because ";
      const size_t at = line.find(mark);
      ASSERT_NE(at, std::string::npos) << line;
      const std::string node =
          line.substr(at + mark.size(), line.find_first_of(" ,{", at + mark.size()) - at - mark.size());
      ASSERT_TRUE(nodes.count(node)) << line;
      const std::string& says = nodes.at(node);
      if (line.starts_with("define ")) continue;  // the contracts, each a node
      const bool address = flag == "align" ? has(says, " stands at a multiple of ") : has(says, "!\"in_bounds\"");
      EXPECT_TRUE(address || (flag != "align" && has(says, "!\"no_index_overflow\""))) << line << "\n" << says;
    }
    EXPECT_GE(seen["nsw"] + seen["nuw"] + seen["inbounds"], 20u);
    EXPECT_GE(seen["align"], 3u);
  }
}

/// Of an aligned access the sentence that was proved of it; without the proofs no such access, and the same sums.
TEST(Reasons, AnAlignmentNamesItsSentence) {
  // One pixel: LLVM merges no two accesses, which would lose the name.
  const ConvShape shape{1, 1, 1, 32, 64, 1, 1};
  PrimFunc func = pick_function(parse_module(conv_program(shape)), "");
  Derivation derivation(func);
  Prover prover;
  run_schedule(derivation, prover,
               std::make_shared<const SourceFile>(SourceFile{"schedule.py", conv_schedule(shape, conv_tile(shape))}));
  CheckReport report = check(derivation.current(), prover);
  auto aligned = [&](const std::string& ir, bool named) {
    size_t count = 0;
    for (const std::string& line : lines_of(ir)) {
      bool access = has(line, " load <32 x i32>") || has(line, " store <32 x i32>");
      if (!access || !has(line, "align 128")) continue;
      ++count;
      if (named) {
        EXPECT_TRUE(has(named_by(line, ir), "stands at a multiple of 128 bytes")) << line;
      }
    }
    return count;
  };
  Kernel with = emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report, prover)});
  EXPECT_GE(aligned(with.llvm_ir, true), 4u);
  Kernel without = emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report)});
  EXPECT_EQ(aligned(without.llvm_ir, false), 0u);
  EXPECT_FALSE(has(without.llvm_ir, "aligned_accesses"));
  expect_interpreted(with);
  expect_interpreted(without);
}

}  // namespace
}  // namespace hexproof
