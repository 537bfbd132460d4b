// Operators, choices, types.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

void one(Sketch& s, const std::string& form, const std::string& type = "int32") {
  Cells out = s.shared({16}, type), a = s.shared({16}, type);
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  s.line("{}[{}] = {}", out.name, i, fmt::format(fmt::runtime(form), a.name, i, s.cell(a), s.cell(out)));
}

void select_value(Sketch& s) {
  static const std::vector<std::string> kForms = {"T.Select({1} < 5, {2}, {3})", "T.Select({2} > 0, {2}, {3} + 1)",
                                                  "T.Select({1} % 2 == 0, {0}[{1}], {0}[15 - {1}])"};
  one(s, s.choices.pick(kForms));
}

/// The guard matters: without it there would be an error, or an operation of another kind.
void guarded_value(Sketch& s) {
  static const std::vector<std::string> kForms = {
      "T.if_then_else({1} > 0, {0}[{1} - 1], 0)",
      "T.if_then_else({1} < 15, {0}[{1} + 1], {2})",
      "T.if_then_else({2} != 0, 100 // {2}, 7)",
      "T.if_then_else({0}[{1}] >= 0 and {0}[{1}] < 16, {3}, 1)",
      "T.if_then_else({1} > 0, {0}[{1} - 1], 0) - T.if_then_else({1} > 0, {0}[{1} - 1], 0)",
      "T.if_then_else({1} != 3, {1} // ({1} - 3), 0) + {2}"};
  one(s, s.choices.pick(kForms));
}

void guarded_and_wraps(Sketch& s) {
  std::string n = s.scalar(-3, 3);
  static const std::vector<std::string> kForms = {
      "T.if_then_else({4} > 0, {{0}}[{{1}}], 3) + 2147483647", "({{2}} + {4}) - ({{2}} + {4})",
      "T.Select({4} > 0, {{2}}, {{1}}) * 65536 * 65536",
      "(T.if_then_else({4} >= 0, {{2}}, 0) + {4}) - (T.if_then_else({4} >= 0, {{2}}, 0) + 1)"};
  one(s, fmt::format(fmt::runtime(s.choices.pick(kForms)), "", "", "", "", n));
}

void casts(Sketch& s) {
  static const std::vector<std::string> kTypes = {"int8", "uint8", "int16", "uint16", "int64", "uint32", "float32"};
  std::string type = s.choices.pick(kTypes);
  Cells out = s.shared({16}, type), a = s.shared({16});
  std::string i;
  {
    Sketch::Suite loop = s.loop(16, &i);
    s.line("{}[{}] = T.Cast(\"{}\", {} + {})", out.name, i, type, s.cell(a), s.choices.chance(50) ? i : s.cell(a));
  }
  if (type == "float32") return;
  std::string j;
  Sketch::Suite loop = s.loop(16, &j);
  s.line("{}[{}] = T.Cast(\"int32\", {}) + {}", a.name, j, s.cell(out), s.choices.chance(50) ? "1" : s.cell(a));
}

void divisions(Sketch& s) {
  static const std::vector<std::string> kForms = {
      "{2} // 4 * 4 + {2} % 4", "T.truncdiv({2}, 3) + T.truncmod({2}, 3)",
      "T.ceildiv({2}, 5)",      "({1} * 3 + 7) // 5",
      "({1} - 9) // 4 + {2}",   "({1} - 9) % 4",
      "{2} // (({3} & 7) + 1)", "({1} * 16 + {1}) // 16 + ({1} * 16 + {1}) % 16"};
  one(s, s.choices.pick(kForms));
}

void bits(Sketch& s) {
  static const std::vector<std::string> kForms = {
      "({2} << 3) >> 2",        "{2} & 15 | {3} ^ 5",
      "~{2} + ({3} & {1})",     "({2} >> ({1} % 8)) & 1",
      "T.shift_left({2}, {1})", "T.reinterpret(\"int32\", T.reinterpret(\"float32\", {2} ^ {3}))"};
  one(s, s.choices.pick(kForms));
}

