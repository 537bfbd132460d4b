// Blocks: their domains, predicates, regions and inits.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// A block over a 4x4 box: `for i, j: with T.block(name): vi, vj`; the caller writes the body where vi and vj count.
struct Box {
  Box(Sketch& s, const std::string& kinds, const std::string& name)
      : i(s.fresh("i")),
        j(s.fresh("j")),
        vi(s.fresh("vi")),
        vj(s.fresh("vj")),
        loops(s.open("for {}, {} in T.grid(4, 4):", i, j)),
        block(s.open("with T.block(\"{}\"):", name)) {
    s.line("{}, {} = T.axis.remap(\"{}\", [{}, {}])", vi, vj, kinds, i, j);
    s.counters.push_back({vi, 4});
    s.counters.push_back({vj, 4});
  }
  std::string i, j, vi, vj;
  Sketch::Suite loops, block;
};

void plain_block(Sketch& s) {
  Cells a = s.shared({4, 4}), b = s.shared({4, 4});
  Box box(s, "SS", s.fresh("b"));
  s.line("{}[{}, {}] = {} + {}", b.name, box.vi, box.vj, s.cell(a), s.value("int32", 1));
}

void block_with_regions(Sketch& s) {
  Cells a = s.shared({4, 4}), b = s.argument({4, 4});
  Box box(s, "SS", s.fresh("b"));
  bool row = s.choices.chance(40);
  s.line("T.reads({}[{}, {}])", a.name, box.vi, row ? "0:4" : box.vj);
  s.line("T.writes({}[{}, {}])", b.name, box.vi, box.vj);
  s.line("{}[{}, {}] = {}[{}, {}] + 1", b.name, box.vi, box.vj, a.name, box.vi, row ? s.index(4) : box.vj);
}

void block_with_predicate(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({14});
  std::string io = s.fresh("io"), ii = s.fresh("ii"), v = s.fresh("v");
  Sketch::Suite loops = s.open("for {}, {} in T.grid(4, 4):", io, ii);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{} = T.axis.spatial(14, {} * 4 + {})", v, io, ii);
  s.line("T.where({} * 4 + {} < 14)", io, ii);
  s.counters.push_back({v, 14});
  if (s.choices.chance(50)) {
    s.line("{}[{}] = {}[{}] * 2", b.name, v, a.name, v);
  } else {
    s.line("{}[{}] = {}", b.name, v, s.value("int32"));
  }
}

void block_predicate_from_data(Sketch& s) {
  Cells a = s.shared({4, 4}), b = s.shared({4, 4});
  Box box(s, "SS", s.fresh("b"));
  s.line("T.where({}[{}, {}] > 0)", a.name, box.i, box.j);
  s.line("{}[{}, {}] = {}", b.name, box.vi, box.vj, s.value("int32", 1));
}

void reduction(Sketch& s) {
  Cells a = s.shared({4, 4}), c = s.shared({4});
  Box box(s, "SR", s.fresh("b"));
  {
    Sketch::Suite init = s.open("with T.init():");
    s.line("{}[{}] = {}", c.name, box.vi, s.choices.chance(60) ? "0" : s.constant("int32"));
  }
  static const std::vector<std::string> kUpdates = {"{0} + {1}", "T.max({0}, {1})", "{0} * {1}", "{1} - {0}"};
  std::string total = fmt::format("{}[{}]", c.name, box.vi), term = fmt::format("{}[{}, {}]", a.name, box.vi, box.vj);
  s.line("{} = {}", total, fmt::format(fmt::runtime(s.choices.pick(kUpdates)), total, term));
}

void reduction_init_reads(Sketch& s) {
  Cells a = s.shared({4, 4}), c = s.shared({4}), d = s.shared({4});
  Box box(s, "SR", s.fresh("b"));
  {
    Sketch::Suite init = s.open("with T.init():");
    s.line("{}[{}] = {}", c.name, box.vi, s.choices.chance(50) ? box.i : d.name + "[" + box.vi + "]");
  }
  s.line("{}[{}] = {}[{}] + {}[{}, {}] * {}", c.name, box.vi, c.name, box.vi, a.name, box.vi, box.vj,
         s.choices.chance(50) ? box.i : "2");
}

