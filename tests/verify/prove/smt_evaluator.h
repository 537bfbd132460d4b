// The value of SMT-LIB scripts over bools and bit-vectors, as the standard defines its functions, for many assignments
// of the free constants at once: a reading of what the encoder writes that shares no code with it, nor with a solver.
#pragma once
#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "ir/dtype.h"

namespace hexproof {

using Word = unsigned __int128;

/// One value per assignment, zero-extended; a bool is 0 or 1.
struct Lanes {
  int bits = 0;  // 0: bool
  std::vector<Word> at;
};

class SmtEvaluator {
 public:
  explicit SmtEvaluator(size_t lanes) : lanes_(lanes) {}
  void set(const std::string& constant, Lanes values) { known_[constant] = std::move(values); }
  /// The values of all assertions, in order. Throws when a constant has no value or a function is not known.
  std::vector<Lanes> assertions(const std::string& script) {
    text_ = &script;
    next_ = 0;
    std::vector<Lanes> out;
    while (peek() != "") {
      expect("(");
      std::string command = token();
      if (command == "assert") {
        out.push_back(term());
      } else if (command == "define-fun") {
        std::string name = token();
        expect("("), expect(")");
        skip();
        known_[name] = term();
      } else if (command == "declare-const") {
        token();
        skip();
      } else {
        throw std::runtime_error("command " + command);
      }
      expect(")");
    }
    return out;
  }

 private:
  static Word mask(int bits) { return bits >= 128 ? ~Word{0} : (Word{1} << bits) - 1; }
  static Wide as_signed(Word v, int bits) { return static_cast<Wide>(v << (128 - bits)) >> (128 - bits); }

  static Word digits(const std::string& binary) {
    Word out = 0;
    for (char c : binary) out = out * 2 + (c == '1');
    return out;
  }

  std::string token() {
    const std::string& s = *text_;
    while (next_ < s.size() && std::isspace(static_cast<unsigned char>(s[next_]))) ++next_;
    if (next_ == s.size()) return "";
    if (s[next_] == '(' || s[next_] == ')') return std::string(1, s[next_++]);
    size_t end = s.find_first_of(" \n()", next_);
    std::string out = s.substr(next_, end - next_);
    next_ = end;
    return out;
  }
  std::string peek() {
    size_t here = next_;
    std::string out = token();
    next_ = here;
    return out;
  }
  void expect(const char* what) {
    if (token() != what) throw std::runtime_error(std::string("no ") + what);
  }
  void skip() {
    int depth = 0;
    do {
      std::string t = token();
      depth += t == "(" ? 1 : t == ")" ? -1 : 0;
    } while (depth > 0);
  }
  Lanes same(int bits, Word value) const { return {bits, std::vector<Word>(lanes_, value)}; }

  Lanes term() {
    std::string t = token();
    if (t == "true" || t == "false") return same(0, t == "true");
    if (t.starts_with("#b")) return same(static_cast<int>(t.size()) - 2, digits(t.substr(2)));
    if (t != "(") {
      auto it = known_.find(t);
      if (it == known_.end()) throw std::runtime_error("no value for " + t);
      return it->second;
    }
    std::string function = token();
    std::vector<int> numbers;
    if (function == "(") {  // (_ function number ...)
      expect("_");
      function = token();
      while (peek() != ")") numbers.push_back(std::stoi(token()));
      expect(")");
    }
    std::vector<Lanes> args;
    while (peek() != ")") args.push_back(term());
    expect(")");
    return apply(function, numbers, args);
  }

