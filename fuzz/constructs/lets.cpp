// Bindings, as statements and inside of expressions.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// `T.Let(body, where={x: value})` with a variable of its own.
std::string let_of(Sketch& s, const std::string& value, const std::string& form, const std::string& type = "int32") {
  std::string x = s.fresh("x");
  s.line("{} = T.{}()", x, type);
  return fmt::format("T.Let({}, where={{{}: {}}})", fmt::format(fmt::runtime(form), x), x, value);
}

void let_expression(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  static const std::vector<std::string> kBodies = {"{0} + {0}", "{0} - 1", "T.max({0}, 3)", "T.Select({0} > 0, {0}, 5)",
                                                   "T.if_then_else({0} != 2, {0} * 3, 4)"};
  std::string value = let_of(s, s.cell(a), s.choices.pick(kBodies));
  s.line("{}[{}] = {}{}", b.name, i, value, s.choices.chance(50) ? " + " + s.cell(b) : "");
}

void let_of_index_expression(Sketch& s) {
  Cells a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  std::string at = let_of(s, i + " * 2", s.choices.chance(50) ? "{0} + 1" : "{0}");
  s.line("{}[{}] = {}", a.name, at, s.value("int32", 1));
}

void let_with_unused_load(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  std::string loaded = s.choices.chance(50) ? b.name + "[0]" : s.cell(a);
  std::string value = let_of(s, loaded, s.choices.chance(50) ? i + " + 1" : i + " - 4");
  bool wraps = s.choices.chance(40);
  s.line("{}[{}] = {}{}", b.name, i, value, wraps ? " + 2147483647 + 1" : "");
}

void let_with_unused_division(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string n = s.choices.chance(70) ? s.scalar(1, 4) : s.scalar(-1, 3);
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  s.line("{}[{}] = {}", b.name, i, let_of(s, fmt::format("{} // {}", i, n), s.choices.chance(50) ? i : s.cell(a)));
}

void let_under_guard(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string i, x = s.fresh("x");
  Sketch::Suite loop = s.loop(16, &i);
  std::string bound = s.choices.chance(70) ? fmt::format("{}[{} - 3]", a.name, i) : s.cell(a);
  std::string let = let_of(s, bound, s.choices.chance(30) ? "1" : "{0} + 1");
  const char* choice = s.choices.chance(85) || bound.find(" - 3]") == std::string::npos ? "if_then_else" : "Select";
  s.line("{}[{}] = T.{}({} >= 3, {}, {})", b.name, i, choice, i, let, s.value("int32", 1));
}

void let_statement(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string i, x = s.fresh("x");
  Sketch::Suite loop = s.loop(8, &i);
  std::string at = s.choices.chance(50) ? i : s.index(16);
  s.line("{}: T.int32 = {}[{}]", x, a.name, at);
  if (s.choices.chance(60)) s.store(a, s.choices.chance(60) ? at : s.index(16));
  s.line("{}[{}] = {}{}", b.name, i, x, s.choices.chance(50) ? " + " + s.cell(a) : "");
  if (s.choices.chance(30)) {
    Sketch::Suite branch = s.open("if {} > 0:", x);
    s.store(b, s.index(16));
  }
}

void let_of_index(Sketch& s) {
  Cells a = s.shared({16});
  std::string i, x = s.fresh("x");
  Sketch::Suite loop = s.loop(8, &i);
  s.line("{}: T.int32 = {}", x, s.choices.chance(50) ? i + " * 2" : i + " + 5");
  s.counters.push_back({x, 16});
  s.store(a, x);
  if (s.choices.chance(40)) s.store(a);
}

void let_scoped(Sketch& s) {
  Cells a = s.shared({16});
  std::string i, x = s.fresh("x");
  Sketch::Suite loop = s.loop(4, &i);
  {
    Sketch::Suite let = s.open("with T.LetStmt({}) as {}:", s.cell(a), x);
    s.store(a);
    s.line("{}[{}] = {}", a.name, s.index(16), x);
  }
  s.store(a);
}

void let_of_old_value(Sketch& s) {
  Cells a = s.shared({4}), b = s.shared({4});
  std::string x = s.fresh("x"), k = std::to_string(s.choices.below(4));
  s.line("{}: T.int32 = {}[{}]", x, a.name, k);
  s.line("{}[{}] = {}", a.name, k, s.choices.chance(50) ? x + " + 1" : s.constant("int32"));
  if (s.choices.chance(40)) {
    Sketch::Suite branch = s.open("if {} == {}[{}]:", x, a.name, k);
    s.store(b);
  }
  s.line("{}[{}] = {}", b.name, s.choices.below(4), s.choices.chance(50) ? x : x + " + " + a.name + "[" + k + "]");
}

}  // namespace

const std::vector<Construct> kLetConstructs = {
    {"let-expression", &let_expression},
    {"let-of-index-expression", &let_of_index_expression},
    {"let-with-unused-load", &let_with_unused_load},
    {"let-with-unused-division", &let_with_unused_division},
    {"let-under-guard", &let_under_guard},
    {"let-statement", &let_statement},
    {"let-of-index", &let_of_index},
    {"let-scoped", &let_scoped},
    {"let-of-old-value", &let_of_old_value},
};

}  // namespace hexproof
