// Sizes: what an allocation owes, what it shows inside, and layouts of arguments.
#include "tests/verify/check/check_fixture.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace check_sizes_test {

struct CheckSizes : CheckTest {};

std::string allocates(const std::string& given, const std::string& memory, const std::string& body = "") {
  return "def main(B: T.Buffer((4,), \"int32\"), n: T.int32, m: T.int32):\n    T.evaluate(T.assume(" + given +
         "))\n    C = " + memory + "\n" + body + "    B[0] = 1\n";
}

TEST_F(CheckSizes, AllocationsMayExceedTheLimit) {
  const std::string both = "n >= 0 and m >= 0 and n <= MOST and m <= MOST";
  auto bounded = [&](const std::string& most) {
    std::string text = both;
    for (size_t at; (at = text.find("MOST")) != std::string::npos;) text.replace(at, 4, most);
    return text;
  };
  refuted(allocates("n >= 0", "T.alloc_buffer((n,), \"int32\")"), "bytes, more than 2147483647");
  proved(allocates("n >= 0 and n <= 536870911", "T.alloc_buffer((n,), \"int32\")"));
  refuted(allocates("n >= 0 and n <= 536870912", "T.alloc_buffer((n,), \"int32\")"), "bytes, more than 2147483647");
  refuted(allocates("n >= 1 and n <= 100000", "T.alloc_buffer((n, 100000), \"int8\")"), "bytes");
  proved(allocates(bounded("40000"), "T.alloc_buffer((n, m), \"int8\")"));
  refuted(allocates(bounded("50000"), "T.alloc_buffer((n, m), \"int8\")"), "bytes");
  // No cell, whatever the other extent is.
  proved(allocates("n >= 0 and m == 0", "T.alloc_buffer((n, m), \"int8\")"));
  proved(allocates("n >= 0", "T.alloc_buffer((n, 0), \"int8\")"));
  refuted(allocates("n >= 0", "T.allocate([n, 2], \"int32\", \"global\")"), "bytes");
  refuted(allocates("n <= 100", "T.alloc_buffer((n,), \"int32\")"), "negative extent");
}

TEST_F(CheckSizes, GuardsAndArgumentsBoundThem) {
  auto guarded = [](const std::string& guard) {
    return "def main(B: T.Buffer((4,), \"int32\"), n: T.int32):\n    if " + guard +
           ":\n        C = T.alloc_buffer((n, 1000), \"int32\")\n        C[0, 0] = 1\n        B[0] = C[0, 0]\n";
  };
  proved(guarded("n > 0 and n < 500000"));
  refuted(guarded("n > 0 and n < 600000"), "bytes");
  auto argument = [](const std::string& type, const std::string& shape) {
    return "def main(a: T.handle, B: T.Buffer((4,), \"int32\")):\n    n = T.int32()\n    A = T.match_buffer(a, (n,), "
           "\"" +
           type + "\")\n    C = T.alloc_buffer((" + shape + "), \"int32\")\n    B[0] = 1\n";
  };
  proved(argument("int32", "n,"));
  proved(argument("int64", "n * 2,"));
  // No argument of that size is made to show it.
  finds(Finding::Undecided, argument("int32", "n, 2"), "at most 2^31 - 1 bytes");
}

// The fact holds inside of the allocation, by its strides; not in front of it, and not of the shape.
TEST_F(CheckSizes, FactsInsideOnly) {
  const std::string given = "n >= 1 and n <= 100000";
  refuted(allocates(given, "T.alloc_buffer((n, n), \"int8\", strides=[0, 1])", "    if n > 50000:\n        B[7] = 1\n"),
          "out of bounds");
  refuted(allocates(given, "T.alloc_buffer((4,), \"int8\")",
                    "    if n > 50000:\n        B[7] = 1\n    D = T.alloc_buffer((n, n), \"int8\")\n"),
          "");
  proved(
      allocates("n >= 1 and n <= 46340", "T.alloc_buffer((n, n), \"int8\")", "    if n > 46340:\n        B[7] = 1\n"));
  // A view of such a memory has as many cells as the strides say.
  const std::string view = "    V = T.decl_buffer((n * 2,), \"int8\", data=C.data)\n    V[INDEX] = T.int8(1)\n";
  auto at = [&](std::string index) {
    std::string text = view;
    text.replace(text.find("INDEX"), 5, index);
    return allocates("n >= 1 and n <= 1000", "T.alloc_buffer((n, n), \"int8\", strides=[0, 1])", text);
  };
  proved(at("n - 1"));
  refuted(at("n"), "");
}

