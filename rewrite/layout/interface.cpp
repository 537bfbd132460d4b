#include "rewrite/layout/interface.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ir/float_format.h"
#include "ir/layout/cells.h"
#include "ir/visit.h"
#include "rewrite/layout/box.h"
#include "rewrite/site/buffers.h"

namespace hexproof {
namespace {

int64_t number(const Expr& e, const VarMap& sizes, const Buffer& buffer) {
  std::optional<int64_t> value = value_of(substitute(e, sizes), {}, {});
  if (!value) {
    throw Unsupported(Span{},
                      "the layout of '" + buffer->name + "' has a symbolic shape: give concrete sizes to run it");
  }
  return *value;
}

std::vector<int64_t> numbers(const Buffer& buffer, const VarMap& sizes) {
  std::vector<int64_t> out;
  for (const Expr& e : buffer->shape) out.push_back(number(e, sizes, buffer));
  return out;
}

/// The extents that the shape of a tensor defines.
void learn_sizes(const Buffer& buffer, const Tensor& tensor, VarMap* sizes) {
  for (size_t d = 0; d < buffer->ndim() && d < tensor.shape.size(); ++d) {
    const Expr& e = buffer->shape[d];
    if (e->op == Op::Var && fits_type(e->dtype, tensor.shape[d])) {
      sizes->emplace(e->var(), imm(e->dtype, tensor.shape[d]));
    }
  }
}

Buffer with_numbers(const Buffer& like, DType type, const std::vector<int64_t>& shape) {
  std::vector<Expr> extents;
  for (int64_t n : shape) extents.push_back(imm(kInt64, n));
  return make_buffer(like->name, type, extents);
}

Stmt loops_over(const std::vector<Var>& vars, const Buffer& box, Stmt body) {
  for (size_t d = vars.size(); d-- > 0;) {
    Expr extent = imm(vars[d].dtype(), int_value(box->shape[d]));
    body = make_stmt(For{.var = vars[d], .min = zero(vars[d].dtype()), .extent = extent, .body = body});
  }
  return body;
}

void must_run(const PrimFunc& func, std::vector<Tensor>& tensors, const Buffer& buffer) {
  RunResult result = run(func, tensors);
  HEXPROOF_CHECK(!result.error, "the interface relation of " + buffer->name + ": " + result.error->str());
}

/// Writes the pad value into the padding.
void fill(const LayoutChange& layer, const VarMap& sizes, Tensor* packed) {
  Buffer box = with_numbers(layer.after, layer.after->dtype, packed->shape);
  const Padding& padding = layer.padding;
  std::vector<Var> vars;
  VarMap fresh = sizes;
  for (const Var& v : padding.indices) {
    vars.push_back(Var::fresh(v.name(), v.dtype()));
    fresh.emplace(v, Expr(vars.back()));
  }
  Expr value = rewrite_expr(substitute(padding.value, fresh), [&](const Expr& e) {
    return e->op == Op::Load && e->buffer() == layer.after ? load(box, e->args) : e;
  });
  Stmt store = make_stmt(Store{box, exprs(vars), value});
  PrimFunc func;
  func.params = {{Var::fresh("packed", kHandle), box}};
  func.body = loops_over(vars, box, make_stmt(If{substitute(padding.predicate, fresh), store, {}}));
  std::vector<Tensor> tensors = {std::move(*packed)};
  must_run(func, tensors, layer.after);
  *packed = std::move(tensors[0]);
  if (packed->initialised.empty()) packed->initialised.assign(static_cast<size_t>(packed->size()), 1);
}

/// The bits of an element with every NaN made one.
uint64_t canonical_bits(const Tensor& t, int64_t i) {
  const auto width = static_cast<size_t>(t.dtype.bytes());
  uint64_t bits = 0;
  std::memcpy(&bits, t.data.data() + static_cast<size_t>(i) * width, width);
  const bool nan = t.dtype.is_float() && std::isnan(raw_to_float(t.dtype, bits));
  return nan ? ~uint64_t{0} : bits;
}

bool agree(const Tensor& want, const Tensor& got, int64_t i) {
  HEXPROOF_CHECK(want.dtype == got.dtype && want.shape == got.shape, "tensors of different shape are compared");
  const bool asked = want.initialised.empty() || want.initialised[static_cast<size_t>(i)] == 1;
  return !asked || canonical_bits(want, i) == canonical_bits(got, i);
}

Tensor empty_tensor(DType type, const std::vector<int64_t>& shape) {
  Tensor out = make_tensor(type, shape);
  out.initialised.assign(static_cast<size_t>(out.size()), 0);
  return out;
}

VarMap sizes_of(const PrimFunc& func, const std::vector<Tensor>& tensors, const std::vector<int64_t>& scalars) {
  VarMap sizes;
  size_t next_tensor = 0, next_scalar = 0;
  for (const Param& p : func.params) {
    if (p.buffer) {
      learn_sizes(p.buffer, tensors.at(next_tensor++), &sizes);
    } else if (next_scalar < scalars.size() && p.var.dtype().is_integer() &&
               fits_type(p.var.dtype(), scalars[next_scalar])) {
      sizes.emplace(p.var, imm(p.var.dtype(), scalars[next_scalar++]));
    } else {
      ++next_scalar;
    }
  }
  return sizes;
}

size_t position(const Derivation& derivation, const InterfaceChange& change) {
  size_t at = 0;
  for (size_t p = 0; p < change.param; ++p) at += derivation.source().params.at(p).buffer ? 1 : 0;
  return at;
}

}  // namespace

RelationRequest relation_request(const std::vector<InterfaceChange>& changes, const PrimFunc* names) {
  RelationRequest out;
  for (const InterfaceChange& change : changes) {
    const Buffer& buffer = names ? names->params.at(change.param).buffer : change.before();
    HEXPROOF_CHECK(buffer, "a changed layout of a parameter that is no buffer");
    out.layers.emplace(buffer->name, change.layers);
    out.written.emplace(buffer->name, change.written);
  }
  return out;
}

Tensor pack(const InterfaceChange& change, const Tensor& logical, Moment moment, const VarMap& given) {
  VarMap sizes = given;
  learn_sizes(change.before(), logical, &sizes);
  Tensor now = logical;
  uint64_t state = 0x243f6a8885a308d3ull;
  for (const LayoutChange& layer : change.layers) {
    Tensor to = empty_tensor(now.dtype, numbers(layer.after, sizes));
    for (uint8_t& byte : to.data) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      byte = static_cast<uint8_t>(state >> 56) & (to.dtype.is_bool() ? 1 : 0xff);
    }
    const std::vector<int64_t> origin = cell_origins(layer.before->name, layer.map, now.shape, to.shape);
    for (int64_t p = 0; p < to.size(); ++p) {
      if (origin[static_cast<size_t>(p)] >= 0) copy_cell(to, p, now, origin[static_cast<size_t>(p)]);
    }
    // What is only read holds some value in undefined padding, from the start to the end.
    if (layer.padding.kind == Padding::Kind::Undefined && !change.written)
      to.initialised.assign(to.initialised.size(), 1);
    bool holds = moment == Moment::End || !change.written;
    if (layer.padding.kind == Padding::Kind::Value && holds) fill(layer, sizes, &to);
    now = std::move(to);
  }
  return now;
}