  Lanes apply(const std::string& f, const std::vector<int>& numbers, const std::vector<Lanes>& args) const {
    const Lanes& a = args.at(0);
    int w = a.bits;
    auto each = [&](int bits, const std::function<Word(size_t)>& value) {
      Lanes out = same(bits, 0);
      for (size_t i = 0; i < lanes_; ++i) out.at[i] = value(i) & (bits == 0 ? 1 : mask(bits));
      return out;
    };
    if (f == "not" || f == "bvnot") return each(w, [&](size_t i) { return ~a.at[i]; });
    if (f == "and" || f == "or" || f == "xor") {
      return each(0, [&](size_t i) {
        Word out = a.at[i];
        for (size_t k = 1; k < args.size(); ++k) {
          Word v = args[k].at[i];
          out = f == "and" ? out & v : f == "or" ? out | v : out ^ v;
        }
        return out;
      });
    }
    if (f == "extract") return each(numbers.at(0) + 1, [&](size_t i) { return a.at[i]; });  // from bit 0
    if (f == "zero_extend") return each(w + numbers.at(0), [&](size_t i) { return a.at[i]; });
    if (f == "sign_extend") {
      return each(w + numbers.at(0), [&](size_t i) { return static_cast<Word>(as_signed(a.at[i], w)); });
    }
    const Lanes& b = args.at(1);
    if (f == "ite") return each(b.bits, [&](size_t i) { return a.at[i] ? b.at[i] : args.at(2).at[i]; });
    if (a.bits != b.bits || args.size() != 2) throw std::runtime_error("operands of " + f);
    using Unsigned = Word (*)(Word, Word, int);
    using Signed = bool (*)(Wide, Wide);
    static const std::map<std::string, bool (*)(Word, Word)> relations = {
        {"=", [](Word x, Word y) { return x == y; }},
        {"distinct", [](Word x, Word y) { return x != y; }},
        {"=>", [](Word x, Word y) { return !x || y; }},
        {"bvult", [](Word x, Word y) { return x < y; }},
        {"bvule", [](Word x, Word y) { return x <= y; }}};
    static const std::map<std::string, Signed> signed_relations = {{"bvslt", [](Wide x, Wide y) { return x < y; }},
                                                                   {"bvsle", [](Wide x, Wide y) { return x <= y; }}};
    // Division by zero gives all ones, its remainder the dividend; the signed ones are defined from these by sign.
    static const auto udiv = [](Word x, Word y, int bits) { return y == 0 ? mask(bits) : x / y; };
    static const auto urem = [](Word x, Word y) { return y == 0 ? x : x % y; };
    static const auto magnitude = [](Word x, int bits) { return as_signed(x, bits) < 0 ? (0 - x) & mask(bits) : x; };
    static const std::map<std::string, Unsigned> functions = {
        {"bvadd", [](Word x, Word y, int) { return x + y; }},
        {"bvsub", [](Word x, Word y, int) { return x - y; }},
        {"bvmul", [](Word x, Word y, int) { return x * y; }},
        {"bvand", [](Word x, Word y, int) { return x & y; }},
        {"bvor", [](Word x, Word y, int) { return x | y; }},
        {"bvxor", [](Word x, Word y, int) { return x ^ y; }},
        {"bvshl", [](Word x, Word y, int bits) { return y >= Word(bits) ? 0 : x << y; }},
        {"bvlshr", [](Word x, Word y, int bits) { return y >= Word(bits) ? 0 : x >> y; }},
        {"bvashr",
         [](Word x, Word y, int bits) { return static_cast<Word>(as_signed(x, bits) >> std::min(y, Word(bits) - 1)); }},
        {"bvudiv", [](Word x, Word y, int bits) { return udiv(x, y, bits); }},
        {"bvurem", [](Word x, Word y, int) { return urem(x, y); }},
        {"bvsdiv",
         [](Word x, Word y, int bits) {
           Word q = udiv(magnitude(x, bits), magnitude(y, bits), bits);
           return (as_signed(x, bits) < 0) != (as_signed(y, bits) < 0) ? 0 - q : q;
         }},
        {"bvsrem",
         [](Word x, Word y, int bits) {
           Word r = urem(magnitude(x, bits), magnitude(y, bits));
           return as_signed(x, bits) < 0 ? 0 - r : r;
         }},
        {"bvsmod", [](Word x, Word y, int bits) {
           Word r = urem(magnitude(x, bits), magnitude(y, bits));
           if (as_signed(x, bits) < 0) r = (0 - r) & mask(bits);
           return r != 0 && (as_signed(x, bits) < 0) != (as_signed(y, bits) < 0) ? r + y : r;
         }}};
    if (auto it = relations.find(f); it != relations.end()) {
      return each(0, [&](size_t i) { return it->second(a.at[i], b.at[i]); });
    }
    if (auto it = signed_relations.find(f); it != signed_relations.end()) {
      return each(0, [&](size_t i) { return it->second(as_signed(a.at[i], w), as_signed(b.at[i], w)); });
    }
    if (auto it = functions.find(f); it != functions.end()) {
      return each(w, [&](size_t i) { return it->second(a.at[i], b.at[i], w); });
    }
    throw std::runtime_error("function " + f);
  }

  size_t lanes_;
  const std::string* text_ = nullptr;
  size_t next_ = 0;
  std::map<std::string, Lanes> known_;
};

}  // namespace hexproof
