// Sizes that are known only when the program runs.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// An argument of `extents`, shape variables that come with its shape.
Cells symbolic_argument(Sketch& s, const std::string& shape) {
  Cells cells{s.fresh("S"), "int32", {}};
  std::string handle = s.fresh("h");
  s.parameter(handle + ": T.handle");
  s.declare(fmt::format("{} = T.match_buffer({}, {}, \"int32\")", cells.name, handle, shape));
  return cells;
}

void symbolic_extent(Sketch& s) {
  Cells a = s.shared({16});
  std::string n = s.scalar(s.choices.chance(50) ? 0 : -2, s.choices.chance(80) ? 16 : 17), i = s.fresh("i");
  {
    Sketch::Suite loop = s.loop_over(i, fmt::format("range({})", n), {i, 17});
    s.store(a, i);
  }
  if (s.choices.chance(50)) return;
  std::string j = s.fresh("j");
  Sketch::Suite loop = s.loop_over(j, fmt::format("range({}, 16)", n), {"(" + j + " % 16)", 16});
  Sketch::Suite guard = s.open("if {} >= 0:", j);
  s.store(a, j);
}

void symbolic_shape(Sketch& s) {
  std::string n = s.fresh("n"), i = s.fresh("i");
  s.declare(n + " = T.int32()");
  Cells a = symbolic_argument(s, "(" + n + ",)"), b = symbolic_argument(s, "(" + n + ",)");
  Cells out = s.shared({16});
  {
    Sketch::Suite loop = s.loop_over(i, fmt::format("range({})", n), {"(" + i + " % 16)", 16});
    std::string at = s.choices.chance(50) ? i : fmt::format("{} - 1 - {}", n, i);
    s.line("{}[{}] = {}[{}] + {}", a.name, i, b.name, at, s.cell(out));
    if (s.choices.chance(40)) {
      Sketch::Suite guard = s.open("if {} + 1 < {}:", i, n);
      s.line("{}[{} + 1] = {}", b.name, i, s.value("int32", 1));
    }
  }
  if (s.choices.chance(50)) return;
  Sketch::Suite guard = s.open("if {} {} 3:", n, s.choices.chance(85) ? ">" : ">=");
  s.line("{}[{}] = {}[3]", out.name, s.choices.below(16), a.name);
}

void symbolic_shape_in_two_dimensions(Sketch& s) {
  std::string n = s.fresh("n"), m = s.fresh("m"), i = s.fresh("i"), j = s.fresh("j");
  s.declare(n + " = T.int32()");
  s.declare(m + " = T.int32()");
  Cells a = symbolic_argument(s, fmt::format("({}, {})", n, m));
  Cells b = symbolic_argument(s, s.choices.chance(60) ? fmt::format("({}, {})", m, n) : fmt::format("({},)", m));
  Cells out = s.shared({16});
  Sketch::Suite outer = s.loop_over(i, fmt::format("range({})", n), {"(" + i + " % 16)", 16});
  Sketch::Suite inner = s.loop_over(j, fmt::format("range({})", m), {"(" + j + " % 16)", 16});
  s.line("{}[{}, {}] = {}[{}, {}] + {}", a.name, i, j, a.name, i, j, s.cell(out));
}

void symbolic_and_huge(Sketch& s) {
  Cells a = s.shared({16});
  std::string n = s.scalar(0, 2147483647), m = s.scalar(-2147483647, 2147483647), i;
  Sketch::Suite loop = s.loop(16, &i);
  static const std::vector<std::string> kConditions = {"{0} < {1}",     "{0} - {1} < 0",  "{1} - {0} > 3",
                                                       "{2} < {0}",     "{1} // 2 > {0}", "T.min({1}, 8) > {0}",
                                                       "{1} % 5 == {0}"};
  Sketch::Suite guard = s.open("if {}:", fmt::format(fmt::runtime(s.choices.pick(kConditions)), i, n, m));
  s.store(a, s.choices.chance(60) ? i : s.index(16));
}

