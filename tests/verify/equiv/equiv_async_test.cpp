// equiv compares values as if asynchronous copies were made at once, and asks besides that nothing meets them.
#include "tests/verify/programs.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace equiv_async_test {

constexpr const char* kPlain = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i] + 1
)";

/// The same through two slots, of which a wait leaves so many in flight.
std::string pipelined(const std::string& left) {
  return R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    t = T.alloc_buffer((2,), "int32")
    with T.attr(0, "async_commit_queue_scope", 0):
        t[0] = A[0]
    for i in range(8):
        with T.attr(0, "async_commit_queue_scope", 0):
            if i < 7:
                t[(i + 1) % 2] = A[i + 1]
        with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", )" +
         left + R"():
            B[i] = t[i % 2] + 1
)";
}

Finding judged(const std::string& before, const std::string& after, Method method = Method::Auto) {
  Prover prover;
  EquivOptions options;
  options.method = method;
  return equiv(pair_programs(parse(before), parse(after)), prover, options).finding;
}

TEST(EquivAsync, WaitedForLongEnough) {
  EXPECT_EQ(judged(kPlain, pipelined("1")), Finding::Proved);
  EXPECT_EQ(judged(pipelined("1"), kPlain), Finding::Proved);
  EXPECT_EQ(judged(pipelined("0"), pipelined("1")), Finding::Proved);
}

TEST(EquivAsync, WaitedForTooLittle) {
  EXPECT_EQ(judged(kPlain, pipelined("2")), Finding::Refuted);
  // Equal values alone are no proof, whatever the method.
  for (Method method : {Method::Parametric, Method::Symbolic}) {
    EXPECT_NE(judged(kPlain, pipelined("2"), method), Finding::Proved);
  }
}

TEST(EquivAsync, TheNumberIsEvaluated) {
  for (const char* count : {"1 // (i - 4)", "3 - i"}) {
    EXPECT_NE(judged(kPlain, pipelined(count)), Finding::Proved) << count;
    EXPECT_NE(judged(kPlain, pipelined(count), Method::Symbolic), Finding::Proved) << count;
  }
}

}  // namespace equiv_async_test
}  // namespace hexproof
