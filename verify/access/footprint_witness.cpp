#include "verify/access/footprint_witness.h"

#include "verify/access/constant_bounds.h"
#include "verify/access/iteration_solver.h"

namespace hexproof {

std::vector<Witness> witnesses(const Access& write, const Access& read, const std::vector<Expr>& given,
                               const VarMap& hints) {
  if (!may_alias(write.buffer, read.buffer) || write.anywhere || read.anywhere) return {};
  if (write.buffer->dtype != read.buffer->dtype) return {};
  ConstantBounds bounds;
  for (const Expr& e : given) bounds.learn(e);
  for (const Expr& e : domain_of(read)) bounds.learn(e);
  std::vector<Witness> out;
  struct Attempt {
    bool open, overlapped, circles;
  };
  auto attempt = [&](int free_value, Overlap overlap, bool unrolled) {
    IterationSolver solver(write, read, bounds, hints, overlap, unrolled);
    if (std::optional<Witness> witness = solver.solve(free_value)) out.push_back(std::move(*witness));
    return Attempt{solver.open(), solver.overlapped(), solver.circles()};
  };
  auto all_attempts = [&](bool unrolled) {
    const Attempt first = attempt(0, Overlap::Clamp, unrolled);
    if (first.open) {
      if (!hints.empty()) attempt(1, Overlap::Clamp, unrolled);
      attempt(2, Overlap::Clamp, unrolled);
    }
    if (first.overlapped) attempt(0, Overlap::FirstTakesAll, unrolled);
    if (first.overlapped) attempt(0, Overlap::RestTakesAll, unrolled);
    return first.circles;
  };
  if (all_attempts(false)) all_attempts(true);
  return out;
}

std::vector<std::vector<Obligation>> covers(const std::string& rule, const std::string& why, const Place& where,
                                            const std::vector<Expr>& given, const std::vector<Access>& writes,
                                            const Access& read) {
  std::vector<Expr> known = given;
  for (Expr& e : domain_of(read)) known.push_back(std::move(e));
  std::vector<std::vector<Obligation>> out;
  for (const Access& write : writes) {
    if (!write.write || write.fills || !write.exact) continue;
    for (const Witness& witness : witnesses(rename_apart(write), read, known)) {
      std::vector<Obligation> set;
      for (const Expr& goal : witness.conditions) set.push_back({rule, why, where, known, goal});
      out.push_back(as_one_way(std::move(set)));
    }
  }
  return out;
}

}  // namespace hexproof
