// Random programs whose control and indices depend on data, as text.
#pragma once
#include <random>
#include <string>

namespace hexproof {

/// Programs over A, B: int8[4], G, H: float32[3] and a local C: int8[4].
class DataPrograms {
 public:
  explicit DataPrograms(uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string body = pick(6) ? "    for i in range(4):\n        C[i] = A[i] + T.int8(1)\n" : "";
    for (int i = 0, n = 2 + pick(3); i < n; ++i) body += statement(0, "    ");
    return "def f(A: T.Buffer((4,), \"int8\"), B: T.Buffer((4,), \"int8\"), G: T.Buffer((3,), \"float32\"), "
           "H: T.Buffer((3,), \"float32\")):\n    C = T.alloc_buffer((4,), \"int8\")\n" +
           body;
  }
  /// The program with one token changed; the same text when there is nothing to change.
  std::string mutant(const std::string& text) {
    static const std::pair<const char*, const char*> changes[] = {{" + ", " - "},
                                                                  {" * ", " + "},
                                                                  {" < ", " <= "},
                                                                  {" > ", " >= "},
                                                                  {" and ", " or "},
                                                                  {"T.min(", "T.max("},
                                                                  {"A[", "B["},
                                                                  {"B[", "C["},
                                                                  {" & ", " | "},
                                                                  {"T.int8(1)", "T.int8(2)"},
                                                                  {"range(4)", "range(3)"},
                                                                  {"[i]", "[0]"},
                                                                  {"T.Select(", "T.if_then_else("},
                                                                  {" == ", " != "},
                                                                  {"G[", "H["},
                                                                  {"range(2)", "T.parallel(2)"}};
    for (int tries = 0; tries < 20; ++tries) {
      const auto& [from, to] = changes[static_cast<size_t>(pick(static_cast<int>(std::size(changes))))];
      std::vector<size_t> at;
      for (size_t k = text.find(from, text.find('\n')); k != std::string::npos; k = text.find(from, k + 1))
        at.push_back(k);
      if (at.empty()) continue;
      std::string out = text;
      out.replace(at[static_cast<size_t>(pick(static_cast<int>(at.size())))], std::string(from).size(), to);
      return out;
    }
    return text;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string loop_variable() {
    return loops_.empty() ? std::to_string(pick(4))
                          : loops_[static_cast<size_t>(pick(static_cast<int>(loops_.size())))];
  }
  std::string index(int depth) {
    int kind = pick(10);
    if (kind < 6) return loop_variable();
    if (kind < 7) return std::to_string(pick(4));
    if (kind < 9 || pick(4)) return value(depth + 2) + " & T.int8(3)";
    return "T.max(" + value(depth + 2) + ", T.int8(0))";
  }
  std::string cell(int depth) {
    int kind = pick(7);
    return std::string(kind < 4 ? "A" : kind < 6 ? "B" : "C") + "[" + index(depth) + "]";
  }
  std::string value(int depth) {
    int kind = pick(depth > 2 ? 3 : 13);
    if (kind < 2) return cell(depth);
    if (kind == 2) return "T.int8(" + std::to_string(pick(7) - 2) + ")";
    if (kind < 5) return "(" + value(depth + 1) + " + " + value(depth + 1) + ")";
    if (kind == 5) return "(" + value(depth + 1) + " * " + value(depth + 1) + ")";
    if (kind == 6) return "T.min(" + value(depth + 1) + ", " + value(depth + 1) + ")";
    if (kind == 7)
      return "T.if_then_else(" + condition(depth + 1) + ", " + value(depth + 1) + ", " + value(depth + 1) + ")";
    if (kind == 8) return "T.Select(" + condition(depth + 1) + ", " + value(depth + 1) + ", " + value(depth + 1) + ")";
    if (kind == 9) {
      static const char* const ops[] = {" // ", " % ", " & ", " ^ ", " << ", " >> "};
      const int op = pick(6);
      const char* safe = pick(8) == 0 ? "" : op < 2 ? " | T.int8(1)" : op > 3 ? " & T.int8(7)" : "";
      return "(" + value(depth + 1) + ops[op] + "(" + value(depth + 1) + safe + "))";
    }
    if (kind == 10) {
      const std::string x = number(depth + 1);
      if (pick(6) == 0) return "T.Cast(\"int8\", " + x + ")";
      return "T.Cast(\"int8\", T.max(T.min(" + x + ", T.float32(127)), T.float32(-128)))";
    }
    if (kind == 11) return "T.Cast(\"int8\", T.Cast(\"uint8\", " + value(depth + 1) + ") >> T.uint8(1))";
    return "(" + value(depth + 1) + " - " + value(depth + 1) + ")";
  }
  std::string number(int depth) {
    std::string at = "[" + std::to_string(pick(3)) + "]";
    int kind = pick(depth > 2 ? 2 : 6);
    if (kind == 0) return "G" + at;
    if (kind == 1) return "T.float32(" + std::string(pick(2) ? "-1.5" : "0") + ")";
    if (kind == 2) return "(" + number(depth + 1) + " + " + number(depth + 1) + ")";
    if (kind == 3) return "(" + number(depth + 1) + " * " + number(depth + 1) + ")";
    if (kind == 4) return "T.max(" + number(depth + 1) + ", " + number(depth + 1) + ")";
    return "T.Cast(\"float32\", " + value(depth + 1) + ")";
  }
  std::string condition(int depth) {
    int kind = pick(8);
    if (kind < 4) return value(depth + 1) + (kind < 2 ? " < " : " > ") + value(depth + 1);
    if (kind < 5) return value(depth + 1) + " == " + value(depth + 1);
    if (kind < 6) return number(depth + 1) + " < " + number(depth + 1);
    return "(" + condition(depth + 2) + (kind == 6 ? " and " : " or ") + condition(depth + 2) + ")";
  }
  std::string statement(int depth, const std::string& indent) {
    int kind = pick(depth > 2 ? 4 : 12);
    if (kind < 3) {
      std::string to = std::string(pick(3) ? "B" : "C") + "[" + index(1) + "]";
      return indent + to + " = " + (pick(14) == 0 ? "T.undef()" : value(0)) + "\n";
    }
    if (kind == 3) return indent + "H[" + std::to_string(pick(3)) + "] = " + number(0) + "\n";
    if (kind < 6) {
      std::string out = indent + "if " + condition(1) + ":\n" + block(depth, indent);
      if (pick(2)) out += indent + "else:\n" + block(depth, indent);
      return out;
    }
    if (kind == 6 && pick(3) == 0) {
      return indent + "T.evaluate(T.assume(" + condition(1) + "))\n";
    }
    if (kind == 7 && pick(2)) {
      std::string i = "[" + loop_variable() + "]";
      return indent + "T.evaluate(T.assume(A" + i + " > T.int8(3) or C" + i + " == T.undef()))\n";
    }
    std::string var = std::string(1, "ijk"[depth % 3]);
    int how = pick(10);
    std::string range = how < 6               ? "range(4)"
                        : how == 6            ? "range(2)"
                        : how == 7 && pick(2) ? "T.parallel(4)"
                        : how == 8 && pick(2) ? "T.vectorized(2)"
                                              : "range(T.Cast(\"int32\", T.min(" + value(2) + ", T.int8(3))))";
    loops_.push_back(var);
    std::string out = indent + "for " + var + " in " + range + ":\n" + block(depth, indent);
    loops_.pop_back();
    return out;
  }
  std::string block(int depth, const std::string& indent) {
    std::string out;
    for (int i = 0, n = 1 + pick(2); i < n; ++i) out += statement(depth + 1, indent + "    ");
    return out;
  }

  std::mt19937_64 random_;
  std::vector<std::string> loops_;
};

}  // namespace hexproof
