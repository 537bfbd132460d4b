// Everything static asserted while a program runs: right programs pass, and a wrong statement of each kind is found.
#include "verify/check/assert_static/assert_static.h"

#include <filesystem>

#include "ir/base/file.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"
#include "tests/verify/programs.h"

namespace hexproof {
namespace assert_static_test {

std::vector<Tensor> tensors_for(const PrimFunc& func, uint64_t seed) {
  std::vector<Tensor> out;
  for (const Buffer& buffer : func.buffer_params()) {
    std::vector<int64_t> shape = constant_shape(buffer).value();
    Tensor t = make_tensor(buffer->dtype, shape);
    for (uint8_t& byte : t.data) byte = static_cast<uint8_t>(next_random(seed) % 4);
    out.push_back(std::move(t));
  }
  return out;
}

AssertedRun asserted(const StaticClaims& claims) {
  std::vector<Tensor> tensors = tensors_for(claims.func, 7);
  return run_asserting(claims, tensors);
}

Answer answer(Verdict verdict) {
  Answer out;
  out.verdict = verdict;
  return out;
}

Prover& prover() {
  static Prover p;
  return p;
}

StaticClaims checked(const PrimFunc& func) {
  StaticClaims claims = static_claims(func);
  CheckReport report = check(func, prover());
  EXPECT_EQ(report.finding, Finding::Proved) << print(func);
  add_proved(&claims, report);
  return claims;
}

constexpr const char* kProgram = R"(
@T.prim_func
def main(A: T.Buffer((16,), "int32"), n: T.int32, B: T.Buffer((16,), "int32")):
    C = T.alloc_buffer((16,), "int32")
    for i in range(16):
        C[i] = A[i] + 1
    for i, j in T.grid(4, 4):
        if i * 4 + j < 14:
            B[i * 4 + j] = C[i * 4 + j]
    for i in range(16):
        with T.block("double"):
            v = T.axis.spatial(16, i)
            T.reads(C[v])
            T.writes(B[v])
            if C[v] > 2:
                B[v] = C[v] * 2
)";

PrimFunc program() {
  PrimFunc func = parse(kProgram);
  return func;
}

AssertedRun run_with_scalar(const StaticClaims& claims) {
  std::vector<Tensor> tensors = tensors_for(claims.func, 7);
  return run_asserting(claims, tensors, {3});
}

/// The path of the first statement of this kind for which `is` holds.
template <class Record>
Path path_of(const PrimFunc& func, const std::function<bool(const Record&)>& is) {
  std::optional<Path> out;
  walk_with_facts(func, [&](const Stmt& s, const Path& path, const Facts&) {
    const Record* record = s.as<Record>();
    if (record && !out && is(*record)) out = path;
    return true;
  });
  EXPECT_TRUE(out);
  return *out;
}
Path store_to_b(const PrimFunc& func) {
  return path_of<Store>(func, [](const Store& s) { return s.buffer->name == "B"; });
}

TEST(AssertStatic, ARightProgramPassesAndEverythingIsLookedAt) {
  AssertedRun ran = run_with_scalar(checked(program()));
  EXPECT_FALSE(ran.failure) << ran.failure->str();
  EXPECT_FALSE(ran.result.error);
  EXPECT_GT(ran.counts.facts, 100u);
  EXPECT_GT(ran.counts.accesses, 100u);
  EXPECT_GT(ran.counts.exact, 30u);
  EXPECT_GT(ran.counts.cells, 100u);
  EXPECT_GT(ran.counts.obligations, 30u);
  EXPECT_GT(ran.counts.claims, 30u);
  EXPECT_EQ(ran.counts.skipped, 0u);
}

TEST(AssertStatic, AFalseFactIsFound) {
  StaticClaims claims = static_claims(program());
  Facts& facts = claims.places.at(store_to_b(claims.func)).facts;
  facts.conditions.push_back(lt(Expr(facts.loops[1].var), i32(3)));
  AssertedRun ran = run_with_scalar(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "fact");
  EXPECT_NE(ran.failure->str().find("j = 3"), std::string::npos) << ran.failure->str();
}

TEST(AssertStatic, AFactOnMemoryOfAnotherMomentIsFound) {
  StaticClaims claims = static_claims(program());
  Path path = store_to_b(claims.func);
  const Store* store = stmt_at(claims.func, path).as<Store>();
  // Before the store: B holds what it is about to get.
  claims.places.at(path).facts.conditions.push_back(eq(load(store->buffer, store->indices), store->value));
  AssertedRun ran = run_with_scalar(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "fact");
}

TEST(AssertStatic, AnOverflowInWhatCountsAsEvaluatedIsFound) {
  StaticClaims claims = static_claims(program());
  Facts& facts = claims.places.at(store_to_b(claims.func)).facts;
  facts.evaluated.push_back(fits(Expr(facts.loops[1].var) + imm(kInt32, max_value(kInt32))));
  AssertedRun ran = run_with_scalar(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "fact");
  EXPECT_NE(ran.failure->str().find("j = 1"), std::string::npos) << ran.failure->str();
}

TEST(AssertStatic, AWrongLayoutOfAViewIsFound) {
  PrimFunc func = parse(R"(
@T.prim_func
def main(A: T.Buffer((16,), "int32")):
    for i in range(4):
        V = T.Buffer((4,), "int32", data=A.data, elem_offset=i * 4)
        V[i] = 1
)");
  EXPECT_FALSE(asserted(static_claims(func)).failure);
  StaticClaims claims = static_claims(func);
  for (auto& [path, place] : claims.places) {
    for (Access& a : place.footprint) a.layout.offset = i32(0);
  }
  AssertedRun ran = asserted(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "footprint");
}

TEST(AssertStatic, AWrongValueOfABlockVariableIsFound) {
  StaticClaims claims = static_claims(program());
  for (auto& [path, place] : claims.places) {
    for (auto& [var, value] : place.facts.inlined) value = value + i32(1);
  }
  AssertedRun ran = run_with_scalar(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "value of a variable");
}

TEST(AssertStatic, AMissingAccessIsFound) {
  StaticClaims claims = static_claims(program());
  for (auto& [path, place] : claims.places) {
    std::erase_if(place.footprint, [](const Access& a) { return a.write && a.buffer->name == "B"; });
  }
  AssertedRun ran = run_with_scalar(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "footprint");
}

TEST(AssertStatic, AnAccessElsewhereOrUnderAWrongGuardIsFound) {
  for (bool guard : {false, true}) {
    StaticClaims claims = static_claims(program());
    for (Access& a : claims.places.at({}).footprint) {
      if (!a.write || a.buffer->name != "B") continue;
      if (guard) a.guards.push_back(lt(Expr(a.loops[0].var), i32(3)));
      if (!guard) a.indices[0] = a.indices[0] + i32(1);
    }
    AssertedRun ran = run_with_scalar(claims);
    ASSERT_TRUE(ran.failure);
    EXPECT_EQ(ran.failure->kind, "footprint");
  }
}

TEST(AssertStatic, AnExactAccessThatDoesNotHappenIsFound) {
  StaticClaims claims = static_claims(program());
  for (auto& [path, place] : claims.places) {
    for (Access& a : place.footprint) a.guards.clear(), a.exact = true;
  }
  AssertedRun ran = run_with_scalar(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "footprint");
  EXPECT_NE(ran.failure->what.find("did not happen"), std::string::npos);
}

TEST(AssertStatic, AWrongContentOfACellIsFound) {
  StaticClaims claims = static_claims(program());
  size_t changed = 0;
  for (MemoryFact& fact : claims.places.at(store_to_b(claims.func)).cells) {
    if (fact.says->op != Op::SameBits) continue;
    fact.says = same_bits(fact.says->args[0], fact.says->args[1] + i32(1));
    ++changed;
  }
  ASSERT_GT(changed, 0u);
  AssertedRun ran = run_with_scalar(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "content");
}

TEST(AssertStatic, AContentThatAStoreEndedIsFoundWhenTheHitIsForgotten) {
  PrimFunc func = parse(R"(
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = 1
    for i in range(8):
        B[7 - i] = A[i] + 5
    B[0] = 3
)");
  EXPECT_FALSE(asserted(static_claims(func)).failure);
  StaticClaims claims = static_claims(func);
  size_t hits = 0;
  for (auto& [path, place] : claims.places) {
    for (MemoryFact& fact : place.cells) {
      hits += fact.hits.size();
      fact.hits.clear();
    }
  }
  ASSERT_GT(hits, 0u);
  AssertedRun ran = asserted(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "content");
}

TEST(AssertStatic, AFalseObligationIsFound) {
  StaticClaims claims = static_claims(program());
  Path path = store_to_b(claims.func);
  const Facts& facts = claims.places.at(path).facts;
  Place where = place_of(claims.func, stmt_at(claims.func, path));
  Expr i(facts.loops[0].var);
  Obligation wrong{"test", "a planted one", where, facts.given(), lt(i, i32(2))};
  add_proved(&claims, {{wrong, answer(Verdict::Unknown)}});
  EXPECT_FALSE(run_with_scalar(claims).failure);
  add_proved(&claims, {{wrong, answer(Verdict::Proved)}});
  AssertedRun ran = run_with_scalar(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "obligation");
}

TEST(AssertStatic, AFalseObligationOnACopyOfALoopIsFound) {
  StaticClaims claims = static_claims(program());
  Path path = store_to_b(claims.func);
  const Facts& facts = claims.places.at(path).facts;
  Place where = place_of(claims.func, stmt_at(claims.func, path));
  Var i = facts.loops[0].var, copy = Var::fresh(i.name(), i.dtype());
  std::vector<Expr> given = facts.given();
  given.push_back(le(i32(0), Expr(copy)));
  add_proved(&claims, {{{"test", "different iterations", where, given, lnot(eq(Expr(i), Expr(copy)))},
                        answer(Verdict::Proved)}});
  AssertedRun ran = run_with_scalar(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_EQ(ran.failure->kind, "obligation");
}

TEST(AssertStatic, AFalseClaimOfABlockIsFoundWhereItCountsAsProved) {
  for (const char* wrong : {"T.reads(C[0])", "T.writes(B[0])"}) {
    std::string text = kProgram;
    std::string right = wrong;
    right.replace(right.find('0'), 1, "v");
    text.replace(text.find(right), right.size(), wrong);
    StaticClaims claims = static_claims(parse(text));
    EXPECT_FALSE(run_with_scalar(claims).failure);
    claims.block_claims = true;
    AssertedRun ran = run_with_scalar(claims);
    ASSERT_TRUE(ran.failure);
    EXPECT_EQ(ran.failure->kind, "block claim");
  }
}

TEST(AssertStatic, DependentInstancesOfASpatialBlockAreFound) {
  StaticClaims claims = static_claims(parse(R"(
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            v = T.axis.spatial(8, i)
            B[v // 2] = A[v]
)"));
  claims.block_claims = true;
  AssertedRun ran = asserted(claims);
  ASSERT_TRUE(ran.failure);
  EXPECT_NE(ran.failure->what.find("different spatial values"), std::string::npos);
}

TEST(AssertStatic, ABoundOnTheWorkIsKeptAndTold) {
  StaticClaims claims = checked(program());
  std::vector<Tensor> tensors = tensors_for(claims.func, 7);
  AssertedRun ran = run_asserting(claims, tensors, {3}, {.evaluations = 500});
  EXPECT_FALSE(ran.failure);
  EXPECT_GT(ran.counts.skipped, 10u);
}

TEST(AssertStatic, ObservedRunsGiveTheSameResults) {
  StaticClaims claims = static_claims(program());
  std::vector<Tensor> observed = tensors_for(claims.func, 3), plain = observed;
  run_asserting(claims, observed, {3});
  run(claims.func, plain, {3});
  for (size_t b = 0; b < plain.size(); ++b) EXPECT_EQ(observed[b].data, plain[b].data);
}

/// Every program of tests/seeds with constant shapes: what the verifier says of it is true.
TEST(AssertStatic, ProgramsOfTheSeedsPass) {
  size_t ran = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(HEXPROOF_SOURCE_DIR) + "/tests/seeds/programs")) {
    if (entry.path().extension() != ".py") continue;
    IRModule module;
    try {
      module = parse_module(read_file(entry.path().string()), entry.path().string());
    } catch (const Error&) {
      continue;  // meant not to parse
    }
    for (const PrimFunc& func : module.functions) {
      int64_t cells = 0;
      bool constant = func.scalars().empty();
      for (const Buffer& b : func.buffer_params()) {
        const std::optional<std::vector<int64_t>> shape = constant_shape(b);
        constant = constant && shape && b->dtype.is_scalar();
        int64_t size = 1;
        for (int64_t extent : shape.value_or(std::vector<int64_t>{})) size *= extent;
        cells += size;
      }
      if (!constant || cells > 4000) continue;
      std::vector<Tensor> tensors = tensors_for(func, 5);
      try {
        AssertedRun out =
            run_asserting(static_claims(func), tensors, {}, {.run = {.max_steps = 20'000}, .evaluations = 200'000});
        EXPECT_FALSE(out.failure) << entry.path() << "\n" << out.failure->str();
        ++ran;
      } catch (const Unsupported&) {
      } catch (const Error&) {
      }
    }
  }
  EXPECT_GT(ran, 20u);
}

}  // namespace assert_static_test
}  // namespace hexproof
