// Several names for one memory.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// A cell of an int32 view, or of one of another type, as an int32.
std::string as_int32(const Cells& view, const std::string& cell) {
  return view.type == "int32" ? cell : fmt::format("T.reinterpret(\"int32\", {})", cell);
}

/// Reads or writes all of a view in a loop of its own.
void use(Sketch& s, const Cells& view, int64_t readable_size = 0) {
  std::string i;
  if (s.choices.chance(50)) {
    Sketch::Suite loop = s.loop(view.size(), &i);
    s.line("{}[{}] = {}", view.name, i, s.value(view.type));
  } else {
    Cells out = s.shared({16});
    Sketch::Suite loop = s.loop(readable_size ? readable_size : view.size(), &i);
    s.line("{}[{}] = {}{}", out.name, i, as_int32(view, fmt::format("{}[{}]", view.name, i)),
           s.choices.chance(50) ? " + " + s.cell(out) : "");
  }
}

/// Some are of another type of the same width.
Cells view_of(Sketch& s, const Cells& base, std::vector<int64_t> shape, const std::string& more) {
  static const std::vector<std::string> kOthers = {"float32", "uint32"};
  Cells view{s.fresh("V"), s.choices.chance(20) ? s.choices.pick(kOthers) : base.type, std::move(shape)};
  s.line("{} = T.decl_buffer({}, \"{}\", data={}.data{})", view.name, shape_text(view.shape), view.type, base.name,
         more);
  return view;
}

/// Sometimes a buffer over which the views lie is not filled: gaps and ends are uninitialised then.
Cells base(Sketch& s) { return s.choices.chance(20) ? s.allocation({16}) : s.shared({16}); }

void view_with_offset(Sketch& s) {
  Cells a = s.shared({16});
  Cells v = view_of(s, a, {8}, fmt::format(", elem_offset={}", s.choices.below(9)));
  use(s, v);
  if (s.choices.chance(50)) s.readable.push_back(v), use(s, a), s.forget(v);
}

void views_of_one_shape(Sketch& s) {
  Cells a = base(s);
  Cells v = view_of(s, a, {8}, ""), w = view_of(s, a, {8}, fmt::format(", elem_offset={}", 8 - s.choices.below(9)));
  std::string i, j;
  {
    Sketch::Suite first = s.loop(8, &i);
    s.line("{}[{}] = {}", v.name, i, s.value(v.type, 1));
  }
  bool writes = s.choices.chance(50);
  Cells out = s.shared({8});
  Sketch::Suite second = s.loop(8, &j);
  if (writes) {
    s.line("{}[{}] = {}", w.name, j, s.value(w.type, 1));
  } else {
    s.line("{}[{}] = {}", out.name, j, as_int32(w, fmt::format("{}[{}]", w.name, s.index(8))));
  }
}

void views_of_other_shape(Sketch& s) {
  Cells a = base(s);
  Cells v = view_of(s, a, {4, 4}, "");
  std::string i, j, k;
  {
    Sketch::Suite outer = s.loop(4, &i);
    Sketch::Suite inner = s.loop(4, &j);
    s.line("{}[{}, {}] = {}", v.name, i, s.choices.chance(70) ? j : s.index(4), s.value(v.type));
  }
  Sketch::Suite loop = s.loop(16, &k);
  s.store(a, s.choices.chance(60) ? k : s.index(16));
}

