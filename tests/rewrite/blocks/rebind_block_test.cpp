#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace rebind_block_test {

IndexMap in_tiles(int64_t width) {
  const Var i = Var::fresh("i", kInt32);
  return {{i}, {floordiv(Expr(i), i32(width)), floormod(Expr(i), i32(width))}, {}};
}
IndexMap remainder(int64_t width) {
  const Var i = Var::fresh("i", kInt32);
  return {{i}, {floormod(Expr(i), i32(width))}, {}};
}

constexpr const char* kTiled = R"(
def before(A: T.Buffer((16, 12), "int32"), B: T.Buffer((16,), "int32")):
    for io, ko in T.grid(4, 3):
        with T.block("B_o"):
            vi_o, vk_o = T.axis.remap("SR", [io, ko])
            for ii, ki in T.grid(4, 4):
                with T.block("B"):
                    vi = T.axis.spatial(16, vi_o * 4 + ii)
                    vk = T.axis.reduce(12, vk_o * 4 + ki)
                    INIT
                    B[vi] = B[vi] + A[vi, vk]
)";

std::string tiled(const std::string& init) {
  std::string text = kTiled;
  return text.replace(text.find("INIT"), 4, init.empty() ? "T.evaluate(0)" : init);
}

Args inner(const PrimFunc& func) { return {{"at", nth<Block>(func, 1)}}; }

TEST(RebindBlock, WithinATile) {
  const std::string text = tiled("");
  expect_applies(text, "rebind-block", inner(parse(text)), R"(
def after(A: T.Buffer((16, 12), "int32"), B: T.Buffer((16,), "int32")):
    for io, ko in T.grid(4, 3):
        with T.block("B_o"):
            vi_o, vk_o = T.axis.remap("SR", [io, ko])
            for ii, ki in T.grid(4, 4):
                with T.block("B"):
                    vi_i, vk_i = T.axis.remap("SR", [ii, ki])
                    T.evaluate(0)
                    B[vi_o * 4 + vi_i] = B[vi_o * 4 + vi_i] + A[vi_o * 4 + vi_i, vk_o * 4 + vk_i]
)");
  // By variables of the block around, where these are bound to the loops of which the binding speaks.
  const char* loops = R"(
def before(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    for x, y in T.grid(2, 4):
        with T.block("B_o"):
            vi_o = T.axis.spatial(8, x * 4 + y)
            for z in range(4):
                with T.block("B"):
                    vi = T.axis.spatial(32, x * 16 + y * 4 + z)
                    B[vi] = A[vi]
)";
  expect_applies(loops, "rebind-block", inner(parse(loops)), R"(
def after(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    for x, y in T.grid(2, 4):
        with T.block("B_o"):
            vi_o = T.axis.spatial(8, x * 4 + y)
            for z in range(4):
                with T.block("B"):
                    vi_i = T.axis.spatial(4, z)
                    B[vi_o * 4 + vi_i] = A[vi_o * 4 + vi_i]
)");
}

constexpr const char* kFlat = R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(DOMAIN, i)
            B[vi] = A[vi] + 1
)";
std::string flat(const std::string& domain) {
  std::string text = kFlat;
  return text.replace(text.find("DOMAIN"), 6, domain);
}

