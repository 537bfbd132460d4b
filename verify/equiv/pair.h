// Two programs to be compared, and how their arguments correspond (semantics: "interface relation").
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/function.h"
#include "ir/interpreter/interpreter.h"
#include "ir/layout/pack.h"
#include "verify/check/check.h"

namespace hexproof {

/// A buffer parameter of `before` and the one of `after` that stands for it.
struct BufferPair {
  Buffer before, after;
  IndexMap map;          // index of before -> index of after: of all layers together
  bool identity = true;  // the map changes nothing, and there is no padding
  /// Empty for an identity. Padding that is not readable is uninitialised on entry and not observed; Undefined is any
  /// value on entry and not observed; a Value stands at the end always, unless `logical_only`.
  std::vector<LayoutChange> layers = {};
  bool logical_only = false;
  /// Does the function store to it? Then padding with a value holds any value on entry, else that one.
  bool written = false;

  bool pads_with_value() const;
};

struct ProgramPair {
  PrimFunc before, after;
  std::vector<BufferPair> buffers;           // in the order of buffer_params()
  std::vector<std::pair<Var, Var>> scalars;  // scalar parameters, by position
  /// The free scalars of `after` (PrimFunc::scalars()) over those of `before`. One that is missing follows from no
  /// shape, and the pair has no instance.
  std::map<Var, Expr> after_scalars;
  std::vector<std::string> notes;  // what was inferred, for the report
};

/// What the user says of a changed argument, by the name of the parameter in `before` (or `after`).
struct RelationRequest {
  std::map<std::string, IndexMap> layouts;
  std::map<std::string, std::string> pads;  // a number, or "undef"
  std::vector<std::string> logical_only;
  /// Instead of a layout and a pad: all that happened to the argument, one change after the other.
  std::map<std::string, std::vector<LayoutChange>> layers = {};
  /// Of those, where it is known from elsewhere: BufferPair::written. Missing: as the text of `before` says.
  std::map<std::string, bool> written = {};
};

/// Pairs parameters by position. A changed shape needs a layout, or is inferred where there is one obvious map
/// (flattening to fewer axes of the same size, said in `notes`). Error with what does not fit: numbers of parameters,
/// kinds, types, a layout whose image leaves the buffer or that is not injective, a pad value that is none.
ProgramPair pair_programs(const PrimFunc& before, const PrimFunc& after, const RelationRequest& request = {});

/// What a scalar is whose value stands in an Instance: those of uint64 stand as their bits.
inline Wide scalar_value(const Var& scalar, int64_t bits) {
  return scalar.dtype() == kUInt64 ? Wide{static_cast<uint64_t>(bits)} : Wide{bits};
}

/// The pair at concrete sizes. Shapes are those of tensors: one per buffer pair.
struct Instance {
  std::vector<int64_t> before_scalars, after_scalars;  // in the order of PrimFunc::scalars()
  std::vector<std::vector<int64_t>> before_shapes, after_shapes;
  /// Per buffer: where each element of after's tensor comes from. Empty for an identity.
  std::vector<PackedCells> cells;

  /// What an element of padding holds.
  const PadCell& pad(size_t buffer, int64_t element) const { return cells.at(buffer).pad(element); }
};

/// The sizes when the scalars of `before` (PrimFunc::scalars(), those of `after` follow) have these values; nothing
/// when they fit no shape of `after`, or a size is negative.
std::optional<Instance> instantiate(const ProgramPair& pair, const std::vector<int64_t>& before_scalars);
/// Are all shapes and scalars constants?
bool is_concrete(const ProgramPair& pair);
/// Values for the scalars of `before` to try, smallest shapes first (one empty list for a concrete pair).
std::vector<std::vector<int64_t>> small_sizes(const ProgramPair& pair, int count);

/// Of values for PrimFunc::scalars(), those of the scalar parameters: what `run` takes.
std::vector<int64_t> parameter_values(const PrimFunc& func, const std::vector<int64_t>& scalars);

/// Arguments of both programs that correspond.
struct PairInput {
  Instance instance;
  std::vector<Tensor> before, after;
};
/// The arguments of `after` for those of `before`, each by `pack`; where any value may stand, values of the stream that
/// `filler` starts.
std::vector<Tensor> pack_arguments(const ProgramPair& pair, const Instance& instance, const std::vector<Tensor>& before,
                                   uint64_t filler);

}  // namespace hexproof