void view_with_strides(Sketch& s) {
  Cells a = base(s);
  static const std::vector<std::pair<std::vector<int64_t>, std::string>> kLayouts = {
      {{8}, "[2]"},       {{4}, "[4]"}, {{4, 4}, "[1, 4]"}, {{4, 2}, "[4, 1]"},
      {{4, 4}, "[2, 1]"}, {{5}, "[3]"}, {{4}, "[0]"}};
  const auto& [shape, strides] = s.choices.pick(kLayouts);
  std::string more = ", strides=" + strides;
  if (shape.size() == 1 && s.choices.chance(40)) more += ", elem_offset=1";
  Cells v = view_of(s, a, shape, more);
  std::string i, j;
  if (s.choices.chance(60)) {
    Sketch::Suite loop = s.loop(v.shape[0], &i);
    if (v.shape.size() == 1) {
      s.line("{}[{}] = {}", v.name, i, s.value(v.type));
    } else {
      Sketch::Suite inner = s.loop(v.shape[1], &j);
      s.line("{}[{}, {}] = {}", v.name, i, j, s.value(v.type));
    }
  }
  Cells out = s.shared({16});
  Sketch::Suite loop = s.loop(16, &i);
  bool through = s.choices.chance(60);
  s.line("{}[{}] = {} + {}", out.name, i, through ? as_int32(v, s.cell(v)) : s.cell(a), s.cell(out));
}

void view_moves_with_loop(Sketch& s) {
  Cells a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  static const std::vector<std::string> kOffsets = {"7 - {0}", "{0}", "{0} * 2", "15 - {0} * 2", "{0} // 2", "8 - {0}"};
  std::string offset = fmt::format(fmt::runtime(s.choices.pick(kOffsets)), i);
  Cells v = view_of(s, a, {s.choices.chance(50) ? 1 : 8}, ", elem_offset=" + offset);
  std::string at = v.shape[0] == 1 ? "0" : s.choices.chance(50) ? i : s.index(8);
  if (s.choices.chance(25)) {
    // What lies there decides where a store lands, or whether it happens.
    Cells out = s.shared({16});
    const std::string bit = fmt::format("T.bitwise_and({}, 1)", as_int32(v, fmt::format("{}[{}]", v.name, at)));
    if (s.choices.chance(50)) {
      s.line("{}[{} + {}] = {}", out.name, i, bit, s.value(out.type, 1));
    } else {
      Sketch::Suite branch = s.open("if {} == {}:", bit, s.choices.below(2));
      s.store(out, s.choices.chance(50) ? i : s.index(16));
    }
  } else if (s.choices.chance(70)) {
    s.store(v, at);
  } else {
    Cells out = s.shared({8});
    s.line("{}[{}] = {}", out.name, i, as_int32(v, fmt::format("{}[{}]", v.name, at)));
    if (s.choices.chance(50)) s.store(a, s.choices.chance(50) ? i : "15 - " + i);
  }
}

void view_of_view(Sketch& s) {
  Cells a = s.shared({16});
  Cells v = view_of(s, a, {8}, ", elem_offset=4");
  Cells w = view_of(s, v, {4}, fmt::format(", elem_offset={}", s.choices.below(9)));
  use(s, v);
  use(s, w);
}

void view_in_branch(Sketch& s) {
  Cells a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(8, &i);
  Sketch::Suite branch = s.open("if {}:", s.condition());
  Cells v = view_of(s, a, {4}, fmt::format(", elem_offset=({}) % 12", i));
  s.store(v, s.index(4));
  if (s.choices.chance(40)) s.store(a, s.index(16));
}

void view_offset_from_scalar(Sketch& s) {
  Cells a = s.shared({16});
  std::string n = s.scalar(0, s.choices.chance(80) ? 8 : 9);
  Cells v = view_of(s, a, {8}, fmt::format(", elem_offset={}", n));
  if (s.choices.chance(50)) s.store(a);
  use(s, v);
}

/// Where two views lie is read from memory, which somebody may store to in between; what an undef leaves there says
/// nothing of a place.
void view_offset_from_memory(Sketch& s) {
  Cells a = s.shared({16}), p = s.shared({4}), out = s.shared({8});
  const std::string cell = fmt::format("{}[{}]", p.name, s.index(4));
  const std::string first = s.fresh("n"), second = s.fresh("n"),
                    value = fmt::format("{} % {}", cell, s.choices.chance(90) ? 9 : 10);
  if (s.choices.chance(10)) s.line("{} = {}", cell, s.choices.chance(50) ? "T.undef()" : "T.undef() * 0");
  s.line("{}: T.int32 = {}", first, value);
  Cells v = view_of(s, a, {8}, ", elem_offset=" + first);
  if (s.choices.chance(40)) s.line("{} = {}", cell, s.value("int32", 1));
  s.line("{}: T.int32 = {}", second, s.choices.chance(80) ? value : first);
  Cells w = view_of(s, a, {8}, ", elem_offset=" + second);
  std::string i, j;
  {
    Sketch::Suite loop = s.loop(8, &i);
    s.line("{}[{}] = {}", v.name, s.choices.chance(70) ? i : s.index(8), s.value(v.type, 1));
    if (s.choices.chance(20)) s.store(p, s.index(4));
  }
  Sketch::Suite loop = s.loop(8, &j);
  s.line("{}[{}] = {}", out.name, j, as_int32(w, fmt::format("{}[{}]", w.name, s.choices.chance(70) ? j : s.index(8))));
}

