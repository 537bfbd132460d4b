// compute-at with a box that somebody proposes: it is proved as the rule's own is.
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/kernel/kernel.h"
#include "rewrite/site/places.h"
#include "tests/te/support.h"

namespace hexproof::te {
namespace compute_at_box_test {

constexpr const char* kProgram = R"(
def main(A: T.Buffer((20,), "int32"), D: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((20,), "int32")
    for i in range(20):
        with T.block("B"):
            v = T.axis.spatial(20, i)
            B[v] = A[v] + 1
    for x in range(4):
        for y in range(4):
            D[x * 4 + y] = B[x * 4 + y] + B[x * 4 + y + 2]
)";

/// Why the box is refused; empty when it is not. `after`: the program then.
std::string refusal(const std::function<Expr(const Expr&)>& base, int extent, std::string* after = nullptr,
                    int64_t clip = 0) {
  Derivation derivation(parse_module(kProgram).functions.at(0));
  const auto loops =
      find_all(derivation.current(), [](const Stmt& s) { return s.as<For>() && s.as<For>()->var.name() == "x"; });
  const Expr x = stmt_at(derivation.current(), loops.at(0)).as<For>()->var;
  try {
    derivation.apply("compute-at",
                     {{"block", std::string("B")},
                      {"loop", loops.at(0)},
                      {"clip", clip},
                      {"base", std::vector<Expr>{base(x)}},
                      {"extent", std::vector<Expr>{i32(extent)}}},
                     session().prover());
  } catch (const Refused& e) {
    return e.obligation.why;
  } catch (const NotApplicable& e) {
    return e.what();
  }
  if (after) *after = print(derivation.current());
  return "";
}

TEST(ComputeAtBox, MayBeLargerThanWhatIsFound) {
  std::string after;
  EXPECT_EQ(refusal([](const Expr& x) { return x * i32(4); }, 6, &after), "");
  EXPECT_HAS(after, "for ax0 in range(6):");
  EXPECT_EQ(refusal([](const Expr& x) { return x * i32(4); }, 8, &after), "");
  EXPECT_HAS(after, "for ax0 in range(8):");
}

TEST(ComputeAtBox, ThatLacksACellIsRefused) {
  EXPECT_HAS(refusal([](const Expr& x) { return x * i32(4); }, 5), "every cell of 'B' that is read in the loop");
  EXPECT_HAS(refusal([](const Expr& x) { return x * i32(4) + i32(1); }, 6),
             "every cell of 'B' that is read in the loop");
}

TEST(ComputeAtBox, ThatSticksOutIsCutOffOrRefused) {
  std::string after;
  EXPECT_HAS(refusal([](const Expr& x) { return x * i32(4); }, 10), "was computed by the producer before");
  EXPECT_EQ(refusal([](const Expr& x) { return x * i32(4); }, 10, &after, 1), "");
  EXPECT_HAS(after, "T.where(");
}

TEST(ComputeAtBox, HasConstantExtents) {
  Derivation derivation(parse_module(kProgram).functions.at(0));
  const auto loops =
      find_all(derivation.current(), [](const Stmt& s) { return s.as<For>() && s.as<For>()->var.name() == "x"; });
  const Expr x = stmt_at(derivation.current(), loops.at(0)).as<For>()->var;
  EXPECT_THROW(derivation.apply("compute-at",
                                {{"block", std::string("B")},
                                 {"loop", loops.at(0)},
                                 {"base", std::vector<Expr>{x * i32(4)}},
                                 {"extent", std::vector<Expr>{x + i32(6)}}},
                                session().prover()),
               NotApplicable);
}

TEST(ComputeAtBox, SpeaksOfTheLoopsAroundIt) {
  EXPECT_HAS(refusal([](const Expr&) { return Expr(Var::fresh("z", kInt32)); }, 6), "'z' is not known");
  EXPECT_HAS(refusal([](const Expr&) { return imm(kInt64, 0); }, 20), "is no index of the type");
}

}  // namespace compute_at_box_test
}  // namespace hexproof::te
