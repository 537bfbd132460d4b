#include "ir/interpreter/past_errors.h"

#include <new>
#include <unordered_map>

#include "ir/interpreter/concrete.h"
#include "ir/interpreter/walk/bind.h"
#include "ir/link/link.h"

namespace hexproof {
namespace {

/// A value of the interpreter, and whether it is open since an error was passed over.
struct PastCell {
  Scalar value;
  bool undef = false;
  bool open = false;
};

/// An error because of an open value.
struct Follows : Fault {
  using Fault::Fault;
};

class PastErrorsDomain {
 public:
  using Cell = PastCell;
  PastErrorsDomain(uint64_t undef_seed, const std::set<const StmtNode*>& false_assumes)
      : numbers_(undef_seed), false_assumes_(false_assumes) {}

  Cell constant(const Scalar& s) { return {s}; }
  Cell unary(Op op, const Cell& a, DType) { return {apply_unary(op, a.value), a.undef, a.open}; }
  Cell binary(Op op, const Cell& a, const Cell& b, DType) {
    const bool open = a.open || b.open;
    ScalarResult r = apply_binary(op, a.value, b.value, Arith::Data);
    if (!r && (!open || (!b.open && fails_for_any(op, a.value, b.value)))) {
      faults::operation(r.error, op, a.value, b.value);
    }
    return {r ? r.value : a.value, a.undef || b.undef, open};
  }
  Cell cast(DType to, const Cell& a, DType) {
    ScalarResult r = apply_cast(to, a.value);
    if (!r && !a.open) faults::cast(r.error, to, a.value);
    return {r ? r.value : zero_scalar(to), a.undef, a.open};
  }
  Cell select(const Cell& c, const Cell& yes, const Cell& no, DType) {
    const Cell& chosen = c.value.truth() ? yes : no;
    return {chosen.value, c.undef || chosen.undef, c.open || chosen.open};
  }
  Cell call(const std::string& name, DType type, const std::vector<Cell>& args) {
    std::vector<ConcreteCell> plain;
    bool open = false;
    for (const Cell& a : args) plain.push_back({a.value, a.undef}), open |= a.open;
    const ConcreteCell out = numbers_.call(name, type, plain);
    return {out.value, out.undef, open};
  }
  Cell undef(DType type) {
    const ConcreteCell out = numbers_.undef(type);
    return {out.value, out.undef};
  }
  std::optional<Scalar> number(const Cell& a, DType type, const std::string& where) {
    if (a.open) throw Follows(ErrorKind::Undef, "an open value in " + where);
    return numbers_.number({a.value, a.undef}, type, where);
  }
  void assume(const Cell&) {}

  Cell open_value(DType type) { return {zero_scalar(type), false, true}; }
  template <class F>
  bool passes(const Stmt& stmt, const Fault& fault, const F& error) {
    if (dynamic_cast<const Follows*>(&fault)) return true;
    if (fault.kind == ErrorKind::FalseAssume && !false_assumes_.count(stmt.get())) return false;
    Met& here = met_at_[stmt.get()];
    if (here.kinds.insert(fault.kind).second) met.push_back(error());
    ++here.times;
    return true;
  }
  /// So many are enough to see what stands behind.
  bool gives_up(const Stmt& stmt) const {
    auto it = met_at_.find(stmt.get());
    return it != met_at_.end() && it->second.times >= kTimes;
  }

  std::vector<RunError> met;

 private:
  static constexpr int kTimes = 256;  // one statement is in error

  /// Whatever the left operand is.
  static bool fails_for_any(Op op, const Scalar& a, const Scalar& b) {
    return a.type.is_integer() && !apply_binary(op, int_scalar(a.type, 1), b, Arith::Data);
  }

  ConcreteDomain numbers_;
  const std::set<const StmtNode*>& false_assumes_;
  struct Met {
    std::set<ErrorKind> kinds;
    int times = 0;
  };
  std::unordered_map<const StmtNode*, Met> met_at_;
};

}  // namespace

PastErrors run_past_errors(const PrimFunc& func, const std::vector<Tensor>& buffers, const ScalarArguments& scalars,
                           const RunOptions& options, const std::set<const StmtNode*>& false_assumes) {
  demand_no_calls(func);
  const Arguments arguments = bind_arguments(func, buffers, scalars);
  try {
    PastErrorsDomain domain(options.undef_seed, false_assumes);
    Walk<PastErrorsDomain> walk(domain, options);
    bind_to_walk(walk, func, buffers, arguments);
    const RunResult result = walk.run(func.body, true);
    if (result.error) domain.met.push_back(*result.error);
    return {std::move(domain.met), result.out_of_steps, result.steps};
  } catch (const std::bad_alloc&) {
    throw Unsupported(func.span, "to interpret " + func.name + " in the memory of this machine");
  }
}

}  // namespace hexproof
