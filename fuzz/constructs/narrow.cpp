// Index arithmetic near the end of its type: sizes and loops of int8, in which new arithmetic overflows soon.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// A scalar of int8 with an assume on its range.
std::string narrow_scalar(Sketch& s, int least) {
  std::string n = s.fresh("n");
  s.parameter(n + ": T.int8");
  s.prelude(fmt::format("T.assume({} >= T.int8({}))", n, least));
  return n;
}

std::string wide(const std::string& v) { return fmt::format("T.Cast(\"int32\", {})", v); }

void narrow_symbolic_loop(Sketch& s) {
  std::string n = narrow_scalar(s, s.choices.chance(60) ? 0 : -3), i = s.fresh("i");
  Cells a = s.shared({128});
  Sketch::Suite loop = s.loop_over(i, fmt::format("T.serial(T.int8(0), {})", n), {wide(i), 127});
  if (s.choices.chance(40)) {
    Sketch::Suite branch = s.open("if {} {} T.int8({}):", i, s.choices.chance(50) ? "<" : ">=", s.choices.below(6));
    s.store(a, i);
  }
  s.store(a, s.choices.chance(60) ? i : fmt::format("{} - T.int8(1) - {}", n, i));
}

void narrow_symbolic_nest(Sketch& s) {
  std::string n = narrow_scalar(s, 0), m = narrow_scalar(s, s.choices.chance(70) ? 0 : -3), i = s.fresh("i"),
              j = s.fresh("j");
  Cells a = s.shared({128}), b = s.shared({128});
  Sketch::Suite outer = s.loop_over(i, fmt::format("T.serial(T.int8(0), {})", n), {wide(i), 127});
  Sketch::Suite inner = s.loop_over(j, fmt::format("T.serial(T.int8(0), {})", m), {wide(j), 127});
  s.line("{}[{}] = {}[{}] + {}", a.name, s.choices.chance(50) ? i : j, b.name, s.choices.chance(50) ? j : i,
         s.constant("int32"));
}

/// Extents whose product, or the position of whose last cell, is past the type.
void narrow_nest(Sketch& s) {
  static const std::vector<int> kExtents = {4, 16, 12, 32, 127, 100};
  int n = s.choices.pick(kExtents), m = s.choices.pick(kExtents);
  if (n * m > 1600) m = 4;
  std::string i = s.fresh("i"), j = s.fresh("j");
  Cells a = s.shared({n * m});
  Sketch::Suite outer = s.loop_over(i, fmt::format("T.serial(T.int8(0), T.int8({}))", n), {wide(i), n});
  Sketch::Suite inner = s.loop_over(j, fmt::format("T.serial(T.int8(0), T.int8({}))", m), {wide(j), m});
  s.store(a, fmt::format("{} * {} + {}", wide(i), m, wide(j)));
}

/// Memory whose extents are of int8, so that its flat index is; a window of it is read.
void narrow_shape(Sketch& s) {
  static const std::vector<int> kExtents = {12, 4, 16, 11};
  int n = s.choices.pick(kExtents), m = s.choices.pick(kExtents);
  std::string shape = fmt::format("(T.int8({}), T.int8({}))", n, m), t;
  if (s.choices.chance(50)) {
    t = s.fresh("N");
    s.parameter(fmt::format("{}: T.Buffer({}, \"int32\")", t, shape));
  } else {
    t = s.fresh("t");
    s.line("{} = T.alloc_buffer({}, \"int32\")", t, shape);
  }
  Cells out = s.shared({16});
  std::string i = s.fresh("i"), j = s.fresh("j"), x = s.fresh("x"), y = s.fresh("y");
  {
    Sketch::Suite outer = s.loop_over(i, fmt::format("T.serial(T.int8(0), T.int8({}))", n), {wide(i), n});
    Sketch::Suite inner = s.loop_over(j, fmt::format("T.serial(T.int8(0), T.int8({}))", m), {wide(j), m});
    s.line("{}[{}, {}] = {}", t, i, j, s.value("int32", 1));
  }
  Sketch::Suite outer = s.loop_over(x, "T.serial(T.int8(0), T.int8(4))", {wide(x), 4});
  Sketch::Suite inner = s.loop_over(y, "T.serial(T.int8(0), T.int8(4))", {wide(y), 4});
  std::string row = s.choices.chance(50) ? x : fmt::format("{} + T.int8({})", x, n - 4);
  std::string column = s.choices.chance(50) ? y : fmt::format("T.int8({}) - {}", m - 1, y);
  s.line("{}[{} * 4 + {}] = {}[{}, {}]", out.name, wide(x), wide(y), t, row, column);
}

}  // namespace

const std::vector<Construct> kNarrowConstructs = {
    {"narrow-symbolic-loop", &narrow_symbolic_loop},
    {"narrow-symbolic-nest", &narrow_symbolic_nest},
    {"narrow-nest", &narrow_nest},
    {"narrow-shape", &narrow_shape},
};

}  // namespace hexproof
