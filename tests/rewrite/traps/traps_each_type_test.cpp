// The cases of the rule book on merging and hoisting (docs/traps.md), on each type of element: the same text decides
// differently where floats have NaNs, signed zeros and an order of their sums.
#include "tests/rewrite/traps/traps.h"

namespace hexproof {
namespace traps_each_type_test {

class TrapOnEachType : public testing::TestWithParam<const char*> {
 protected:
  bool is_float() const { return std::string(GetParam()).find("float") == 0; }
  PrimFunc program(const std::string& text) const {
    return parse(put(put(put(text, "TYPE", GetParam()), "ZERO", number("0")), "TWO", number("2")));
  }
  std::string number(const std::string& value) const { return std::string("T.") + GetParam() + "(" + value + ")"; }
};

INSTANTIATE_TEST_SUITE_P(Elements, TrapOnEachType, testing::Values("int8", "int32", "float16", "float32"),
                         [](const auto& type) { return std::string(type.param); });

Args merge_ifs(const PrimFunc& func, int64_t complementary) {
  return {{"at", nth<If>(func)}, {"complementary", complementary}};
}
Args out_of_loop(const PrimFunc& func, size_t k = 0) {
  return {{"at", loop_named(func, "i")}, {"statement", nth<If>(func, k)}, {"expr", Path{0}}};
}
Args let_out_of_loop(const PrimFunc& func) {
  return {{"at", loop_named(func, "i")}, {"statement", nth<LetStmt>(func)}};
}

TEST_P(TrapOnEachType, 03_merged_loops_keep_their_right_hand_sides) {
  const std::string text = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE"), C: T.Buffer((16,), "TYPE")):
    for i in range(16):
        B[i] = A[i] - TWO
    for j in range(16):
        C[j] = A[j] + B[j]
)";
  PrimFunc func = program(text), merged = applied(func, "merge-loops", loop_i(func));
  EXPECT_EQ(difference(func, merged, {}, 100), "");
  EXPECT_NE(difference(func, parse(put(print(merged), "A[i] + B[i]", "B[i] + B[i]")), {}, 100), "");
}

TEST_P(TrapOnEachType, 08_loops_that_may_not_merge) {
  const std::string text = R"(
def f(A: T.Buffer((18,), "TYPE"), B: T.Buffer((18,), "TYPE"), C: T.Buffer((18,), "TYPE")):
    for i in range(1, 17):
        FIRST
    for j in range(1, 17):
        SECOND
)";
  auto with = [&](const std::string& first, const std::string& second) {
    return program(put(put(text, "FIRST", first), "SECOND", second));
  };
  auto refused = [&](const std::string& first, const std::string& second) {
    PrimFunc func = with(first, second);
    expect_refused_rightly(func, "merge-loops", loop_i(func), "what the first loop does later", {}, 100);
  };
  auto accepted = [&](const std::string& first, const std::string& second) {
    PrimFunc func = with(first, second);
    expect_sound(func, "merge-loops", loop_i(func));
  };
  // The second loop reads what the first one writes one iteration later, or earlier.
  refused("B[i] = A[i] * TWO", "C[j] = B[j + 1]");
  accepted("B[i] = A[i] * TWO", "C[j] = B[j] + B[j - 1]");
  // The first loop reads later what the second one overwrites earlier.
  refused("B[i] = A[i - 1]", "A[j] = ZERO");
  accepted("B[i] = A[i + 1]", "A[j] = ZERO");
  // Both write one cell.
  refused("C[i] = ZERO", "C[j + 1] = TWO");
  accepted("C[i] = ZERO", "C[j - 1] = TWO");
}

// Greatest of all: an order of their own only floats have.
TEST_P(TrapOnEachType, 15_a_running_maximum) {
  PrimFunc func = program(R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for i in range(16):
        C[0] = T.max(C[0], A[i])
    for j in range(16):
        C[0] = T.max(C[0], B[j])
)");
  if (is_float()) {
    expect_refused_rightly(func, "merge-loops", loop_i(func), "", {}, 100);
  } else {
    expect_sound(func, "merge-loops", loop_i(func));
  }
}

