#include "verify/prove/opaque_name.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/verify/programs.h"
#include "verify/access/footprint.h"

namespace hexproof {
namespace {

TEST(OpaqueName, IsTheWholeOfWhatItStandsFor) {
  const std::vector<std::string> called = {"",     "x",       "let",    "read",       "lane",
                                           "size", "layout",  "read#3", "x of read",  "read of x",
                                           "min",  "rounded", "extent", "let of let", "let of x#3"};
  std::set<std::string> names;
  size_t count = 0;
  for (int kind = 0; kind <= static_cast<int>(OpaqueKind::SignOfZero); ++kind) {
    for (const std::string& of : called) {
      for (uint64_t number : {3, 30, 33}) {
        for (std::optional<size_t> part :
             {std::optional<size_t>(), std::optional<size_t>(0), std::optional<size_t>(3)}) {
          names.insert(opaque_name(static_cast<OpaqueKind>(kind), number, of, part));
          ++count;
        }
      }
    }
  }
  EXPECT_EQ(names.size(), count);
}

// A variable that a program calls `read` is none of the cells that are read.
TEST(OpaqueName, OfAVariableIsOfItsKind) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "int32"), P: T.Buffer((1,), "int32")):
    for lane in range(P[0]):
        read: T.int32 = A[lane]
        P[0] = A[0]
        A[T.max(T.min(read, 3), 0)] = 1
        A[T.max(T.min(A[lane], 3), 0)] = 1
)");
  std::vector<std::string> texts;
  for (const Access& a : writes_of(footprint(f.body))) {
    texts.push_back(print(a.loops.at(0).extent) + " " + print(a.indices.at(0)));
  }
  ASSERT_EQ(texts.size(), 3u);
  EXPECT_TRUE(texts[0].starts_with("extent of lane#")) << texts[0];
  EXPECT_NE(texts[1].find("min(let of read#"), std::string::npos) << texts[1];
  EXPECT_NE(texts[2].find("min(read#"), std::string::npos) << texts[2];
}

}  // namespace
}  // namespace hexproof
