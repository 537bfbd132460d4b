#include "rewrite/interface.h"

#include <cmath>
#include <cstring>

#include "ir/float16.h"

namespace hexproof {
namespace {

/// for i in the logical box: to[..] = from[..], one of the two sides through the map. As a program for the
/// interpreter, so that maps have one meaning only.
PrimFunc copy_program(const InterfaceChange& change, bool packing) {
  Buffer logical = make_buffer("logical", change.before->dtype, change.before->shape);
  Buffer packed = make_buffer("packed", change.after->dtype, change.after->shape);
  std::vector<Expr> inner;
  std::vector<Var> vars;
  for (const Var& input : change.map.inputs) {
    vars.push_back(Var::fresh(input.name(), input.dtype()));
    inner.emplace_back(vars.back());
  }
  std::vector<Expr> outer = change.map.apply(inner);
  Stmt body = packing ? make_stmt(Store{packed, outer, load(logical, inner)})
                      : make_stmt(Store{logical, inner, load(packed, outer)});
  for (size_t d = vars.size(); d-- > 0;) {
    DType type = vars[d].dtype();
    body = make_stmt(For{vars[d], zero(type), imm(type, int_value(logical->shape[d])), ForKind::Serial, body});
  }
  PrimFunc func;
  func.name = packing ? "pack" : "unpack";
  func.params = {{Var::fresh("logical", kHandle), logical}, {Var::fresh("packed", kHandle), packed}};
  func.body = body;
  return func;
}

Tensor move(const InterfaceChange& change, const Tensor& from, bool packing) {
  const Buffer& target = packing ? change.after : change.before;
  std::vector<int64_t> shape;
  if (!constant_shape(target, &shape)) {
    throw Unsupported(Span{},
                      "the layout of '" + target->name + "' has a symbolic shape: give concrete sizes to run it");
  }
  Tensor to = make_tensor(target->dtype, shape);
  to.initialised.assign(to.size(), 0);
  std::vector<Tensor> args = packing ? std::vector{from, to} : std::vector{to, from};
  RunResult result = run(copy_program(change, packing), args);
  HEXPROOF_CHECK(!result.error, "the interface relation of " + target->name + ": " + result.error->str());
  return packing ? args[1] : args[0];
}

std::vector<Tensor> move_all(const Derivation& derivation, std::vector<Tensor> tensors, bool packing) {
  for (const InterfaceChange& change : derivation.interface()) {
    size_t at = 0;  // position among the buffer parameters
    for (size_t p = 0; p < change.param; ++p) at += derivation.source().params.at(p).buffer ? 1 : 0;
    tensors.at(at) = move(change, tensors.at(at), packing);
  }
  return tensors;
}

/// The bits of an element with every NaN made one.
uint64_t canonical_bits(const Tensor& t, int64_t i) {
  size_t width = t.dtype.bytes();
  uint64_t bits = 0;
  std::memcpy(&bits, t.data.data() + i * width, width);
  if (!t.dtype.is_float()) return bits;
  uint64_t exponent = width == 2 ? 0x7c00 : width == 4 ? 0x7f800000 : 0x7ff0000000000000;
  uint64_t magnitude = bits & (width == 2 ? 0x7fff : width == 4 ? 0x7fffffff : 0x7fffffffffffffff);
  return magnitude > exponent ? exponent + 1 : bits;
}

}  // namespace

Tensor pack(const InterfaceChange& change, const Tensor& logical) { return move(change, logical, true); }
Tensor unpack(const InterfaceChange& change, const Tensor& packed) { return move(change, packed, false); }

std::vector<Tensor> pack_all(const Derivation& derivation, const std::vector<Tensor>& logical) {
  return move_all(derivation, logical, true);
}
std::vector<Tensor> unpack_all(const Derivation& derivation, const std::vector<Tensor>& packed) {
  return move_all(derivation, packed, false);
}

int64_t first_difference(const Tensor& a, const Tensor& b, int64_t* equal_count) {
  HEXPROOF_CHECK(a.dtype == b.dtype && a.shape == b.shape, "tensors of different shape are compared");
  int64_t first = -1, equal = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    if (canonical_bits(a, i) == canonical_bits(b, i)) {
      ++equal;
    } else if (first < 0) {
      first = i;
    }
  }
  if (equal_count) *equal_count = equal;
  return first;
}

}  // namespace hexproof
