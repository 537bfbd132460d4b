// Asynchronous copies: with slots and waits that are enough now and then.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// The lines that open a group, or a wait that leaves so many in flight.
Sketch::Suite group(Sketch& s, uint32_t queue) {
  return s.open("with T.attr(0, \"async_commit_queue_scope\", {}), T.attr(0, \"async_scope\", 1):", queue);
}
Sketch::Suite wait(Sketch& s, uint32_t queue, const std::string& left) {
  return s.open("with T.attr(0, \"async_wait_queue_scope\", {}), T.attr(0, \"async_wait_inflight_count\", {}):", queue,
                left);
}

/// A loop that uses what was copied some iterations before. Arguments of other shapes are other memory.
void copies_ahead(Sketch& s) {
  Cells a = s.shared({16}), out = s.choices.chance(90) ? s.shared({4, 4}) : a;
  const uint32_t ahead = s.choices.below(3);
  const uint32_t slots = s.choices.chance(85) ? ahead + 1 + s.choices.below(2) : 1 + s.choices.below(3);
  const uint32_t left = s.choices.chance(85) ? ahead : s.choices.below(4);
  const std::string t = s.fresh("t");
  s.line("{} = T.alloc_buffer(({}, 4), \"int32\")", t, slots);
  for (uint32_t k = 0; k < ahead; ++k) {
    std::string j;
    Sketch::Suite copy = group(s, 0);
    Sketch::Suite loop = s.loop(4, &j);
    s.line("{}[{}, {}] = {}[{} + {}]", t, k % slots, j, a.name, 4 * k, j);
  }
  std::string i, j, k;
  {
    Sketch::Suite loop = s.loop(4, &i);
    {
      Sketch::Suite copy = group(s, s.choices.chance(90) ? 0 : 1);
      Sketch::Suite guard = s.open("if {} < {}:", i, 4 - ahead - (s.choices.chance(90) ? 0 : 1));
      Sketch::Suite fill = s.loop(4, &j);
      s.line("{}[({} + {}) % {}, {}] = {}[({} + {}) * 4 + {}]", t, i, ahead, slots, j, a.name, i, ahead, j);
    }
    if (s.choices.chance(10)) s.line("{}[{}] = {}", a.name, s.index(16), s.value("int32"));
    Sketch::Suite use = wait(s, 0, std::to_string(left));
    Sketch::Suite read = s.loop(4, &k);
    const std::string cell = out.shape.size() == 2 ? i + ", " + k : i + " * 4 + " + k;
    s.line("{}[{}] = {}[{} % {}, {}]", out.name, cell, t, i, slots, k);
  }
  if (s.choices.chance(30)) {
    Sketch::Suite through = wait(s, 0, "0");
    s.line("T.evaluate(0)");
  }
}

/// One group, what runs while it is in flight, and a wait that may come too late.
void copy_and_work(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({8}), out = s.shared({4, 4});
  const int64_t groups = s.choices.chance(50) ? 1 : 2;
  Cells t = s.allocation({4 * groups});
  const std::string i = s.fresh("i");
  std::string j, k, l;
  {
    Sketch::Suite loop = s.loop_over(i, fmt::format("range({})", groups), {i, groups});
    Sketch::Suite copy = group(s, 0);
    Sketch::Suite fill = s.loop(4, &j);
    s.line("{}[{}{}] = {}[{}]", t.name, j, s.choices.chance(90) ? " + 4 * " + i : "", a.name, j);
  }
  {
    Sketch::Suite work = s.loop(4, &k);
    const bool reads_copy = s.choices.chance(10);
    s.line("{}[{}] = {}[{}]", s.choices.chance(90) ? b.name : a.name, s.index(8), reads_copy ? t.name : b.name, k);
  }
  const std::string count = s.choices.chance(85) ? "0" : "1";
  if (s.choices.chance(90)) {
    Sketch::Suite through = wait(s, 0, count);
    s.line("T.evaluate(0)");
  } else {
    Sketch::Suite branch = s.open("if {}[0] > 0:", b.name);
    Sketch::Suite through = wait(s, 0, count);
    s.line("T.evaluate(0)");
  }
  Sketch::Suite read = s.loop(4 * groups, &l);
  s.line("{}[{} // 4, {} % 4] = {}[{}]", out.name, l, l, t.name, l);
}

/// What fill-ahead looks for: a loop that fills a buffer of its own and uses it.
void filled_in_a_loop(Sketch& s) {
  Cells a = s.shared({16}), out = s.shared({16});
  std::string i, j, k;
  const std::string t = s.fresh("t");
  Sketch::Suite loop = s.loop(4, &i);
  s.line("{} = T.alloc_buffer((4,), \"int32\")", t);
  {
    Sketch::Suite fill = s.loop(4, &j);
    s.line("{}[{}] = {}[{}]", t, j, a.name, s.choices.chance(70) ? i + " * 4 + " + j : s.index(16));
  }
  if (s.choices.chance(30)) {
    std::string l;
    Sketch::Suite again = s.loop(4, &l);
    s.line("{}[{}] = {}[{}] + 1", t, l, t, l);
  }
  Sketch::Suite use = s.loop(4, &k);
  s.line("{}[{}] = {}[{}]", out.name, s.choices.chance(70) ? i + " * 4 + " + k : s.index(16), t, k);
}

}  // namespace

const std::vector<Construct> kFlightConstructs = {
    {"copies-ahead", copies_ahead},
    {"copy-and-work", copy_and_work},
    {"filled-in-a-loop", filled_in_a_loop},
};

}  // namespace hexproof
