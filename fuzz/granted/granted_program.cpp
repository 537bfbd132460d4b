// Programs for fuzz/granted/granted.h.
#include "fuzz/granted/granted.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {

namespace {

class Writer {
 public:
  explicit Writer(Choices& choices) : choices_(choices), type_(choices.chance(25) ? "float64" : "float32") {}

  PrimFunc program() {
    static const std::vector<std::string> flags = {
        "contract", "contract", "reassoc", "nsz", "contract nsz", "contract nnan ninf", "nnan ninf nsz reassoc"};
    const std::string granted = choices_.pick(flags);
    divides_ = granted.find("reassoc") == granted.npos;
    const int stages = 1 + static_cast<int>(choices_.below(2));
    for (int k = 0; k < stages; ++k) stage(k == stages - 1 ? "D" : "C");
    std::string text = "def f(";
    for (const char* name : {"A", "B", "C", "D"}) {
      text += std::string(*name == 'A' ? "" : ", ") + name + ": T.Buffer((2,), \"" + type_ + "\")";
    }
    text += "):\n";
    for (const std::string& x : lets_) text += "    " + x + " = T." + type_ + "()\n";
    PrimFunc func = parse_module(text + body_, "<granted>").functions.at(0);
    func.attrs[kFastMathAttribute] = granted;
    return func;
  }

 private:
  void line(int depth, const std::string& text) {
    body_ += std::string(static_cast<size_t>(4 * depth), ' ') + text + "\n";
  }
  std::string fresh(const char* hint) { return hint + std::to_string(names_++); }

