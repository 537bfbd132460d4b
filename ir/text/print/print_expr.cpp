#include <bit>
#include <charconv>
#include <cmath>

#include "ir/own_lets.h"
#include "ir/reinterpret.h"
#include "ir/text/lexer.h"
#include "ir/text/print/printer.h"

namespace hexproof::text {

std::string identifier(const std::string& hint) {
  std::string out;
  for (char c : hint) {
    bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    out.push_back(ok ? c : '_');
  }
  if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out = "v" + out;
  static const std::set<std::string> kReserved = {"T",     "I",   "tir", "tvm",           "range",
                                                  "float", "min", "max", "AXIS_SEPARATOR"};
  if (is_keyword(out) || kReserved.count(out)) out += "_";
  return out;
}

namespace {

/// The shortest decimal that reads back as `value` of this type.
std::string float_text(DType type, double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  char buffer[64];
  if (value == std::trunc(value) && std::fabs(value) < 1e15) {
    auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 1);
    return std::string(buffer, end);
  }
  std::string out;
  for (int digits = 1; digits <= 17; ++digits) {
    auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
    out.assign(buffer, end);
    double back = 0;
    std::from_chars(out.data(), out.data() + out.size(), back);
    if (std::bit_cast<uint64_t>(fimm(type, back)->float_value()) == std::bit_cast<uint64_t>(value)) break;
  }
  return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
}

/// How tightly an operator binds, as in the parser.
int level_of(Op op) {
  switch (op) {
    case Op::Or:
      return 1;
    case Op::And:
      return 2;
    case Op::Not:
      return 3;
    case HEXPROOF_CASES(Comparison):
      return 4;
    case Op::BitOr:
      return 5;
    case Op::BitXor:
      return 6;
    case Op::BitAnd:
      return 7;
    case HEXPROOF_CASES(Shift):
      return 8;
    case Op::Add:
    case Op::Sub:
      return 9;
    case Op::Mul:
    case Op::Div:
    case Op::FloorDiv:
    case Op::FloorMod:
      return 10;
    case Op::BitNot:
      return 11;
    case HEXPROOF_CASES(Leaf):
    case Op::TruncDiv:
    case Op::TruncMod:
    case HEXPROOF_CASES(MinMax):
    case HEXPROOF_CASES(Choice):
    case HEXPROOF_CASES(Other):
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      return 12;
  }
  return 12;
}

bool is_bare(const Expr& e) { return e->op == Op::IntImm && e->dtype == kInt32; }

}  // namespace

std::string Printer::unique(const std::string& hint) {
  std::string base = identifier(hint), out = base;
  for (int i = 1; !used_.insert(out).second; ++i) out = base + "_" + std::to_string(i);
  return out;
}

std::string Printer::define(const Var& var) { return var_names_[var] = unique(var.name()); }
std::string Printer::define(const Buffer& buffer) {
  std::string out = unique(buffer->name);
  buffer_names_[buffer] = out;
  return out;
}

void Printer::release(const Var& var) {
  if (auto it = var_names_.find(var); it != var_names_.end()) used_.erase(it->second), var_names_.erase(it);
}
void Printer::release(const Buffer& buffer) {
  if (auto it = buffer_names_.find(buffer); it != buffer_names_.end()) used_.erase(it->second), buffer_names_.erase(it);
}

std::string Printer::name(const Var& var) {
  if (auto it = data_names_.find(var); it != data_names_.end()) return it->second;
  auto it = var_names_.find(var);
  return it != var_names_.end() ? it->second : define(var);
}
std::string Printer::name(const Buffer& buffer) {
  auto it = buffer_names_.find(buffer);
  return it != buffer_names_.end() ? it->second : define(buffer);
}

void Printer::quoted(const std::string& value) {
  static const char* kHex = "0123456789abcdef";
  text += '"';
  for (char c : value) {
    if (c == '"' || c == '\\') {
      text += '\\', text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      text += "\\x", text += kHex[c >> 4 & 15], text += kHex[c & 15];
    } else {
      text += c;
    }
  }
  text += '"';
}

void Printer::list(const std::vector<Expr>& exprs) {
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (i) text += ", ";
    expr(exprs[i]);
  }
}

void Printer::integer(const Expr& e, bool bare) {
  if (e->dtype.is_bool()) {
    text += e->int_value() ? "T.bool(True)" : "T.bool(False)";
  } else if (bare && is_bare(e)) {
    text += std::to_string(e->int_value());
  } else {
    text += "T." + e->dtype.str() + "(" + to_string(int_value(e)) + ")";
  }
}

/// An infix operator: Python would compute with two constants, so one of them then shows its dtype.
void Printer::operands(const Expr& e, int left, int right) {
  const Expr &a = e->args[0], &b = e->args[1];
  if (is_bare(a) && is_bare(b)) {
    integer(a, false);
  } else {
    expr(a, left, b->op != Op::Undef);
  }
  text += " ";
  text += info(e->op).text;
  text += " ";
  expr(b, right, a->op != Op::Undef);
}

void Printer::function_call(const std::string& callee, const std::vector<Expr>& args, bool typed) {
  text += callee + "(";
  for (size_t i = 0; i < args.size(); ++i) {
    if (i) text += ", ";
    bool other_typed =
        typed && args.size() > 1 && args[i == args.size() - 1 ? i - 1 : args.size() - 1]->op != Op::Undef;
    expr(args[i], 0, other_typed);
  }
  text += ")";
}

