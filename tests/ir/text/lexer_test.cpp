#include "ir/text/lexer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hexproof {
namespace lexer_test {

TokenList lex(const std::string& text) {
  return tokenize(std::make_shared<const SourceFile>(SourceFile{"t.py", text}));
}

/// The tokens on one line: texts, with words for those that have none.
std::string shape(const std::string& text) {
  std::string out;
  for (const Token& token : lex(text).tokens) {
    if (!out.empty()) out += ' ';
    switch (token.kind) {
      case TokenKind::Newline:
        out += "NL";
        break;
      case TokenKind::Indent:
        out += "IN";
        break;
      case TokenKind::Dedent:
        out += "OUT";
        break;
      case TokenKind::End:
        out += "END";
        break;
      case TokenKind::Name:
      case TokenKind::Int:
      case TokenKind::Float:
      case TokenKind::String:
      case TokenKind::Op:
        out += token.text;
        break;
    }
  }
  return out;
}

std::string error_of(const std::string& text) {
  try {
    lex(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Lexer, IndentationMakesTokens) {
  EXPECT_EQ(shape("if a:\n  b\n  if c:\n      d\n\ne\n"), "if a : NL IN b NL if c : NL IN d NL OUT OUT e NL END");
  EXPECT_EQ(shape("# only a comment\n\n   \n"), "END");
  EXPECT_EQ(shape("a:\n\tb\n        c\n"), "a : NL IN b NL c NL OUT END") << "a tab reaches the next multiple of eight";
}

TEST(Lexer, LinesJoinInsideBracketsAndAfterABackslash) {
  EXPECT_EQ(shape("f(a,  # first\n  b)\nc"), "f ( a , b ) NL c NL END");
  EXPECT_EQ(shape("a + \\\n  b\n"), "a + b NL END");
  EXPECT_EQ(shape("a\r\nb\r\n"), "a NL b NL END");
}

TEST(Lexer, OperatorsAreTheLongestMatch) {
  EXPECT_EQ(shape("a//=b**c->d:=e...<<=x!=y^=z"), "a //= b ** c -> d := e ... <<= x != y ^= z NL END");
  EXPECT_EQ(shape("lambda i, j: [i//4, *k]"), "lambda i , j : [ i // 4 , * k ] NL END");
}

TEST(Lexer, Numbers) {
  TokenList list = lex("0x1F 1_000 0b101 0o17 1e-3 .5 2. 3.25e+2 18446744073709551615 1e999");
  EXPECT_EQ(int_literal(list, list.tokens[0]), 31);
  EXPECT_EQ(int_literal(list, list.tokens[1]), 1000);
  EXPECT_EQ(int_literal(list, list.tokens[2]), 5);
  EXPECT_EQ(int_literal(list, list.tokens[3]), 15);
  EXPECT_EQ(float_literal(list, list.tokens[4]), 1e-3);
  EXPECT_EQ(float_literal(list, list.tokens[5]), 0.5);
  EXPECT_EQ(float_literal(list, list.tokens[6]), 2.0);
  EXPECT_EQ(float_literal(list, list.tokens[7]), 325.0);
  EXPECT_EQ(to_string(int_literal(list, list.tokens[8])), "18446744073709551615");
  EXPECT_TRUE(std::isinf(float_literal(list, list.tokens[9])));
  TokenList big = lex("18446744073709551616");
  EXPECT_THROW(int_literal(big, big.tokens[0]), Error);
  TokenList hex = lex("0x");
  EXPECT_THROW(int_literal(hex, hex.tokens[0]), Error);
}

TEST(Lexer, Strings) {
  TokenList list = lex("'a\\n\\'b\\x41' r\"\\n\" \"\"\"two\nlines\"\"\" ''");
  EXPECT_EQ(string_literal(list, list.tokens[0]), "a\n'bA");
  EXPECT_EQ(string_literal(list, list.tokens[1]), "\\n");
  EXPECT_EQ(string_literal(list, list.tokens[2]), "two\nlines");
  EXPECT_EQ(string_literal(list, list.tokens[3]), "");
  TokenList formatted = lex("f'{x}'");
  EXPECT_THROW(string_literal(formatted, formatted.tokens[0]), Unsupported);
}

TEST(Lexer, PlacesCountFromOne) {
  TokenList list = lex("a\nbc = 12\n");
  const Token& twelve = list.tokens[4];
  EXPECT_EQ(twelve.text, "12");
  Span span = list.span(twelve);
  EXPECT_EQ(span.line, 2);
  EXPECT_EQ(span.column, 6);
  EXPECT_EQ(span.length, 2);
  EXPECT_EQ(span.str(), "t.py:2:6");
}

TEST(Lexer, MistakesHaveAPlace) {
  EXPECT_EQ(error_of("a = (1,\n"), "t.py:1:5: error: '(' is never closed\n  a = (1,\n      ^");
  EXPECT_EQ(error_of("a = [1)\n"), "t.py:1:7: error: ')' does not close '[' of line 1\n  a = [1)\n        ^");
  EXPECT_EQ(error_of("a = 1)\n"), "t.py:1:6: error: ')' closes nothing\n  a = 1)\n       ^");
  EXPECT_EQ(error_of("a = 'x\n"), "t.py:1:5: error: this string is never closed\n  a = 'x\n      ^");
  EXPECT_EQ(error_of("a = 12x\n"), "t.py:1:5: error: a number runs into a letter\n  a = 12x\n      ^~~");
  EXPECT_EQ(error_of("a $ b\n"), "t.py:1:3: error: unexpected character '$'\n  a $ b\n    ^");
  EXPECT_EQ(error_of("if a:\n    b\n  c\n"),
            "t.py:3:1: error: this indentation matches no outer line\n    c\n  ^~\n"
            "  hint: the enclosing lines are indented by 0 columns");
  std::string deep;
  for (int i = 0; i < 120; ++i) deep += std::string(static_cast<size_t>(i), ' ') + "if a:\n";
  EXPECT_NE(error_of(deep).find("more than 100 levels of indentation"), std::string::npos);
}

TEST(Lexer, NearestNameIsNear) {
  EXPECT_EQ(nearest_name("bufer", {"buffer", "other"}), "buffer");
  EXPECT_EQ(nearest_name("zzz", {"buffer", "other"}), "");
}

}  // namespace lexer_test
}  // namespace hexproof
