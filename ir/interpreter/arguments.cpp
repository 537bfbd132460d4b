#include "ir/interpreter/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/interpreter/fault.h"
#include "ir/interpreter/math.h"
#include "ir/visit.h"

namespace hexproof {

std::vector<int64_t> compact_strides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    Wide product = Wide{strides[i]} * shape[i];
    strides[i - 1] = fits_type(kInt64, product) ? static_cast<int64_t>(product) : kNoStride;
  }
  return strides;
}

Wide memory_elements(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides, int64_t offset) {
  const Wide cap = Wide{1} << 100;  // far above any memory; keeps the sums inside of Wide
  Wide last = offset;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) return 0;
    if (strides[i] > 0) last = std::min(cap, last + Wide{shape[i] - 1} * strides[i]);
  }
  return last + 1;
}

bool elements_overlap(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides) {
  std::vector<std::pair<int64_t, int64_t>> axes;  // stride, extent: the ones that move
  Wide elements = 1;
  if (std::any_of(shape.begin(), shape.end(), [](int64_t extent) { return extent <= 0; })) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    if (strides[i] == 0) return true;
    axes.emplace_back(strides[i], shape[i]);
    elements = std::min(elements * shape[i], Wide{1} << 40);
  }
  std::sort(axes.begin(), axes.end());
  Wide below = 0;  // the address of the last element of the axes with smaller strides
  bool nested = axes.empty() || axes.front().first > 0;
  for (const auto& [stride, extent] : axes) {
    nested = nested && stride > below;
    if (nested) below = std::min(below + Wide{stride} * (extent - 1), Wide{1} << 100);
  }
  if (nested) return false;
  if (elements > (1 << 20)) return true;
  std::vector<Wide> addresses = {0};
  for (const auto& [stride, extent] : axes) {
    size_t count = addresses.size();
    for (int64_t k = 1; k < extent; ++k) {
      for (size_t i = 0; i < count; ++i) addresses.push_back(addresses[i] + Wide{stride} * k);
    }
  }
  std::sort(addresses.begin(), addresses.end());
  return std::adjacent_find(addresses.begin(), addresses.end()) != addresses.end();
}

Scalar evaluate(const Expr& e, const std::map<Var, Scalar>& vars) {
  auto arg = [&](size_t i) { return evaluate(e->args.at(i), vars); };
  Arith mode = e->wraps ? Arith::Data : Arith::Index;
  if (!e->dtype.is_scalar()) throw Unsupported(Span{}, "a vector in a constant expression");
  switch (e->op) {
    case Op::Var: {
      auto it = vars.find(e->var());
      if (it == vars.end()) throw Error("the variable " + e->var().name() + " has no value here");
      return it->second;
    }
    case Op::IntImm:
      return {e->dtype, static_cast<uint64_t>(e->int_value())};
    case Op::FloatImm:
      return float_scalar(e->dtype, e->float_value());
    case HEXPROOF_CASES(Arithmetic):
    case HEXPROOF_CASES(Comparison):
    case Op::And:
    case Op::Or:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift): {
      Scalar a = arg(0), b = arg(1);
      ScalarResult r = apply_binary(e->op, a, b, mode);
      if (!r) faults::operation(r.error, e->op, a, b);
      return r.value;
    }
    case Op::Not:
    case Op::BitNot:
      return apply_unary(e->op, arg(0));
    case Op::Select: {
      Scalar c = arg(0), yes = arg(1), no = arg(2);
      return c.truth() ? yes : no;
    }
    case Op::IfThenElse:
      return arg(0).truth() ? arg(1) : arg(2);
    case Op::Cast: {
      Scalar a = arg(0);
      ScalarResult r = apply_cast(e->dtype, a);
      if (!r) faults::cast(r.error, e->dtype, a);
      return r.value;
    }
    case Op::Let: {
      std::map<Var, Scalar> inner = vars;
      inner[e->args[0]->var()] = arg(1);
      return evaluate(e->args[2], inner);
    }
    case Op::Likely:
      return arg(0);
    case Op::Call: {
      std::vector<Scalar> args;
      for (const Expr& a : e->args) args.push_back(evaluate(a, vars));
      if (auto value = apply_call(e->text(), e->dtype, args)) return *value;
      throw Unsupported(Span{}, "the call of " + e->text());
    }
    case Op::StringImm:
    case Op::Undef:
    case Op::Load:
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  throw Error("not a constant expression: " + std::string(info(e->op).name));
}

namespace {

/// Shape variables stand alone as an extent somewhere; those get their value from the tensor.
void solve_shape(const BufferNode& b, const Tensor& t, std::map<Var, Scalar>& vars) {
  if (t.dtype != b.dtype.element() || (t.shape.size() != b.shape.size() + (b.dtype.lanes > 1))) {
    throw Error(fmt::format("argument {}: a tensor of {} with {} axes does not fit a buffer of {} with {} axes", b.name,
                            t.dtype.str(), t.shape.size(), b.dtype.str(), b.shape.size()));
  }
  if (b.dtype.lanes > 1 && t.shape.back() != b.dtype.lanes)
    throw Error("argument " + b.name + ": the last axis holds the lanes");
  for (size_t i = 0; i < b.shape.size(); ++i) {
    if (b.shape[i]->op != Op::Var || vars.count(b.shape[i]->var())) continue;
    if (!fits_type(b.shape[i]->dtype, t.shape[i])) {
      throw Error(fmt::format("argument {}: extent {} of axis {} does not fit {}", b.name, t.shape[i], i,
                              b.shape[i]->dtype.str()));
    }
    vars[b.shape[i]->var()] = int_scalar(b.shape[i]->dtype, t.shape[i]);
  }
}

int64_t number(const BufferNode& b, const Expr& e, const std::map<Var, Scalar>& vars) {
  try {
    Wide value = wide_value(evaluate(e, vars));
    if (fits_type(kInt64, value)) return static_cast<int64_t>(value);
  } catch (const Fault& fault) {
    throw Error("the layout of argument " + b.name + ": " + fault.message);
  }
  throw Error("the layout of argument " + b.name + ": a number beyond 64 bits");
}

}  // namespace

