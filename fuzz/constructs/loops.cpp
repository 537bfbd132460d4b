// Loops: where they start, where they end, of which type and kind.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

void body(Sketch& s, const Cells& a, const std::string& at) {
  s.store(a, s.choices.chance(70) ? at : s.index(a.size()));
  if (s.choices.chance(30)) {
    Sketch::Suite branch = s.open("if {}:", s.condition());
    s.store(a);
  }
}

/// `for i in T.serial(type(first), type(first) + type(count))`: the end of the range need not fit the type.
void typed_loop(Sketch& s, const std::string& type, int64_t first, int64_t count) {
  std::string i = s.fresh("i");
  std::string start = fmt::format("T.{}({})", type, first), extent = fmt::format("T.{}({})", type, count);
  bool plain = type == "int32" || type == "int64";
  std::string position = plain ? fmt::format("{} - {}", i, start) : fmt::format("T.Cast(\"int32\", {}) - {}", i, first);
  Cells a = s.shared({count <= 16 ? 16 : 128});
  bool whole = type == "int8" && s.choices.chance(50);  // the buffer is indexed by the variable itself
  if (whole) a = s.shared({128});
  {
    Sketch::Suite loop =
        s.loop_over(i, fmt::format("T.serial({}, {} + {})", start, start, extent), {"(" + position + ")", count});
    if (s.choices.chance(50)) {
      std::string last =
          type == "int32" ? std::to_string(first + count - 1) : fmt::format("T.{}({})", type, first + count - 1);
      Sketch::Suite branch = s.open("if {} {} {}:", i, s.choices.chance(70) ? "==" : "<", last);
      s.store(a, s.choices.chance(50) ? "0" : s.index(16));
    }
    if (s.choices.chance(70)) s.store(a, whole ? i : s.choices.chance(70) ? position : s.index(16));
  }
  if (!s.choices.chance(40)) return;
  std::string j = s.fresh("j");
  Sketch::Suite again = s.loop_over(j, fmt::format("T.serial({}, {} + {})", start, start, extent),
                                    {fmt::format("(T.Cast(\"int32\", {}) - {})", j, first), count});
  s.store(a, s.index(16));
}

void loop_from_anywhere(Sketch& s) {
  static const std::vector<std::pair<int, int>> kRanges = {{3, 9}, {1, 5}, {-3, 5}, {-8, -2}, {15, 16}, {2, 16}};
  auto [first, end] = s.choices.pick(kRanges);
  Cells a = s.shared({16});
  std::string i = s.fresh("i");
  int64_t count = end - first;
  std::string position = first < 0 ? fmt::format("{} + {}", i, -first) : fmt::format("{} - {}", i, first);
  Sketch::Suite loop = s.loop_over(i, fmt::format("range({}, {})", first, end), {"(" + position + ")", count});
  body(s, a, first >= 0 && s.choices.chance(60) ? i : position);
}

void loop_to_int8_end(Sketch& s) {
  int64_t count = s.choices.chance(50) ? 28 : 4;
  typed_loop(s, "int8", 128 - count, count);
}
void loop_to_int16_end(Sketch& s) { typed_loop(s, "int16", 32768 - 8, 8); }
void loop_to_int32_end(Sketch& s) { typed_loop(s, "int32", 2147483640, s.choices.chance(70) ? 8 : 7); }
void loop_to_uint8_end(Sketch& s) { typed_loop(s, "uint8", 250, s.choices.chance(70) ? 6 : 5); }
void loop_from_int8_start(Sketch& s) { typed_loop(s, "int8", -128, s.choices.chance(50) ? 100 : 8); }
void loop_over_int64(Sketch& s) {
  std::string i = s.fresh("i");
  Cells a = s.shared({16});
  Sketch::Suite loop =
      s.loop_over(i, "T.serial(T.int64(0), T.int64(16))", {fmt::format("T.Cast(\"int32\", {})", i), 16});
  body(s, a, s.choices.chance(60) ? i : s.index(16));
}

void loop_over_triangle(Sketch& s) {
  Cells a = s.shared({16});
  std::string i, j = s.fresh("j");
  Sketch::Suite outer = s.loop(4, &i);
  const char* range = s.choices.chance(50) ? "range({})" : s.choices.chance(50) ? "range({}, 4)" : "range({} + 1)";
  Sketch::Suite inner = s.loop_over(j, fmt::format(fmt::runtime(range), i), {j, 4});
  body(s, a, fmt::format("{} * 4 + {}", i, j));
}

