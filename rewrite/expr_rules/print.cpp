// Expression rules as text.
#include <algorithm>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::string print(const ExprRewrite& rewrite) {
  std::string out = print(rewrite.lhs) + "  ->  " + print(rewrite.rhs);
  if (rewrite.when) out += "    when " + print(rewrite.when);
  if (rewrite.when_index) out += "    when index: " + print(rewrite.when_index);
  return out;
}

std::string print(const RuleInstance& instance) {
  std::string types;
  for (DType t : instance.types) types += (types.empty() ? "" : ", ") + t.str();
  return instance.rule->name + " [" + types + "]: " + print(instance.rewrite);
}

namespace {

std::string types_text(const std::vector<Types>& list) {
  if (list.size() > 13) return std::to_string(list.size()) + " combinations of integer types";
  std::string out;
  for (const Types& types : list) {
    std::string one;
    for (DType t : types) one += (one.empty() ? "" : " to ") + t.str();
    out += (out.empty() ? "" : ", ") + one;
  }
  return out;
}

std::string readings_text(const RuleInstance& instance) {
  if (instance.rule->arithmetic == ForArithmetic::IndexOnly) return "index";
  if (instance.rule->arithmetic == ForArithmetic::IndexAtUse) return "index, at use";
  return instance.one_reading ? "any" : "index, data";
}

}  // namespace

std::string expr_rules_markdown() {
  std::string out =
      "# Expression rules\n\n"
      "Written by `expr_rules_markdown()` from the rules themselves; a test compares it with this file.\n\n"
      "Each rule is proved for all values, for each of its types and readings, by `hexproof rules --prove`.\n"
      "`c`, `c1`, `c2` stand for integer constants, every other name for any expression of its type. A rule holds\n"
      "where `when` holds and the left side is free of errors. Readings: *index* arithmetic, where overflow is an\n"
      "error and `when index` is owed too; *data* arithmetic, which wraps; *any* where nothing can overflow. *At "
      "use*:\n"
      "no solver proves the rule for all constants at once, so each application owes that the sides are equal there.\n"
      "The operands of `+ * and or == != & | ^` match in either order. Types on which the guard is another relation\n"
      "(of floats, or of unsigned numbers, of which `0 <= x` says nothing) have a row of their own; else the text is\n"
      "that of the first type.\n\n"
      "| rule | left -> right | when | readings | types |\n|---|---|---|---|---|\n";
  auto cell = [](std::string text) {
    std::string escaped;
    for (char ch : text) escaped += ch == '|' ? std::string("\\|") : std::string(1, ch);
    return "`" + escaped + "`";
  };
  for (const ExprRule& rule : expr_rules()) {
    // A row for each relation that a guard asks: on floats it may be a stricter one.
    std::vector<std::pair<const RuleInstance*, std::vector<Types>>> rows;
    for (const RuleInstance& instance : rule_instances()) {
      if (instance.rule != &rule) continue;
      auto same = [&](const auto& row) {
        const Expr &a = row.first->rewrite.when, &b = instance.rewrite.when;
        return !a || !b || a->op == b->op;
      };
      auto row = std::find_if(rows.begin(), rows.end(), same);
      if (row == rows.end()) row = rows.insert(rows.end(), {&instance, {}});
      if (std::find(row->second.begin(), row->second.end(), instance.types) == row->second.end())
        row->second.push_back(instance.types);
    }
    for (const auto& [first, types] : rows) {
      const ExprRewrite& r = first->rewrite;
      std::string when = r.when ? cell(print(r.when)) : "";
      if (r.when_index) when += (when.empty() ? "index: " : "; index: ") + cell(print(r.when_index));
      out += "| " + rule.name + " | " + cell(print(r.lhs)) + " -> " + cell(print(r.rhs)) + " | " + when + " | " +
             readings_text(*first) + " | " + types_text(types) + " |\n";
    }
  }
  return out;
}

}  // namespace hexproof
