// What was true of memory before it was written, and what is claimed, given or evaluated only nearly.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// A cell that is an index of `b` while the fact lasts; what may be stored to it is none.
struct Selector {
  explicit Selector(Sketch& s) : a(s.argument({4})), b(s.shared({16})), cell(a.name + "[0]") {
    fact = fmt::format("{0} >= 0 and {0} < 16", cell);
    store = fmt::format("{} = {}", cell, s.choices.chance(60) ? a.name + "[1]" : s.constant("int32"));
    use = fmt::format("{}[{}] = {}", b.name, cell, s.value("int32", 1));
  }
  Cells a, b;
  std::string cell, fact, store, use;
};

void fact_before_store(Sketch& s) {
  Selector x(s);
  Sketch::Suite branch = s.open("if {}:", x.fact);
  if (s.choices.chance(60)) s.write(x.store);
  s.write(x.use);
}

/// The store is behind the use, and in front of its next run.
void fact_before_loop(Sketch& s) {
  Selector x(s);
  Sketch::Suite branch = s.open("if {}:", x.fact);
  std::string i;
  Sketch::Suite loop = s.loop(3, &i);
  s.write(x.use);
  if (s.choices.chance(60)) s.write(x.store);
}

void fact_before_init(Sketch& s) {
  Selector x(s);
  std::string k, vk = s.fresh("vk");
  Sketch::Suite loop = s.loop(3, &k);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("r"));
  s.line("{} = T.axis.reduce(3, {})", vk, k);
  s.line("T.where({})", x.fact);
  {
    Sketch::Suite init = s.open("with T.init():");
    s.write(s.choices.chance(70) ? x.store : x.use);
  }
  s.write(x.use);
}

/// The loop runs as often as its bound said when it started.
void bound_changes_in_loop(Sketch& s) {
  Cells a = s.argument({4}), b = s.shared({16});
  const std::string bound = fmt::format("T.min(T.max({}[0], 0), 16)", a.name), i = s.fresh("i");
  Sketch::Suite loop = s.loop_over(i, fmt::format("range({})", bound), {i, 16});
  s.line("{}[0] = {}", a.name, s.choices.chance(50) ? i : s.constant("int32"));
  s.line("{}[T.if_then_else({} < {}, {}, {})] = {}", b.name, i, bound, i, s.choices.chance(40) ? 16 : 3,
         s.value("int32", 1));
}

/// A side that is not taken was not evaluated, neither of a choice nor of an assume.
void evaluated_perhaps(Sketch& s) {
  Cells a = s.argument({4}), b = s.shared({4});
  const std::string n = s.scalar(s.choices.chance(80) ? 0 : 1, 4), x = s.fresh("x"),
                    quotient = fmt::format("8 // {}", n);
  switch (s.choices.below(3)) {
    case 0:
      s.line("T.assume({} == 0 or {} < 9)", n, quotient);
      break;
    case 1:
      s.line("T.assume({} == 0 or {} == 3 or {} > 1)", n, n, quotient);
      break;
    default:
      s.line("{}: T.int32 = T.if_then_else({}[0] > 0, {}, 5)", x, a.name, s.choices.chance(50) ? quotient : "4");
      s.line("{}[1] = {}", b.name, x);
  }
  Sketch::Suite branch = s.open("if {} {}:", n, s.choices.chance(50) ? "> 0" : "< 4");
  s.line("{}[0] = {}", b.name, quotient);
}

/// A store under a condition on memory is no write that a later read can rely on.
void written_perhaps(Sketch& s) {
  Cells a = s.shared({8}), t = s.allocation({8}), b = s.shared({8});
  std::string i, j;
  const bool filled = s.choices.chance(50);
  {
    Sketch::Suite loop = s.loop(8, &i);
    if (filled) s.line("{}[{}] = {}", t.name, i, s.constant("int32"));
    Sketch::Suite branch = s.open("if {}[{}] > {}:", a.name, i, s.choices.below(2));
    s.line("{}[{}] = {}", t.name, i, s.value("int32", 1));
  }
  Sketch::Suite loop = s.loop(8, &j);
  if (filled || s.choices.chance(30)) {
    s.line("{}[{}] = {}[{}]", b.name, j, t.name, j);
  } else {
    Sketch::Suite branch = s.open("if {}[{}] > {}:", a.name, j, s.choices.below(2));
    s.line("{}[{}] = {}[{}]", b.name, j, t.name, j);
  }
}

