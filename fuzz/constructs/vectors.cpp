// Vectors as values.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

void vector_copy(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(4, &i);
  std::string at = fmt::format("T.Ramp({} * 4, 1, 4)", i);
  s.line("{}[{}] = {}[{}]{}", b.name, at, a.name, s.choices.chance(70) ? at : "T.Ramp(3, 1, 4)",
         s.choices.chance(50) ? " + T.Broadcast(1, 4)" : "");
}

void vector_with_stride(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(4, &i);
  s.line("{}[T.Ramp({}, 4, 4)] = {}[T.Ramp({} * 4, 1, 4)]", b.name, i, a.name, i);
  if (s.choices.chance(40)) s.store(a);
}

void vector_slice(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  uint32_t first = s.choices.below(4);
  s.line("{}[{}:{}] = {}[{}:{}] * T.Broadcast({}, 4)", b.name, first * 4, first * 4 + 4, a.name, first, first + 4,
         s.choices.below(4));
  if (s.choices.chance(50)) s.line("{}[{}:{}] = T.Broadcast(7, 4)", a.name, first, first + 4);
}

void vector_overlaps_itself(Sketch& s) {
  Cells a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(3, &i);
  s.line("{}[T.Ramp({} * 4 + 1, 1, 4)] = {}[T.Ramp({} * 4, 1, 4)]", a.name, i, a.name, i);
}

void vector_broadcast(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(4, &i);
  s.line("{}[T.Ramp({} * 4, 1, 4)] = T.Broadcast({}, 4)", b.name, i, s.value("int32", 1));
}

/// Functions of numbers act on each lane.
void vector_of_functions(Sketch& s) {
  Cells a = s.shared({16}, "float32"), b = s.shared({16}, "float32");
  std::string i;
  Sketch::Suite loop = s.loop(4, &i);
  const std::string at = fmt::format("T.Ramp({} * 4, 1, 4)", i);
  static const std::vector<std::string> kForms = {
      "T.sqrt({0})", "T.sqrt({0}) - T.Broadcast(T.sqrt({1}), 4)", "T.abs({0} - T.Broadcast({1}, 4))",
      "T.max({0}, T.Broadcast(T.float32(0.5), 4)) * {0}", "T.floor({0}) + T.Broadcast({1}, 4)"};
  s.line("{}[{}] = {}", b.name, s.choices.chance(70) ? at : fmt::format("T.Ramp({}, 4, 4)", i),
         fmt::format(fmt::runtime(s.choices.pick(kForms)), fmt::format("{}[{}]", a.name, at), s.cell(a)));
}

/// 32 sums of four products of bytes, as the machine has an instruction for; or nearly.
void dot_product_nest(Sketch& s) {
  auto near = [&](const char* right, const char* wrong) { return s.choices.chance(90) ? right : wrong; };
  Cells a = s.argument({40}, s.choices.chance(70) ? "uint8" : "int8"),
        b = s.argument({2, 34, 4}, s.choices.chance(70) ? "uint8" : "int8"), c = s.argument({100}, "int32");
  std::string p, i = s.fresh("i"), k = s.fresh("k");
  Sketch::Suite outer = s.loop(2, &p);
  Sketch::Suite lanes = s.loop_over(i, near("range(32)", "range(31)"), {i, 32});
  Sketch::Suite four = s.loop_over(k, near("range(4)", "range(3)"), {k, 4});
  std::string sum = fmt::format("{}[{} * 32 + {}{}]", c.name, p, i, near("", " + 1"));
  s.line("{} = {} + T.Cast(\"int32\", {}[{} * 4 + {}{}]) * T.Cast(\"int32\", {}[{}, {}, {}])", sum, sum, a.name, p, k,
         near("", " + 1"), b.name, near("0", p.c_str()), i, near(k.c_str(), "1"));
}

}  // namespace

const std::vector<Construct> kVectorConstructs = {
    {"vector-copy", &vector_copy},           {"vector-with-stride", &vector_with_stride},
    {"vector-slice", &vector_slice},         {"vector-overlaps-itself", &vector_overlaps_itself},
    {"vector-broadcast", &vector_broadcast}, {"vector-of-functions", &vector_of_functions},
    {"dot-product-nest", &dot_product_nest},
};

}  // namespace hexproof
