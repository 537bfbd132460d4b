// Allocations, and places that data names.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

void allocation_in_loop(Sketch& s) {
  Cells a = s.shared({16}), out = s.shared({16});
  std::string i, j, k;
  Sketch::Suite loop = s.loop(4, &i);
  Cells t = s.allocation({4});
  {
    Sketch::Suite fill = s.loop(4, &j);
    s.line("{}[{}] = {}[{} * 4 + {}]", t.name, j, a.name, i, j);
  }
  Sketch::Suite read = s.loop(4, &k);
  s.line("{}[{} * 4 + {}] = {} + {}", out.name, i, k, s.cell(t), s.cell(out));
}

void allocation_that_grows(Sketch& s) {
  Cells b = s.shared({64}), c = s.shared({64});
  bool blocks = s.choices.chance(60);
  std::string i, t = s.fresh("t");
  Sketch::Suite loop = s.loop(8, &i);
  s.line("{} = T.decl_buffer(({},), \"int32\")", t, i);
  for (bool filling : {true, false}) {
    std::string j = s.fresh("j"), v = blocks ? s.fresh("v") : j;
    Sketch::Suite inner = s.loop_over(j, "range(" + i + ")", {j, 8});
    Sketch::Suite block = s.open("{}:", blocks ? "with T.block(\"" + s.fresh("b") + "\")" : "if " + j + " >= 0");
    if (blocks) s.line("{} = T.axis.spatial({}, {})", v, i, j);
    if (filling) {
      s.line("{}[{}] = {}[{}]", t, v, b.name, v);
    } else {
      s.line("{}[{} * 8 + {}] = {}[{}]", c.name, i, v, t, v);
    }
  }
}

void allocation_of_size_zero(Sketch& s) {
  Cells out = s.shared({16});
  std::string t = s.fresh("t"), i = s.fresh("i"), j;
  s.line("{} = T.alloc_buffer(({},), \"int32\")", t, s.choices.chance(50) ? "0" : "1");
  std::string bound = s.choices.chance(60) ? "0" : "1";
  {
    Sketch::Suite loop = s.loop_over(i, "range(" + bound + ")", {i, 1});
    s.line("{}[{}] = 3", t, i);
  }
  Sketch::Suite loop = s.loop(8, &j);
  s.line("{}[{}] = {}", out.name, j, s.value("int32"));
}

void local_allocation(Sketch& s) {
  Cells a = s.shared({16}), out = s.shared({16});
  std::string t = s.fresh("t"), i, j;
  s.line("{} = T.alloc_buffer((300,), \"int32\", scope=\"{}\")", t,
         s.may_have(Sketch::OfThreads::Memory) ? "local" : "global");
  {
    Sketch::Suite fill = s.loop(16, &i);
    s.line("{}[{} + 3] = {}", t, i, s.value("int32", 1));
  }
  Sketch::Suite read = s.loop(12, &j);
  s.line("{}[{}] = {}[{} + {}]", out.name, j, t, j, 3 + s.choices.below(5));
}

/// An argument whose cells are indices below `extent`, by an assume or by a remainder.
std::string positions(Sketch& s, int64_t extent, const std::string& i) {
  Cells p = s.shared({16});
  return s.choices.chance(60) ? fmt::format("{}[{}] % {}", p.name, i, extent)
                              : fmt::format("T.max(T.min({}[{}], {}), 0)", p.name, i, extent - 1);
}

std::string assumed_positions(Sketch& s) {
  std::string name = s.fresh("I"), z = s.fresh("z");
  s.parameter(name + ": T.Buffer((16,), \"int32\")");
  s.prelude(fmt::format("for {} in range(16):", z));
  s.prelude(fmt::format("    T.assume({}[{}] >= 0 and {}[{}] < 16)", name, z, name, z));
  return name;
}

void gather(Sketch& s) {
  Cells a = s.shared({16}), out = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  std::string at = s.choices.chance(40) ? assumed_positions(s) + "[" + i + "]" : positions(s, 16, i);
  s.line("{}[{}] = {}[{}]{}", out.name, i, a.name, at, s.choices.chance(50) ? " + 1" : "");
}

void scatter(Sketch& s) {
  Cells a = s.shared({16}), out = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  std::string at = s.choices.chance(40) ? assumed_positions(s) + "[" + i + "]" : positions(s, 16, i);
  s.line("{}[{}] = {}", out.name, at, s.value("int32", 1));
  if (s.choices.chance(40)) s.line("{}[{}] = {}[{}]", a.name, i, out.name, s.index(16));
}

void scattered_sum(Sketch& s) {
  Cells h = s.shared({8}), a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  std::string at = positions(s, 8, i);
  s.line("{}[{}] = {}[{}] {} {}[{}]", h.name, at, h.name, at, s.choices.chance(70) ? "+" : "-", a.name, i);
}

void scan(Sketch& s) {
  Cells a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(15, &i);
  s.line("{}[{} + 1] = {}[{}] + {}[{} + 1]", a.name, i, a.name, i, a.name, i);
  if (s.choices.chance(30)) s.store(a);
}

void stencil(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({14});
  std::string i;
  Sketch::Suite loop = s.loop(14, &i);
  s.line("{}[{}] = {}[{}] + {}[{} + 1] + {}[{} + 2]", b.name, i, a.name, i, a.name, i, a.name, i);
}

void scalar_buffer(Sketch& s) {
  std::string t = s.fresh("t"), i;
  Cells a = s.shared({16});
  s.line("{} = T.alloc_buffer((), \"int32\")", t);
  s.line("{}[()] = {}", t, s.constant("int32"));
  Sketch::Suite loop = s.loop(16, &i);
  s.line("{}[()] = {}[()] + {}[{}]", t, t, a.name, i);
  if (s.choices.chance(60)) s.line("{}[{}] = {}[()]", a.name, s.choices.chance(50) ? i : s.index(16), t);
}

}  // namespace

const std::vector<Construct> kMemoryConstructs = {
    {"allocation-in-loop", &allocation_in_loop},
    {"allocation-that-grows", &allocation_that_grows},
    {"allocation-of-size-zero", &allocation_of_size_zero},
    {"local-allocation", &local_allocation},
    {"gather", &gather},
    {"scatter", &scatter},
    {"scattered-sum", &scattered_sum},
    {"scan", &scan},
    {"stencil", &stencil},
    {"scalar-buffer", &scalar_buffer},
};

}  // namespace hexproof
