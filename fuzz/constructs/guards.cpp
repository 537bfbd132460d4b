// What only its surroundings make free of errors, and what only its surroundings keep in order.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// A divisor that is 0 for some arguments: a scalar, or a cell.
std::string divisor(Sketch& s) {
  return s.choices.chance(60) ? s.scalar(s.choices.chance(60) ? 0 : -2, 4) : s.cell(s.shared({16}));
}

void division_in_nested_branches(Sketch& s) {
  Cells a = s.shared({16});
  std::string n = divisor(s), i;
  Sketch::Suite loop = s.loop(16, &i);
  Sketch::Suite outer = s.open("if {} {} 0:", n, s.choices.chance(70) ? "!=" : ">");
  Sketch::Suite inner = s.open("if 12 // {} {} {}:", n, s.choices.chance(50) ? ">" : "!=", s.choices.below(8));
  s.store(a, i);
}

/// The loop never runs where the division is an error.
void division_in_loop(Sketch& s) {
  Cells a = s.shared({16});
  std::string n = s.scalar(0, 4), i = s.fresh("i"), x = s.fresh("x");
  Sketch::Suite loop = s.loop_over(i, fmt::format("range({})", n), {i, 4});
  std::string quotient = fmt::format("{} // {}", 8 + s.choices.below(4), n);
  switch (s.choices.below(4)) {
    case 0: {
      Sketch::Suite branch = s.open("if {} > {}:", quotient, s.choices.below(6));
      s.store(a, i);
      break;
    }
    case 1: {
      Sketch::Suite let = s.open("with T.LetStmt({}) as {}:", quotient, x);
      s.line("{}[{}] = {} + {}", a.name, i, x, s.constant("int32"));
      break;
    }
    case 2:
      s.line("{}[({} + {}) % 16] = {}", a.name, quotient, i, s.value("int32", 1));
      break;
    default:
      s.line("{}[{}] = T.if_then_else({} > {}, {}, 3)", a.name, i, quotient, s.choices.below(6), i);
  }
}

/// The value of a let, an index or a condition is an error where its branch is not taken.
void division_behind_branch(Sketch& s) {
  Cells a = s.shared({16});
  std::string n = divisor(s), i, x = s.fresh("x");
  Sketch::Suite loop = s.loop(4, &i);
  Sketch::Suite branch = s.open("if {} > 0:", n);
  std::string quotient = fmt::format("12 // {}", n);
  if (s.choices.chance(50)) {
    Sketch::Suite let = s.open("with T.LetStmt({}) as {}:", quotient, x);
    s.line("{}[{}] = {}", a.name, i, x);
  } else {
    s.line("{}[{} % 16] = {}", a.name, quotient, i);
  }
}

/// Each parallel loop is in order by itself, and two of its runs touch one cell.
void parallel_in_serial(Sketch& s) {
  Cells a = s.shared({16});
  std::string k, p = s.fresh("p");
  Sketch::Suite outer = s.loop(3, &k);
  Sketch::Suite inner = s.loop_over(p, s.choices.chance(70) ? "T.parallel(4)" : "T.vectorized(4)", {p, 4});
  // The value reads nothing that another iteration writes.
  std::string at = s.choices.chance(70) ? fmt::format("{} + {}", p, k) : fmt::format("{} * 4 + {}", k, p);
  s.line("{}[{}] = {} * 8 + {} + {}", a.name, at, k, p, s.choices.below(5));
}

/// A sum over two loops, in which the order is seen where it rounds.
void accumulation(Sketch& s) {
  static const std::vector<std::string> kTypes = {"float32", "float16", "int32"};
  static const std::vector<std::string> kUpdates = {"{0} + {1}", "T.max({0}, {1})", "{0} * {1}", "{1} - {0}"};
  const std::string& type = s.choices.pick(kTypes);
  Cells a = s.argument({4, 4}, type), c = s.argument({4}, type);
  std::string i, j;
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite inner = s.loop(4, &j);
  std::string total = fmt::format("{}[{}]", c.name, s.choices.chance(50) ? "0" : s.choices.chance(50) ? i : j);
  s.line("{} = {}", total,
         fmt::format(fmt::runtime(s.choices.pick(kUpdates)), total, fmt::format("{}[{}, {}]", a.name, i, j)));
}

}  // namespace

const std::vector<Construct> kGuardConstructs = {
    {"division-in-nested-branches", &division_in_nested_branches},
    {"division-in-loop", &division_in_loop},
    {"division-behind-branch", &division_behind_branch},
    {"parallel-in-serial", &parallel_in_serial},
    {"accumulation", &accumulation},
};

}  // namespace hexproof
