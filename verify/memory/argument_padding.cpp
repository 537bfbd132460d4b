#include "verify/memory/argument_padding.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

std::string key_of(size_t param) { return "hexproof.padding." + std::to_string(param); }

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> out;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    out.push_back(name);
  }
  return out;
}

/// The name that a variable has in the text of its function, unless that has several of this name.
std::string printed(const Var& v) { return print(Expr(v)); }

/// One condition over the same variables?
bool same(const Expr& a, const Expr& b) {
  const std::set<Var> vars = free_vars(a);
  if (a == b || vars != free_vars(b)) return a == b;
  const std::vector<std::string> texts = print_over({vars.begin(), vars.end()}, {a, b}).exprs;
  return texts[0] == texts[1];
}

/// The text as the condition of a function that has the indices and the scalars as parameters.
std::optional<ArgumentPadding> read(const PrimFunc& func, const Buffer& buffer, const std::string& text) {
  size_t colon = text.find(':');
  if (!text.starts_with("lambda ") || colon == std::string::npos) return std::nullopt;
  std::vector<std::string> indices = names_in(text.substr(7, colon - 7));
  if (indices.size() != buffer->ndim()) return std::nullopt;
  std::string header;
  std::vector<Var> scalars;
  for (size_t d = 0; d < indices.size(); ++d) header += indices[d] + ": T." + buffer->shape[d]->dtype.str() + ", ";
  for (const Var& v : func.scalars()) {
    if (!v.dtype().is_integer() || std::find(indices.begin(), indices.end(), printed(v)) != indices.end()) continue;
    header += printed(v) + ": T." + v.dtype().str() + ", ";
    scalars.push_back(v);
  }
  PrimFunc parsed =
      parse_module("def f(" + header + "):\n    T.evaluate(" + text.substr(colon + 1) + ")\n", "<hexproof.padding>")
          .functions.at(0);
  const Evaluate* condition = parsed.body.as<Evaluate>();
  if (!condition || condition->value->dtype != kBool) return std::nullopt;
  ArgumentPadding out;
  VarMap same;
  for (size_t k = 0; k < parsed.params.size(); ++k) {
    if (k < indices.size()) {
      out.indices.push_back(parsed.params[k].var);
    } else {
      same.emplace(parsed.params[k].var, Expr(scalars.at(k - indices.size())));
    }
  }
  out.predicate = substitute(condition->value, same);
  return out;
}

}  // namespace

Expr ArgumentPadding::at(const std::vector<Expr>& cell) const {
  VarMap values;
  for (size_t d = 0; d < indices.size(); ++d) {
    const Expr& e = cell.at(d);
    DType type = indices[d].dtype();
    values.emplace(indices[d], e->dtype == type                             ? e
                               : as_int(e) && fits_type(type, int_value(e)) ? imm(type, int_value(e))
                                                                            : cast(type, e));
  }
  return substitute(predicate, values);
}

std::optional<bool> ArgumentPadding::holds(const Valuation& scalars, const std::vector<int64_t>& cell) const {
  if (unreadable) return std::nullopt;
  std::vector<Expr> at_cell;
  for (size_t d = 0; d < indices.size(); ++d) at_cell.push_back(imm(indices[d].dtype(), cell.at(d)));
  try {
    return Evaluator(scalars).holds(at(at_cell));
  } catch (const Undefined&) {
    return std::nullopt;
  }
}

std::optional<ArgumentPadding> argument_padding(const PrimFunc& func, size_t param) {
  auto it = func.attrs.find(key_of(param));
  if (it == func.attrs.end() || param >= func.params.size() || !func.params[param].buffer) return std::nullopt;
  const Buffer& buffer = func.params[param].buffer;
  const std::string* text = std::get_if<std::string>(&it->second);
  const Expr* e = std::get_if<Expr>(&it->second);
  if (e && *e && (*e)->op == Op::StringImm) text = &(*e)->text();
  try {
    std::optional<ArgumentPadding> found = text ? read(func, buffer, *text) : std::nullopt;
    if (found) return found;
  } catch (const std::exception&) {
    // A text that does not parse: below.
  }
  ArgumentPadding every;
  for (size_t d = 0; d < buffer->ndim(); ++d) {
    every.indices.push_back(Var::fresh("p" + std::to_string(d), buffer->shape[d]->dtype));
  }
  every.predicate = boolean(true), every.unreadable = true;
  return every;
}

std::optional<PrimFunc> with_argument_padding(PrimFunc func, size_t param, const std::vector<Var>& indices,
                                              const Expr& predicate) {
  if (!predicate) {
    func.attrs.erase(key_of(param));
    return func;
  }
  std::set<Var> free = free_vars(predicate);
  const std::vector<Var> scalars = func.scalars();
  for (const Var& v : free) {  // what is neither an index nor a scalar has no name here
    const bool known = std::find(indices.begin(), indices.end(), v) != indices.end() ||
                       std::find(scalars.begin(), scalars.end(), v) != scalars.end();
    if (!known) return std::nullopt;
  }
  for (const Var& v : scalars) {
    if (!free.count(v)) continue;
    for (const Var& other : scalars) {
      if (!(other == v) && printed(other) == printed(v)) return std::nullopt;
    }
  }
  // Indices get names that no scalar has.
  std::set<std::string> taken;
  for (const Var& v : scalars) taken.insert(printed(v));
  std::string text = "lambda ";
  VarMap renamed;
  for (size_t d = 0; d < indices.size(); ++d) {
    std::string name = printed(indices[d]);
    while (!taken.insert(name).second) name += "_";
    renamed.emplace(indices[d], Expr(Var::fresh(name, indices[d].dtype())));
    text += (d ? ", " : "") + name;
  }
  func.attrs[key_of(param)] = text + ": " + print(substitute(predicate, renamed));
  // What is known of the padding is what is read there: that is it, or nothing is said.
  const std::optional<ArgumentPadding> back = argument_padding(func, param);
  if (!back || !same(back->at({indices.begin(), indices.end()}), predicate)) return std::nullopt;
  return func;
}

bool same_argument_padding(const PrimFunc& a, const PrimFunc& b) {
  VarMap scalars;
  const std::vector<Var> of_a = a.scalars(), of_b = b.scalars();
  if (of_a.size() != of_b.size() || a.params.size() != b.params.size()) return false;
  for (size_t k = 0; k < of_a.size(); ++k) scalars.emplace(of_b[k], Expr(of_a[k]));
  for (size_t k = 0; k < a.params.size(); ++k) {
    const std::optional<ArgumentPadding> one = argument_padding(a, k), other = argument_padding(b, k);
    if (one.has_value() != other.has_value()) return false;
    if (!one) continue;
    const std::vector<Expr> cell(one->indices.begin(), one->indices.end());
    if (one->indices.size() != other->indices.size() || !same(one->predicate, substitute(other->at(cell), scalars)))
      return false;
  }
  return true;
}

}  // namespace hexproof