void view_larger_than_memory(Sketch& s) {
  Cells a = s.shared({14});
  Cells v = view_of(s, a, {4, 4}, "");
  std::string i, j;
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite inner = s.loop(4, &j);
  Sketch::Suite branch = s.open("if {} * 4 + {} < {}:", i, j, s.choices.chance(90) ? 14 : 15);
  s.line("{}[{}, {}] = {}", v.name, i, j, s.value(v.type));
}

/// One cell, that of a number or that of an iteration, under a name without dimensions.
void scalar_view(Sketch& s) {
  Cells a = s.shared({16}), out = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(4 + s.choices.below(13), &i);
  const std::string offset = s.choices.chance(50) ? i : std::to_string(s.choices.below(16));
  Sketch::Suite branch = s.open("if {} < {}:", i, s.choices.chance(60) ? 17 : s.choices.below(17));
  Cells v = view_of(s, a, {}, ", elem_offset=" + offset);
  if (s.choices.chance(50)) {
    s.line("{}[()] = {}", v.name, s.value(v.type, 1));
  } else {
    s.line("{}[{}] = {}", out.name, i, as_int32(v, v.name + "[()]"));
  }
}

/// The bits of each width, under names of two types; some are stored through one, and read through the other.
void view_of_another_type(Sketch& s) {
  static const std::vector<std::pair<std::string, std::string>> kTypes = {
      {"float32", "int32"}, {"int32", "float32"}, {"float32", "uint32"}, {"float16", "int16"}, {"uint16", "float16"},
      {"float64", "int64"}, {"int64", "float64"}, {"int8", "uint8"},     {"uint64", "int64"}};
  const auto& [type, other] = s.choices.pick(kTypes);
  Cells a = s.shared({16}, type), out = s.shared({16}, s.choices.chance(50) ? type : other);
  Cells v{s.fresh("V"), other, {16}};
  s.line("{} = T.decl_buffer((16,), \"{}\", data={}.data)", v.name, other, a.name);
  std::string i, j;
  s.readable.push_back(v);
  {
    Sketch::Suite loop = s.loop(16, &i);
    s.line("{}[{}] = {}", v.name, s.choices.chance(70) ? i : s.index(16), s.value(other));
    if (s.choices.chance(40)) s.store(a, s.index(16));
  }
  {
    Sketch::Suite loop = s.loop(16, &j);
    s.line("{}[{}] = {}[{}]", out.name, j, out.type == type ? a.name : v.name, s.choices.chance(70) ? j : s.index(16));
  }
  s.forget(v);
}

}  // namespace

const std::vector<Construct> kViewConstructs = {
    {"view-with-offset", &view_with_offset},
    {"views-of-one-shape", &views_of_one_shape},
    {"views-of-other-shape", &views_of_other_shape},
    {"view-with-strides", &view_with_strides},
    {"view-moves-with-loop", &view_moves_with_loop},
    {"view-of-view", &view_of_view},
    {"view-in-branch", &view_in_branch},
    {"view-offset-from-scalar", &view_offset_from_scalar},
    {"view-offset-from-memory", &view_offset_from_memory},
    {"view-larger-than-memory", &view_larger_than_memory},
    {"scalar-view", &scalar_view},
    {"view-of-another-type", &view_of_another_type},
};

}  // namespace hexproof