/// The cell holds another value after each.
void update_twice(Sketch& s) {
  Cells a = s.shared({8});
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  static const std::vector<std::string> kForms = {"{0} = {0} + 1", "{0} = {0} * 3", "{0} = T.max({0}, 5)",
                                                  "{0} = 7 - {0}"};
  const std::string update =
      fmt::format(fmt::runtime(s.choices.pick(kForms)), fmt::format("{}[{}]", a.name, s.choices.chance(70) ? i : "0"));
  s.write(update);
  if (s.choices.chance(40)) s.store(s.shared({8}), i);
  s.write(update);
}

/// -0.0 is no neutral value of a sum, and 0.0 is one of sums that are never -0.0.
void signed_zeros(Sketch& s) {
  Cells a = s.argument({8}, "float32"), b = s.argument({8}, "float32");
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  static const std::vector<std::string> kForms = {"T.float32(-0.0)", "{} + T.float32(-0.0)", "{} + T.float32(0)",
                                                  "T.max({}, T.float32(-0.0))"};
  s.line("{}[{}] = {}", a.name, i, fmt::format(fmt::runtime(s.choices.pick(kForms)), fmt::format("{}[{}]", b.name, i)));
  s.line("{}[{}] = {}[{}] + T.float32(0)", b.name, i, a.name, i);
}

void shift_by_scalar(Sketch& s) {
  static const std::vector<std::pair<std::string, int>> kTypes = {
      {"int32", 32}, {"int8", 8}, {"uint8", 8}, {"int16", 16}};
  const auto& [type, bits] = s.choices.pick(kTypes);
  Cells a = s.shared({8}, type);
  const std::string n = s.scalar(0, bits - (s.choices.chance(50) ? 0 : 1));
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  const std::string by = type == "int32" ? n : fmt::format("T.Cast(\"{}\", {})", type, n);
  s.line("{0}[{1}] = {0}[{1}] {2} {3}", a.name, i, s.choices.chance(50) ? ">>" : "<<", by);
}

/// Kinds and regions that are nearly right.
void claimed_perhaps(Sketch& s) {
  Cells a = s.shared({16}), b = s.argument({16});
  std::string i, vi = s.fresh("vi");
  Sketch::Suite loop = s.loop(8, &i);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("c"));
  s.line("{} = T.axis.spatial(8, {})", vi, i);
  if (s.choices.chance(50)) {
    s.line("T.reads({}[{}:{} + {}])", a.name, vi, vi, 2 + s.choices.below(2));
    s.line("T.writes({}[{}])", b.name, vi);
    s.line("{}[{}] = {}[{} + {}]", b.name, vi, a.name, vi, s.choices.below(3));
  } else {
    s.line("{0}[{1}{2}] = {0}[{1}{3}] + 1", b.name, vi, s.choices.chance(60) ? "" : " + 8",
           s.choices.chance(50) ? "" : " + 1");
  }
}

}  // namespace

const std::vector<Construct> kMomentConstructs = {
    {"fact-before-store", &fact_before_store}, {"fact-before-loop", &fact_before_loop},
    {"fact-before-init", &fact_before_init},   {"bound-changes-in-loop", &bound_changes_in_loop},
    {"evaluated-perhaps", &evaluated_perhaps}, {"written-perhaps", &written_perhaps},
    {"update-twice", &update_twice},           {"signed-zeros", &signed_zeros},
    {"shift-by-scalar", &shift_by_scalar},     {"claimed-perhaps", &claimed_perhaps},
};

}  // namespace hexproof
