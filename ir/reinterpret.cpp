#include "ir/reinterpret.h"

namespace hexproof {

bool same_width(DType a, DType b) {
  auto number = [](DType t) { return t.is_integer() || t.is_float(); };
  return number(a) && number(b) && a.bits == b.bits && a.lanes == b.lanes;
}

Expr reinterpret(DType type, Expr value) {
  const DType from = value->dtype;
  if (type == from) return value;
  HEXPROOF_CHECK(same_width(type, from), "the bits of " + from.str() + " as " + type.str());
  if (type.is_integer() && from.is_integer()) return cast(type, std::move(value));
  if (type.is_float() && from.is_float()) {
    value = reinterpret(DType{TypeCode::UInt, type.bits, type.lanes}, std::move(value));
  }
  return call(type, std::string(kReinterpret), {std::move(value)});
}

bool is_reinterpret(const ExprNode& e) {
  return e.op == Op::Call && e.args.size() == 1 && e.text() == kReinterpret && same_width(e.dtype, e.args[0]->dtype) &&
         e.dtype.is_float() != e.args[0]->dtype.is_float();
}

}  // namespace hexproof
