// Numbers that name atoms and classes of values: equal keys mean equal ones.
#pragma once
#include <string>

#include "verify/prove/solvers/arithmetic/linear.h"

namespace hexproof {

inline void push_wide(std::vector<uint64_t>& key, Wide v) {
  key.push_back(static_cast<uint64_t>(v));
  key.push_back(static_cast<uint64_t>(v >> 64));
}
inline void push_sum(std::vector<uint64_t>& key, const LinearSum& sum) {
  push_wide(key, sum.constant);
  for (const LinearTerm& t : sum.terms) key.push_back(t.atom), push_wide(key, t.factor);
}
inline void push_text(std::vector<uint64_t>& key, const std::string& text) {
  key.push_back(text.size());
  for (char c : text) key.push_back(static_cast<unsigned char>(c));
}
inline uint64_t type_key(DType t) { return uint64_t(t.code) << 32 | uint64_t(t.bits) << 16 | t.lanes; }
/// Which function an application is of: by its name and the types of its operands.
void push_function(std::vector<uint64_t>& key, const Expr& e);

inline LinearSum constant(Wide v) { return {v, {}}; }

enum : uint64_t { kVar = 1, kDiv, kMod, kProduct, kWrap, kNode, kSum, kFits };

}  // namespace hexproof