/// What a reduction's domain starts with need not be zero, and no constant.
void reduction_from(Sketch& s, const std::string& first, int64_t binding_offset) {
  Cells c = s.shared({4}), a = s.shared({16});
  std::string i = s.fresh("i"), k = s.fresh("k"), vi = s.fresh("vi"), vk = s.fresh("vk");
  Sketch::Suite loops = s.open("for {}, {} in T.grid(4, 3):", i, k);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{} = T.axis.spatial(4, {})", vi, i);
  s.line("{} = T.axis.reduce(({}, 8), {} + {})", vk, first, k, binding_offset);
  s.counters.push_back({vi, 4});
  {
    Sketch::Suite init = s.open("with T.init():");
    s.line("{}[{}] = {}", c.name, vi, s.constant("int32"));
  }
  s.line("{}[{}] = {}[{}] + {}[{} % 16] + {}", c.name, vi, c.name, vi, a.name, vk, vk);
}
void reduction_starts_elsewhere(Sketch& s) {
  int64_t first = s.choices.below(4);
  reduction_from(s, std::to_string(first), s.choices.chance(70) ? first : first + 1);
}
void reduction_starts_at_data(Sketch& s) {
  Cells m = s.shared({1});
  std::string t;
  Sketch::Suite loop = s.loop(2, &t);
  reduction_from(s, fmt::format("T.if_then_else({}[0] > 0, 0, -1)", m.name), 0);
  if (s.choices.chance(60)) s.line("{}[0] = {}", m.name, s.constant("int32"));
}

void nested_blocks(Sketch& s) {
  Cells a = s.shared({4, 4}), b = s.argument({4, 4});
  std::string i, j, vi = s.fresh("vi"), vj = s.fresh("vj");
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{} = T.axis.spatial(4, {})", vi, i);
  if (s.choices.chance(60)) {
    s.line("T.reads({}[{}, 0:4])", a.name, vi);
    s.line("T.writes({}[{}, 0:4])", b.name, vi);
  }
  if (s.choices.chance(30)) s.line("T.where({} < 3)", i);
  Sketch::Suite inner = s.loop(4, &j);
  Sketch::Suite inside = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{} = T.axis.spatial(4, {})", vj, j);
  s.line("{}[{}, {}] = {}[{}, {}]{}", b.name, vi, vj, a.name, vi, vj, s.choices.chance(50) ? " + 1" : "");
}

void opaque_block(Sketch& s) {
  Cells a = s.shared({16});
  std::string i, v = s.fresh("v");
  Sketch::Suite loop = s.loop(8, &i);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{} = T.axis.opaque(8, {})", v, s.choices.chance(50) ? i : "7 - " + i);
  s.line("T.block_attr({{\"note\": 1}})");
  s.counters.push_back({v, 8});
  s.store(a, v);
  if (s.choices.chance(40)) s.store(a);
}

void branch_in_block(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  Cells t = s.choices.chance(60) ? s.allocation({16}) : s.shared({16});
  std::string i, v = s.fresh("v");
  Sketch::Suite loop = s.loop(16, &i);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{} = T.axis.spatial(16, {})", v, i);
  {
    Sketch::Suite branch = s.open("if {} % 2 == 0:", v);
    s.line("{}[{}] = {}[{}]", t.name, s.choices.chance(60) ? v + " // 2" : v, a.name, v);
  }
  s.line("{}[{}] = {}[{}]", b.name, v, a.name, v);
}

void block_of_many_bindings(Sketch& s) {
  Cells b = s.shared({16});
  std::string i, j, v = s.fresh("v"), w = s.fresh("w");
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite inner = s.loop(4, &j);
  Sketch::Suite block = s.open("with T.block(\"{}\"):", s.fresh("b"));
  s.line("{} = T.axis.spatial({}, {} * 4 + {})", v, s.choices.chance(80) ? 16 : 17, i, j);
  s.line("{} = T.axis.spatial(4, {})", w, s.choices.chance(60) ? i : s.index(4));
  s.counters.push_back({w, 4});
  s.store(b, v);
}

}  // namespace

const std::vector<Construct> kBlockConstructs = {
    {"block", &plain_block},
    {"block-with-regions", &block_with_regions},
    {"block-with-predicate", &block_with_predicate},
    {"block-predicate-from-data", &block_predicate_from_data},
    {"reduction", &reduction},
    {"reduction-init-reads", &reduction_init_reads},
    {"reduction-starts-elsewhere", &reduction_starts_elsewhere},
    {"reduction-starts-at-data", &reduction_starts_at_data},
    {"nested-blocks", &nested_blocks},
    {"opaque-block", &opaque_block},
    {"branch-in-block", &branch_in_block},
    {"block-of-many-bindings", &block_of_many_bindings},
};

}  // namespace hexproof
