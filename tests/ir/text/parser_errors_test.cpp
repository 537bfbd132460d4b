// Every mistake in a program gives an Error or Unsupported with its place, never anything else.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "ir/text/text.h"

namespace hexproof {
namespace parser_errors_test {

std::string message(const std::string& text) {
  try {
    parse_module(text, "p.py");
  } catch (const Error& error) {
    return error.what();
  } catch (const Unsupported& error) {
    return error.what();
  }
  return "";
}

/// The message for a body of a function over A (float32, 4x4), B (int32, 16), n and m.
std::string in_body(const std::string& body) {
  return message(
      "@T.prim_func\ndef f(A: T.Buffer((4, 4), \"float32\"), B: T.Buffer((16,), \"int32\"), n: T.int32, x: "
      "T.float32):\n" +
      body);
}

TEST(ParserErrors, GoldenMessages) {
  EXPECT_EQ(in_body("    B[0] = C[0]\n"),
            "p.py:3:12: error: the name 'C' is not defined here\n      B[0] = C[0]\n             ^\n  hint: did you "
            "mean 'A'?");
  EXPECT_EQ(in_body("    for index in range(4):\n        B[indx] = 0\n"),
            "p.py:4:11: error: the name 'indx' is not defined here\n          B[indx] = 0\n            ^~~~\n  hint: "
            "did you mean 'index'?");
  EXPECT_EQ(in_body("    A[0] = 1\n"), "p.py:3:6: error: 'A' has 2 dimensions, not 1\n      A[0] = 1\n       ^");
  EXPECT_EQ(in_body("    B[0] = A[0, 0]\n"),
            "p.py:3:12: error: 'B' is int32, the value is float32\n      B[0] = A[0, 0]\n             ^\n  hint: write "
            "T.Cast(\"int32\", value)");
  EXPECT_EQ(in_body("    B[0] = 3000000000\n"),
            "p.py:3:12: error: 3000000000 does not fit int32\n      B[0] = 3000000000\n             ^~~~~~~~~~");
  EXPECT_EQ(in_body("    B[0] = 0.5\n"),
            "p.py:3:12: error: a constant that is not whole does not fit int32\n      B[0] = 0.5\n             ^~~");
  EXPECT_EQ(in_body("    B[x] = 0\n"),
            "p.py:3:7: error: an index must be an integer, not float32\n      B[x] = 0\n        ^");
  EXPECT_EQ(in_body("    B[0] = n / 2\n"),
            "p.py:3:14: error: operator '/' does not work on int32\n      B[0] = n / 2\n               ^\n"
            "  hint: on integers write //, or T.truncdiv for C's division");
  EXPECT_EQ(in_body("    if n:\n        B[0] = 1\n"),
            "p.py:3:8: error: a condition must be a bool, not int32\n      if n:\n         ^\n  hint: compare it: `... "
            "!= 0`");
  EXPECT_EQ(in_body("    if n = 1:\n        B[0] = 1\n"),
            "p.py:3:10: error: ':' at the end of the line is expected here, not '='\n      if n = 1:\n           ^\n  "
            "hint: to compare, write ==");
  EXPECT_EQ(in_body("    C = T.alloc_buffer((4, -2), \"float32\")\n"),
            "p.py:3:28: error: an extent of a shape is negative: -2\n      C = T.alloc_buffer((4, -2), \"float32\")\n  "
            "                           ^");
  EXPECT_EQ(in_body("    C = T.alloc_bufer((4,), \"float32\")\n"),
            "p.py:3:9: error: 'T.alloc_bufer' is unknown\n      C = T.alloc_bufer((4,), \"float32\")\n          ^\n  "
            "hint: did you mean 'T.alloc_buffer'?");
  EXPECT_EQ(
      in_body("    C = T.alloc_buffer((4,), dtyp=\"float32\")\n"),
      "p.py:3:35: error: T.alloc_buffer has no argument 'dtyp'\n      C = T.alloc_buffer((4,), dtyp=\"float32\")\n"
      "                                    ^~~~~~~~~\n  hint: did you mean 'dtype'?");
  EXPECT_EQ(in_body("    C = T.alloc_buffer((4,), \"float31\")\n"),
            "p.py:3:30: error: \"float31\" is no dtype\n      C = T.alloc_buffer((4,), \"float31\")\n                  "
            "             ^~~~~~~~~\n"
            "  hint: dtypes are bool, int8 ... int64, uint8 ... uint64, float16, bfloat16, float32, float64");
  EXPECT_EQ(in_body("    for i, j in T.grid(4):\n        B[i] = 0\n"),
            "p.py:3:5: error: the loop has 2 variables for 1 extents\n      for i, j in T.grid(4):\n      ^~~");
  EXPECT_EQ(in_body("    for i in range(4):\n    B[i] = 0\n"),
            "p.py:4:5: error: an indented line is expected here, not 'B'\n      B[i] = 0\n      ^");
  EXPECT_EQ(in_body("    B[0] = 1\n        B[1] = 2\n"),
            "p.py:4:9: error: this line is indented more than the one before\n          B[1] = 2\n          ^\n"
            "  hint: only after a ':' may a line be indented more");
  EXPECT_EQ(
      in_body("    for i in range(16):\n        y = i\n        if i < 3:\n            y = i + 1\n        B[y] = 0\n"),
      "p.py:6:13: error: 'y' is bound outside of this suite and cannot be assigned again in it\n"
      "              y = i + 1\n              ^\n  hint: a variable has one value; keep a changing value in a buffer "
      "of one cell");
  EXPECT_EQ(in_body("    k = T.int32()\n    B[k] = 0\n"),
            "p.py:4:5: error: the variable 'k' has no value here\n      B[k] = 0\n      ^");
  EXPECT_EQ(
      in_body("    B[0] = n if n > 0 else 1\n"),
      "p.py:3:14: unsupported: a conditional expression of Python\n      B[0] = n if n > 0 else 1\n               ^~\n"
      "  hint: write T.if_then_else(condition, a, b)");
  EXPECT_EQ(
      in_body("    T.evaluate(T.call_extern(\"int32\", \"f\"))\n"),
      "p.py:3:16: unsupported: 'T.call_extern'\n      T.evaluate(T.call_extern(\"int32\", \"f\"))\n                 ^");
  EXPECT_EQ(in_body("    while n > 0:\n        pass\n"),
            "p.py:3:5: unsupported: the statement 'while'\n      while n > 0:\n      ^~~~~");
  EXPECT_EQ(in_body("    A[T.undef(), 0] = 1\n"),
            "p.py:3:7: error: undef may not stand in an index\n      A[T.undef(), 0] = 1\n        ^");
  EXPECT_EQ(in_body("    B[0] = (1 +\n"), "p.py:3:12: error: '(' is never closed\n      B[0] = (1 +\n             ^");
  EXPECT_EQ(message("def f(A: T.Buffer((4,), \"float8_e\")):\n    pass\n").substr(0, 44),
            "p.py:1:25: unsupported: the dtype \"float8_e\"");
  EXPECT_EQ(message("@T.prim_func\ndef f(a: T.handle):\n    pass\n"),
            "p.py:2:5: unsupported: the pointer 'a', which no T.match_buffer takes\n  def f(a: T.handle):\n      ^");
  EXPECT_EQ(message("def f(A):\n    pass\n").substr(0, 46), "p.py:1:7: error: the parameter 'A' has no type");
  EXPECT_EQ(message("x = 1\n"), "p.py:1:1: error: a function or a module is expected here, not 'x'\n  x = 1\n  ^");
  EXPECT_EQ(message(""), "p.py:1:1: error: there is no function in this file\n  \n  ^");
}

TEST(ParserErrors, DepthIsBounded) {
  auto nested = [](size_t n) { return "    B[0] = " + std::string(n, '(') + "n" + std::string(n, ')') + "\n"; };
  EXPECT_EQ(in_body(nested(200)), "");
  EXPECT_NE(in_body(nested(100000)).find("levels of nesting"), std::string::npos);
  std::string sum = "    B[0] = n";
  for (int i = 0; i < 1500; ++i) sum += " + n";
  EXPECT_EQ(in_body(sum + "\n"), "");
  for (int i = 0; i < 100000; ++i) sum += " + n";
  EXPECT_NE(in_body(sum + "\n").find("nested more than 2000 levels"), std::string::npos);
  EXPECT_NE(in_body("    B[0] = " + std::string(100000, '-') + "n\n").find("levels of nesting"), std::string::npos);
  std::string nots = "    T.assume(";
  for (int i = 0; i < 10000; ++i) nots += "not ";
  EXPECT_NE(in_body(nots + "n > 0)\n").find("levels of nesting"), std::string::npos);
  std::string lets;
  for (int i = 0; i < 5000; ++i) lets += "    y" + std::to_string(i) + " = n\n";
  EXPECT_NE(in_body(lets).find("scopes inside one another"), std::string::npos);
  std::string branches = "    if n == 0:\n        pass\n";
  for (int i = 0; i < 5000; ++i) branches += "    elif n == 1:\n        pass\n";
  EXPECT_NE(in_body(branches).find("too many branches"), std::string::npos);
  std::string grid = "    for i0";
  for (int i = 1; i < 400; ++i) grid += ", i" + std::to_string(i);
  grid += " in T.grid(1";
  for (int i = 1; i < 400; ++i) grid += ", 1";
  EXPECT_EQ(in_body(grid + "):\n        B[0] = 0\n"), "");
}

// An expression that names its parts again and again is refused at once, wherever it stands.
TEST(ParserErrors, ExpressionsAreAsLargeAsTheirText) {
  std::string doublings;
  for (int k = 0; k < 40; ++k) {
    doublings +=
        "    x" + std::to_string(k + 1) + " = T.meta_var(x" + std::to_string(k) + " + x" + std::to_string(k) + ")\n";
  }
  const std::string head = "def f(A: T.Buffer((8,), \"int32\"), x0: T.int32):\n" + doublings;
  for (const char* use : {"    A[0] = x40\n", "    A[x40] = 1\n", "    for i in range(x40):\n        A[i] = 1\n",
                          "    B = T.alloc_buffer((x40,), \"int32\")\n    A[0] = 1\n",
                          "    B = T.decl_buffer((4,), \"int32\", data=A.data, elem_offset=x40)\n    A[0] = 1\n",
                          "    B = T.decl_buffer((4,), \"int32\", data=A.data, strides=(x40,))\n    A[0] = 1\n"}) {
    try {
      parse_module(head + use, "p.py");
      ADD_FAILURE() << use;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("more than 200000 operations"), std::string::npos) << e.what();
    }
  }
}

TEST(ParserErrors, AMegabyteLineIsRead) {
  std::string line = "    B[0] = 1";
  while (line.size() < (1u << 20)) line += " + 1";
  EXPECT_EQ(in_body(line + "\n"), "") << "Python adds its constants";
  std::string junk(1u << 20, '$');
  EXPECT_NE(in_body("    " + junk).find("unexpected character"), std::string::npos);
}

TEST(ParserErrors, FilesThatAreNoText) {
  EXPECT_NE(message(std::string("def f(\0", 7)).find("p.py:1:7: error: not a text file: a NUL byte"),
            std::string::npos);
  EXPECT_NE(message("# ok\n# \xff\n").find("p.py:2:3: error: not a text file: invalid UTF-8"), std::string::npos);
  EXPECT_NE(message("# \xe2\x82").find("invalid UTF-8"), std::string::npos);
  EXPECT_EQ(message("\xef\xbb\xbf# B\xc3\xbcrger\ndef f(A: T.Buffer(4, \"int32\")):\n    A[0] = 1\n"), "");
  EXPECT_THROW(parse_file("/nonexistent/program.py"), Error);
  EXPECT_THROW(parse_file(std::filesystem::temp_directory_path().string()), Error);
}

std::string sample() {
  return "# from tvm.script import tir as T\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
         "    def main(a: T.handle, B: T.Buffer((16,), \"int32\"), n: T.int32):\n"
         "        T.func_attr({\"k\": [1, \"two\"]})\n        m = T.int32()\n"
         "        A = T.match_buffer(a, (m, 16), strides=[16, 1])\n        C = T.alloc_buffer((16,), \"float32\")\n"
         "        for i, j in T.grid(16, 16):\n            with T.block(\"b\"):\n"
         "                vi, vj = T.axis.remap(\"SR\", [i, j])\n                T.where(i < 5 and 0 <= j < 14)\n"
         "                T.reads(A[vi, 0:4])\n                with T.init():\n                    C[vi] = 0.0\n"
         "                x: T.float32 = T.if_then_else(B[vj] > 2, A[vi, vj], T.exp(C[vi]))\n                C[vi] += "
         "x * 1e-3\n"
         "        if n == 3:\n            B[0:4] = T.Broadcast(7, 4)\n        elif not n < 0x10:\n            pass\n"
         "        else:\n            T.assume(B[0] == T.undef())\n"
         "        P = T.allocate([4], \"int8\", \"global\")\n        Q = T.decl_buffer((4,), \"int8\", data=P)\n"
         "        with T.LetStmt(-5) as y:\n            Q[0] = T.Cast(\"int8\", y)\n";
}

/// Parses; any outcome but a program, an Error or an Unsupported ends the test. A program is printed and read again.
void survive(const std::string& text) {
  try {
    IRModule module = parse_module(text, "p.py");
    std::string printed = print(module);
    ASSERT_EQ(print(parse_module(printed)), printed);
  } catch (const Error&) {
  } catch (const Unsupported&) {
  }
}

TEST(ParserErrors, TruncatedAnywhere) {
  std::string text = sample();
  ASSERT_EQ(message(text), "");
  for (size_t length = 0; length < text.size(); ++length) survive(text.substr(0, length));
}

TEST(ParserErrors, MutatedBytes) {
  std::string text = sample();
  std::mt19937 random(7);
  const std::string alphabet = "()[]{},.:=+-*/%<>&|^~'\"# \n\t0123456789abTx_\\@;\x80";
  for (int round = 0; round < 20000; ++round) {
    std::string copy = text;
    for (uint32_t edits = 1 + random() % 3; edits > 0; --edits) {
      size_t at = random() % copy.size();
      char c = alphabet[random() % alphabet.size()];
      switch (random() % 4) {
        case 0:
          copy[at] = c;
          break;
        case 1:
          copy = copy.substr(0, at) + c + copy.substr(at);
          break;
        case 2:
          copy.erase(at, 1 + random() % 8);
          break;
        case 3:
          copy = copy.substr(0, at) + copy.substr(random() % copy.size(), random() % 40) + copy.substr(at);
          break;
      }
      if (copy.empty()) break;
    }
    survive(copy);
  }
}

TEST(ParserErrors, ShuffledTokens) {
  const std::vector<std::string> words = {"A",
                                          "B",
                                          "n",
                                          "T.",
                                          "grid",
                                          "(",
                                          ")",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "=",
                                          "==",
                                          "+",
                                          "-",
                                          "*",
                                          "//",
                                          "for",
                                          "in",
                                          "if",
                                          "else",
                                          "with",
                                          "not",
                                          "and",
                                          "1",
                                          "0.5",
                                          "\"int32\"",
                                          "True",
                                          "T.int32",
                                          "T.undef()",
                                          "T.block(\"b\")",
                                          "T.Let",
                                          "where",
                                          "{",
                                          "}",
                                          "\n    ",
                                          "\n        ",
                                          "x",
                                          "pass"};
  std::mt19937 random(11);
  for (int round = 0; round < 20000; ++round) {
    std::string body = "    ";
    for (uint32_t n = random() % 12; n > 0; --n) body += words[random() % words.size()] + " ";
    in_body(body + "\n");
  }
}

}  // namespace parser_errors_test
}  // namespace hexproof
