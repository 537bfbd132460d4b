// Accesses to memory as bytecode: bounds where intervals leave them open, the cell's number, and what is recorded of
// races.
#include <algorithm>

#include "ir/interpreter/bytecode/compiler.h"

namespace hexproof::fast {

/// Checks the indices that intervals do not keep in bounds, and adds up the place.
Compiler::Place Compiler::place(const Buffer& buffer, const std::vector<Expr>& indices, bool write) {
  auto it = views_.find(buffer->id);
  if (it == views_.end() || buffer->dtype.lanes != 1) throw NotCompiled{};
  const ViewInfo view = it->second;
  std::vector<Value> values;
  for (const Expr& e : indices) values.push_back(expr(e));
  const int64_t size = out_.memories[view.memory].size;
  Value total = constant(int_scalar(kInt64, view.offset));
  for (size_t k = 0; k < values.size(); ++k) {
    Value v = values[k];
    const int64_t extent = view.shape[k];
    if (v.lo < 0 || v.hi >= extent) {
      if (!within_64(v)) {  // a uint64 beyond is negative in the register, and fails the check as it must
        v = in_register(reg(v), kInt64);
      }
      int index = reg(v);
      emit({.code = Code::InRange, .a = index, .c = site(), .imm = 0, .imm2 = extent - 1});
      if (extent == 0)
        v = constant(int_scalar(kInt64, 0));
      else if (v.kind == Value::InRegister)
        v.lo = std::max<Wide>(v.lo, 0), v.hi = std::min<Wide>(v.hi, extent - 1);
      else
        v.lo = 0, v.hi = extent - 1;
    }
    v.type = kInt64;
    // The checked range holds for this access only, so it is not written back to the register's.
    auto [low, high] = std::minmax({v.lo * view.strides[k], v.hi * view.strides[k]});
    if (!fits_type(kInt64, low) || !fits_type(kInt64, high)) throw NotCompiled{};
    auto next = linear(kInt64, total.lo + low, total.hi + high, total, 1, v, view.strides[k]);
    if (!next) {  // registers whose own range is wide: a fixed product
      int product = pure({.code = Code::Linear1, .a = reg(v), .imm = view.strides[k]});
      int added = here({.code = Code::Add, .a = product, .b = reg(total)});
      next = in_register(added, kInt64, total.lo + low, total.hi + high);
      if (!within_64(*next)) throw NotCompiled{};
    }
    total = *next;
  }
  if (total.lo < 0 || total.hi >= size) {
    emit({.code = Code::InRange, .a = reg(total), .c = site(), .imm = 0, .imm2 = size - 1});
  }
  if (write && out_.memories[view.memory].read_only) emit({.code = Code::Fault, .c = site()});
  Place out{.memory = view.memory};
  if (total.kind == Value::Linear && total.terms.size() > 1) {  // the innermost term is added by the access itself
    auto deepest = std::max_element(total.terms.begin(), total.terms.end(), [&](const auto& x, const auto& y) {
      return depth_of(x.first) < depth_of(y.first);
    });
    out.a = deepest->first;
    out.factor = deepest->second;
    total.terms.erase(deepest);
    out.b = sum(total.terms, total.offset);
  } else {
    out.b = reg(total);
  }
  if (parallel_depth_ > 0 || has_groups_) {
    out_.sites.push_back({.stmt = *current_, .scope = scope_, .buffer = buffer, .indices = indices, .write = write});
    Instr touch = access(Code::FlightTouch, 0, out, static_cast<int>(out_.sites.size()) - 1);
    touch.imm2 = write;
    if (has_groups_) emit(touch);
    touch.code = Code::Touch;
    if (parallel_depth_ > 0) emit(touch);
  }
  return out;
}

Instr Compiler::access(Code code, int dst, const Place& place, int site) {
  return {.code = code, .memory = place.memory, .dst = dst, .a = place.a, .b = place.b, .c = site, .imm = place.factor};
}

Value Compiler::load(const Expr& e) {
  const DType type = e->dtype;
  Place from = place(e->buffer(), e->args, false);
  Code code = Code::LoadF32;
  if (type.is_bool())
    code = Code::LoadBool;
  else if (type.is_float())
    code = type == kFloat64   ? Code::LoadF64
           : type == kFloat32 ? Code::LoadF32
           : type == kFloat16 ? Code::LoadF16
                              : Code::LoadBF16;
  else if (type.bits == 64)
    code = Code::LoadI64;
  else if (type.is_int())
    code = type == kInt8 ? Code::LoadI8 : type == kInt16 ? Code::LoadI16 : Code::LoadI32;
  else
    code = type == kUInt8 ? Code::LoadU8 : type == kUInt16 ? Code::LoadU16 : Code::LoadU32;
  return in_register(here(access(code, 0, from, site())), type);
}

}  // namespace hexproof::fast
