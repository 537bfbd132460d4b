// Arguments with a layout of their own, and raw memory.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// `A = T.match_buffer(a, ...)`: A may be read in every cell.
Cells matched(Sketch& s, std::vector<int64_t> shape, const std::string& more) {
  Cells cells{s.fresh("S"), "int32", std::move(shape)};
  std::string handle = s.fresh("h");
  s.parameter(handle + ": T.handle");
  s.declare(fmt::format("{} = T.match_buffer({}, {}, \"int32\"{})", cells.name, handle, shape_text(cells.shape), more));
  return cells;
}

void each_cell(Sketch& s, const Cells& cells) {
  std::string i, j;
  Sketch::Suite outer = s.loop(cells.shape[0], &i);
  if (cells.shape.size() == 1) {
    s.line("{}[{}] = {}", cells.name, i, s.value("int32"));
    return;
  }
  Sketch::Suite inner = s.loop(cells.shape[1], &j);
  s.line("{}[{}, {}] = {}", cells.name, i, j, s.value("int32"));
}

void strided_parameter(Sketch& s) {
  static const std::vector<std::pair<std::vector<int64_t>, std::string>> kLayouts = {
      {{4}, "[8]"}, {{8}, "[2]"}, {{4, 4}, "[8, 1]"}, {{4, 4}, "[1, 4]"}, {{4, 4}, "[8, 2]"}};
  const auto& [shape, strides] = s.choices.pick(kLayouts);
  Cells a = matched(s, shape, ", strides=" + strides);
  s.readable.push_back(a);
  if (s.choices.chance(60)) each_cell(s, a);
  Cells out = s.shared({16});
  std::string i;
  {
    Sketch::Suite loop = s.loop(4, &i);
    s.line("{}[{}] = {}", out.name, i, s.cell(a));
  }
  s.forget(a);
}

void gaps_of_strided_parameter(Sketch& s) {
  Cells a = matched(s, {4}, ", strides=[2]");
  Cells v{s.fresh("V"), "int32", {7}};
  s.line("{} = T.decl_buffer((7,), \"int32\", data={}.data)", v.name, a.name);
  std::string i;
  if (s.choices.chance(60)) {  // what is in the gaps is the function's own
    Sketch::Suite loop = s.loop(3, &i);
    s.line("{}[{} * 2 + 1] = {}", v.name, i, s.value("int32"));
  }
  Cells out = s.shared({16});
  Sketch::Suite loop = s.loop(7, &i);
  if (s.choices.chance(50)) s.line("{}[{}] = {}", v.name, i, s.value("int32", 1));
  if (s.choices.chance(70)) {
    s.line("{}[{}] = T.if_then_else({} % 2 == 0, {}[{}], 0)", out.name, i, i, v.name, i);
  } else {
    s.line("{}[{}] = {}[{}]", out.name, i, v.name, i);
  }
}

void parameter_with_offset(Sketch& s) {
  Cells a = matched(s, {8}, fmt::format(", elem_offset={}", 1 + s.choices.below(8)));
  s.readable.push_back(a);
  each_cell(s, a);
  Cells out = s.shared({8});
  each_cell(s, out);
  s.forget(a);
}

void symbolic_stride_parameter(Sketch& s) {
  std::string stride = s.fresh("st");
  s.declare(stride + " = T.int32()");
  Cells a = matched(s, {4, 4}, fmt::format(", strides=[{}, 1]", stride));
  each_cell(s, a);
  Cells out = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  s.line("{}[{}] = {}[{}, {}]", out.name, i, a.name, s.index(4), s.index(4));
}

void separated_axes(Sketch& s) {
  Cells a{s.fresh("t"), "int32", {4, 4}};
  s.line("{} = T.alloc_buffer((4, 4), \"int32\", axis_separators=[1])", a.name);
  each_cell(s, a);
  Cells out = s.shared({4, 4});
  std::string i, j;
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite inner = s.loop(4, &j);
  s.line("{}[{}, {}] = {}[{}, {}]", out.name, i, j, a.name, s.index(4), s.index(4));
}

