// Numbers near the ends of 64 bits, and products beyond 64 and 128: loops, groups of copies, layouts of views.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

std::string uint64(uint64_t v) { return fmt::format("T.uint64({})", v); }

/// Where a uint64 loop of a few iterations starts: mostly so that it leaves int64 on the way. (A start beyond is an
/// error.)
uint64_t start(Sketch& s) {
  constexpr uint64_t kLast = (uint64_t{1} << 63) - 1;
  static const std::vector<uint64_t> kStarts = {kLast, kLast - 1, 3};
  return s.choices.chance(5) ? kLast + 1 : s.choices.pick(kStarts);
}

/// A loop of `extent` iterations from `first` on, that counts them.
Sketch::Suite rounds(Sketch& s, const std::string& i, uint64_t first, int64_t extent) {
  return s.loop_over(i, fmt::format("range({}, {})", uint64(first), uint64(first + static_cast<uint64_t>(extent))),
                     {fmt::format("T.Cast(\"int32\", {} - {})", i, uint64(first)), extent});
}

void great_loop(Sketch& s) {
  const uint64_t first = start(s);
  const std::string i = s.fresh("i");
  Cells a = s.shared({16});
  Sketch::Suite loop = rounds(s, i, first, 4);
  if (s.choices.chance(40)) {
    Sketch::Suite branch =
        s.open("if {} {} {}:", i, s.choices.chance(50) ? "<" : ">=", uint64(first + s.choices.below(4)));
    s.store(a);
  }
  s.store(a);
}

/// A group in some of the iterations, and waits that are too few now and then.
void great_flights(Sketch& s) {
  const uint64_t first = start(s);
  const std::string i = s.fresh("i");
  Cells a = s.shared({16}), out = s.shared({4, 4});
  Cells t = s.temporary({4});
  {
    Sketch::Suite loop = rounds(s, i, first, 3);
    const bool waits = s.choices.chance(80);
    if (waits || s.choices.chance(15)) s.line("{}[0, 0] = {}[0]", out.name, t.name);
    const std::string copy = "with T.attr(0, \"async_commit_queue_scope\", 0):";
    if (s.choices.chance(50)) {
      Sketch::Suite branch = s.open("if {} == {}:", i, uint64(first + s.choices.below(3)));
      Sketch::Suite group = s.open("{}", copy);
      s.line("{}[0] = {}[1]", t.name, a.name);
    } else {
      Sketch::Suite group = s.open("{}", copy);
      s.line("{}[0] = {}[1]", t.name, a.name);
    }
    if (waits) {
      const int left = s.choices.chance(85) ? 0 : 1;
      Sketch::Suite queue = s.open("with T.attr(0, \"async_wait_queue_scope\", 0):");
      Sketch::Suite wait = s.open("with T.attr(0, \"async_wait_inflight_count\", {}):", left);
      s.line("{}[0, 1] = {}[0]", out.name, t.name);
    }
  }
  Sketch::Suite queue = s.open("with T.attr(0, \"async_wait_queue_scope\", 0):");
  Sketch::Suite wait = s.open("with T.attr(0, \"async_wait_inflight_count\", 0):");
  s.line("{}[0, 2] = {}[0]", out.name, t.name);
}

/// A view of int32 extents whose far elements have addresses beyond 64 bits.
void great_view(Sketch& s) {
  Cells a = s.shared({16});
  const std::string v = s.fresh("V"), i = s.fresh("i");
  const std::string from = s.choices.chance(50) ? "" : ", elem_offset=T.int64(3)";
  s.line("{} = T.decl_buffer((64, 1073741824, 1073741824), \"int32\", data={}.data{})", v, a.name, from);
  Sketch::Suite loop = s.loop_over(i, "range(4)", {i, 4});
  const uint32_t row = s.choices.chance(80) ? 0 : 16;
  s.line("{}[{} * {}, 0, {}] = {}", v, i, row, s.choices.chance(50) ? i : s.index(8), s.value("int32"));
}

/// A view of strides of two signs, of which elements on the diagonal lie in one cell.
void great_strides(Sketch& s) {
  Cells a = s.shared({16});
  const std::string i = s.fresh("i"), x = s.fresh("x"), v = s.fresh("V"), p = s.fresh("p"), k = s.fresh("k");
  const std::string most = "T.int64(9223372036854775807)";
  auto great = [&](const std::string& name) {
    const int64_t first = s.choices.chance(70) ? int64_t{1} << 62 : int64_t{1} << 31;
    return s.open("for {} in range(T.int64({}), T.int64({})):", name, first, first + 2);
  };
  Sketch::Suite rows = great(i);
  Sketch::Suite strides = great(x);
  s.line("{} = T.decl_buffer(({}, {}), \"int32\", data={}.data, strides=[{}, T.int64(0) - {}])", v, most, most, a.name,
         x, x);
  Sketch::Suite loop = s.open("for {} in {}:", p, s.choices.chance(25) ? "T.parallel(2)" : "range(2)");
  Sketch::Suite inner = s.open("for {} in range({}, {} + T.int64(1)):", k, i, i);
  Sketch::Suite branch = s.open("if {} == {}:", k, i);
  s.line("{}[{}, {}] = {}", v, i, k, s.choices.chance(50) ? p : s.value("int32"));
}

}  // namespace

const std::vector<Construct> kGreatNumberConstructs = {
    {"great-loop", &great_loop},
    {"great-flights", &great_flights},
    {"great-view", &great_view},
    {"great-strides", &great_strides},
};

}  // namespace hexproof
