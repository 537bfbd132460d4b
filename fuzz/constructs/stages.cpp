// Stages that work on what others left, and functions that call each other.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

void nest(Sketch& s) {
  Cells a = s.shared({4, 4});
  std::string i, j;
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite inner = s.loop(4, &j);
  s.line("{}[{}, {}] = {}", a.name, i, s.choices.chance(70) ? j : s.index(4), s.value("int32"));
}

void neighbouring_loops(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string i, j;
  {
    Sketch::Suite first = s.loop(16, &i);
    s.store(a, s.choices.chance(60) ? i : s.index(16));
  }
  Sketch::Suite second = s.loop(16, &j);
  s.line("{}[{}] = {}[{}]{}", b.name, j, a.name, s.choices.chance(50) ? j : s.index(16),
         s.choices.chance(50) ? " + " + s.cell(b) : "");
}

void loop_of_two_statements(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  s.store(a, i);
  s.line("{}[{}] = {}", b.name, i,
         s.choices.chance(60) ? fmt::format("{}[{}]", a.name, s.index(16)) : s.value("int32"));
}

/// `producer` and `consumer` as blocks, the way that compute-at and the caches look for them.
void producer_and_consumer(Sketch& s) {
  Cells a = s.shared({4, 4}), out = s.shared({4, 4});
  Cells t = s.allocation({4, 4});
  bool reduces = s.choices.chance(30);
  {
    std::string i = s.fresh("i"), j = s.fresh("j"), vi = s.fresh("vi"), vj = s.fresh("vj");
    Sketch::Suite loops = s.open("for {}, {} in T.grid(4, 4):", i, j);
    Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
    s.line("{}, {} = T.axis.remap(\"SS\", [{}, {}])", vi, vj, i, j);
    s.line("{}[{}, {}] = {}[{}, {}] {}", t.name, vi, vj, a.name, vi, vj, s.choices.chance(50) ? "+ 1" : "* 2");
  }
  std::string i = s.fresh("i"), j = s.fresh("j"), vi = s.fresh("vi"), vj = s.fresh("vj");
  Sketch::Suite loops = s.open("for {}, {} in T.grid(4, 4):", i, j);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{}, {} = T.axis.remap(\"{}\", [{}, {}])", vi, vj, reduces ? "SR" : "SS", i, j);
  s.counters.push_back({vi, 4});
  if (!reduces) {
    std::string row = s.choices.chance(60) ? vi : s.index(4), column = s.choices.chance(60) ? vj : s.index(4);
    s.line("{}[{}, {}] = {}[{}, {}]", out.name, vi, vj, t.name, row, column);
    return;
  }
  {
    Sketch::Suite init = s.open("with T.init():");
    s.line("{}[{}, 0] = 0", out.name, vi);
  }
  s.line("{}[{}, 0] = {}[{}, 0] + {}[{}, {}]", out.name, vi, out.name, vi, t.name, vi, vj);
}

/// A copy with zeros around it, which decompose-padding takes apart and compute_inline puts into its reader.
void padded_stage(Sketch& s) {
  Cells a = s.shared({4, 4}), out = s.shared({6, 6});
  Cells t = s.allocation({6, 6});
  const bool one = s.choices.chance(50);
  {
    std::string i = s.fresh("i"), j = s.fresh("j"), vi = s.fresh("vi"), vj = s.fresh("vj");
    Sketch::Suite loops = s.open("for {}, {} in T.grid(6, 6):", i, j);
    Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
    s.line("{}, {} = T.axis.remap(\"SS\", [{}, {}])", vi, vj, i, j);
    s.line("{0}[{1}, {2}] = T.if_then_else(1 <= {1} and {1} < 5 and 1 <= {2} and {2} < 5, {3}[{1} - 1, {2} - 1], {4})",
           t.name, vi, vj, a.name, one ? 1 : 0);
  }
  std::string i = s.fresh("i"), j = s.fresh("j"), vi = s.fresh("vi"), vj = s.fresh("vj");
  Sketch::Suite loops = s.open("for {}, {} in T.grid(6, 6):", i, j);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{}, {} = T.axis.remap(\"SS\", [{}, {}])", vi, vj, i, j);
  s.line("{}[{}, {}] = {}[{}, {}] + 1", out.name, vi, vj, t.name, s.choices.chance(70) ? vi : "5 - " + vi, vj);
}

/// A producer inside of the loop over rows that reads a window of them.
void window_over_rows(Sketch& s) {
  Cells a = s.shared({16}), out = s.shared({4});
  Cells t = s.allocation({16});
  const int stride = 1 + static_cast<int>(s.choices.below(2)), rows = 3;
  std::string i;
  Sketch::Suite loop = s.loop(4, &i);
  {
    std::string x = s.fresh("x"), v = s.fresh("v");
    Sketch::Suite window = s.open("for {} in range({}):", x, rows);
    Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
    s.line("{} = T.axis.spatial(16, {} * {} + {})", v, i, stride, x);
    s.line("{}[{}] = {}[{}] & 15", t.name, v, a.name, v);
  }
  std::string r = s.fresh("r"), vi = s.fresh("vi"), vr = s.fresh("vr");
  Sketch::Suite reads = s.open("for {} in range({}):", r, rows);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{}, {} = T.axis.remap(\"SR\", [{}, {}])", vi, vr, i, r);
  {
    Sketch::Suite init = s.open("with T.init():");
    s.line("{}[{}] = 0", out.name, vi);
  }
  s.line("{0}[{1}] = {0}[{1}] + {2}[{1} * {3} + {4}]", out.name, vi, t.name, stride, vr);
}