  std::string constant() {
    static const std::vector<std::string> values = {"0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "3.0"};
    return number(choices_.pick(values));
  }
  std::string number(const std::string& digits) const { return "T." + type_ + "(" + digits + ")"; }
  std::string leaf(const std::string& i) {
    if (!seen_.empty() && choices_.chance(40)) return choices_.pick(seen_);
    const uint32_t which = choices_.below(6);
    if (which < 5) return std::string(which % 2 ? "B" : "A") + "[" + (choices_.chance(20) ? "0" : i) + "]";
    return constant();
  }
  std::string value(const std::string& i, int depth) {
    if (depth == 0) return leaf(i);
    auto operand = [&] { return value(i, depth - 1); };
    switch (choices_.below(16)) {
      case 0:
        return leaf(i);
      case 10:
        return "(" + operand() + " * " + number("-1.0") + ")";
      case 11: {  // in a wider format, and back
        if (type_ != "float32") return leaf(i);
        auto wide = [&](const std::string& x) { return "T.Cast(\"float64\", " + x + ")"; };
        static const std::vector<std::string> between = {" + ", " - ", " * "};
        const std::string left = wide(operand());
        return "T.Cast(\"float32\", " + left + choices_.pick(between) + wide(leaf(i)) + ")";
      }
      case 1:
      case 2:
        return "(" + operand() + " + " + operand() + ")";
      case 3:
        return "(" + leaf(i) + " * " + leaf(i) + " + " + operand() + ")";
      case 4:
        return "(" + operand() + " - " + operand() + ")";
      case 5:
      case 6:
      case 7:
        return "(" + operand() + " * " + leaf(i) + ")";
      case 8:
        return "T.Select(" + leaf(i) + " < " + leaf(i) + ", " + operand() + ", " + operand() + ")";
      case 9:
        return std::string(choices_.chance(50) ? "T.max(" : "T.min(") + operand() + ", " + leaf(i) + ")";
      case 13:
        return choices_.chance(50) ? "T.abs(" + operand() + ")" : "T.copysign(" + operand() + ", " + leaf(i) + ")";
      case 14:
        return divides_ ? "(" + operand() + " / " + number("2.0") + ")" : leaf(i);
      case 12:
        return divides_ ? "(" + leaf(i) + " / " + operand() + ")" : leaf(i);
      default: {
        const std::string x = fresh("x"), bound = operand(), by = choices_.chance(50) ? x : leaf(i);
        lets_.push_back(x);
        return "T.Let(" + x + " * " + by + " + " + x + ", where={" + x + ": " + bound + "})";
      }
    }
  }

  /// A value that flags leave open, and a zero.
  std::string open_value(const std::string& i) {
    const std::string open = "(" + leaf(i) + " * " + leaf(i) + " + " + leaf(i) + ")";
    const char* op = divides_ && choices_.chance(60) ? " / " : " + ";
    return "(" + open + op + number(choices_.chance(50) ? "0.0" : "-0.0") + ")";
  }
  /// The same text with some zeros of the other sign.
  std::string with_other_zeros(const std::string& text) {
    std::string out;
    const std::string zero = "(0.0)", other = "(-0.0)";
    for (size_t at = 0; at < text.size();) {
      const bool is = text.compare(at, zero.size(), zero) == 0, is_other = text.compare(at, other.size(), other) == 0;
      if (!is && !is_other) {
        out += text[at++];
        continue;
      }
      out += is != choices_.chance(70) ? zero : other;
      at += (is ? zero : other).size();
    }
    return out;
  }

  /// A loop over the cells; with a block in it, as TVM writes it.
  template <class F>
  void in_loop(const std::string& i, bool block, F body) {
    line(1, "for " + i + " in range(2):");
    if (!block) return body(2, i);
    const std::string v = fresh("v");
    line(2, "with T.block(\"" + fresh("block") + "\"):");
    line(3, v + " = T.axis.spatial(2, " + i + ")");
    body(3, v);
  }

  void stage(const std::string& out) {
    const std::string i = fresh("i");
    const size_t seen = seen_.size();
    switch (choices_.below(7)) {
      case 0:
        line(1, "for " + i + " in range(2):");
        line(2, out + "[" + i + "] = " + value(i, 2));
        break;
      case 1: {  // a let that is used twice
        const std::string x = fresh("x");
        line(1, "for " + i + " in range(2):");
        line(2, x + ": T." + type_ + " = " + value(i, 2));
        seen_.push_back(x);
        line(2, out + "[" + i + "] = " + value(i, 1));
        break;
      }
      case 2: {  // a cell in between
        const std::string p = fresh("P"), j = fresh("j");
        const bool blocks = choices_.chance(50);
        line(1, p + " = T.alloc_buffer((2,), \"" + type_ + "\")");
        in_loop(i, blocks,
                [&](int depth, const std::string& at) { line(depth, p + "[" + at + "] = " + value(at, 2)); });
        in_loop(j, blocks, [&](int depth, const std::string& at) {
          seen_.push_back(p + "[" + (choices_.chance(70) ? at : "0") + "]");
          line(depth, out + "[" + at + "] = " + value(at, 2));
        });
        break;
      }
      case 3:  // a reduction
        line(1, out + "[0] = " + (choices_.chance(50) ? constant() : leaf("1")));
        line(1, "for " + i + " in range(2):");
        line(2, out + "[0] = " + out + "[0] + " + value(i, 1));
        break;
      case 4:
      case 5: {  // two values, or one but for the signs of its zeros
        const bool blocks = choices_.chance(50), on_data = choices_.chance(40);
        const bool alike = choices_.chance(70);
        in_loop(i, blocks, [&](int depth, const std::string& at) {
          const std::string first = alike ? open_value(at) : value(at, 2);
          line(depth, "if " + (on_data ? leaf(at) + " < " + leaf("0") : at + " < 1") + ":");
          line(depth + 1, out + "[" + at + "] = " + first);
          line(depth, "else:");
          line(depth + 1, out + "[" + at + "] = " + (alike ? with_other_zeros(first) : value(at, 1)));
        });
        break;
      }
      default: {  // as TVM writes it
        const std::string vi = fresh("vi"), vk = fresh("vk");
        line(1, "for " + i + " in range(2):");
        line(2, "with T.block(\"" + fresh("block") + "\"):");
        line(3, vk + " = T.axis.reduce(2, " + i + ")");
        line(3, "with T.init():");
        line(4, out + "[0] = " + constant());
        line(3, out + "[0] = " + out + "[0] + " + value(vk, 1));
        break;
      }
    }
    seen_.resize(seen);
    seen_.push_back(out + "[0]");
  }

  Choices& choices_;
  std::string type_, body_;
  std::vector<std::string> lets_;  // variables of T.Let
  std::vector<std::string> seen_;  // values that may be used where the program stands
  bool divides_ = true;
  int names_ = 0;
};

/// Another form of one operation.
Expr rewritten(const Expr& e, Choices& choices) {
  const Expr &a = e->args[0], &b = e->args[1];
  const bool sum = e->op == Op::Add;
  switch (choices.below(10)) {
    case 7: {  // in a wider format, and back
      if (e->dtype != kFloat32) return e;
      auto wide = [](const Expr& x) { return cast(kFloat64, x); };
      return cast(kFloat32, binary(e->op, wide(a), wide(b)));
    }
    case 8:  // to the other side, and a negated operand
      if ((sum || e->op == Op::Sub) && b->op == Op::Add) return binary(e->op, binary(e->op, a, b->args[0]), b->args[1]);
      if (sum && b->op == Op::Mul && b->args[1] == fimm(e->dtype, -1.0)) return a - b->args[0];
      return e;
    case 9:
      if (e->op == Op::Sub) return (b - a) * fimm(e->dtype, -1.0);
      return sum ? a - b * fimm(e->dtype, -1.0) : binary(e->op, a, b * fimm(e->dtype, -1.0)) * fimm(e->dtype, -1.0);
    case 0:
      return e->op == Op::Sub ? e : binary(e->op, b, a);
    case 1:
      return e + fimm(e->dtype, choices.chance(50) ? -0.0 : 0.0);
    case 2:
      return e * fimm(e->dtype, 1.0);
    case 3:
      if ((sum || e->op == Op::Mul) && a->op == e->op) return binary(e->op, a->args[0], binary(e->op, a->args[1], b));
      return e->op == Op::Sub ? a + b * fimm(e->dtype, -1.0) : e;
    case 4:
      if (e->op == Op::Mul && a->op == Op::Add) return a->args[0] * b + a->args[1] * b;
      return e;
    case 5: {
      if (a == b) {
        Var x = Var::fresh("x", e->dtype, true);
        return let(x, a, binary(e->op, x, x));
      }
      return e;
    }
    default: {
      Var x = Var::fresh("x", e->dtype, true);
      return let(x, a, binary(e->op, x, b));
    }
  }
}

}  // namespace

PrimFunc random_granted_program(Choices& choices) { return Writer(choices).program(); }

std::string random_moving_rule(Choices& choices) {
  static const std::vector<std::string> rules = {
      "inline-let",  "hoist-let",   "forward-store",   "compute-at",       "reverse-compute-at", "rfactor",
      "simplify",    "reorder",     "distribute-loop", "merge-loops",      "cache-read",         "cache-write",
      "overcompute", "overcompute", "insert-store",    "introduce-branch", "hoist-condition",    "same-branches",
      "split"};
  return choices.pick(rules);
}

std::optional<Mutant> another_form(const PrimFunc& func, uint64_t number) {
  Choices choices({static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 16),
                   static_cast<uint32_t>(number >> 32), static_cast<uint32_t>(number >> 40)});
  uint32_t count = 0;
  auto is_one = [](const Expr& e) {
    const bool ring = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul;
    return e->dtype.is_float() && e->dtype.is_scalar() && (ring || e->op == Op::Let);
  };
  visit_all_exprs(func.body, [&](const Expr& e) { count += is_one(e); });
  if (count == 0) return std::nullopt;
  const uint32_t wanted = choices.below(count);
  uint32_t at = 0;
  PrimFunc out = func;
  out.body = rewrite_stmt(func.body, [&](const Expr& e) {
    if (!is_one(e) || at++ != wanted) return e;
    if (e->op == Op::Let) return substitute(e->args[2], VarMap{{e->args[0]->var(), e->args[1]}});
    return rewritten(e, choices);
  });
  return Mutant{kAnotherForm + std::to_string(number), out};
}

}  // namespace hexproof