TEST_F(CheckSizes, StridesOfAllocations) {
  const std::string given = "n >= 1 and n <= 100000 and m >= 0 and m <= 100000";
  refuted(allocates(given, "T.alloc_buffer((n, 2), \"int8\", strides=[m, 1])"), "bytes");
  proved(
      allocates("n >= 1 and n <= 1000 and m >= 0 and m <= 1000", "T.alloc_buffer((n, 2), \"int8\", strides=[m, 1])"));
  finds(Finding::Undecided,
        allocates("n >= 1 and n <= 10 and m >= -5 and m <= 10", "T.alloc_buffer((n, 2), \"int8\", strides=[m, 1])",
                  "    C[n - 1, 0] = T.int8(1)\n"),
        "the strides of C are not negative");
}

TEST_F(CheckSizes, ElementsOfArgumentsDoNotOverlap) {
  auto argument = [](const std::string& shape, const std::string& strides) {
    return "def main(a: T.handle):\n    n = T.int32()\n    m = T.int32()\n    A = T.match_buffer(a, (" + shape +
           "), \"int32\", strides=[" + strides + "])\n    for i, j in T.grid(" + shape + "):\n        A[i, j] = 1\n";
  };
  proved(argument("n, m", "m, 1"));
  proved(argument("n, m", "1, n"));
  proved(argument("n, 4", "8, 2"));
  for (const auto& [shape, strides] :
       {std::pair{"n, m", "1, 1"}, {"n, 4", "3, 1"}, {"n, m", "0, 1"}, {"n, m", "m - 1, 1"}, {"n, m", "4, 1"}}) {
    refuted(argument(shape, strides), "have distinct addresses");
  }
  auto constant = [](const std::string& shape, const std::string& strides) {
    return "def main(A: T.Buffer((" + shape + "), \"int32\", strides=[" + strides + "])):\n    A[0, 0] = 1\n";
  };
  proved(constant("2, 3", "3, 2"));
  proved(constant("4, 4", "1, 4"));
  EXPECT_NO_THROW(parse(constant("0, 4", "0, 0")));
  EXPECT_NO_THROW(parse(constant("4, 0", "0, 1")));
  for (const auto& [shape, strides] : {std::pair{"4, 4", "2, 1"}, {"2, 4", "3, 1"}, {"4, 4", "0, 1"}, {"3, 3", "2, 2"}})
    EXPECT_THROW(parse(constant(shape, strides)), Error) << shape << strides;
}

// `after` meets an error where `before` meets none: for large n alone.
TEST_F(CheckSizes, EquivalenceAsksForSizes) {
  auto text = [](const std::string& memory) {
    return "def main(B: T.Buffer((1,), \"int32\"), n: T.int32):\n    T.evaluate(T.assume(n >= 1 and n <= 100000))\n" +
           memory + "    B[0] = 3\n";
  };
  auto evidence = [&](const std::string& memory) {
    return equiv_parametric(pair_programs(parse(text("")), parse(text(memory)), {}), prover()).finding;
  };
  EXPECT_EQ(evidence("    C = T.alloc_buffer((n, 10000), \"int8\")\n"), Finding::Proved);
  EXPECT_NE(evidence("    C = T.alloc_buffer((n, 100000), \"int8\")\n"), Finding::Proved);
}

}  // namespace check_sizes_test
}  // namespace hexproof
