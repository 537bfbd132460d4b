// What is assumed, what may hold anything.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// Reads of what a permission gave: any value, so the results are not compared where they depend on it.
void read_some(Sketch& s, const Cells& t, int64_t count) {
  Cells out = s.shared({16});
  std::string j;
  Sketch::Suite loop = s.loop(count, &j);
  static const std::vector<std::string> kForms = {"{0}[{1}]", "{0}[{2} - {1}] ", "{0}[{1}] * 0",
                                                  "T.Select({1} < 3, {0}[{1}], 7)"};
  s.line("{}[{}] = {}", out.name, j, fmt::format(fmt::runtime(s.choices.pick(kForms)), t.name, j, count - 1));
}

void permission(Sketch& s) {
  Cells t = s.allocation({16});
  std::string i;
  {
    Sketch::Suite loop = s.loop(16, &i);
    if (s.choices.chance(30)) s.line("{}[{}] = {}", t.name, i, s.value("int32", 1));
    std::string given = fmt::format("T.assume({}[{}] == T.undef())", t.name, i);
    if (s.choices.chance(10)) {  // no permission, but a condition on an undef
      const std::string x = s.fresh("x");
      s.line("{}[{}] = 1", t.name, i);
      s.line("{}: T.int32 = {}[{}]", x, t.name, i);
      given = fmt::format("T.assume({} == T.undef())", x);
    }
    s.line("{}", s.choices.chance(50) ? given : "T.evaluate(" + given + ")");
  }
  read_some(s, t, 16);
}

void permission_under_condition(Sketch& s) {
  Cells t = s.allocation({16});
  std::string i, j;
  int64_t count = 4 + s.choices.below(10);
  {
    Sketch::Suite loop = s.loop(16, &i);
    s.line("T.assume({} < {} or {}[{}] == T.undef())", i, count, t.name, i);
  }
  {
    Sketch::Suite loop = s.loop(count, &j);
    s.line("{}[{}] = {}", t.name, j, s.value("int32", 1));
  }
  read_some(s, t, 16);
}

void permission_behind_read(Sketch& s) {
  Cells t = s.choices.chance(70) ? s.allocation({8}) : s.shared({8});
  Cells out = s.shared({8});
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  {
    Sketch::Suite branch = s.open("if {} > 0:", i);
    s.line("{}[{}] = {}[{} - 1]", out.name, i, t.name, i);
  }
  s.line("T.assume({}[{}] == T.undef())", t.name, i);
}

/// What iterations may read: each its own cell, or all of them one.
void permission_in_parallel(Sketch& s) {
  Cells t = s.choices.chance(70) ? s.temporary({8}) : s.argument({8}), out = s.argument({8});
  const std::string n = s.scalar(-2, 8), i = s.fresh("i");
  static const std::vector<std::string> kRanges = {"T.parallel(8)", "T.parallel(8)", "range(8)", "T.vectorized(8)"};
  static const std::vector<std::string> kForms = {"{0} > {3} or {1}[{2}] == T.undef()",
                                                  "{1}[{2}] == T.undef() or {0} > {3}",
                                                  "{1}[{2}] == T.undef()",
                                                  "{0} < 0 or {1}[{2}] == T.undef() or {0} > {3}",
                                                  "{0} < 0 or {0} >= 8 or {1}[{0}] > 100 or {1}[{2}] == T.undef()",
                                                  "{0} == 0 or 8 // {0} > 1 or {1}[{2}] == T.undef()"};
  Sketch::Suite loop = s.loop_over(i, s.choices.pick(kRanges), {i, 8});
  const std::string at = s.choices.chance(50) ? i : s.index(8);
  s.line("T.assume({})", fmt::format(fmt::runtime(s.choices.pick(kForms)), n, t.name, at, s.choices.below(4)));
  if (s.choices.chance(30)) s.line("{}[{}] = {}", out.name, i, s.value("int32", 1));
  s.line("{}[{}] = {}[{}]", out.name, i, t.name, s.choices.chance(80) ? at : s.index(8));
}

