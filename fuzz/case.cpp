#include "fuzz/case.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>

#include "ir/base/read_json.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMagic = "# hexproof fuzz case 1";
constexpr const char* kSeed = "# input-seed: ";
constexpr const char* kStep = "# step: ";

}  // namespace

/// By way of a function whose statements evaluate the outputs.
IndexMap index_map_of(const std::string& text) {
  size_t colon = text.find(':'), open = text.find('[');
  if (colon == std::string::npos || open == std::string::npos || text.back() != ']') {
    throw Error("not an index map: " + text);
  }
  std::string header = "def f(";
  const size_t start = std::min<size_t>(7, colon);  // behind "lambda "
  std::istringstream list(text.substr(start, colon - start));
  std::vector<std::string> names;
  for (std::string name; std::getline(list, name, ',');) {
    size_t first = name.find_first_not_of(' ');
    if (first == std::string::npos) throw Error("not an index map: " + text);
    names.push_back(name.substr(first));
    header += names.back() + ": T.int32, ";
  }
  std::string outputs = text.substr(open + 1, text.size() - open - 2), body;
  int depth = 0;
  std::string current;
  std::vector<std::optional<int64_t>>
      constants;  // of the outputs that are numbers: the parser drops statements of them
  for (char c : outputs + ",") {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      int64_t number = 0;
      const char* end = current.data() + current.size();
      const bool is_number = std::from_chars(current.data(), end, number) == std::from_chars_result{end, {}};
      constants.push_back(is_number ? std::optional(number) : std::nullopt);
      if (!is_number) body += "    T.evaluate(" + current + ")\n";
      current.clear();
    } else if (c != ' ' || !current.empty()) {
      current += c;
    }
  }
  PrimFunc func = parse_module(header + "):\n" + body + "    T.evaluate(0)\n", "<index map>").functions.at(0);
  IndexMap map;
  VarMap own;  // called as they are in the text
  for (size_t k = 0; k < func.params.size(); ++k) {
    map.inputs.push_back(Var::fresh(names[k], kInt32));
    own.emplace(func.params[k].var, Expr(map.inputs.back()));
  }
  std::vector<Stmt> parts = func.body.as<Seq>() ? func.body.as<Seq>()->stmts : std::vector<Stmt>{func.body};
  auto next = parts.begin();
  for (const std::optional<int64_t>& constant : constants) {
    const Evaluate* e = constant || next == parts.end() ? nullptr : (next++)->as<Evaluate>();
    if (!constant && !e) throw Error("not an index map: " + text);
    map.outputs.push_back(constant ? i32(*constant) : substitute(e->value, own));
  }
  return map;
}

namespace {

/// The variables of a program by name; nothing where two share it.
std::map<std::string, std::optional<Var>> variables_of(const PrimFunc& func) {
  std::map<std::string, std::optional<Var>> out;
  auto add = [&](const Var& v) {
    auto [it, first] = out.try_emplace(v.name(), v);
    if (!first && it->second && !(*it->second == v)) it->second.reset();
  };
  for (const Var& v : func.scalars()) add(v);
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const For* loop = s.as<For>()) add(loop->var);
    if (const LetStmt* let = s.as<LetStmt>()) add(let->var);
    if (const Block* block = s.as<Block>()) {
      for (const auto& iter : block->iters) add(iter.var);
    }
    return true;
  });
  return out;
}

/// An expression over variables of the program: by way of a function that has them as parameters.
Expr expr_of(const std::string& text, const PrimFunc* program) {
  if (!program) throw Error("an expression is read for a program");
  std::string parameters;
  for (const auto& [name, var] : variables_of(*program)) {
    if (var && !var->is_data()) parameters += name + ": T." + var->dtype().str() + ", ";
  }
  const std::string source = "def f(" + parameters + "):\n    T.evaluate(" + text + ")\n    T.evaluate(0)\n";
  const PrimFunc func = parse_module(source, "<expression>").functions.at(0);
  const Seq* parts = func.body.as<Seq>();
  const Evaluate* value = (parts && !parts->stmts.empty() ? parts->stmts[0] : func.body).as<Evaluate>();
  if (!value) throw Error("not an expression: " + text);
  VarMap own;
  const auto variables = variables_of(*program);
  for (const Param& p : func.params) own.emplace(p.var, Expr(*variables.at(p.var.name())));
  return substitute(value->value, own);
}

Json case_json(const Expr& e) {
  if (as_int(e) && e->dtype == kInt32) return *as_int(e);
  return {{"expr", print(e)}};
}

