// Random expressions as text.
#include <bit>

#include "fuzz/programs/sketch.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/interpreter/scalar_ops.h"

namespace hexproof {
namespace {

bool is_float(const std::string& type) { return type.starts_with("float"); }
bool is_unsigned(const std::string& type) { return type.starts_with("uint"); }

}  // namespace

std::string Sketch::index(int64_t extent) {
  auto number = [&] { return std::to_string(choices.below(static_cast<uint32_t>(extent))); };
  if (counters.empty()) return number();
  const Counter& c = counters[counters.size() - 1 - choices.below(static_cast<uint32_t>(counters.size()))];
  const std::string& i = c.text;
  switch (choices.below(8)) {
    case 0:
    case 1:
      return c.extent <= extent ? i : fmt::format("({}) % {}", i, extent);
    case 2:
      return c.extent <= extent ? fmt::format("{} - {}", c.extent - 1, "(" + i + ")")
                                : fmt::format("({}) % {}", i, extent);
    case 3:
      return fmt::format("({} + {}) % {}", i, choices.below(4), extent);
    case 4:
      return fmt::format("T.min({} + {}, {})", i, choices.below(3), extent - 1);
    case 5: {
      const Counter& other = choices.pick(counters);
      return fmt::format("(({}) * {} + {}) % {}", i, 1 + choices.below(4), other.text, extent);
    }
    case 6:
      return fmt::format("({}) // {}", i, (c.extent + extent - 1) / extent + choices.below(2));
    default:
      return number();
  }
}

std::string Sketch::cell(const Cells& cells) {
  std::string out = cells.name + "[";
  for (size_t d = 0; d < cells.shape.size(); ++d) out += (d ? ", " : "") + index(cells.shape[d]);
  return out + "]";
}

std::string Sketch::constant(const std::string& type) {
  uint32_t random = choices.below(1u << 20);
  if (type == "bool") return random % 2 ? "T.bool(True)" : "T.bool(False)";
  if (is_float(type)) {
    static const std::vector<std::string> kFloats = {"0.0",  "1.0", "2.0",     "-1.0",       "0.5",
                                                     "-0.0", "3.0", "65504.0", "T.infinity", "T.nan"};
    const std::string& text = kFloats[random % kFloats.size()];
    if (text == "T.infinity") return fmt::format("T.{}(\"inf\")", type);
    if (text == "T.nan") return fmt::format("T.{}(\"nan\")", type);
    return fmt::format("T.{}({})", type, text);
  }
  static const std::vector<int64_t> kSmall = {0, 1, 2, 5, -1, -2, 7, 100};
  int64_t value = kSmall[random % kSmall.size()];
  if (is_unsigned(type)) value = value < 0 ? -value : value;
  bool edge = random % 5 == 4;
  if (edge) return fmt::format("T.{}(\"{}\")", random % 2 ? "max_value" : "min_value", type);
  return type == "int32" ? std::to_string(value) : fmt::format("T.{}({})", type, value);
}

std::string Sketch::leaf(const std::string& type) {
  uint32_t kind = choices.below(8);
  if (kind <= 5 && !readable.empty()) {
    const Cells& from = readable[readable.size() - 1 - choices.below(static_cast<uint32_t>(readable.size()))];
    if (from.type == type) return cell(from);
    if (!is_float(from.type) && from.type != "bool") return fmt::format("T.Cast(\"{}\", {})", type, cell(from));
  }
  if (kind == 6 && !counters.empty()) return fmt::format("T.Cast(\"{}\", {})", type, choices.pick(counters).text);
  return constant(type);
}

std::string Sketch::operation(const std::string& type, int depth) {
  // Arithmetic on what is loaded wraps; on counters and constants alone it might overflow, so a load stands on the
  // left.
  std::vector<Cells> same;
  for (const Cells& c : readable) {
    if (c.type == type) same.push_back(c);
  }
  if (same.empty()) return leaf(type);
  std::string a = cell(choices.pick(same)), b = value(type, depth - 1);
  switch (choices.below(is_float(type) ? 8 : 14)) {
    case 0:
    case 1:
      return fmt::format("({} + {})", a, b);
    case 2:
      return fmt::format("({} * {})", a, b);
    case 3:
      return fmt::format("({} - {})", a, b);
    case 4:
      return fmt::format("T.max({}, {})", a, b);
    case 5:
      return fmt::format("T.min({}, {})", b, a);
    case 6:
      return fmt::format("T.Select({}, {}, {})", condition(), a, b);
    case 7:
      return fmt::format("T.if_then_else({}, {}, {})", condition(), a, b);
    case 8:
      return fmt::format("({} // T.{}({}))", a, type, 2 + choices.below(5));
    case 9:
      return fmt::format("({} % T.{}({}))", a, type, 2 + choices.below(5));
    case 10:
      return fmt::format("T.truncdiv({}, T.{}({}))", a, type, 2 + choices.below(5));
    case 11:
      return fmt::format("({} & {})", a, b);
    case 12:
      return fmt::format("({} ^ {})", a, b);
    default:
      return fmt::format("({} >> T.{}({}))", a, type, choices.below(7));
  }
}

std::string Sketch::value(const std::string& type, int depth) {
  if (type == "bool") return condition();
  return depth <= 0 || choices.below(3) == 0 ? leaf(type) : operation(type, depth);
}

std::string Sketch::index_condition() {
  static const std::vector<std::string> kOps = {"<", "<=", "==", "!=", ">=", ">"};
  if (counters.empty()) return "T.bool(True)";
  const Counter& c = counters[counters.size() - 1 - choices.below(static_cast<uint32_t>(counters.size()))];
  std::string left = c.text;
  if (choices.chance(20)) left += " + " + choices.pick(counters).text;
  std::string test =
      fmt::format("{} {} {}", left, choices.pick(kOps), choices.below(static_cast<uint32_t>(c.extent) + 1));
  return choices.chance(15) ? fmt::format("({} and {})", test, index_condition()) : test;
}

std::string Sketch::condition() {
  static const std::vector<std::string> kOps = {">", "==", "!=", "<="};
  if (!counters.empty() && !choices.chance(35)) return index_condition();
  if (readable.empty()) return index_condition();
  const Cells& from = choices.pick(readable);
  if (from.type == "bool") return cell(from);
  return fmt::format("{} {} {}", cell(from), choices.pick(kOps), constant(from.type));
}

}  // namespace hexproof
