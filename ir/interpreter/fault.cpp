#include "ir/interpreter/fault.h"

#include <fmt/format.h>

#include "ir/visit.h"

namespace hexproof {

std::string touched_text(const BufferNode& buffer, const std::vector<int64_t>& indices, bool write) {
  return faults::cell_text(buffer, indices) + (write ? " is written" : " is read");
}

std::string text_of(const Scalar& s) {
  if (s.type.is_bool()) return s.truth() ? "True" : "False";
  if (s.type.is_float()) return fmt::format("{}", s.d());
  return to_string(wide_value(s));
}

namespace faults {
namespace {
const char* access(bool write) { return write ? "write" : "read"; }
}  // namespace

std::string cell_text(const BufferNode& buffer, const std::vector<int64_t>& indices) {
  return fmt::format("{}[{}]", buffer.name, fmt::join(indices, ", "));
}

void out_of_bounds(bool write, const BufferNode& buffer, const std::vector<int64_t>& indices, size_t axis,
                   int64_t size) {
  std::string message = fmt::format("{} out of bounds: index {} of axis {} of buffer '{}' (size {})", access(write),
                                    indices.at(axis), axis, buffer.name, size);
  if (indices.size() > 1) message += ", at " + cell_text(buffer, indices);
  throw Fault{ErrorKind::OutOfBounds, message};
}

void outside_memory(bool write, const BufferNode& buffer, const std::vector<int64_t>& indices,
                    const std::string& element, int64_t size) {
  throw Fault{ErrorKind::OutsideMemory,
              fmt::format("{} outside of the memory of buffer '{}': element {} (size {}), at {}", access(write),
                          buffer.name, element, size, cell_text(buffer, indices))};
}

void uninitialised(const BufferNode& buffer, const std::vector<int64_t>& indices) {
  throw Fault{ErrorKind::Uninitialised, "read of the uninitialised cell " + cell_text(buffer, indices)};
}

void constant_written(const BufferNode& buffer, const std::vector<int64_t>& indices) {
  throw Fault{ErrorKind::ConstantWritten, "write to constant memory at " + cell_text(buffer, indices)};
}

void race(const BufferNode& buffer, const std::vector<int64_t>& indices, const std::string& loop, bool write,
          bool earlier_write) {
  throw Fault{
      ErrorKind::Race,
      fmt::format("two iterations of the parallel loop over {} touch {}: this one {}s it, another one has {} it", loop,
                  cell_text(buffer, indices), access(write), earlier_write ? "written" : "read")};
}

void in_flight(const std::string& what, const FlightShadow::Conflict& conflict) {
  std::string copy;  // the first store of the group
  visit_stmt(conflict.group.stmt, [&](const Stmt& s) {
    if (copy.empty() && s.as<Store>()) copy = one_line(s);
    return copy.empty();
  });
  std::string where = conflict.group.stmt->span ? ", started at " + conflict.group.stmt->span.str() : "";
  for (const auto& [name, value] : conflict.group.loops) {
    where += fmt::format("{}{} = {}", &name == &conflict.group.loops.front().first ? " with " : ", ", name, value);
  }
  throw Fault{ErrorKind::InFlight,
              fmt::format("{} while a copy in flight on queue {} {} it: {}{}", what, conflict.queue,
                          conflict.group_writes ? "writes" : "reads", copy, where)};
}

void negative_count(int64_t count) {
  throw Fault{ErrorKind::NegativeCount, fmt::format("a wait that leaves {} groups in flight", count)};
}

void operation(ScalarError error, Op op, const Scalar& a, const Scalar& b) {
  std::string_view text = info(op).text;
  bool is_call = text.starts_with("T.");
  ErrorKind kind = error == ScalarError::Overflow ? ErrorKind::Overflow : ErrorKind::Operation;
  throw Fault{kind,
              is_call ? fmt::format("{}: {}({}, {}) of {}", describe(error), text, text_of(a), text_of(b), a.type.str())
                      : fmt::format("{}: {} {} {} of {}", describe(error), text_of(a), text, text_of(b), a.type.str())};
}

void cast(ScalarError error, DType to, const Scalar& a) {
  throw Fault{ErrorKind::Operation, fmt::format("{}: {} to {}", describe(error), text_of(a), to.str())};
}

void undef_in(const std::string& where) {
  throw Fault{ErrorKind::Undef, "a value that depends on T.undef() stands in " + where};
}
void false_assume() { throw Fault{ErrorKind::FalseAssume, "the assume is false"}; }
void negative_extent(const std::string& what, int64_t extent) {
  throw Fault{ErrorKind::NegativeExtent, fmt::format("negative extent {} of {}", extent, what)};
}
void too_large(const std::string& what, const std::string& bytes) {
  throw Fault{ErrorKind::TooLarge, fmt::format("{} takes {} bytes, more than {}", what, bytes, kMaxBufferBytes)};
}

}  // namespace faults
}  // namespace hexproof