/// What may be read lies where a cell says, or behind the end.
void permission_at_a_place_in_memory(Sketch& s) {
  Cells t = s.temporary({8}), p = s.choices.chance(60) ? s.temporary({4}) : s.allocation({4}), out = s.shared({8});
  const std::string n = s.scalar(-2, 8);
  static const std::vector<std::string> kPlaces = {"{0}[{1}] % 8", "{0}[{1}] % 9", "T.min({0}[{1}], {0}[{1}] % 8)"};
  const std::string at = fmt::format(fmt::runtime(s.choices.pick(kPlaces)), p.name, s.index(4));
  static const std::vector<std::string> kForms = {"{0} < {3} or {1}[{2}] == T.undef() or {0} >= {3}",
                                                  "{0} < {3} or {1}[{2}] == T.undef()",
                                                  "{1}[{2}] == T.undef() or {0} > -3"};
  s.line("T.assume({})", fmt::format(fmt::runtime(s.choices.pick(kForms)), n, t.name, at, s.choices.below(4)));
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  s.line("{}[{}] = {}", out.name, i, s.choices.chance(50) ? t.name + "[" + i + "]" : s.value("int32", 1));
}

void undef_store(Sketch& s) {
  Cells a = s.choices.chance(50) ? s.allocation({16}) : s.argument({16});
  std::string i, j;
  int64_t count = 4 + s.choices.below(10);
  {
    Sketch::Suite loop = s.loop(16, &i);
    if (s.choices.chance(60)) {
      Sketch::Suite branch = s.open("if {} >= {}:", i, count);
      s.line("{}[{}] = T.undef()", a.name, i);
    } else {
      s.line("{}[{}] = T.undef()", a.name, i);
    }
  }
  {
    Sketch::Suite loop = s.loop(count, &j);
    s.line("{}[{}] = {}", a.name, j, s.value("int32", 1));
  }
  if (s.choices.chance(60)) read_some(s, a, s.choices.chance(60) ? count : 16);
}

void undef_in_expression(Sketch& s) {
  Cells a = s.argument({8}), b = s.shared({8});
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  static const std::vector<std::string> kForms = {"T.Select({1}, {0}, T.undef())",
                                                  "T.if_then_else({1}, {0}, T.undef())",
                                                  "T.undef() * 2",
                                                  "{0} + T.undef() * 0",
                                                  "T.undef() - T.undef()",
                                                  "{0} + T.nowrap(T.if_then_else({1}, 1, T.undef() * 0) + 1)"};
  s.line("{}[{}] = {}", a.name, i, fmt::format(fmt::runtime(s.choices.pick(kForms)), s.cell(b), s.index_condition()));
  s.forget(a);
}

void assume_on_cells(Sketch& s) {
  Cells a = s.argument({16}), out = s.shared({16});
  std::string i;
  static const std::vector<std::string> kForms = {"{1} < 10 or {0}[{1}] == 0", "{0}[{1}] >= 0 and {0}[{1}] < 16",
                                                  "{0}[{1}] == {1} * 2 or {1} > 5", "{0}[{1}] <= 3",
                                                  "not ({1} >= 12) or {0}[{1}] == 1"};
  const std::string& form = s.choices.pick(kForms);
  {
    Sketch::Suite loop = s.loop(16, &i);
    s.line("T.assume({})", fmt::format(fmt::runtime(form), a.name, i));
  }
  if (s.choices.chance(40)) s.store(a, s.index(16));
  std::string j;
  Sketch::Suite loop = s.loop(16, &j);
  switch (s.choices.below(4)) {
    case 0:
      s.line("{}[{}] = T.if_then_else({}[{}] == 0, 5, {}[{}])", out.name, j, a.name, j, a.name, j);
      break;
    case 1: {
      Sketch::Suite branch = s.open("if {} < 10:", j);
      s.line("{}[{}] = {}[{}] + {}", out.name, j, out.name, j, s.cell(a));
      break;
    }
    case 2:
      s.line("{}[{}] = {}[{}] + {}[{}]", out.name, j, out.name, j, a.name, j);
      break;
    default: {
      Sketch::Suite branch = s.open("if {}[{}] > 3:", a.name, j);
      s.store(out, j);
    }
  }
}

