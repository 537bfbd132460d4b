#include "rewrite/passes/strategy.h"

#include "rewrite/expr_rules/strategy.h"

namespace hexproof {

std::optional<Path> Strategy::scope() const {
  if (loop_) return find_loop(func(), loop_);
  if (block_.empty()) return Path{};
  std::vector<Path> found = find_blocks(func(), block_);
  if (found.size() != 1) return std::nullopt;
  Path scope = found[0];
  Stmt here = func().body;
  Path at;
  std::optional<Path> outermost;
  for (int step : found[0]) {
    if (here.as<Block>()) outermost.reset();
    if (here.as<For>() && !outermost) outermost = at;
    here = children(here)[static_cast<size_t>(step)];
    at.push_back(step);
  }
  return outermost ? outermost : scope;
}

std::vector<Path> Strategy::places(const std::function<bool(const Stmt&)>& f) const {
  std::optional<Path> where = scope();
  if (!where) return {};
  std::vector<Path> found = find_all(func(), f);
  std::erase_if(found, [&](const Path& at) { return !is_within(at, *where); });
  return found;
}

bool Strategy::apply(const RuleCall& call) {
  try {
    derivation.apply(call, prover, primitive_, span_);
    return true;
  } catch (const NotApplicable&) {
    return false;
  } catch (const Refused& refused) {
    if (!refusal_) refusal_ = refused;
    return false;
  }
}

int Strategy::everywhere_by(const std::function<RuleCall(const Path&)>& call,
                            const std::function<bool(const Stmt&)>& f) {
  int count = 0;
  for (size_t k = places(f).size(); k-- > 0;) {
    std::vector<Path> found = places(f);
    if (k >= found.size()) continue;
    count += apply(call(found[k]));
  }
  return count;
}

bool Strategy::simplify(const Path& at, bool conditions) {
  return hexproof::simplify(derivation, prover, at, primitive_, span_, conditions);
}

}  // namespace hexproof