BoundBuffer bind_layout(const Buffer& buffer, const std::vector<int64_t>& shape, std::map<Var, Scalar>& vars) {
  BoundBuffer out{.buffer = buffer, .shape = {}, .strides = {}};
  for (size_t i = 0; i < buffer->shape.size(); ++i) {
    out.shape.push_back(number(*buffer, buffer->shape[i], vars));
    if (out.shape[i] != shape[i]) {
      throw Error(fmt::format("argument {}: axis {} has {} elements in the tensor and {} in the buffer", buffer->name,
                              i, shape[i], out.shape[i]));
    }
  }
  std::vector<int64_t> compact = compact_strides(out.shape);
  for (size_t i = 0; i < buffer->strides.size(); ++i) {
    const Expr& s = buffer->strides[i];
    if (s->op == Op::Var && !vars.count(s->var())) vars[s->var()] = int_scalar(s->dtype, compact.at(i));
    out.strides.push_back(number(*buffer, s, vars));
    if (out.strides[i] < 0) throw Error("argument " + buffer->name + ": a negative stride");
  }
  if (buffer->strides.empty()) out.strides = compact;
  if (elements_overlap(out.shape, out.strides)) {
    throw Error("argument " + buffer->name + ": elements overlap, two indices have one address");
  }
  if (const Expr& e = buffer->elem_offset) {
    if (e->op == Op::Var && !vars.count(e->var())) vars[e->var()] = zero_scalar(e->dtype);
    out.offset = number(*buffer, e, vars);
    if (out.offset < 0) throw Error("argument " + buffer->name + ": a negative offset");
  }
  Wide elements = memory_elements(out.shape, out.strides, out.offset);
  if (elements * buffer->dtype.lanes * buffer->dtype.bytes() > kMaxBufferBytes) {
    throw Error("argument " + buffer->name + " does not fit in memory");
  }
  out.elements = static_cast<int64_t>(elements);
  out.compact = out.strides == compact && out.offset == 0;
  return out;
}

/// The value of a parameter, as its caller says it.
static Scalar scalar_of(const Var& var, const ScalarArgument& given) {
  const DType type = var.dtype();
  const auto* whole = std::get_if<int64_t>(&given);
  const auto* large = std::get_if<uint64_t>(&given);
  if (type.is_float()) {
    return float_scalar(type, std::visit([](auto value) { return static_cast<double>(value); }, given));
  }
  const bool is_word = type.is_uint() && type.bits == 64;
  if (whole && (is_word || fits_type(type, *whole))) return {type, static_cast<uint64_t>(*whole)};
  if (large && fits_type(type, *large)) return {type, *large};
  const std::string text = std::visit([](auto value) { return fmt::format("{}", value); }, given);
  throw Error(fmt::format("{} does not fit the scalar parameter {} of type {}", text, var.name(), type.str()));
}

Arguments bind_arguments(const PrimFunc& func, const std::vector<Tensor>& tensors, const ScalarArguments& scalars) {
  Arguments out;
  size_t next_scalar = 0, next_tensor = 0;
  std::vector<Buffer> buffers = func.buffer_params();
  if (buffers.size() != tensors.size()) {
    throw Error(fmt::format("{} takes {} buffers, not {}", func.name, buffers.size(), tensors.size()));
  }
  for (const Param& p : func.params) {
    if (p.buffer) continue;
    if (next_scalar == scalars.size()) throw Error("no value for the scalar parameter " + p.var.name());
    if (!p.var.dtype().is_scalar() || p.var.dtype().is_handle())
      throw Unsupported(func.span, "a scalar parameter of type " + p.var.dtype().str());
    out.scalars[p.var] = scalar_of(p.var, scalars[next_scalar++]);
  }
  if (next_scalar != scalars.size()) {
    throw Error(fmt::format("{} takes {} scalars, not {}", func.name, next_scalar, scalars.size()));
  }
  for (const Buffer& b : buffers) {
    const Tensor& t = tensors[next_tensor++];
    int64_t bytes = t.size() * t.dtype.bytes();
    if (static_cast<int64_t>(t.data.size()) != bytes ||
        (!t.initialised.empty() && static_cast<int64_t>(t.initialised.size()) != t.size())) {
      throw Error("argument " + b->name + ": the tensor's data is not as long as its shape says");
    }
    solve_shape(*b, t, out.scalars);
  }
  next_tensor = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (buffers[i]->data == buffers[k]->data) {
        throw Unsupported(func.span,
                          "the parameters " + buffers[k]->name + " and " + buffers[i]->name + " share their memory");
      }
    }
  }
  for (const Buffer& b : buffers) out.buffers.push_back(bind_layout(b, tensors[next_tensor++].shape, out.scalars));
  return out;
}

}  // namespace hexproof