/// A table of rows on targets that have such: moved along a row and across rows, by itself and through a view.
void separated_parameter(Sketch& s) {
  Cells a = matched(s, {4, 4}, fmt::format(", axis_separators=[{}]", s.choices.chance(80) ? 1 : s.choices.below(3)));
  s.readable.push_back(a);
  if (s.choices.chance(60)) each_cell(s, a);
  Cells v = a;
  if (s.choices.chance(40)) {
    v = {s.fresh("V"), "int32", {2, 2, 4}};
    s.line("{} = T.decl_buffer((2, 2, 4), \"int32\", data={}.data, axis_separators=[{}])", v.name, a.name,
           s.choices.chance(80) ? 2 : 1);
  }
  Cells out = s.shared({4, 4});
  std::string i, j;
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite inner = s.loop(4, &j);
  const std::string row = v.shape.size() == 3 ? fmt::format("{0} // 2, {0} % 2", i) : i;
  s.line("{}[{}, {}] = {}[{}, {}]", out.name, i, j, v.name, row, s.choices.chance(50) ? j : s.index(4));
  if (s.choices.chance(50)) s.line("{}[{}, {}] = {}[{}, {}] + {}", v.name, row, j, out.name, i, j, s.value("int32"));
}

void strided_allocation(Sketch& s) {
  static const std::vector<std::string> kStrides = {"[8, 1]", "[1, 4]", "[4, 1]", "[0, 1]", "[2, 1]"};
  Cells a{s.fresh("t"), "int32", {4, 4}};
  s.line("{} = T.alloc_buffer((4, 4), \"int32\", strides={})", a.name, s.choices.pick(kStrides));
  each_cell(s, a);
  if (s.choices.chance(30)) s.store(a, s.index(4) + ", " + s.index(4));
  Cells out = s.shared({4, 4});
  std::string i, j;
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite inner = s.loop(4, &j);
  s.line("{}[{}, {}] = {}[{}, {}]", out.name, i, j, a.name, i, s.choices.chance(50) ? j : s.index(4));
}

void raw_allocation(Sketch& s) {
  std::string data = s.fresh("raw");
  s.line("{} = T.allocate([{}], \"int32\", \"global\")", data, s.choices.chance(80) ? 16 : 15);
  Cells v{s.fresh("V"), "int32", {16}}, w{s.fresh("W"), "int32", {4, 4}};
  s.line("{} = T.Buffer((16,), \"int32\", data={})", v.name, data);
  s.line("{} = T.decl_buffer((4, 4), \"int32\", data={})", w.name, data);
  each_cell(s, s.choices.chance(50) ? v : w);
  Cells out = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(15, &i);
  s.line("{}[{}] = {}", out.name, i, s.choices.chance(50) ? s.cell(v) : s.cell(w));
}

void constant_data(Sketch& s) {
  std::string data = s.fresh("raw");
  s.line("{} = T.allocate_const([3, 1, -4, {}], \"int32\", [4])", data, s.choices.below(9));
  Cells v{s.fresh("V"), "int32", {4}};
  s.line("{} = T.Buffer((4,), \"int32\", data={})", v.name, data);
  Cells out = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  s.line("{}[{}] = {} + {}", out.name, i, s.cell(v), s.cell(out));
}

}  // namespace

const std::vector<Construct> kParameterConstructs = {
    {"strided-parameter", &strided_parameter},
    {"gaps-of-strided-parameter", &gaps_of_strided_parameter},
    {"parameter-with-offset", &parameter_with_offset},
    {"symbolic-stride-parameter", &symbolic_stride_parameter},
    {"separated-axes", &separated_axes},
    {"strided-allocation", &strided_allocation},
    {"raw-allocation", &raw_allocation},
    {"constant-data", &constant_data},
    {"separated-parameter", &separated_parameter},
};

}  // namespace hexproof
