#include "ir/function.h"

#include <algorithm>
#include <set>

#include "ir/base/diagnostic.h"
#include "ir/layout/index_map.h"
#include "ir/visit.h"

namespace hexproof {

std::vector<Buffer> PrimFunc::buffer_params() const {
  std::vector<Buffer> out;
  for (const Param& p : params) {
    if (p.buffer) out.push_back(p.buffer);
  }
  return out;
}

std::vector<Var> PrimFunc::scalars() const {
  std::vector<Var> out;
  std::set<Var> seen;
  auto add = [&](const Var& v) {
    if (seen.insert(v).second) out.push_back(v);
  };
  for (const Param& p : params) {
    if (!p.buffer) add(p.var);
  }
  for (const Buffer& b : buffer_params()) {
    for (const Expr& part : layout_exprs(b)) {
      visit_expr(part, [&](const Expr& e) {
        if (e->op == Op::Var) add(e->var());
        return true;
      });
    }
  }
  return out;
}

std::vector<std::string> fast_math_flags(const std::string& text, const std::string& origin) {
  static const std::set<std::string> known = {"nnan", "ninf", "nsz", "reassoc", "contract"};
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find_first_of(" ,", at), text.size());
    std::string flag = text.substr(at, end - at);
    at = end + 1;
    if (flag.empty()) continue;
    if (!known.count(flag)) {
      throw Error(origin + ": no flag '" + flag + "'; there are nnan, ninf, nsz, reassoc and contract");
    }
    if (std::find(out.begin(), out.end(), flag) == out.end()) out.push_back(flag);
  }
  return out;
}

std::string join_flags(const std::vector<std::string>& flags) {
  std::string out;
  for (const std::string& flag : flags) out += (out.empty() ? "" : " ") + flag;
  return out;
}

std::vector<std::string> PrimFunc::granted_flags() const {
  auto it = attrs.find(kFastMathAttribute);
  if (it == attrs.end()) return {};
  const std::string* text = std::get_if<std::string>(&it->second);
  const Expr* e = std::get_if<Expr>(&it->second);
  if (e && *e && (*e)->op == Op::StringImm) text = &(*e)->text();
  std::string origin = std::string("attribute ") + kFastMathAttribute + " of " + name;
  if (!text) throw Error(span, origin + " is no text");
  return fast_math_flags(*text, origin);
}

bool PrimFunc::granted(const std::string& flag) const {
  std::vector<std::string> flags = granted_flags();
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

std::vector<Expr> IndexMap::apply(const std::vector<Expr>& indices) const {
  VarMap map;
  for (size_t i = 0; i < inputs.size(); ++i) map.emplace(inputs[i], indices.at(i));
  std::vector<Expr> out;
  for (const Expr& e : outputs) out.push_back(substitute(e, map));
  return out;
}

}  // namespace hexproof
