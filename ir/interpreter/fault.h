// The errors of a running program and how they are worded. Every way of running a program uses these.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "ir/base/early_exit.h"
#include "ir/buffer.h"
#include "ir/interpreter/error_kind.h"
#include "ir/interpreter/in_flight.h"
#include "ir/interpreter/scalar_ops.h"
#include "ir/stmt.h"

namespace hexproof {

/// Thrown where a program meets an error; whoever runs the program adds the place.
struct Fault : EarlyExit {
  Fault(ErrorKind kind, std::string message) : EarlyExit(std::move(message)), kind(kind) {}
  ErrorKind kind;
};

/// Thrown when RunOptions::max_steps is reached.
struct OutOfSteps : EarlyExit {
  OutOfSteps() : EarlyExit("the run stopped at its bound of steps") {}
};

namespace faults {

std::string cell_text(const BufferNode& buffer, const std::vector<int64_t>& indices);
[[noreturn]] void out_of_bounds(bool write, const BufferNode& buffer, const std::vector<int64_t>& indices, size_t axis,
                                int64_t size);
/// A view's element that lies outside of the memory that it is declared over.
[[noreturn]] void outside_memory(bool write, const BufferNode& buffer, const std::vector<int64_t>& indices,
                                 const std::string& element, int64_t size);
[[noreturn]] void uninitialised(const BufferNode& buffer, const std::vector<int64_t>& indices);
[[noreturn]] void constant_written(const BufferNode& buffer, const std::vector<int64_t>& indices);
[[noreturn]] void race(const BufferNode& buffer, const std::vector<int64_t>& indices, const std::string& loop,
                       bool write, bool earlier_write);
/// An access to a cell that a group in flight touches; or its memory goes away, `what` being that.
[[noreturn]] void in_flight(const std::string& what, const FlightShadow::Conflict& conflict);
[[noreturn]] void negative_count(int64_t count);
/// An operator that has no value on these operands.
[[noreturn]] void operation(ScalarError error, Op op, const Scalar& a, const Scalar& b);
[[noreturn]] void cast(ScalarError error, DType to, const Scalar& a);
[[noreturn]] void undef_in(const std::string& where);  // "an index", "a condition"
[[noreturn]] void false_assume();
[[noreturn]] void negative_extent(const std::string& what, int64_t extent);
[[noreturn]] void too_large(const std::string& what, const std::string& bytes);

}  // namespace faults

/// "A[0, 3] is written", for faults::in_flight.
std::string touched_text(const BufferNode& buffer, const std::vector<int64_t>& indices, bool write);
/// "7", "-0.5", "nan", "True".
std::string text_of(const Scalar& s);

/// The statement on one line, without its parts: "C[i] = A[i] + B[i]", "for i in range(8):".
std::string one_line(const Stmt& stmt);

/// What a buffer may take at most, in bytes (semantics.md, "A buffer that exists fits in memory").
inline constexpr int64_t kMaxBufferBytes = (int64_t{1} << 31) - 1;

}  // namespace hexproof
