// Expressions as terms of SMT-LIB over Int and Bool: a small encoder that shares nothing with the one that proves.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/function.h"

namespace hexproof::checker {

/// Has a term: integers and bools. (A vector stands for its value in one lane that may be any.)
bool has_term(DType type);
std::string numeral(Wide value);
/// "(and a b)"; "true" of none.
std::string conjunction(const std::vector<std::string>& parts);
/// From 0 on.
std::string is_below(const std::string& value, const std::string& bound);
/// One by one; as many as `a` has.
std::string all_equal(const std::vector<std::string>& a, const std::vector<std::string>& b);

/// What is declared and known at one place of a program. Terms are mathematical integers: those of index arithmetic are
/// exact, because that each operation fits its type is asked of it; data arithmetic wraps. What is not modelled is
/// some value of its type.
class Terms {
 public:
  struct Mark {
    size_t declared, known;
    std::map<std::string, std::string> loads;
  };
  Mark mark() const { return {declared_.size(), known_.size(), execution == 0 ? loads_ : decltype(loads_)()}; }
  /// Forgets what was declared and became known since. (What was stored meanwhile: `forget_cells`.)
  void back_to(const Mark& mark);

  std::string term(const Expr& e);
  std::vector<std::string> terms(const std::vector<Expr>& list);
  void bind(const Var& var, const std::string& term) { bound_[var.id()] = term; }
  /// A constant of which nothing is known but its type's range.
  std::string any(DType type);
  void know(const std::string& fact) { known_.push_back(fact); }
  void forget_last_known() { known_.pop_back(); }

  /// From here on a load of that memory may give another value.
  void forget_cells(const std::set<uint32_t>& memories);
  void forget_all_cells() { loads_.clear(); }
  /// Where each buffer lies, by its id: what a load of it is of. Its declaration may stand in a loop, and move with it.
  std::map<uint32_t, std::string> lies = {};
  /// Memories that others may store to at any time: each load of them gives some value.
  std::set<uint32_t> unstable = {};
  bool all_unstable = false;
  /// Which of two executions of one statement terms are made for: 1 or 2; 0: there is one. Lanes are those of an
  /// execution, and what was declared in one stays declared, so that a formula may speak of both.
  int execution = 0;
  /// How many values were made of which nothing is known.
  size_t opened() const { return opened_; }
  /// What became known since then.
  std::vector<std::string> known_since(const Mark& mark) const {
    return {known_.begin() + static_cast<long>(mark.known), known_.end()};
  }

  /// The operation of the node is no error: arithmetic that does not wrap fits its type, a divisor of what is no data
  /// is not zero, a shift is below the width. Nothing where there is none.
  std::optional<std::string> no_error(const Expr& e);
  /// A script that asks whether `goal` follows: unsat means that it does.
  std::string script(const std::string& goal) const;

 private:
  /// The name of the text, which `line` declares.
  std::string named(const std::string& text, const std::function<std::string(const std::string&)>& line);
  std::string define(const char* sort, const std::string& text);
  std::string exact(const Expr& e);  // of +, -, * and <<, as mathematical integers
  std::string wrapped(DType type, const std::string& value);
  std::string compared(const Expr& e);
  std::string divided(const Expr& e);
  std::string bits(const Expr& e);
  std::string converted(const Expr& e);
  std::string loaded(const Expr& e);
  std::string lane(int lanes);

  std::vector<std::pair<std::string, std::string>> declared_;  // the line, and the text that it names
  std::map<std::string, std::string> named_;                   // text -> name
  std::vector<std::string> known_;
  std::map<uint32_t, std::string> bound_;      // variable -> term
  std::map<std::string, std::string> loads_;   // "buffer layout [indices]" -> constant
  std::map<std::string, uint32_t> memory_of_;  // the same -> memory
  size_t fresh_ = 0, opened_ = 0;
  bool linear_ = true;  // so far
};

}  // namespace hexproof::checker