void symbolic_stride(Sketch& s) {
  Cells t = s.allocation({128});
  Cells out = s.shared({64});
  std::string n = s.scalar(s.choices.chance(80) ? 8 : 7, 16), m = s.scalar(0, 4);
  std::string i = s.fresh("i"), j = s.fresh("j"), k = s.fresh("k"), x = s.fresh("x"), y = s.fresh("y");
  std::string skip = s.choices.chance(80) ? "" : "2 * ";
  {
    Sketch::Suite fill = s.open("for {}, {}, {} in T.grid({}, 2, 4):", i, j, k, m);
    s.line("{}[({}{}) * {} + {} * 4 + {}] = {}", t.name, skip, i, n, j, k, s.constant("int32"));
  }
  Sketch::Suite read = s.open("for {}, {} in T.grid({}, 8):", x, y, m);
  Sketch::Suite guard = s.open("if {} * 8 + {} < 64:", x, y);
  s.line("{}[{} * 8 + {}] = {}[{} * {} + {}]", out.name, x, y, t.name, x, n, y);
}

void symbolic_allocation(Sketch& s) {
  std::string n = s.scalar(0, s.choices.chance(80) ? 16 : 2147483647), i = s.fresh("i"), j;
  Cells out = s.shared({16});
  std::string t = s.fresh("t");
  s.line("{} = T.alloc_buffer(({},), \"int32\")", t, n);
  {
    Sketch::Suite loop = s.loop_over(i, fmt::format("range(T.min({}, 16))", n), {i, 16});
    s.line("{}[{}] = {}", t, i, s.value("int32", 1));
  }
  Sketch::Suite loop = s.loop(16, &j);
  Sketch::Suite guard = s.open("if {} {} {}:", j, s.choices.chance(90) ? "<" : "<=", n);
  s.line("{}[{}] = {}[{}]", out.name, j, t, j);
}

void symbolic_scalar_value(Sketch& s) {
  Cells a = s.shared({16});
  std::string n = s.scalar(1, s.choices.chance(70) ? 8 : 2147483647), i;
  Sketch::Suite loop = s.loop(16, &i);
  static const std::vector<std::string> kValues = {"{0} // {1}", "{0} % {1}", "T.min({1}, {0})", "{1} - {0}",
                                                   "T.Cast(\"int32\", {1} > {0})"};
  std::string value = fmt::format(fmt::runtime(s.choices.pick(kValues)), i, n);
  s.line("{}[{}] = {} + {}", a.name, s.choices.chance(60) ? i : fmt::format("T.min({}, {}) % 16", n, i), s.cell(a),
         value);
}

void symbolic_tiles(Sketch& s) {
  std::string n = s.fresh("n"), io = s.fresh("io"), ii = s.fresh("ii");
  s.declare(n + " = T.int32()");
  Cells a = symbolic_argument(s, "(" + n + ",)");
  if (s.choices.chance(70)) s.prelude(fmt::format("T.assume({} <= 40)", n));
  Sketch::Suite outer = s.loop_over(io, fmt::format("range(({} + 3) // 4)", n), {"(" + io + " % 16)", 16});
  Sketch::Suite inner = s.loop_over(ii, "range(4)", {ii, 4});
  Sketch::Suite guard = s.open("if {} * 4 + {} < {}:", io, ii, n);
  s.line("{}[{} * 4 + {}] = {}", a.name, io, ii, s.value("int32"));
}

}  // namespace

const std::vector<Construct> kSizeConstructs = {
    {"symbolic-extent", &symbolic_extent},
    {"symbolic-shape", &symbolic_shape},
    {"symbolic-shape-2d", &symbolic_shape_in_two_dimensions},
    {"symbolic-and-huge", &symbolic_and_huge},
    {"symbolic-stride", &symbolic_stride},
    {"symbolic-allocation", &symbolic_allocation},
    {"symbolic-scalar-value", &symbolic_scalar_value},
    {"symbolic-tiles", &symbolic_tiles},
};

}  // namespace hexproof
