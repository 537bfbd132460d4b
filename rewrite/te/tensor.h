// Tensor expressions: what is computed, as a graph of operations. How it is computed is a schedule (schedule.h).
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/visit.h"
#include "verify/prove/obligation.h"

namespace hexproof::te {

/// A variable that an operation or a loop runs over, from dom.min on. A loop made by a schedule has no dom of its own
/// where nobody knows it.
struct IterVar {
  Var var;
  Range dom;
  IterKind kind = IterKind::Spatial;
  std::string thread_tag = {};  // of a thread axis
};

/// How values are combined, several at once: `results` over `lhs` (what there is) and `rhs` (what comes).
struct Reducer {
  std::string name;
  std::vector<Var> lhs = {}, rhs = {};
  std::vector<Expr> results = {}, identity = {};
};

/// A reduction as the whole of what an operation computes.
struct Reduction {
  std::shared_ptr<const Reducer> reducer;
  std::vector<Expr> sources;  // one per value
  std::vector<IterVar> axes;
  Expr condition = {};          // where it is false, nothing is combined; missing: true
  std::vector<Expr> init = {};  // what it starts at; te::compute puts the reducer's identity where there is none
};

struct Operation;
using OperationRef = std::shared_ptr<const Operation>;

/// One output of an operation. A tensor in an expression is a load of its buffer.
struct Tensor {
  OperationRef op;
  size_t index = 0;

  const Buffer& buffer() const;
  friend bool operator==(const Tensor& a, const Tensor& b) { return a.op == b.op && a.index == b.index; }
};

/// A recurrence over time, the first axis of all its tensors (scan.h): one of each per state. The states, placeholders,
/// stand for what the scan holds at earlier times.
struct Scan {
  std::vector<Tensor> init, update, state;
};

/// A placeholder has outputs alone. The axes of a scan are time, behind its inits, and those of its states.
struct Operation {
  std::string name;
  std::vector<IterVar> axes;
  std::vector<Expr> bodies = {};  // over the axes, one per output; empty with a reduction
  std::optional<Reduction> reduction = {};
  std::optional<Scan> scan = {};
  std::vector<Buffer> outputs;
  Span written = {};  // where the user writes it

  bool is_placeholder() const { return bodies.empty() && !reduction && !scan; }
  /// The axes, then those of the reduction: TVM's root_iter_vars.
  std::vector<IterVar> roots() const;
  /// All that it evaluates, over its axes: bodies, or the sources of the reduction and what it starts at. A source that
  /// is evaluated under a condition stands in a choice. What a stage reads, needs and depends on is found here alone.
  std::vector<Expr> expressions() const;
  /// The operation with `f` of each expression in its place.
  Operation with(const std::function<Expr(const Expr&)>& f) const;
  /// The buffers that it reads, in order of their first use; a scan those of its inits and updates.
  std::vector<Buffer> reads() const;
};

/// A variable to run over; what is made otherwise is a size. Its domain is of constants and sizes.
IterVar make_axis(const std::string& name, Range dom, IterKind kind, const std::string& tag = "");
bool is_axis(const Var& var);

// Mistakes are std::invalid_argument, with a message for the user.
Tensor placeholder(std::vector<Expr> shape, DType type, const std::string& name);
/// One tensor per body.
std::vector<Tensor> compute(const std::string& name, std::vector<IterVar> axes, std::vector<Expr> bodies,
                            const Span& written = {});
/// One tensor per value of the reduction.
std::vector<Tensor> compute(const std::string& name, std::vector<IterVar> axes, Reduction reduction,
                            const Span& written = {});
/// The operation with outputs of its own, known by them from now on.
OperationRef register_operation(Operation op);
/// The operation that a tensor's buffer belongs to; none: a buffer of somebody else.
OperationRef operation_of(const Buffer& buffer);

/// Everything that leads to these, each after what it reads.
std::vector<OperationRef> in_order(const std::vector<OperationRef>& ends);
/// The expression with other buffers in its loads.
Expr with_buffers(const Expr& e, const std::map<Buffer, Buffer>& map);
/// The operation as it is with other variables and buffers in what it computes; axes and outputs stay.
OperationRef with_inputs(const Operation& op, const std::map<Buffer, Buffer>& map);

/// A name as programs write it: "A.local" becomes A_local.
std::string identifier(const std::string& name);

/// The naive program: a nest per operation, in order, whose block stores all of its outputs. `args`: its parameters,
/// placeholders and computed tensors. A variable that no shape of a parameter defines becomes a scalar parameter. A
/// scan is one loop over time, in which the nests of its steps stand, on one memory for init, update and state.
/// std::invalid_argument for a placeholder that is read and no argument.
struct NaiveProgram {
  PrimFunc func;
  std::map<Buffer, std::string> buffers;  // of outputs: by which name they stand in it
  std::map<Buffer, std::string> blocks;   // by which block they are computed
  std::map<std::string, Span> written;    // where the user writes what a block computes
};
NaiveProgram create_prim_func(const std::vector<Tensor>& args, const std::string& name = "main");

/// What makes it a reducer: it is associative. (The identity is what a reduction starts at, whatever it is.) Floats are
/// read as mathematical integers: rounding is left out. Empty: it has no such reading, or one that says less than the
/// law on numbers.
std::vector<Obligation> reducer_laws(const Reducer& reducer);

}  // namespace hexproof::te