void Printer::access(const Buffer& buffer, const std::vector<Expr>& indices) {
  text += name(buffer) + "[";
  if (indices.empty()) text += "()";
  list(indices);
  text += "]";
}

void Printer::call(const Expr& e) {
  const std::string& callee = e->text();
  bool test = callee == "isnan" || callee == "isinf" || callee == "isfinite";
  bool math = is_math_call(callee, e->args.size()) && !e->args.empty() && !e->args[0]->dtype.is_handle();
  if (math && test) math = e->dtype == kBool.with_lanes(e->args[0]->dtype.lanes);
  if (math && !test) math = e->dtype == e->args[0]->dtype;
  if (math && e->args.size() == 2 && callee != "ldexp") math = e->args[0]->dtype == e->args[1]->dtype;
  if (math) return function_call("T." + callee, e->args, false);
  if (is_reinterpret(*e)) {
    text += "T.reinterpret(";
    quoted(e->dtype.str());
    text += ", ", expr(e->args[0]);
    text += ")";
    return;
  }
  text += "T.call_pure_extern(";
  quoted(e->dtype.str());
  text += ", ";
  quoted(callee);
  for (const Expr& arg : e->args) text += ", ", expr(arg);
  text += ")";
}

void Printer::expr(const Expr& e, int level, bool typed) {
  bool told = may_wrap(e->op, e->dtype) && e->wraps != reads_as_wrapping(e);
  bool parenthesis = told || level_of(e->op) < level;
  if (told) text += e->wraps ? "T.wrap" : "T.nowrap";
  if (parenthesis) text += "(";
  operation(e, typed);
  if (parenthesis) text += ")";
}

void Printer::operation(const Expr& e, bool typed) {
  int own = level_of(e->op);
  switch (e->op) {
    case Op::Var:
      text += name(e->var());
      break;
    case Op::IntImm:
      integer(e, true);
      break;
    case Op::FloatImm:
      text += "T." + e->dtype.str() + "(" + float_text(e->dtype, e->float_value()) + ")";
      break;
    case Op::StringImm:
      quoted(e->text());
      break;
    case Op::Undef:
      text += typed || e->dtype == kInt32 ? "T.undef()" : "T.undef(dtype=\"" + e->dtype.str() + "\")";
      break;
    case HEXPROOF_CASES(Ring):
    case Op::Div:
    case Op::FloorDiv:
    case Op::FloorMod:
    case Op::And:
    case Op::Or:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift):
      operands(e, own, own + 1);
      break;
    case HEXPROOF_CASES(Comparison):
      operands(e, own + 1, own + 1);
      break;
    case Op::TruncDiv:
    case Op::TruncMod:
    case HEXPROOF_CASES(MinMax):
      function_call(std::string(info(e->op).text), e->args, true);
      break;
    case Op::Not:
      text += "not ";
      expr(e->args[0], own);
      break;
    case Op::BitNot:
      text += "~";
      if (is_bare(e->args[0])) {
        integer(e->args[0], false);
      } else {
        expr(e->args[0], own);
      }
      break;
    case HEXPROOF_CASES(Choice): {
      bool one = e->args[1]->op != Op::Undef || e->args[2]->op != Op::Undef;
      text += std::string(info(e->op).text) + "(";
      expr(e->args[0]);
      text += ", ";
      expr(e->args[1], 0, one);
      text += ", ";
      expr(e->args[2], 0, one);
      text += ")";
      break;
    }
    case Op::Cast:
      text += "T.Cast(\"" + e->dtype.element().str() + "\", ";
      expr(e->args[0]);
      text += ")";
      break;
    case Op::Let:
      text += "T.Let(";
      expr(e->args[2]);
      text += ", where={" + name(e->args[0]->var()) + ": ";
      expr(e->args[1], 0, true);
      text += "})";
      break;
    case Op::Load:
      access(e->buffer(), e->args);
      break;
    case Op::Ramp:
      text += "T.Ramp(";
      list(e->args);
      text += ", " + std::to_string(e->dtype.lanes) + ")";
      break;
    case Op::Broadcast:
      text += "T.Broadcast(";
      expr(e->args[0]);
      text += ", " + std::to_string(e->dtype.lanes) + ")";
      break;
    case Op::Likely:
      function_call("T.likely", e->args, false);
      break;
    case Op::Call:
      call(e);
      break;
    case HEXPROOF_CASES(Uninterpreted):
      function_call(e->text(), e->args, false);
      break;
    case Op::Fits:
    case Op::SameBits:
      function_call(std::string(info(e->op).text), e->args, false);
      break;
  }
}

void Printer::stop(const Range& range) {
  const Expr &min = range.min, &extent = range.extent;
  if (is_int(min, 0)) return expr(extent);
  if (min->op == Op::IntImm && extent->op == Op::IntImm) {
    Wide end = int_value(min) + int_value(extent);
    if (fits_type(min->dtype, end)) return integer(imm(min->dtype, end), true);
  }
  if (extent->op == Op::Sub && same_up_to_lets(min, extent->args[1])) {
    const Expr& end = extent->args[0];
    bool folds = min->op == Op::IntImm && end->op == Op::IntImm;
    bool reads_as_sum = end->op == Op::Add && same_up_to_lets(min, end->args[0]);
    bool class_is_read = !may_wrap(Op::Sub, extent->dtype) || extent->wraps == reads_as_wrapping(extent);
    if (!folds && !reads_as_sum && !same_up_to_lets(min, end) && class_is_read) return expr(end);
  }
  expr(binary(Op::Add, min, extent, reads_as_data(min) || reads_as_data(extent)));
}

}  // namespace hexproof::text