void of_type(Sketch& s, const std::string& type) {
  Cells out = s.shared({16}, type), a = s.shared({16}, type);
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  s.line("{}[{}] = {}", out.name, i, s.value(type, 3));
  if (!s.choices.chance(40)) return;
  Sketch::Suite branch = s.open("if {} {} {}:", s.cell(a), s.choices.chance(50) ? "<" : "==", s.constant(type));
  s.store(out, s.index(16));
}
void floats(Sketch& s) { of_type(s, "float32"); }
void half_floats(Sketch& s) { of_type(s, "float16"); }
void doubles(Sketch& s) { of_type(s, "float64"); }
void int8_values(Sketch& s) { of_type(s, "int8"); }
void uint_values(Sketch& s) { of_type(s, s.choices.chance(50) ? "uint8" : "uint32"); }
void int64_values(Sketch& s) { of_type(s, s.choices.chance(70) ? "int64" : "uint64"); }

void bools(Sketch& s) {
  Cells flags = s.shared({16}, "bool"), a = s.shared({16});
  std::string i, j;
  {
    Sketch::Suite loop = s.loop(16, &i);
    s.line("{}[{}] = {} {} {}", flags.name, i, s.condition(), s.choices.chance(50) ? "and" : "or", s.condition());
  }
  Sketch::Suite loop = s.loop(16, &j);
  Sketch::Suite branch = s.open("if {}{}[{}]:", s.choices.chance(50) ? "" : "not ", flags.name, j);
  s.store(a, j);
}

void float_sums(Sketch& s) {
  Cells out = s.shared({4}, "float32"), a = s.shared({16}, "float32");
  std::string i, k;
  Sketch::Suite outer = s.loop(4, &i);
  s.line("{}[{}] = {}", out.name, i, s.choices.chance(60) ? "T.float32(0)" : s.constant("float32"));
  Sketch::Suite inner = s.loop(4, &k);
  s.line("{}[{}] = {}[{}] + {}[{} * 4 + {}] * {}", out.name, i, out.name, i, a.name, i, k, s.constant("float32"));
}

void math_calls(Sketch& s) {
  static const std::vector<std::string> kForms = {
      "T.sqrt({2})",
      "T.exp({2}) * T.float32(0)",
      "T.abs({2})",
      "T.floor({2}) + {3}",
      "T.reinterpret(\"float32\", T.reinterpret(\"int32\", {2}) & 2147483647)",
      "T.reinterpret(\"float32\", T.reinterpret(\"int32\", {2} * {3}) ^ 1)"};
  one(s, s.choices.pick(kForms), "float32");
}

void index_arithmetic(Sketch& s) {
  Cells out = s.shared({64}), a = s.shared({64});
  std::string i, j, k;
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite middle = s.loop(4, &j);
  Sketch::Suite inner = s.loop(4, &k);
  static const std::vector<std::string> kForms = {"{0} * 16 + {1} * 4 + {2}",
                                                  "({0} * 4 + {1}) * 4 + {2}",
                                                  "({2} * 4 + {1}) * 4 + {0}",
                                                  "({0} * 16 + {1} * 4 + {2}) // 4 * 4 + {2}",
                                                  "T.min({0} * 16 + {1} * 5 + {2}, 63)",
                                                  "63 - ({0} * 16 + {1} * 4 + {2})"};
  auto at = [&] { return fmt::format(fmt::runtime(s.choices.pick(kForms)), i, j, k); };
  std::string to = at();
  s.line("{}[{}] = {}[{}] + {}", out.name, to, a.name, at(), s.cell(out));
}

}  // namespace

const std::vector<Construct> kExpressionConstructs = {
    {"select", &select_value},
    {"guarded-value", &guarded_value},
    {"guarded-and-wraps", &guarded_and_wraps},
    {"casts", &casts},
    {"divisions", &divisions},
    {"bits", &bits},
    {"floats", &floats},
    {"half-floats", &half_floats},
    {"doubles", &doubles},
    {"int8-values", &int8_values},
    {"uint-values", &uint_values},
    {"int64-values", &int64_values},
    {"bools", &bools},
    {"float-sums", &float_sums},
    {"math-calls", &math_calls},
    {"index-arithmetic", &index_arithmetic},
};

}  // namespace hexproof