Tensor unpack(const InterfaceChange& change, const Tensor& packed, const VarMap& given) {
  VarMap sizes = given;
  learn_sizes(change.after(), packed, &sizes);
  Tensor now = packed;
  for (size_t k = change.layers.size(); k-- > 0;) {
    const LayoutChange& layer = change.layers[k];
    Tensor to = empty_tensor(now.dtype, numbers(layer.before, sizes));
    const std::vector<int64_t> origin = cell_origins(layer.before->name, layer.map, to.shape, now.shape);
    for (int64_t p = 0; p < now.size(); ++p) {
      if (origin[static_cast<size_t>(p)] >= 0) copy_cell(to, origin[static_cast<size_t>(p)], now, p);
    }
    now = std::move(to);
  }
  return now;
}

std::vector<Tensor> pack_all(const Derivation& derivation, const std::vector<Tensor>& logical, Moment moment,
                             const std::vector<int64_t>& scalars) {
  std::vector<Tensor> out = logical;
  VarMap sizes = sizes_of(derivation.source(), logical, scalars);
  for (const InterfaceChange& change : derivation.interface()) {
    Tensor& tensor = out.at(position(derivation, change));
    tensor = pack(change, tensor, moment, sizes);
  }
  return out;
}

std::vector<Tensor> unpack_all(const Derivation& derivation, const std::vector<Tensor>& packed,
                               const std::vector<int64_t>& scalars) {
  std::vector<Tensor> out = packed;
  VarMap sizes = sizes_of(derivation.current(), packed, scalars);
  for (const InterfaceChange& change : derivation.interface()) {
    Tensor& tensor = out.at(position(derivation, change));
    tensor = unpack(change, tensor, sizes);
  }
  return out;
}

int64_t first_difference(const Tensor& want, const Tensor& got) {
  for (int64_t i = 0; i < want.size(); ++i) {
    if (!agree(want, got, i)) return i;
  }
  return -1;
}

int64_t count_equal(const Tensor& want, const Tensor& got) {
  int64_t equal = 0;
  for (int64_t i = 0; i < want.size(); ++i) equal += agree(want, got, i);
  return equal;
}

}  // namespace hexproof
