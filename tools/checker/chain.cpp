// The programs of a certificate, from the source to the last one.
#include <algorithm>
#include <set>

#include "ir/link/link.h"
#include "ir/text/assumes.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "tools/checker/certificate.h"

namespace hexproof::checker {
namespace {

std::string print_all(const std::vector<Expr>& exprs) {
  std::string out;
  for (const Expr& e : exprs) out += print(e) + ",";
  return out;
}

/// What a caller sees of a parameter's memory and a step never changes.
std::string print_memory(const Buffer& b) {
  return b->dtype.str() + " " + b->scope + " [" + print_all(b->strides) + "] " +
         (b->elem_offset ? print(b->elem_offset) : "0");
}
/// And what it changes only with a layout that it lists.
std::string print_shape(const Buffer& b) {
  std::string out = print_all(b->shape);
  for (int axis : b->axis_separators) out += "|" + std::to_string(axis);
  return out;
}

/// Is a change of the parameter's layout listed with the step?
bool says_so(const Json& changes, size_t param) {
  const auto is = [&](const Json& change) { return change.at("parameter") == param; };
  return std::any_of(changes.begin(), changes.end(), is);
}

/// What is said of the arguments in the end is what the steps list, one layout over the other. How many maps of
/// several steps are written as one: that text is not compared.
size_t composed_maps(const Json& whole, const Json& steps) {
  std::map<size_t, Json> listed;
  for (const Json& step : steps) {
    for (const Json& change : step.at("interface")) {
      auto [found, first] = listed.emplace(change.at("parameter").get<size_t>(), change);
      if (first) continue;
      Json& all = found->second;
      for (const Json& layer : change.at("layers")) all["layers"].push_back(layer);
      all["shape_after"] = change.at("shape_after");
      all["written"] = all.at("written").get<bool>() || change.at("written").get<bool>();
      all["map"] = "";
    }
  }
  std::map<size_t, Json> said;
  for (Json change : whole) {
    const auto found = listed.find(change.at("parameter").get<size_t>());
    if (found != listed.end() && found->second.at("map") == "") change["map"] = "";
    said.emplace(change.at("parameter").get<size_t>(), change);
  }
  if (said != listed || whole.size() != said.size())
    throw Bad("certificate.json", "says another interface than its steps");
  return static_cast<size_t>(
      std::count_if(listed.begin(), listed.end(), [](const auto& one) { return one.second.at("map") == ""; }));
}

/// `changes`: the layouts of parameters that may be others.
void demand_same_interface(const PrimFunc& last, const PrimFunc& next, const std::string& file, const Json& changes) {
  if (last.granted_flags() != next.granted_flags()) throw Bad(file, "is granted other flags than the program before");
  if (next.params.size() != last.params.size()) throw Bad(file, "has other parameters than the step before");
  const bool lowers = next.attrs.count("hexproof.lowered") > last.attrs.count("hexproof.lowered");
  for (size_t k = 0; k < next.params.size(); ++k) {
    const Buffer &a = last.params[k].buffer, &b = next.params[k].buffer;
    bool changed = !a != !b;
    // (What the source assumes of scalars is known of those of the same names.)
    const Var &x = last.params[k].var, &y = next.params[k].var;
    if (!a && !b) changed = !(x.dtype() == y.dtype()) || x.name() != y.name();
    const std::string padding = "hexproof.padding." + std::to_string(k);  // what the caller owes of its cells
    auto pads = [&](const PrimFunc& f) { return f.attrs.count(padding) ? f.attrs.at(padding) : Annotation(); };
    changed |= pads(last) != pads(next) && !says_so(changes, k) && !(lowers && !next.attrs.count(padding));
    if (a && b) {
      changed |= print_memory(a) != print_memory(b) || (print_shape(a) != print_shape(b) && !says_so(changes, k));
    }
    if (changed) throw Bad(file, "changes parameter " + std::to_string(k) + ", and the step does not say so");
  }
}

/// Leaves the premises that speak of scalars alone which stand for one value in two programs: scalar parameters, in one
/// place under one name; sizes, where one argument of a shape that no layout changes gives them.
void keep_premises(const PrimFunc& last, const PrimFunc& next, const Json& changes, Premises* given) {
  std::set<std::string> same;
  for (size_t k = 0; k < std::min(last.params.size(), next.params.size()); ++k) {
    const Buffer &a = last.params[k].buffer, &b = next.params[k].buffer;
    const std::string name = last.params[k].var.name();
    if (!a && !b && name == next.params[k].var.name()) same.insert(name);
    if (!a || !b || print_shape(a) != print_shape(b) || says_so(changes, k)) continue;
    for (const Expr& extent : a->shape) {
      if (extent->op == Op::Var) same.insert(extent->var().name());
    }
  }
  std::erase_if(*given, [&](const Expr& premise) {
    const std::set<Var> vars = free_vars(premise);
    return !std::all_of(vars.begin(), vars.end(), [&](const Var& v) { return same.count(v.name()) > 0; });
  });
}

/// With what it calls put in.
Linked linked(const IRModule& module, const std::string& name, const char* file, std::vector<Need>* needs) {
  return link(module, name, [&](const Expr& a, const Expr& b) {
    needs->push_back(equal_always(a, b, file));
    return true;
  });
}

/// `of`: what the certificate says of the function; `final`: the functions at the end.
Chain chain_of(const Files& files, const IRModule& module, const std::string& name, const Json& of,
               const IRModule& final, bool followed) {
  const PrimFunc* found = find_function(module, name);
  if (!found) throw Bad("source.py", "has no function '" + name + "'");
  if (found->attrs.count("hexproof.lowered")) throw Bad("source.py", "says that it is lowered");
  const PrimFunc* end = find_function(final, name);
  if (!end) throw Bad("final.py", "has no function '" + name + "'");
  const std::string flags = of.at("granted_flags");
  if (flags != join_flags(end->granted_flags()))
    throw Bad("certificate.json", "says other granted flags than its programs");
  Chain out;
  out.given = premises(*found);
  for (const Buffer& buffer : found->buffer_params()) {
    for (const Expr& extent : buffer->shape) out.open_assumes += !is_modelled(extent);
  }
  Linked whole = linked(module, name, "source.py", &out.linked);
  for (const CalleeAssume& one : whole.assumes) {
    Stmt at = whole.func.body;
    for (int k : one.path) at = children(at)[static_cast<size_t>(k)];
    visit_stmt(find_function(module, one.callee)->body, [&](const Stmt& s) {
      const bool is = s.as<Assume>() && s->span.line == at->span.line && s->span.column == at->span.column;
      if (is && !is_data(s.as<Assume>()->condition)) out.of_callees.insert(at.get());
      return true;
    });
  }
  out.source = std::move(whole.func);
  visit_stmt(out.source.body, [&](const Stmt& s) {
    out.open_assumes += s.as<Assume>() && !out.of_callees.count(s.get());
    return true;
  });
  for (const Expr& premise : out.given) out.open_assumes -= is_modelled(premise);
  PrimFunc last = *found;
  // Flags that a command grants stand in the place of the function's own.
  if (!flags.empty()) last.attrs[kFastMathAttribute] = flags;
  out.before_file = "source.py";
  for (const Json& step : of.at("steps")) {
    const std::string file = step.at("program");
    const Json& changes = step.at("interface");
    PrimFunc next = files.program(file);
    if (out.steps.empty() && flags.empty() && has_calls(last) && !has_calls(next)) last = out.source;
    demand_same_interface(last, next, file, changes);
    keep_premises(last, next, changes, &out.given);
    const std::string rule = step.at("rule");  // it is printed
    if (rule.empty() || rule.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != rule.npos)
      throw Bad(file, "has a rule of no such name");
    out.steps.push_back({rule, file, last, next, !changes.empty()});
    last = std::move(next);
    if (!last.attrs.count("hexproof.lowered")) out.before_lowering = last, out.before_file = file;
  }
  if (out.before_file == "source.py") out.before_lowering = out.source;
  // What was certified alone is certified with what it calls put in.
  const PrimFunc& made = out.steps.empty() && has_calls(*found) && !has_calls(*end) ? out.source : last;
  if (followed) {
    if (!same_program(made, *end)) throw Bad("final.py", "is not the program of the last step");
    demand_same_interface(made, *end, "final.py", Json::array());  // attributes speak of scalars by their names
    out.composed_maps = composed_maps(of.at("interface"), of.at("steps"));
  }
  keep_premises(last, *end, Json::array(), &out.given);
  out.last = has_calls(*end) ? linked(final, name, "final.py", &out.linked).func : *end;
  const PrimFunc& first = files.json().contains("module") ? *found : out.source;
  if (of.at("assumes").at("of_the_program") != Json(assumes_of(first)))
    throw Bad("certificate.json", "says other assumes than source.py");
  out.unchanged = same_program(out.source, out.last);
  return out;
}

}  // namespace

std::vector<Chain> chains(const Files& files) {
  const Json& json = files.json();
  const IRModule module = files.module("source.py", true);
  if (!json.contains("module"))
    return {chain_of(files, module, json.at("function"), json, {module.name, {files.program("final.py")}}, true)};
  const IRModule final = files.module("final.py", true);
  const bool followed = !files.has_joint_steps();
  std::map<std::string, const Json*> listed;
  for (const Json& of : json.at("functions")) {
    if (!listed.emplace(of.at("function"), &of).second) throw Bad("certificate.json", "has a function twice");
  }
  if (followed && (final.functions.size() != module.functions.size() || listed.size() != final.functions.size())) {
    throw Bad("final.py", "has other functions than source.py");
  }
  const std::vector<std::string> callers = entries(module);  // those that nobody calls
  std::vector<Chain> out;
  for (const PrimFunc& func : module.functions) {
    if (!listed.count(func.name)) throw Bad("certificate.json", "has no steps of function '" + func.name + "'");
    const Json& of = *listed.at(func.name);
    out.push_back(chain_of(files, module, func.name, of, final, followed));
    // What functions hand to each other, they see in one way: only a joint step changes that.
    const bool alone = !has_calls(func) && std::count(callers.begin(), callers.end(), func.name) > 0;
    if (followed && !alone && !of.at("interface").empty())
      throw Bad("certificate.json", "changes what '" + func.name + "' and other functions hand to each other");
  }
  // Of the whole it says what all of them are granted.
  std::vector<std::string> flags = out.at(0).last.granted_flags();
  for (const Chain& chain : out) std::erase_if(flags, [&](const auto& flag) { return !chain.last.granted(flag); });
  if (json.at("granted_flags") != join_flags(flags))
    throw Bad("certificate.json", "says other granted flags than its programs");
  return out;
}

}  // namespace hexproof::checker
