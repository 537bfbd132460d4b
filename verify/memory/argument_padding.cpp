#include "verify/memory/argument_padding.h"

#include <algorithm>
#include <optional>
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
    if (!v.dtype().is_integer() || std::find(indices.begin(), indices.end(), v.name()) != indices.end()) continue;
    header += v.name() + ": T." + v.dtype().str() + ", ";
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
  every.predicate = boolean(true);
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
  for (const Var& v : func.scalars()) {
    if (!free.count(v)) continue;
    for (const Var& other : func.scalars()) {
      if (!(other == v) && other.name() == v.name()) return std::nullopt;
    }
  }
  // Indices get names that no scalar has.
  std::set<std::string> taken;
  for (const Var& v : func.scalars()) taken.insert(v.name());
  std::string text = "lambda ";
  VarMap renamed;
  for (size_t d = 0; d < indices.size(); ++d) {
    std::string name = indices[d].name();
    while (!taken.insert(name).second) name += "_";
    renamed.emplace(indices[d], Expr(Var::fresh(name, indices[d].dtype())));
    text += (d ? ", " : "") + name;
  }
  func.attrs[key_of(param)] = text + ": " + print(substitute(predicate, renamed));
  return func;
}

}  // namespace hexproof