void temporary_between_loops(Sketch& s) {
  Cells a = s.shared({4, 4}), out = s.shared({16});
  Cells t = s.allocation({4, 4});
  std::string i, j, k;
  Sketch::Suite outer = s.loop(4, &i);
  {
    Sketch::Suite fill = s.loop(4, &j);
    s.line("{}[{}, {}] = {}[{}, {}] + 3", t.name, i, j, a.name, i, j);
  }
  Sketch::Suite read = s.loop(4, &k);
  s.line("{}[{} * 4 + {}] = {}[{}, {}]", out.name, i, k, t.name, i, s.choices.chance(60) ? k : s.index(4));
}

/// Two stages with a temporary each: the second one starts when the first one is over, but for now and then.
void stages_after_each_other(Sketch& s) {
  Cells a = s.shared({16}), out = s.shared({16});
  const auto width = static_cast<int>(4 + s.choices.below(20));
  Cells t = s.allocation({16}), u = s.allocation({width});
  std::string i, j, k, l;
  {
    Sketch::Suite fill = s.loop(16, &i);
    s.line("{}[{}] = {}[{}] + 1", t.name, i, a.name, i);
  }
  {
    Sketch::Suite read = s.loop(16, &j);
    s.line("{}[{}] = {}[15 - {}]", out.name, j, t.name, j);
  }
  {
    Sketch::Suite fill = s.loop(width, &k);
    s.line("{}[{}] = {}[{} % 16] + 2", u.name, k, a.name, k);
  }
  Sketch::Suite read = s.loop(16, &l);
  s.line("{0}[{1}] = {0}[{1}] + {2}[{1} % {3}]", out.name, l, u.name, width);
  if (s.choices.chance(15)) s.line("{0}[{1}] = {0}[{1}] + {2}[{1}]", out.name, l, t.name);
}

void padded_temporary(Sketch& s) {
  Cells a = s.shared({14}), out = s.shared({14});
  Cells t = s.allocation({4, 4});
  std::string i, j;
  {
    Sketch::Suite fill = s.loop(14, &i);
    s.line("{}[{} // 4, {} % 4] = {}[{}] + 1", t.name, i, i, a.name, i);
  }
  Sketch::Suite read = s.loop(14, &j);
  s.line("{}[{}] = {}[{} // 4, {} % 4]", out.name, j, t.name, j, j);
}

void copy_in_tiles(Sketch& s) {
  Cells a = s.shared({14}), b = s.shared({4, 4});
  std::string io, ii;
  Sketch::Suite outer = s.loop(4, &io);
  Sketch::Suite inner = s.loop(4, &ii);
  if (s.choices.chance(50)) {
    s.line("{}[{}, {}] = T.if_then_else({} * 4 + {} < 14, {}[{} * 4 + {}], 0)", b.name, io, ii, io, ii, a.name, io, ii);
  } else {
    Sketch::Suite guard = s.open("if {} * 4 + {} < 14:", io, ii);
    s.line("{}[{}] = {}[{}, {}]", a.name, fmt::format("{} * 4 + {}", io, ii), b.name, io, ii);
  }
}

void evaluated(Sketch& s) {
  Cells a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  s.line("T.evaluate({})", s.cell(a));
  s.store(a, i);
  s.line("T.evaluate({} // {})", s.cell(a), 1 + s.choices.below(3));
}

void called_functions(Sketch& s) {
  Cells a = s.shared({16});
  Cells t = s.allocation({16});
  std::string first = s.fresh("produce"), second = s.fresh("consume");
  bool assumed = s.choices.chance(40);
  std::string value = s.choices.chance(50) ? "A[i] % 16" : "T.min(T.max(A[i], 0), 15)";
  s.function(
      fmt::format("    def {}(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
                  "        for i in range(16):\n            B[i] = {}\n",
                  first, value));
  std::string note = assumed ? "            T.assume(A[i] >= 0 and A[i] < 16)\n" : "";
  s.function(
      fmt::format("    def {}(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\"), n: T.int32):\n"
                  "        for i in range(n):\n{}            B[i] = {}\n",
                  second, note, assumed ? "B[A[i]] + 1" : "A[15 - i] + B[i]"));
  s.line("Module.{}({}.data, {}.data)", first, a.name, t.name);
  s.line("Module.{}({}.data, {}.data, {})", second, t.name, a.name, 1 + s.choices.below(16));
}

