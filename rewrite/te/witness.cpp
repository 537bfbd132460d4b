#include "rewrite/te/witness.h"

#include <algorithm>

#include "ir/visit.h"
#include "rewrite/layout/box.h"

namespace hexproof::te {
namespace {

constexpr int64_t kAll = 8192;  // so many points are all looked at

using Point = std::vector<int64_t>;

/// Nothing for what has no value here.
std::optional<bool> holds(const Expr& e, const std::vector<Var>& vars, const Point& values) {
  if (e->op == Op::And || e->op == Op::Or) {
    const auto a = holds(e->args[0], vars, values), b = holds(e->args[1], vars, values);
    if (!a || !b) return std::nullopt;
    return e->op == Op::And ? *a && *b : *a || *b;
  }
  if (e->op == Op::Not) {
    const auto a = holds(e->args[0], vars, values);
    return a ? std::optional(!*a) : std::nullopt;
  }
  if (e->op == Op::IntImm && e->dtype.is_bool()) return e->int_value() != 0;
  if (e->args.size() != 2) return std::nullopt;
  const auto a = value_of(e->args[0], vars, values), b = value_of(e->args[1], vars, values);
  if (!a || !b) return std::nullopt;
  if (e->op == Op::LT) return *a < *b;
  if (e->op == Op::LE) return *a <= *b;
  if (e->op == Op::GT) return *a > *b;
  if (e->op == Op::GE) return *a >= *b;
  if (e->op == Op::EQ) return *a == *b;
  if (e->op == Op::NE) return *a != *b;
  return std::nullopt;
}

struct Spread {
  int64_t low, high;
  std::string at_low, at_high;
};

class Search {
 public:
  Search(const Choices& choices, const std::set<Var>& fixed) : choices_(choices), fixed_(fixed) {}

  /// False: the expression has no value somewhere.
  bool add(const Asked& asked, int64_t extent, std::optional<std::string>* found) {
    std::set<Var> all = free_vars(asked.index);
    for (const Expr& e : asked.conditions) all.merge(free_vars(e));
    const std::vector<Var> vars(all.begin(), all.end());
    std::vector<Point> tried;
    int64_t product = 1;
    for (const Var& v : vars) {
      auto it = choices_.find(v);
      if (it == choices_.end()) return false;
      const auto [first, count] = it->second;
      product = product > kAll ? product : product * count;
      tried.emplace_back();
      for (int64_t k = 0; k < std::min<int64_t>(count, kAll); ++k) tried.back().push_back(first + k);
    }
    if (product > kAll) {  // the ends, and what is next to them
      for (Point& values : tried) {
        if (values.size() > 6) {
          const size_t n = values.size();
          values = {values[0], values[1], values[2], values[n / 2], values[n - 2], values[n - 1]};
        }
      }
    }
    std::vector<size_t> at(vars.size(), 0);
    for (int64_t steps = 0; steps < 4 * kAll; ++steps) {
      Point values(vars.size());
      for (size_t k = 0; k < vars.size(); ++k) values[k] = tried[k][at[k]];
      look(asked, vars, values, extent, found);
      if (*found) return true;
      size_t k = 0;
      while (k < at.size() && ++at[k] == tried[k].size()) at[k++] = 0;
      if (k == at.size()) break;
    }
    return true;
  }

 private:
  void look(const Asked& asked, const std::vector<Var>& vars, const Point& values, int64_t extent,
            std::optional<std::string>* found) {
    for (const Expr& e : asked.conditions) {
      if (holds(e, vars, values) != std::optional(true)) return;
    }
    const auto index = value_of(asked.index, vars, values);
    if (!index) return;
    std::map<Var, int64_t> still;
    std::string text;
    for (size_t k = 0; k < vars.size(); ++k) {
      if (fixed_.count(vars[k])) still[vars[k]] = values[k];
      text += (text.empty() ? "" : ", ") + vars[k].name() + " = " + std::to_string(values[k]);
    }
    auto [it, fresh] = seen_.emplace(still, Spread{*index, *index, text, text});
    Spread& s = it->second;
    if (*index < s.low) s.low = *index, s.at_low = text;
    if (*index > s.high) s.high = *index, s.at_high = text;
    if (s.high - s.low + 1 < extent) return;
    *found = std::to_string(s.low) + " for " + (s.at_low.empty() ? "all" : s.at_low);
    if (s.high != s.low) *found = **found + "; " + std::to_string(s.high) + " for " + s.at_high;
  }

  const Choices& choices_;
  const std::set<Var>& fixed_;
  std::map<std::map<Var, int64_t>, Spread> seen_;
};

}  // namespace

std::optional<std::string> spread(const std::vector<Asked>& asked, const Choices& choices, const std::set<Var>& fixed,
                                  int64_t extent) {
  Search search(choices, fixed);
  std::optional<std::string> found;
  for (const Asked& one : asked) {
    if (found || !search.add(one, extent, &found)) break;
  }
  return found;
}

}  // namespace hexproof::te
