#include "ir/interpreter/fault.h"

#include <fmt/format.h>

namespace hexproof {

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
  throw Fault{message};
}

void outside_memory(bool write, const BufferNode& buffer, const std::vector<int64_t>& indices,
                    const std::string& element, int64_t size) {
  throw Fault{fmt::format("{} outside of the memory of buffer '{}': element {} (size {}), at {}", access(write),
                          buffer.name, element, size, cell_text(buffer, indices))};
}

void uninitialised(const BufferNode& buffer, const std::vector<int64_t>& indices) {
  throw Fault{"read of the uninitialised cell " + cell_text(buffer, indices)};
}

void constant_written(const BufferNode& buffer, const std::vector<int64_t>& indices) {
  throw Fault{"write to constant memory at " + cell_text(buffer, indices)};
}

void race(const BufferNode& buffer, const std::vector<int64_t>& indices, const std::string& loop, bool write,
          bool earlier_write) {
  throw Fault{
      fmt::format("two iterations of the parallel loop over {} touch {}: this one {}s it, another one has {} it", loop,
                  cell_text(buffer, indices), access(write), earlier_write ? "written" : "read")};
}

void operation(ScalarError error, Op op, const Scalar& a, const Scalar& b) {
  std::string_view text = info(op).text;
  bool is_call = text.starts_with("T.");
  throw Fault{is_call ? fmt::format("{}: {}({}, {}) of {}", describe(error), text, text_of(a), text_of(b), a.type.str())
                      : fmt::format("{}: {} {} {} of {}", describe(error), text_of(a), text, text_of(b), a.type.str())};
}

void cast(ScalarError error, DType to, const Scalar& a) {
  throw Fault{fmt::format("{}: {} to {}", describe(error), text_of(a), to.str())};
}

void undef_in(const std::string& where) { throw Fault{"a value that depends on T.undef() stands in " + where}; }
void false_assume() { throw Fault{"the assume is false"}; }
void negative_extent(const std::string& what, int64_t extent) {
  throw Fault{fmt::format("negative extent {} of {}", extent, what)};
}
void too_large(const std::string& what, const std::string& bytes) {
  throw Fault{fmt::format("{} takes {} bytes, more than {}", what, bytes, kMaxBufferBytes)};
}

}  // namespace faults
}  // namespace hexproof
