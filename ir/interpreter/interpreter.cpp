#include "ir/interpreter/interpreter.h"

#include <fmt/format.h>

#include <new>

#include "ir/interpreter/observer.h"
#include "ir/interpreter/paths.h"
#include "ir/link/link.h"

namespace hexproof {

int64_t Tensor::size() const {
  int64_t n = 1;
  for (int64_t extent : shape) {
    if (extent < 0 || __builtin_mul_overflow(n, extent, &n)) throw Error("a tensor with an impossible shape");
  }
  return n;
}

Tensor make_tensor(DType dtype, std::vector<int64_t> shape) {
  Tensor t{dtype, std::move(shape), {}, {}};
  HEXPROOF_CHECK(dtype.is_scalar() && !dtype.is_handle(), "a tensor of " + dtype.str());
  int64_t bytes = 0;
  if (__builtin_mul_overflow(t.size(), int64_t{dtype.bytes()}, &bytes) || bytes > int64_t{1} << 40) {
    throw Error("a tensor too large for memory");
  }
  t.data.resize(static_cast<size_t>(bytes));
  return t;
}

Tensor make_argument(const PrimFunc& func, const Buffer& argument, std::vector<int64_t> shape) {
  if (!argument->dtype.is_scalar()) {
    throw Unsupported(func.span, "vectors as elements of an argument, as '" + argument->name + "' has, in a run",
                      "give it scalar elements and one axis more");
  }
  return make_tensor(argument->dtype, std::move(shape));
}

std::string RunError::str() const {
  std::string out;
  if (span) out += span.str() + ": ";
  out += message;
  if (!statement.empty()) out += "\n  in: " + statement;
  if (!loops.empty()) {
    out += "\n  at:";
    for (const auto& [name, value] : loops)
      out += fmt::format(" {} = {}{}", name, value, &name == &loops.back().first ? "" : ",");
  }
  return out;
}

RunResult run(const PrimFunc& func, std::vector<Tensor>& buffers, const ScalarArguments& scalars,
              const RunOptions& options) {
  demand_no_calls(func);
  Arguments arguments = bind_arguments(func, buffers, scalars);
  try {
    if (auto result = run_by_bytecode(func, buffers, arguments, options)) return *result;
    return run_by_walk(func, buffers, arguments, options);
  } catch (const std::bad_alloc&) {
    throw Unsupported(func.span, "to interpret " + func.name + " in the memory of this machine");
  }
}

RunResult run_observed(const PrimFunc& func, std::vector<Tensor>& buffers, const ScalarArguments& scalars,
                       const RunOptions& options, RunObserver& observer) {
  demand_no_calls(func);
  Arguments arguments = bind_arguments(func, buffers, scalars);
  try {
    return run_by_walk(func, buffers, arguments, options, &observer);
  } catch (const std::bad_alloc&) {
    throw Unsupported(func.span, "to interpret " + func.name + " in the memory of this machine");
  }
}

}  // namespace hexproof
