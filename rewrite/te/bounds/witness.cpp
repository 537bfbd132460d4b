#include "rewrite/te/bounds/witness.h"

#include <algorithm>

#include "ir/visit.h"
#include "rewrite/te/bounds/evaluator.h"
#include "verify/access/linear.h"

namespace hexproof::te {
namespace {

constexpr int64_t kAll = 8192;  // so many points are all looked at

using Point = std::vector<int64_t>;

/// The ends, and where they were found.
struct Found : Ends {
  Point at_low, at_high;
  size_t low_read = 0, high_read = 0;
};

void widen(std::optional<Found>& all, const Found& more) {
  if (!all) {
    all = more;
    return;
  }
  if (more.low < all->low) all->low = more.low, all->at_low = more.at_low, all->low_read = more.low_read;
  if (more.high > all->high) all->high = more.high, all->at_high = more.at_high, all->high_read = more.high_read;
}

/// All values of a variable, or its ends and what is next to them.
std::vector<int64_t> values_of(const std::pair<int64_t, int64_t>& choice, bool all) {
  const auto [first, count] = choice;
  std::vector<int64_t> out;
  if (all || count <= 6) {
    for (int64_t k = 0; k < count; ++k) out.push_back(first + k);
  } else {
    for (int64_t k : {int64_t{0}, int64_t{1}, int64_t{2}, count / 2, count - 2, count - 1}) out.push_back(first + k);
  }
  return out;
}

/// Values to try, one variable after the other: an odometer.
class Odometer {
 public:
  explicit Odometer(std::vector<std::vector<int64_t>> tried) : tried_(std::move(tried)), at_(tried_.size(), 0) {}
  void put(Point& values, size_t from) const {
    for (size_t k = 0; k < at_.size(); ++k) values[from + k] = tried_[k][at_[k]];
  }
  bool next() {
    for (size_t k = at_.size(); k-- > 0;) {
      if (++at_[k] < tried_[k].size()) return true;
      at_[k] = 0;
    }
    return false;
  }

 private:
  std::vector<std::vector<int64_t>> tried_;
  std::vector<size_t> at_;
};

/// One index, for each iteration of the fixed variables that it depends on.
class Read {
 public:
  Read(const Asked& asked, size_t number, const Choices& choices, const std::set<Var>& fixed) : number_(number) {
    std::set<Var> all = free_vars(asked.index);
    for (const Expr& e : asked.conditions) all.merge(free_vars(e));
    // Ranges that have nothing to do with the index are left out.
    std::vector<Expr> conditions = asked.conditions, rest = asked.domains;
    for (bool more = true; more;) {
      more = false;
      for (size_t k = 0; k < rest.size(); ++k) {
        std::set<Var> its = free_vars(rest[k]);
        if (std::none_of(its.begin(), its.end(), [&](const Var& v) { return all.count(v) > 0; })) continue;
        all.merge(its);
        conditions.push_back(rest[k]);
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
        more = true;
        break;
      }
    }
    for (const Var& v : all) (fixed.count(v) ? fixed_ : moving_).push_back(v);
    vars_ = fixed_;
    vars_.insert(vars_.end(), moving_.begin(), moving_.end());
    int64_t product = 1;
    for (const Var& v : vars_) {
      auto it = choices.find(v);
      if (it == choices.end()) return;
      product = product > kAll ? product : product * it->second.second;
    }
    all_ = product <= kAll;
    for (const Var& v : vars_) {
      tried_.push_back(values_of(choices.at(v), all_));
      if (tried_.back().empty()) return;
    }
    index_.emplace(asked.index, vars_);
    known_ = index_->known();
    for (const Expr& e : conditions) {
      conditions_.emplace_back(e, vars_);
      known_ = known_ && conditions_.back().known();
    }
  }

  bool known() const { return known_; }
  bool all() const { return all_; }
  const std::vector<Var>& fixed() const { return fixed_; }
  const std::map<Point, Found>& found() const { return found_; }

  /// True as soon as one iteration asks for `extent` cells.
  bool look(int64_t extent) {
    const auto split = tried_.begin() + static_cast<std::ptrdiff_t>(fixed_.size());
    Odometer outer({tried_.begin(), split}), inner({split, tried_.end()});
    Point values(vars_.size());
    int64_t steps = 0;
    do {
      outer.put(values, 0);
      std::optional<Found> here;
      do {
        inner.put(values, fixed_.size());
        if (!all_ && ++steps > 4 * kAll) return false;
        const std::optional<int64_t> index = asked_at(values);
        if (!index) continue;
        if (!here || *index < here->low || *index > here->high) {
          widen(here, {{*index, *index}, values, values, number_, number_});
        }
      } while (inner.next());
      if (!here) continue;
      found_.emplace(Point(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(fixed_.size())), *here);
      if (here->high - here->low + 1 >= extent) return true;
    } while (outer.next());
    return false;
  }

  std::string text(const Point& values) const {
    std::string out;
    for (size_t k = 0; k < vars_.size(); ++k) {
      out += (out.empty() ? "" : ", ") + vars_[k].name() + " = " + std::to_string(values[k]);
    }
    return out.empty() ? "all" : out;
  }

 private:
  std::optional<int64_t> asked_at(const Point& values) {
    for (Evaluator& condition : conditions_) {
      const std::optional<int64_t> holds = condition(values);
      known_ = known_ && holds;
      if (!holds || *holds == 0) return std::nullopt;
    }
    const std::optional<int64_t> index = (*index_)(values);
    known_ = known_ && index;
    return index;
  }

