#include <cstring>

#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/visit.h"
#include "verify/equiv/pair.h"
#include "verify/equiv/table.h"

namespace hexproof {
namespace {

using Values = std::map<Var, Scalar>;

/// The shape as numbers; nothing when an extent has no value or is negative.
std::optional<std::vector<int64_t>> shape_at(const Buffer& buffer, const Values& values) {
  std::vector<int64_t> out;
  for (const Expr& extent : buffer->shape) {
    Wide value = wide_value(evaluate(extent, values));
    if (value < 0 || value > (Wide{1} << 40)) return std::nullopt;
    out.push_back(static_cast<int64_t>(value));
  }
  return out;
}

Wide elements(const std::vector<int64_t>& shape) {
  Wide out = 1;
  for (int64_t extent : shape) out = std::min(out * extent, Wide{1} << 60);
  return out;
}

/// For each cell of after's tensor the cell of before's that it stands for, by running the map as a program, so that
/// maps have one meaning only. Error when it leaves the buffer or sends two cells to one place.
std::vector<int64_t> origins(const BufferPair& pair, const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
  std::vector<Expr> to_shape;
  for (int64_t extent : to) to_shape.push_back(imm(kInt64, extent));
  Buffer packed = make_buffer("packed", kInt64, to_shape);
  VarMap renamed;
  std::vector<Var> vars;
  Expr flat = imm(kInt64, 0);
  for (size_t d = 0; d < from.size(); ++d) {
    vars.push_back(Var::fresh(pair.map.inputs[d].name(), pair.map.inputs[d].dtype()));
    renamed.emplace(pair.map.inputs[d], Expr(vars[d]));
    flat = flat * imm(kInt64, from[d]) + (vars[d].dtype() == kInt64 ? Expr(vars[d]) : cast(kInt64, vars[d]));
  }
  std::vector<Expr> indices;
  for (const Expr& e : pair.map.outputs) indices.push_back(substitute(e, renamed));
  Stmt body = make_stmt(Store{packed, indices, flat});
  for (size_t d = vars.size(); d-- > 0;) {
    DType type = vars[d].dtype();
    body = make_stmt(For{vars[d], zero(type), imm(type, from[d]), ForKind::Serial, body});
  }
  PrimFunc func;
  func.name = "origins";
  func.params = {{Var::fresh("packed", kHandle), packed}};
  func.body = body;
  std::vector<Tensor> tensors = {make_tensor(kInt64, to)};
  std::vector<int64_t> out(static_cast<size_t>(tensors[0].size()), -1);
  if (!out.empty()) std::memcpy(tensors[0].data.data(), out.data(), out.size() * sizeof(int64_t));
  RunResult result = run(func, tensors);
  if (result.error) throw Error("the layout of " + pair.before->name + " does not fit: " + result.error->message);
  if (!out.empty()) std::memcpy(out.data(), tensors[0].data.data(), out.size() * sizeof(int64_t));
  Wide used = 0;
  for (int64_t cell : out) used += cell >= 0 ? 1 : 0;
  if (used != elements(from)) {
    throw Error("the layout of " + pair.before->name + " sends several indices to one place: " +
                to_string(elements(from)) + " cells go to " + to_string(used));
  }
  return out;
}

void copy_cell(Tensor& to, int64_t at, const Tensor& from, int64_t origin) {
  size_t width = static_cast<size_t>(to.dtype.bytes());
  std::memcpy(to.data.data() + static_cast<size_t>(at) * width, from.data.data() + static_cast<size_t>(origin) * width,
              width);
  to.initialised[static_cast<size_t>(at)] =
      from.initialised.empty() ? 1 : from.initialised[static_cast<size_t>(origin)];
}

}  // namespace

std::optional<Instance> instantiate(const ProgramPair& pair, const std::vector<int64_t>& before_scalars) {
  Instance out;
  out.before_scalars = before_scalars;
  Values before, after;
  std::vector<Var> vars = pair.before.scalars();
  HEXPROOF_CHECK(vars.size() == before_scalars.size(), "sizes that are not those of the program");
  for (size_t k = 0; k < vars.size(); ++k) {
    if (!fits_type(vars[k].dtype(), before_scalars[k])) return std::nullopt;
    before.emplace(vars[k], int_scalar(vars[k].dtype(), before_scalars[k]));
  }
  try {
    for (const Var& var : pair.after.scalars()) {
      auto value = pair.after_scalars.find(var);
      if (value == pair.after_scalars.end()) return std::nullopt;
      Scalar scalar = evaluate(value->second, before);
      out.after_scalars.push_back(static_cast<int64_t>(wide_value(scalar)));
      after.emplace(var, scalar);
    }
    for (const BufferPair& buffer : pair.buffers) {
      auto from = shape_at(buffer.before, before), to = shape_at(buffer.after, after);
      if (!from || !to || (buffer.identity && *from != *to)) return std::nullopt;
      if (elements(*from) > (1 << 28) || elements(*to) > (1 << 28)) return std::nullopt;
      out.origin.push_back(buffer.identity ? std::vector<int64_t>{} : origins(buffer, *from, *to));
      out.before_shapes.push_back(*from);
      out.after_shapes.push_back(*to);
    }
  } catch (const Fault&) {
    return std::nullopt;  // a size that overflows
  }
  return out;
}

std::vector<Tensor> pack_arguments(const ProgramPair& pair, const Instance& instance, const std::vector<Tensor>& before,
                                   uint64_t filler) {
  std::vector<Tensor> out;
  for (size_t b = 0; b < pair.buffers.size(); ++b) {
    const BufferPair& buffer = pair.buffers[b];
    if (buffer.identity) {
      out.push_back(before.at(b));
      continue;
    }
    Tensor to = make_tensor(buffer.after->dtype, instance.after_shapes.at(b));
    to.initialised.assign(static_cast<size_t>(to.size()), 1);
    const std::vector<int64_t>& origin = instance.origin.at(b);
    for (int64_t i = 0; i < to.size(); ++i) {
      int64_t from = origin[static_cast<size_t>(i)];
      if (from >= 0) {
        copy_cell(to, i, before.at(b), from);
        continue;
      }
      if (buffer.padding == PaddingKind::None) to.initialised[static_cast<size_t>(i)] = 0;
      bool fixed = buffer.padding == PaddingKind::Value && !buffer.written;
      set_element(to, i, fixed ? constant_value(buffer.pad) : arbitrary_scalar(to.dtype, filler++));
    }
    out.push_back(std::move(to));
  }
  return out;
}

}  // namespace hexproof