/// A loop that starts at data ends at a number, or so far behind its start that a claim "before 16" is false.
void loop_bound_from_data(Sketch& s) {
  Cells a = s.shared({16}), p = s.shared({16});
  std::string j = s.fresh("j");
  std::string start = fmt::format("{} % 16", s.cell(p));
  if (s.choices.chance(50)) {
    Sketch::Suite inner = s.loop_over(j, "range(" + start + ")", {j, 16});
    body(s, a, s.index(16));
    return;
  }
  if (s.choices.chance(50)) start = fmt::format("T.min({}, 5)", start);
  // range(first, last) has last - first iterations: with the start in its end it has as many wherever it starts.
  const uint32_t count = 1 + s.choices.below(8);
  const uint32_t last = s.choices.chance(50) ? 16 : 6 + s.choices.below(20);
  const std::string end = s.choices.chance(50) ? fmt::format("{} + {}", start, count) : std::to_string(last);
  Sketch::Suite inner = s.loop_over(j, fmt::format("range({}, {})", start, end), {fmt::format("({} % 16)", j), 16});
  const bool guarded = s.choices.chance(85);  // what a false range of the variable would decide
  std::optional<Sketch::Suite> guard;
  if (guarded) s.write(fmt::format("if {} < 16:", j)), guard.emplace(s);
  s.store(a, j);
  if (s.choices.chance(60)) {
    Sketch::Suite late = s.open("if {} {} {}:", j, s.choices.chance(70) ? ">=" : "==", 1 + s.choices.below(22));
    s.store(a, s.index(16));
  }
}

void loop_without_iterations(Sketch& s) {
  Cells a = s.shared({16});
  static const std::vector<std::string> kRanges = {"range(0)", "range(4, 4)", "range(6, 2)"};
  std::string i, j = s.fresh("j");
  Sketch::Suite outer = s.loop(4, &i);
  std::string range = s.choices.chance(40) ? fmt::format("range({} - 3)", i) : s.choices.pick(kRanges);
  Sketch::Suite loop = s.loop_over(j, range, {"((" + j + ") % 16)", 16});
  if (s.choices.chance(40)) {
    s.line("{}[{} + 90] = {}", a.name, i, s.value("int32"));
  } else {
    s.store(a);
  }
}

void of_kind(Sketch& s, const std::string& kind, int64_t extent) {
  Cells a = s.shared({16});
  std::string i = s.fresh("i");
  const bool threads = kind == "thread" && s.may_have(Sketch::OfThreads::Loops);
  std::string call = threads ? fmt::format("T.thread_binding({}, thread=\"threadIdx.x\")", extent)
                             : fmt::format("T.{}({})", kind == "thread" ? "parallel" : kind, extent);
  Cells b = s.shared({16});
  bool race = s.choices.chance(8);
  Sketch::Suite loop = s.loop_over(i, call, {i, extent});
  s.line("{}[{}] = {}", a.name, race ? s.index(16) : i, s.value("int32", 0));
  if (s.choices.chance(40)) {
    s.line("{}[{}] = {}[{}] + 1", a.name, i, a.name, i);
  } else if (s.choices.chance(30) && b.name != a.name) {
    Sketch::Suite branch = s.open("if {}:", s.index_condition());
    s.line("{}[15 - {}] = {}[{}]", b.name, i, a.name, i);
  }
}
void parallel_loop(Sketch& s) { of_kind(s, "parallel", 8); }
void vectorized_loop(Sketch& s) { of_kind(s, "vectorized", 4); }
void unrolled_loop(Sketch& s) { of_kind(s, "unroll", 4); }
void thread_bound_loop(Sketch& s) { of_kind(s, "thread", 8); }

void loop_with_annotations(Sketch& s) {
  Cells a = s.shared({16});
  std::string i = s.fresh("i");
  Sketch::Suite loop = s.loop_over(i, "T.serial(8, annotations={\"note\": 1})", {i, 8});
  Sketch::Suite attr = s.open("with T.attr(\"here\", \"note\", {}):", i);
  body(s, a, i);
}

void unit_loops(Sketch& s) {
  Cells a = s.shared({16});
  std::string i, j, k = s.fresh("i");
  Sketch::Suite one = s.loop(1, &i);
  Sketch::Suite many = s.loop(8, &j);
  Sketch::Suite other = s.loop_over(k, fmt::format("range({}, {} + 1)", j, j), {k, 8});
  body(s, a, k);
}

}  // namespace

const std::vector<Construct> kLoopConstructs = {
    {"loop-from-anywhere", &loop_from_anywhere},
    {"loop-to-int8-end", &loop_to_int8_end},
    {"loop-to-int16-end", &loop_to_int16_end},
    {"loop-to-int32-end", &loop_to_int32_end},
    {"loop-to-uint8-end", &loop_to_uint8_end},
    {"loop-from-int8-start", &loop_from_int8_start},
    {"loop-over-int64", &loop_over_int64},
    {"loop-over-triangle", &loop_over_triangle},
    {"loop-bound-from-data", &loop_bound_from_data},
    {"loop-without-iterations", &loop_without_iterations},
    {"parallel-loop", &parallel_loop},
    {"vectorized-loop", &vectorized_loop},
    {"unrolled-loop", &unrolled_loop},
    {"thread-bound-loop", &thread_bound_loop},
    {"loop-with-annotations", &loop_with_annotations},
    {"unit-loops", &unit_loops},
};

}  // namespace hexproof
