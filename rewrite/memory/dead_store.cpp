#include "rewrite/memory/dead_store.h"

#include "ir/visit.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/site/places.h"

namespace hexproof {

std::string print(const Again& again) {
  std::string out;
  for (size_t k = 0; k < again.by.size(); ++k) out += (k ? "." : "") + std::to_string(again.by[k]);
  return out + "#" + std::to_string(again.witness);
}

Path place_in(const Access& access) {
  Path path(access.order.begin(), access.order.end() - 1);
  for (int& step : path) step -= kOrderParts;
  return path;
}

Path joined(const Path& a, const Path& b) {
  Path out = a;
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

namespace {

struct Lost {
  std::vector<Access> mine;                      // what the store writes
  std::vector<std::vector<Obligation>> written;  // of each: the later store writes the cell again
  std::vector<std::vector<Access>> reads;        // of the statements between the two
  std::vector<Expr> given;                       // around both
};

Lost look(const PrimFunc& func, const DeadStore& what, const Again& again) {
  const Path &store = what.store, &by = again.by;
  record_at<Store>(func, store, "a store");
  record_at<Store>(func, by, "a later store");
  size_t common = 0;
  while (common < store.size() && common < by.size() && store[common] == by[common]) ++common;
  if (common == store.size() || common == by.size()) throw NotApplicable("the two stores are one");
  const Path around(store.begin(), store.begin() + static_cast<std::ptrdiff_t>(common));
  record_at<Seq>(func, around, "a sequence around both stores");
  size_t k = static_cast<size_t>(store[common]), m = static_cast<size_t>(by[common]);
  if (k > m) throw NotApplicable("the other store comes first");

  const Period period(func, below(around, static_cast<int>(k)), below(around, static_cast<int>(m)));
  Lost out;
  out.given = period.given();
  std::vector<Access> writes;
  for (size_t part = k; part <= m; ++part) {
    Path path = below(around, static_cast<int>(part));
    std::vector<Access> reads;
    for (const Access& access : period.accesses(path)) {
      Path at = joined(path, place_in(access));
      if (part == k && access.write && at == store) out.mine.push_back(access);
      if (part == m && access.write && access.exact && at == by) writes.push_back(access);
      if (!access.write && !(what.copy && is_within(at, *what.copy))) reads.push_back(access);
    }
    if (out.mine.empty()) throw NotApplicable("the store writes memory that its own statement allocates");
    // Operands of the store itself are read before it writes.
    bool operands = !what.copy && part == k && common + 1 == store.size();
    if (!operands) out.reads.push_back(std::move(reads));
  }
  Place place = place_of(func, stmt_at(func, store));
  for (const Access& access : out.mine) {
    auto ways = covers(what.rule, "the cell is written again", place, out.given, writes, access);
    if (again.witness < 0 || static_cast<size_t>(again.witness) >= ways.size()) {
      throw NotApplicable("the later store is not seen to write the cell again");
    }
    out.written.push_back(std::move(ways[static_cast<size_t>(again.witness)]));
  }
  return out;
}

void owe_unseen(const PrimFunc& func, const DeadStore& what, const Lost& lost, const std::vector<Expr>& given,
                std::vector<Obligation>* needs) {
  for (const std::vector<Access>& reads : lost.reads) {
    std::string why = what.copy ? "nothing else reads the cell before it is overwritten"
                                : "nothing reads the cell before it is overwritten";
    owe_no_conflict(what.rule, why, func, stmt_at(func, what.store), join(lost.given, given), lost.mine,
                    renamed(reads, {}), Sums::Fixed, needs);
  }
}

std::vector<Expr> remaining(const std::vector<Expr>& lost) {
  std::vector<Expr> out;
  for (const Expr& e : lost) out.push_back(lnot(e));
  return out;
}

}  // namespace

void lost_in_part(const PrimFunc& func, const DeadStore& what, const Again& again, std::vector<Expr>* lost,
                  std::vector<Obligation>* needs) {
  Lost found = look(func, what, again);
  if (found.mine.size() != 1) throw NotApplicable("the store writes several cells at once");
  Expr condition;
  for (const Obligation& o : found.written[0]) condition = condition ? land(condition, o.goal) : o.goal;
  if (!condition || is_data(condition)) throw NotApplicable("whether the cell is written again depends on memory");
  owe_unseen(func, what, found, join(remaining(*lost), {condition}), needs);
  lost->push_back(condition);
}

void lost_altogether(const PrimFunc& func, const DeadStore& what, const Again& again, const std::vector<Expr>& lost,
                     std::vector<Obligation>* needs) {
  Lost found = look(func, what, again);
  owe_unseen(func, what, found, remaining(lost), needs);
  for (std::vector<Obligation>& written : found.written) {
    for (Obligation& o : written) {
      o.given = join(std::move(o.given), remaining(lost));
      needs->push_back(std::move(o));
    }
  }
}

}  // namespace hexproof