/// A function that may read what it never stored, in memory of its own; whether it hands that over or not, and whether
/// its caller decides by it, is left to chance.
void called_with_a_permission(Sketch& s) {
  Cells a = s.shared({16}), t = s.allocation({16}), out = s.shared({16});
  const std::string called = s.fresh("partly");
  const uint32_t filled = 4 + s.choices.below(10), seen = s.choices.chance(70) ? filled : s.choices.below(17);
  static const std::vector<std::string> kForms = {"i < {0} or W[i] == T.undef()", "W[i] == T.undef()",
                                                  "i < {0} or W[i] == T.undef() or A[i] > 3",
                                                  "A[i] > 3 or W[A[i] & 15] == T.undef()"};
  s.function(
      fmt::format("    def {}(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
                  "        W = T.alloc_buffer((16,), \"int32\")\n"
                  "        for i in range(16):\n"
                  "            T.assume({})\n"
                  "        for i in range({}):\n"
                  "            W[i] = A[i] & 15\n"
                  "        for i in range(16):\n"
                  "            B[i] = A[15 - i] & 15\n"
                  "            if i < {}:\n"
                  "                B[i] = {}\n",
                  called, fmt::format(fmt::runtime(s.choices.pick(kForms)), filled), filled, seen,
                  s.choices.chance(70) ? "W[i]" : "W[i] * 0 + B[i]"));
  s.line("Module.{}({}.data, {}.data)", called, a.name, t.name);
  std::string j;
  Sketch::Suite loop = s.loop(16, &j);
  const char* form = s.choices.chance(50) ? "{}[{}] = {}[{}] + 1" : "{}[{}] = {}[{}] * 0";
  s.line("{}", fmt::format(fmt::runtime(form), out.name, j, t.name, s.choices.chance(70) ? j : s.index(16)));
}

/// Each iteration computes a window that overlaps the one before, of what nobody changes; now and then somebody does.
void sliding_window(Sketch& s) {
  Cells a = s.shared({16}), out = s.shared({4}), t = s.allocation({16});
  const uint32_t step = 1 + s.choices.below(3), slope = s.choices.chance(80) ? step : 1 + s.choices.below(3);
  std::string x, j;
  Sketch::Suite outer = s.loop(4, &x);
  {
    Sketch::Suite inner = s.loop(4, &j);
    s.line("{}[{} * {} + {}] = {}[{} * {} + {}] + 1", t.name, x, step, j, a.name, x, slope, j);
  }
  if (s.choices.chance(15)) s.line("{}[{} * {} + 3] = 5", s.choices.chance(50) ? t.name : a.name, x, step);
  s.line("{}[{}] = {}[{} * {}] + {}[{} * {} + 3]", out.name, x, t.name, x, step, t.name, x, step);
}

/// Two stages in a loop, whose iterations read what earlier ones left; now and then they read what is left by nobody
/// yet.
void recurrence(Sketch& s) {
  Cells x = s.shared({4, 4});
  Cells t = s.allocation({4, 4});
  const std::string time = s.fresh("t"), i = s.fresh("i"), j = s.fresh("j"), vt = s.fresh("vt"), vi = s.fresh("vi"),
                    wt = s.fresh("wt"), vj = s.fresh("vj");
  Sketch::Suite loop = s.open("for {} in range(1, 4):", time);
  {
    Sketch::Suite first = s.open("for {} in range(4):", i);
    Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
    s.line("{} = T.axis.spatial((1, 4), {})", vt, time);
    s.line("{} = T.axis.spatial(4, {})", vi, i);
    s.line("{}[{}, {}] = {}[{}{}, {}] * 2", t.name, vt, vi, x.name, vt, s.choices.chance(85) ? " - 1" : "",
           s.choices.chance(60) ? vi : "3 - " + vi);
  }
  Sketch::Suite second = s.open("for {} in range(4):", j);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{} = T.axis.opaque((1, 4), {})", wt, time);
  s.line("{} = T.axis.spatial(4, {})", vj, j);
  const std::string row = s.choices.chance(85) ? wt : fmt::format("T.max({} - 1, 1)", wt);
  s.line("{}[{}, {}] = {}[{}, {}] + 1", x.name, wt, vj, t.name, row, s.choices.chance(60) ? vj : "3 - " + vj);
}

}  // namespace

const std::vector<Construct> kStageConstructs = {
    {"nest", &nest},
    {"neighbouring-loops", &neighbouring_loops},
    {"loop-of-two-statements", &loop_of_two_statements},
    {"producer-and-consumer", &producer_and_consumer},
    {"padded-stage", &padded_stage},
    {"window-over-rows", &window_over_rows},
    {"temporary-between-loops", &temporary_between_loops},
    {"stages-after-each-other", &stages_after_each_other},
    {"padded-temporary", &padded_temporary},
    {"copy-in-tiles", &copy_in_tiles},
    {"sliding-window", &sliding_window},
    {"evaluated", &evaluated},
    {"called-functions", &called_functions},
    {"called-with-a-permission", &called_with_a_permission},
    {"recurrence", &recurrence},
};

}  // namespace hexproof
