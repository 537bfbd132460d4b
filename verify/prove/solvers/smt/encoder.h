// How one formula becomes a script; solve/encode.h is the door to it, and only solve/encode*.cpp include this.
#pragma once
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/buffer.h"
#include "ir/visit.h"
#include "verify/prove/solvers/arithmetic/interval.h"
#include "verify/prove/solvers/smt/encode.h"
#include "verify/prove/solvers/smt/smt_text.h"

namespace hexproof {

/// A subexpression in the script: its name or constant, and what is known of its value.
struct Encoded {
  std::string text;
  Interval range = {};  // integers: mathematical bounds that hold in every model of the script
};

class Encoder {
 public:
  /// `width`: of integers, WideBits only.
  Encoder(const EncodeOptions& options, int width) : options_(options), reading_(options.reading), width_(width) {}

  Script run(const std::vector<Expr>& given, const Expr& goal);
  /// Bits that hold every integer of the formula; 0 when something has no bound.
  int needed_width() const { return unbounded_ ? 0 : needed_; }

 private:
  using string = std::string;
  bool bits() const { return reading_ != Reading::Mathematical; }
  bool machine() const { return reading_ == Reading::Machine; }

  // Text of the script.
  string sort(DType t);
  string int_const(Wide v, DType t) const;
  string define(DType t, const string& body);
  string declare(DType t, const char* prefix);
  void assert_that(const string& body) { text_ += "(assert " + body + ")\n"; }
  string arith(const char* integer, const char* vector, const string& a, const string& b) const {
    return smt::app({bits() ? vector : integer, a, b});
  }
  string less(const string& a, const string& b, DType t) const {
    return smt::app({!bits() ? "<" : machine() && t.is_uint() ? "bvult" : "bvslt", a, b});
  }
  string less_equal(const string& a, const string& b, DType t) const {
    return smt::app({!bits() ? "<=" : machine() && t.is_uint() ? "bvule" : "bvsle", a, b});
  }
  string in_range(const string& a, Interval r, DType t) const {
    return smt::app({"and", less_equal(int_const(r.lo, t), a, t), less_equal(a, int_const(r.hi, t), t)});
  }
  string extend(const Encoded& v, DType t, int by) const { return smt::app({smt::extension(t, by), v.text}); }

  // Values (encode.cpp).
  void learn_bounds(const Expr& e);
  void note(Interval r);
  Encoded integer(DType t, const string& body, Interval range) {
    note(range);
    return {define(t, body), range};
  }
  Encoded value(const Expr& e);
  Encoded build(const Expr& e);
  Encoded input(const Expr& e);
  Encoded any(DType t);
  Encoded application(const Expr& e, const string& function, const std::vector<Encoded>& args,
                      const std::vector<DType>& types);
  Encoded function(const Expr& e);

  // Integers (encode_integers.cpp).
  Encoded wrap(const Encoded& exact, DType t);
  Encoded arithmetic(const Expr& e);
  Encoded extremum(const Expr& e);
  Encoded division(const Expr& e);
  Encoded shift(const Expr& e);
  Encoded bitwise(const Expr& e);
  string floor_bits(const Encoded& a, const Encoded& b, DType t, bool remainder);
  string floor_by_constant(const Encoded& a, Wide c, DType t, bool remainder);

  // Floats, comparisons, casts (encode_floats.cpp).
  Encoded float_binary(const Expr& e);
  Encoded comparison(const Expr& e);
  Encoded convert(const Expr& e);
  Encoded reinterpreted(const Expr& e);

  // Errors (encode_fits.cpp).
  string fits(const Expr& e);
  string fits_here(const Expr& e);
  string fits_cast(const Expr& e);
  string total(const Expr& e);

  EncodeOptions options_;
  Reading reading_;
  int width_;
  string text_;
  int next_term_ = 0, next_input_ = 0;
  int needed_ = 8;
  bool unbounded_ = false, abstracts_ = false, nonlinear_ = false, floats_ = false;
  std::vector<ScriptInput> inputs_;
  std::unordered_map<Expr, Encoded, ExprHash> memo_;
  std::unordered_map<Expr, string, ExprHash> fits_memo_;
  std::map<Var, Interval> bounds_;
  std::map<Buffer, int> buffers_;
  struct Application {
    std::vector<string> args;
    string result;
  };
  std::map<string, std::vector<Application>> applications_;
};

}  // namespace hexproof
