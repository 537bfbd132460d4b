#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace make_async_test {

constexpr const char* kText = R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    t = T.alloc_buffer((2, 4), "int32")
    for j in range(4):
        t[0, j] = A[0, j]
    for i in range(8):
        if i < 7:
            for l in range(4):
                t[(i + 1) % 2, l] = A[i + 1, l]
        for k in range(4):
            B[i, k] = t[i % 2, k]
)";

/// Both copies as groups, and a wait in front of the use.
Args flights(const PrimFunc& func, int64_t left) {
  const Path body = below(loop_named(func, "i"), 0);
  return {{"copies", std::vector<Path>{loop_named(func, "j"), below(body, 0)}},
          {"waits", std::vector<Path>{below(body, 1)}},
          {"inflight", std::vector<Expr>{i32(left)}},
          {"queue", int64_t{0}}};
}

std::string error_in(const PrimFunc& func) {
  std::vector<Tensor> inputs = random_inputs(func, 1);
  RunResult result = run(func, inputs, {});
  return result.error ? result.error->message : "";
}

TEST(MakeAsync, ACopyInFlight) {
  expect_applies(kText, "make-async", flights(parse(kText), 1), R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    t = T.alloc_buffer((2, 4), "int32")
    with T.attr(0, "async_commit_queue_scope", 0):
        for j in range(4):
            t[0, j] = A[0, j]
    for i in range(8):
        with T.attr(0, "async_commit_queue_scope", 0):
            if i < 7:
                for l in range(4):
                    t[(i + 1) % 2, l] = A[i + 1, l]
        with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", 1):
            for k in range(4):
                B[i, k] = t[i % 2, k]
)");
  expect_applies(kText, "make-async", flights(parse(kText), 0), "");
}

TEST(MakeAsync, Condition1ACopyIsStillInFlight) {
  const PrimFunc func = parse(kText);
  expect_refused_rightly(func, "make-async", flights(func, 2), "is through, or touches other cells");
  EXPECT_NE(error_in(proposed(func, "make-async", flights(func, 2))).find("in flight on queue 0"), std::string::npos);
  // Nobody waits.
  Args args = flights(func, 0);
  args["waits"] = std::vector<Path>{};
  args["inflight"] = std::vector<Expr>{};
  expect_refused_rightly(func, "make-async", args, "is through");
}

TEST(MakeAsync, Condition1HoldsAfterEveryLaterStep) {
  PrimFunc func = applied(parse(kText), "make-async", flights(parse(kText), 1));
  // The copy and the wait change places: now the wait leaves the copy that is used in flight.
  const Path body = below(loop_named(func, "i"), 0);
  std::optional<Refused> no;
  try {
    Derivation derivation(func);
    derivation.apply("swap-statements", {{"at", below(body, 0)}}, test_prover());
  } catch (const Refused& refused) {
    no = refused;
  } catch (const NotApplicable&) {
  }
  EXPECT_TRUE(no) << "swap-statements moved a copy behind the wait that is for it";
  // What leaves the order alone is still right.
  applied(func, "split",
          {{"at", loop_named(func, "k")},
           {"factor", int64_t{2}},
           {"outer", std::string("ko")},
           {"inner", std::string("ki")}});
}

TEST(MakeAsync, AWaitInWhichNothingStandsStays) {
  const PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    with T.attr(0, "async_commit_queue_scope", 0):
        B[0] = A[0]
    with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", 0):
        for i in range(0):
            B[1] = 1
)");
  const PrimFunc without =
      applied(func, "remove-empty", {{"at", loop_named(func, "i")}, {"kind", std::string("no-iteration")}});
  EXPECT_NE(print(without).find("async_wait_queue_scope"), std::string::npos) << print(without);
  EXPECT_TRUE(not_applicable(without, "remove-empty", {{"at", nth<AsyncWait>(without)}}));
  EXPECT_EQ(difference(func, without), "");
}

TEST(MakeAsync, Condition2WhereGroupsMayStand) {
  const PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.parallel(8):
        B[i] = A[i]
)");
  const Args args{{"copies", std::vector<Path>{below(loop_named(func, "i"), 0)}},
                  {"waits", std::vector<Path>{}},
                  {"inflight", std::vector<Expr>{}},
                  {"queue", int64_t{0}}};
  Derivation derivation(func);
  EXPECT_THROW(derivation.apply("make-async", args, test_prover()), NotApplicable);
  Args twice = flights(parse(kText), 1);
  twice["waits"] = std::vector<Path>{below(std::get<std::vector<Path>>(twice["copies"])[0], 0)};
  expect_not_applicable(parse(kText), "make-async", twice, "lies in another");
}

TEST(MakeAsync, Condition3TheNumberThatStays) {
  const PrimFunc func = parse(kText);
  std::optional<Refused> no = refusal(func, "make-async", flights(func, -1));
  ASSERT_TRUE(no);
  EXPECT_NE(no->obligation.why.find("negative number"), std::string::npos) << no->what();
  EXPECT_EQ(error_in(proposed(func, "make-async", flights(func, -1))), "a wait that leaves -1 groups in flight");
  Args data = flights(func, 0);
  data["inflight"] = std::vector<Expr>{load(func.buffer_params()[0], {i32(0), i32(0)})};
  expect_not_applicable(func, "make-async", data, "depends on the content of a buffer");
  Args unknown = flights(func, 0);
  unknown["inflight"] = std::vector<Expr>{Expr(Var::fresh("z", kInt32))};
  expect_not_applicable(func, "make-async", unknown, "known there");
}

}  // namespace make_async_test
}  // namespace hexproof
