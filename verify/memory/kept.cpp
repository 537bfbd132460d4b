#include "verify/memory/kept.h"

#include <algorithm>
#include <deque>

namespace hexproof {

namespace {

constexpr size_t kKept = 8;

struct Kept {
  Stmt body;  // held, so that no other program gets its address
  std::vector<Param> params;
  std::vector<std::string> flags;
  std::optional<Path> unseen;
  std::optional<std::set<Var>> about;
  std::shared_ptr<const Content> content;
};

bool same_params(const std::vector<Param>& a, const std::vector<Param>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Param& x, const Param& y) { return x.var == y.var && x.buffer == y.buffer; });
}

}  // namespace

std::shared_ptr<const Content> content_of(const PrimFunc& func, const std::optional<Path>& unseen,
                                          const std::optional<std::set<Var>>& about) {
  thread_local std::deque<Kept> kept;
  std::vector<std::string> flags = func.granted_flags();
  auto found = std::find_if(kept.begin(), kept.end(), [&](const Kept& k) {
    return k.body.get() == func.body.get() && k.unseen == unseen && k.about == about && k.flags == flags &&
           same_params(k.params, func.params);
  });
  if (found != kept.end()) return found->content;
  auto content = std::make_shared<const Content>(func, unseen, about);
  kept.push_front({func.body, func.params, std::move(flags), unseen, about, content});
  if (kept.size() > kKept) kept.pop_back();
  return content;
}

}  // namespace hexproof