TEST(RebindBlock, ByAMap) {
  const std::string text = flat("16");
  expect_applies(text, "rebind-block", {{"at", nth<Block>(parse(text))}, {"map", in_tiles(4)}}, R"(
def after(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("B"):
            v_io = T.axis.spatial(4, i // 4)
            v_ii = T.axis.spatial(4, i % 4)
            B[v_io * 4 + v_ii] = A[v_io * 4 + v_ii] + 1
)");
  PrimFunc func = parse(text);
  EXPECT_TRUE(not_applicable(func, "rebind-block", {{"at", nth<Block>(func)}}));  // in no other block
  EXPECT_TRUE(not_applicable(func, "rebind-block", {{"at", nth<Block>(func)}, {"map", remainder(4)}}));
  // Bindings that are given: those that the map makes, or equal ones.
  const Expr i = Expr(stmt_at(func, nth<For>(func)).as<For>()->var);
  const auto with = [&](const std::vector<Expr>& bindings) {
    return Args{{"at", nth<Block>(func)}, {"map", in_tiles(4)}, {"bindings", bindings}};
  };
  EXPECT_EQ(difference(func, applied(func, "rebind-block", with({floordiv(i, i32(4)), floormod(i, i32(4))}))), "");
  expect_refused_rightly(func, "rebind-block", with({floordiv(i, i32(8)), floormod(i, i32(4))}), "make the binding");
  EXPECT_TRUE(not_applicable(func, "rebind-block", with({i})));
  EXPECT_TRUE(not_applicable(func, "rebind-block", with({Expr(Var::fresh("x", kInt32)), i})));
}

TEST(RebindBlock, Condition1TheNewVariablesMakeTheOldBindings) {
  // The domain lies: there are bindings that the map brings elsewhere.
  PrimFunc func = parse(flat("8"));
  expect_refused_rightly(func, "rebind-block", {{"at", nth<Block>(func)}, {"map", remainder(8)}}, "make the binding");
}

TEST(RebindBlock, Condition2NothingNewIsAnError) {
  PrimFunc func = parse(tiled(""));
  expect_owed(func, "rebind-block", inner(func), "what stands for 'vi' is no error");
  expect_owed(func, "rebind-block", inner(func), "the binding of vi_i is no error");
}

TEST(RebindBlock, Condition3TheInitRunsWhereItRan) {
  // At the start of each tile, the sum would start anew.
  PrimFunc func = parse(tiled("with T.init():\n                        B[vi] = 0"));
  expect_refused_rightly(func, "rebind-block", inner(func), "the init runs only where it ran");
}

TEST(RebindBlock, Condition4BindingsLieInTheirDomains) {
  PrimFunc func = parse(flat("8"));
  std::optional<Refused> no = refusal(func, "rebind-block", {{"at", nth<Block>(func)}, {"map", in_tiles(4)}});
  ASSERT_TRUE(no);
  EXPECT_NE(std::string(no->what()).find("lies in its domain"), std::string::npos) << no->what();
}

TEST(DecomposeReduction, Condition4IntoTheBlockAround) {
  const std::string init = "with T.init():\n                        B[vi] = 0";
  const std::string text = tiled(init);
  PrimFunc func = parse(text);
  const Args into{{"at", nth<Block>(func, 1)}, {"loop", nth<For>(func, 2)}, {"into", int64_t{1}}};
  expect_applies(text, "decompose-reduction", into, R"(
def after(A: T.Buffer((16, 12), "int32"), B: T.Buffer((16,), "int32")):
    for io, ko in T.grid(4, 3):
        with T.block("B_o"):
            vi_o, vk_o = T.axis.remap("SR", [io, ko])
            with T.init():
                for ii_init in range(4):
                    with T.block("B_init"):
                        vi_init = T.axis.spatial(16, vi_o * 4 + ii_init)
                        B[vi_init] = 0
            for ii, ki in T.grid(4, 4):
                with T.block("B"):
                    vi = T.axis.spatial(16, vi_o * 4 + ii)
                    vk = T.axis.reduce(12, vk_o * 4 + ki)
                    B[vi] = B[vi] + A[vi, vk]
)");
  // The first instance of the block around is the last part of the reduction.
  std::string backwards = text;
  backwards.replace(backwards.find("vk_o * 4 + ki"), 13, "(2 - vk_o) * 4 + ki");
  func = parse(backwards);
  expect_refused_rightly(func, "decompose-reduction", into, "was initialised before");
  // The block around takes the reduction for spatial: every part of it would start the sum.
  std::string spatial = text;
  spatial.replace(spatial.find("\"SR\""), 4, "\"SS\"");
  func = parse(spatial);
  expect_refused_rightly(func, "decompose-reduction", into, "was initialised before");
  // More than the loop stands in the block around, or no block does.
  EXPECT_TRUE(not_applicable(func, "decompose-reduction",
                             {{"at", nth<Block>(func, 1)}, {"loop", nth<For>(func, 3)}, {"into", int64_t{1}}}));
}

}  // namespace rebind_block_test
}  // namespace hexproof