Json case_json(const std::vector<Expr>& list) {
  const bool numbers = std::all_of(list.begin(), list.end(), [](const Expr& e) { return as_int(e) != nullptr; });
  Json all = Json::array();
  for (const Expr& e : list) all.push_back(numbers ? Json(*as_int(e)) : Json(print(e)));
  return {{numbers ? "extents" : "exprs", all}};
}

std::vector<Expr> exprs_of(const Json& value, const PrimFunc* program) {
  std::vector<Expr> out;
  if (value.contains("extents")) {
    for (const Json& extent : value.at("extents")) {
      const int64_t number = extent.get<int64_t>();
      if (!fits_type(kInt32, number)) throw Error(std::to_string(number) + " does not fit int32");
      out.push_back(i32(number));
    }
  } else {
    for (const Json& text : value.at("exprs")) out.push_back(expr_of(text.get<std::string>(), program));
  }
  return out;
}

}  // namespace

Json case_json(const Args& args) {
  Json out = Json::object();
  for (const auto& [name, value] : args) {
    std::visit(match{[&](int64_t v) { out[name] = v; }, [&](const std::string& v) { out[name] = v; },
                     [&](const Path& v) { out[name] = v; }, [&](const IndexMap& v) { out[name] = print(v); },
                     [&](const Buffer& v) { out[name] = v->name; }, [&](const Var& v) { out[name] = v.name(); },
                     [&](const Expr& v) { out[name] = case_json(v); },
                     [&](const std::vector<Expr>& v) { out[name] = case_json(v); },
                     [&](const std::vector<Path>& v) {
                       out[name] = {{"paths", v}};
                     },
                     [&](const auto&) { throw Error("the argument '" + name + "' has no form in a case"); }},
               value);
  }
  return out;
}

Args to_args(const Json& json, const PrimFunc* program) {
  Args args;
  for (const auto& [name, value] : json.items()) {
    if (value.is_number_integer()) {
      args[name] = value.get<int64_t>();
    } else if (value.is_string()) {
      std::string text = value.get<std::string>();
      args[name] = text.starts_with("lambda ") ? Arg(index_map_of(text)) : Arg(text);
    } else if (value.is_object() && value.contains("expr")) {
      args[name] = expr_of(value.at("expr").get<std::string>(), program);
    } else if (value.is_object() && (value.contains("extents") || value.contains("exprs"))) {
      args[name] = exprs_of(value, program);
    } else if (value.is_object() && value.contains("paths")) {
      args[name] = value.at("paths").get<std::vector<Path>>();
    } else if (value.is_array()) {
      args[name] = value.get<Path>();
    } else {
      throw Error("the argument '" + name + "' of a step is none that a case has a form for");
    }
  }
  return args;
}

std::string to_text(const FuzzCase& c) {
  std::string out = std::string(kMagic) + "\n" + kSeed + std::to_string(c.input_seed) + "\n";
  for (const StepRequest& step : c.steps) out += kStep + step.rule + " " + step.args.dump() + "\n";
  return out + print(c.program);
}

FuzzCase parse_case(const std::string& text, const std::string& path) {
  FuzzCase out;
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line != kMagic)
    throw Error("'" + path + "' is no fuzz case: its first line is not '" + kMagic + "'");
  try {
    while (std::getline(lines, line)) {
      if (line.starts_with(kSeed)) out.input_seed = std::stoull(line.substr(std::string(kSeed).size()));
      if (!line.starts_with(kStep)) continue;
      std::string rest = line.substr(std::string(kStep).size());
      size_t space = rest.find(' ');
      if (space == std::string::npos) throw Error("'" + path + "': a step without arguments: " + line);
      Json args = read_json(rest.substr(space + 1));
      if (args.is_discarded()) throw Error("'" + path + "': arguments that are no JSON: " + line);
      out.steps.push_back({rest.substr(0, space), std::move(args)});
    }
  } catch (const Json::exception& e) {
    throw Error("'" + path + "': " + e.what());
  } catch (const std::logic_error& e) {
    throw Error("'" + path + "': " + e.what());
  }
  out.program = pick_function(parse_module(text, path), "");
  // What calls several rules has arguments of its own.
  static const std::set<std::string> kOthers = {"pass", "primitive", "module", "te", "mutant"};
  try {
    for (const StepRequest& step : out.steps) {
      if (!kOthers.count(step.rule)) to_args(step.args, &out.program);
    }
  } catch (const Json::exception& e) {
    throw Error("'" + path + "': " + e.what());
  }
  return out;
}

}  // namespace hexproof
