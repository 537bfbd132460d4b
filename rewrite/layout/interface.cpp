#include "rewrite/layout/interface.h"

#include <cmath>
#include <cstring>

#include "ir/float_format.h"
#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

std::vector<int64_t> shape_at(const Buffer& buffer, const SizeValues& sizes) {
  std::vector<int64_t> out;
  for (const Expr& extent : buffer->shape) {
    for (const Var& var : free_vars(extent)) {
      if (sizes.count(var)) continue;
      throw Unsupported(Span{},
                        "the layout of '" + buffer->name + "' has a symbolic shape: give concrete sizes to run it");
    }
    try {
      out.push_back(static_cast<int64_t>(wide_value(evaluate(extent, sizes))));
    } catch (const Fault& fault) {
      throw Error("the shape of '" + buffer->name + "' at these sizes: " + fault.message);
    }
  }
  return out;
}

/// The extents that the shape of a tensor defines.
void learn_sizes(const Buffer& buffer, const Tensor& tensor, SizeValues* sizes) {
  for (size_t d = 0; d < buffer->ndim() && d < tensor.shape.size(); ++d) {
    const Expr& e = buffer->shape[d];
    if (e->op == Op::Var && fits_type(e->dtype, tensor.shape[d])) {
      sizes->emplace(e->var(), int_scalar(e->dtype, tensor.shape[d]));
    }
  }
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

SizeValues sizes_of(const PrimFunc& func, const std::vector<Tensor>& tensors, const std::vector<int64_t>& scalars) {
  SizeValues sizes;
  size_t next_tensor = 0, next_scalar = 0;
  for (const Param& p : func.params) {
    if (p.buffer) {
      learn_sizes(p.buffer, tensors.at(next_tensor++), &sizes);
    } else if (next_scalar < scalars.size() && p.var.dtype().is_integer() &&
               fits_type(p.var.dtype(), scalars[next_scalar])) {
      sizes.emplace(p.var, int_scalar(p.var.dtype(), scalars[next_scalar++]));
    } else {
      ++next_scalar;
    }
  }
  return sizes;
}

size_t position(const PrimFunc& source, const InterfaceChange& change) {
  size_t at = 0;
  for (size_t p = 0; p < change.param; ++p) at += source.params.at(p).buffer ? 1 : 0;
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

Tensor pack(const InterfaceChange& change, const Tensor& logical, Moment moment, const SizeValues& given) {
  SizeValues sizes = given;
  learn_sizes(change.before(), logical, &sizes);
  std::vector<std::vector<int64_t>> boxes = {logical.shape};
  for (const LayoutChange& layer : change.layers) boxes.push_back(shape_at(layer.after, sizes));
  uint64_t filler = 0;  // what is only read holds the same from the start to the end
  return pack(packed_cells(change.before()->name, change.layers, boxes, sizes), logical,
              {.written = change.written, .moment = moment, .any_value = [&](DType type) {
                 return arbitrary_scalar(type, filler++);
               }});
}

Tensor unpack(const InterfaceChange& change, const Tensor& packed, const SizeValues& given) {
  SizeValues sizes = given;
  learn_sizes(change.after(), packed, &sizes);
  std::vector<std::vector<int64_t>> boxes;
  for (const LayoutChange& layer : change.layers) boxes.push_back(shape_at(layer.before, sizes));
  boxes.push_back(packed.shape);
  return unpack(packed_cells(change.before()->name, change.layers, boxes, sizes), packed);
}

std::vector<Tensor> pack_all(const Derivation& derivation, const std::vector<Tensor>& logical, Moment moment,
                             const std::vector<int64_t>& scalars) {
  return pack_all(derivation.source(), derivation.interface(), logical, moment, scalars);
}

std::vector<Tensor> pack_all(const PrimFunc& source, const std::vector<InterfaceChange>& changes,
                             const std::vector<Tensor>& logical, Moment moment, const std::vector<int64_t>& scalars) {
  std::vector<Tensor> out = logical;
  SizeValues sizes = sizes_of(source, logical, scalars);
  for (const InterfaceChange& change : changes) {
    Tensor& tensor = out.at(position(source, change));
    tensor = pack(change, tensor, moment, sizes);
  }
  return out;
}

std::vector<Tensor> unpack_all(const Derivation& derivation, const std::vector<Tensor>& packed,
                               const std::vector<int64_t>& scalars) {
  std::vector<Tensor> out = packed;
  SizeValues sizes = sizes_of(derivation.current(), packed, scalars);
  for (const InterfaceChange& change : derivation.interface()) {
    Tensor& tensor = out.at(position(derivation.source(), change));
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