TEST_P(TrapOnEachType, 05_neighbouring_conditions_on_data) {
  const std::string text = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE")):
    for i in range(16):
        if FIRST:
            BODY
        if SECOND:
            B[i] = TWO
)";
  auto with = [&](const std::string& first, const std::string& body, const std::string& second) {
    return program(put(put(put(text, "FIRST", first), "BODY", body), "SECOND", second));
  };
  PrimFunc kept = with("A[i] > ZERO", "B[i] = ZERO", "A[i] > ZERO");
  expect_sound(kept, "merge-branches", merge_ifs(kept, 0));
  PrimFunc changed = with("A[i] > ZERO", "A[i] = ZERO - A[i]", "A[i] > ZERO");
  expect_refused_rightly(changed, "merge-branches", merge_ifs(changed, 0), "changes nothing", {}, 100);
  PrimFunc off = with("A[i] > ZERO", "B[i] = ZERO", "A[i] < ZERO");
  expect_refused_rightly(off, "merge-branches", merge_ifs(off, 1), "exactly one", {}, 100);
  // On a NaN neither holds, on integers one of them does.
  PrimFunc opposite = with("A[i] > ZERO", "B[i] = ZERO", "A[i] <= ZERO");
  if (is_float()) {
    expect_refused_rightly(opposite, "merge-branches", merge_ifs(opposite, 1), "exactly one", {}, 200);
  } else {
    expect_sound(opposite, "merge-branches", merge_ifs(opposite, 1));
  }
  PrimFunc negated = with("A[i] > ZERO", "B[i] = ZERO", "not A[i] > ZERO");
  expect_sound(negated, "merge-branches", merge_ifs(negated, 1));
}

TEST_P(TrapOnEachType, 06_a_hoisted_condition_on_data) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE"), n: T.int32):
    if LOW <= n and n <= 8:
        for i in range(n):
            if B[n - 1] > ZERO:
                TARGET[i] = ZERO
)";
  auto with = [&](const std::string& low, const std::string& target) {
    return program(put(put(text, "LOW", low), "TARGET", target));
  };
  PrimFunc may = with("0", "A"), runs = with("1", "A"), writes = with("1", "B");
  expect_refused_rightly(may, "hoist-condition", out_of_loop(may, 1), "the loop runs", {{"n", 0}});
  for (int64_t n : {1, 8}) expect_sound(runs, "hoist-condition", out_of_loop(runs, 1), {{"n", n}});
  // The loop writes the cell that is asked.
  EXPECT_TRUE(refusal(writes, "hoist-condition", out_of_loop(writes, 1)));
}

TEST_P(TrapOnEachType, 06_a_condition_that_the_loop_changes) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE")):
    for i in range(8):
        if B[3] > ZERO:
            TARGET = ZERO
        else:
            A[i] = TWO
)";
  PrimFunc changes = program(put(text, "TARGET", "B[i]")), spares = program(put(text, "TARGET", "A[i]"));
  expect_refused_rightly(changes, "hoist-condition", out_of_loop(changes), "changes nothing", {}, 100);
  expect_sound(spares, "hoist-condition", out_of_loop(spares));
}

// Behind the hoisted condition its opposite is known on integers, and not on floats.
TEST_P(TrapOnEachType, 07_what_the_else_of_a_hoisted_condition_knows) {
  PrimFunc func = program(R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE")):
    for i in range(8):
        if B[3] > ZERO:
            A[i] = ZERO
        if B[3] <= ZERO:
            A[i] = TWO
)");
  PrimFunc after = applied(func, "hoist-condition", out_of_loop(func));
  EXPECT_EQ(difference(func, after, {}, 100), "") << print(after);
  // The hoisted if stands first; of the two that ask the opposite, one is left in each of its branches.
  size_t last = find_all(after, [](const Stmt& s) { return s.as<If>() != nullptr; }).size() - 1;
  if (is_float()) {
    expect_refused_rightly(after, "eliminate-branch", take_branch(after, last), "always holds", {}, 200);
  } else {
    expect_sound(after, "eliminate-branch", take_branch(after, last));
  }
}

TEST_P(TrapOnEachType, 07_a_binding_of_data_that_the_loop_changes) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE")):
    for i in range(8):
        x: T.TYPE = B[2] * TWO
        TARGET[i] = x
)";
  PrimFunc changes = program(put(text, "TARGET", "B")), spares = program(put(text, "TARGET", "A"));
  expect_refused_rightly(changes, "hoist-let", let_out_of_loop(changes), "changes nothing", {}, 100);
  expect_sound(spares, "hoist-let", let_out_of_loop(spares));
}

}  // namespace traps_each_type_test
}  // namespace hexproof