  size_t number_;
  std::vector<Var> fixed_, moving_, vars_;
  std::vector<std::vector<int64_t>> tried_;
  std::optional<Evaluator> index_;
  std::vector<Evaluator> conditions_;
  bool all_ = false, known_ = false;
  std::map<Point, Found> found_;
};

std::string words(const std::vector<Read>& reads, const Found& f) {
  std::string out = std::to_string(f.low) + " for " + reads[f.low_read].text(f.at_low);
  if (f.high != f.low) out += "; " + std::to_string(f.high) + " for " + reads[f.high_read].text(f.at_high);
  return out;
}

}  // namespace

Needed needed(const std::vector<Asked>& asked, const Choices& choices, const std::set<Var>& fixed, int64_t extent) {
  Needed out;
  std::vector<Read> reads;
  std::set<Var> around;
  for (const Asked& one : asked) {
    reads.emplace_back(one, reads.size(), choices, fixed);
    around.insert(reads.back().fixed().begin(), reads.back().fixed().end());
  }
  if (reads.empty() || std::any_of(reads.begin(), reads.end(), [](const Read& r) { return !r.known(); })) return out;
  for (Read& read : reads) {
    if (!read.look(extent)) continue;
    for (const auto& [point, ends] : read.found()) {
      if (ends.high - ends.low + 1 >= extent) out.witness = words(reads, ends);
    }
    return out;
  }
  // What several reads ask for together.
  out.fixed.assign(around.begin(), around.end());
  out.complete = std::all_of(reads.begin(), reads.end(), [](const Read& r) { return r.all() && r.known(); });
  int64_t product = 1;
  for (const Var& v : out.fixed) product = product > kAll ? product : product * choices.at(v).second;
  const bool all = product <= kAll;
  out.complete = out.complete && all;
  std::vector<std::vector<int64_t>> tried;
  for (const Var& v : out.fixed) tried.push_back(values_of(choices.at(v), all));
  std::vector<std::vector<size_t>> places;  // of each read's fixed variables among all
  for (const Read& read : reads) {
    places.emplace_back();
    for (const Var& v : read.fixed()) {
      places.back().push_back(
          static_cast<size_t>(std::find(out.fixed.begin(), out.fixed.end(), v) - out.fixed.begin()));
    }
  }
  Odometer points(tried);
  Point values(out.fixed.size());
  int64_t steps = 0;
  do {
    points.put(values, 0);
    std::optional<Found> here;
    for (size_t r = 0; r < reads.size(); ++r) {
      Point its;
      for (size_t k : places[r]) its.push_back(values[k]);
      const auto it = reads[r].found().find(its);
      if (it != reads[r].found().end()) widen(here, it->second);
    }
    if (!here) continue;
    out.ends.emplace_back(values, *here);
    if (here->high - here->low + 1 >= extent) {
      out.witness = words(reads, *here);
      return out;
    }
  } while (points.next() && ++steps < 4 * kAll);
  return out;
}

std::vector<Expr> ends_of(const Expr& index, const Choices& choices, const std::set<Var>& fixed) {
  VarMap first, last;
  for (const Var& v : free_vars(index)) {
    if (fixed.count(v)) continue;
    const auto [from, count] = choices.at(v);
    first[v] = imm(v.dtype(), from), last[v] = imm(v.dtype(), from + count - 1);
  }
  const Expr a = linear(substitute(index, first)).expr(kInt32), z = linear(substitute(index, last)).expr(kInt32);
  if (!a || !z || !(a->dtype == z->dtype)) return {};
  return {a, min(a, z)};
}

std::optional<SmallerBox> smaller_box(const Needed& needed, const std::vector<Expr>& bases) {
  if (!needed.complete || needed.ends.empty()) return std::nullopt;
  // The base of an iteration lies between what keeps its last cell and its first cell in the box.
  int64_t extent = 1;
  for (const auto& [at, ends] : needed.ends) extent = std::max(extent, ends.high - ends.low + 1);
  int64_t least = needed.ends[0].second.low, greatest = needed.ends[0].second.high - extent + 1;
  for (const auto& [at, ends] : needed.ends) {
    least = std::min(least, ends.low), greatest = std::max(greatest, ends.high - extent + 1);
  }
  if (greatest <= least) return SmallerBox{i32(least), extent};  // it does not move
  std::optional<SmallerBox> best;
  int best_cost = 4;
  for (const Expr& base : bases) {
    Evaluator value(base, needed.fixed);
    std::vector<int64_t> at;
    std::set<int64_t> shifts;
    for (const auto& [point, ends] : needed.ends) {
      const std::optional<int64_t> b = value(point);
      if (!b) break;
      at.push_back(*b);
      shifts.insert(ends.low - *b), shifts.insert(ends.high - extent + 1 - *b);
    }
    if (at.size() < needed.ends.size() || shifts.size() > 64) continue;
    for (int64_t shift : shifts) {
      for (int cost = 0; cost < best_cost; ++cost) {  // held below by 1, above by 2
        bool holds = true;
        for (size_t k = 0; k < at.size() && holds; ++k) {
          int64_t b = at[k] + shift;
          if (cost & 2) b = std::min(b, greatest);
          if (cost & 1) b = std::max(b, least);
          const Ends& ends = needed.ends[k].second;
          holds = b <= ends.low && ends.high < b + extent;
        }
        if (!holds) continue;
        Linear moved = linear(base);
        moved.constant += shift;
        Expr e = moved.expr(kInt32);
        if (!e) continue;
        if (cost & 2) e = min(e, i32(greatest));
        if (cost & 1) e = max(e, i32(least));
        best = SmallerBox{e, extent};
        best_cost = cost;
      }
    }
  }
  return best;
}

}  // namespace hexproof::te
