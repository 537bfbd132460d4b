// Vectors as values.
#include "fuzz/constructs.h"

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

}  // namespace

const std::vector<Construct> kVectorConstructs = {
    {"vector-copy", &vector_copy},           {"vector-with-stride", &vector_with_stride},
    {"vector-slice", &vector_slice},         {"vector-overlaps-itself", &vector_overlaps_itself},
    {"vector-broadcast", &vector_broadcast},
};

}  // namespace hexproof