/// An assume is logic: what does not decide in it is not evaluated.
void assume_with_select(Sketch& s) {
  Cells b = s.shared({4});
  std::string n = s.scalar(-8, 8);
  static const std::vector<std::string> kForms = {"T.Select({0} > 0, 8 // {0} > 1, T.bool(True))",
                                                  "T.Select({0} != 0, 8 // {0} > -100, T.bool(True))",
                                                  "{0} == 0 or 8 // {0} < 9", "{0} != 0 and 8 // {0} < 9 or {0} == 0",
                                                  "T.if_then_else({0} > 2, {0} % ({0} - 1) >= 0, T.bool(True))"};
  s.line("T.assume({})", fmt::format(fmt::runtime(s.choices.pick(kForms)), n));
  if (s.choices.chance(15)) {
    s.line("{}[0] = 8 // {}", b.name, n);
    return;
  }
  {
    Sketch::Suite branch = s.open("if {} != {}:", n, s.choices.below(3));
    s.line("{}[0] = 1", b.name);
  }
  Sketch::Suite other = s.open("else:");
  s.line("{}[0] = 2", b.name);
}

/// Behind a condition that never holds, which a solver hardly sees; what is assumed before is decided by its first
/// operand, or not.
void assume_before_what_is_hard(Sketch& s) {
  Cells a = s.shared({8});
  const std::string n = s.scalar(0, 30000), m = s.scalar(1, 30000);
  static const std::vector<std::string> kForms = {"{0} == 0 or 8 // {0} < 9", "{0} < {1} or {0} >= {1} or 8 // {0} < 0",
                                                  "{0} < 30000 or 8 // ({0} - 30000) < 9", "{0} >= 0 or {0} > {1}"};
  s.line("T.assume({})", fmt::format(fmt::runtime(s.choices.pick(kForms)), n, m));
  Sketch::Suite branch = s.open("if {0} * {0} == {2} * {1} * {1}:", n, m, s.choices.chance(70) ? 2 : 4);
  s.line("{}[{}] = {}", a.name, s.choices.chance(70) ? "8" : s.index(8), s.value("int32", 1));
}

void assume_of_scalars(Sketch& s) {
  std::string n = s.scalar(0, 40), m = s.scalar(0, 40), i = s.fresh("i");
  Cells a = s.shared({64});
  static const std::vector<std::string> kForms = {"{0} + {1} <= 64", "{0} <= {1} and {1} <= 32 or {0} == {1}",
                                                  "{0} * 2 <= {1}", "{0} == {1} or {0} + 24 <= 60"};
  s.prelude(fmt::format("T.assume({})", fmt::format(fmt::runtime(s.choices.pick(kForms)), n, m)));
  Sketch::Suite loop = s.loop_over(i, fmt::format("range({})", m), {"(" + i + " % 16)", 16});
  s.line("{}[{}] = {}", a.name, s.choices.chance(50) ? i : fmt::format("T.min({} + {}, 63)", n, i),
         s.value("int32", 1));
}

void assume_in_branch(Sketch& s) {
  Cells a = s.shared({8}), out = s.shared({8});
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  {
    Sketch::Suite branch = s.open("if {}[{}] == {}:", a.name, i, s.choices.below(2));
    s.line("T.assume({}[{}] < 2 or {} < 0)", a.name, i, i);
    s.store(out, s.choices.chance(50) ? i : s.index(8));
    if (s.choices.chance(40)) s.line("{}[{}] = {}", a.name, i, s.constant("int32"));
  }
  if (s.choices.chance(50)) {
    Sketch::Suite branch = s.open("if {}[{}] < 2:", a.name, i);
    s.store(out, i);
  }
}

}  // namespace

const std::vector<Construct> kPermissionConstructs = {
    {"permission", &permission},
    {"permission-under-condition", &permission_under_condition},
    {"permission-behind-read", &permission_behind_read},
    {"permission-in-parallel", &permission_in_parallel},
    {"permission-at-a-place-in-memory", &permission_at_a_place_in_memory},
    {"undef-store", &undef_store},
    {"undef-in-expression", &undef_in_expression},
    {"assume-on-cells", &assume_on_cells},
    {"assume-with-select", &assume_with_select},
    {"assume-before-what-is-hard", &assume_before_what_is_hard},
    {"assume-of-scalars", &assume_of_scalars},
    {"assume-in-branch", &assume_in_branch},
};

}  // namespace hexproof
