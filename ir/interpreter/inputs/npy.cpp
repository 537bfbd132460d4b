// numpy's .npy files, format 1.0 and 2.0 (numpy.lib.format): a magic, the length of a header, a Python dict literal
// with 'descr', 'fortran_order' and 'shape', then the elements.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/base/codes.h"
#include "ir/base/diagnostic.h"
#include "ir/base/file.h"
#include "ir/base/input_file.h"
#include "ir/interpreter/interpreter.h"

namespace hexproof {
namespace {

/// Reads the header's dict; anything else than what numpy writes is an Error.
class HeaderReader {
 public:
  HeaderReader(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  void read() {
    expect('{');
    while (!take('}')) {
      std::string key = quoted();
      expect(':');
      if (key == "descr" && descr.empty())
        descr = quoted();
      else if (key == "fortran_order" && !has_order_)
        fortran_order = boolean(), has_order_ = true;
      else if (key == "shape" && !has_shape_)
        read_shape(), has_shape_ = true;
      else
        fail("unexpected or repeated key '" + key + "' in the header");
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip();
    if (at_ != text_.size()) fail("text after the header's dict");
    if (descr.empty() || !has_order_ || !has_shape_) fail("a key is missing in the header");
  }

  std::string descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;

 private:
  [[noreturn]] void fail(const std::string& why) {
    throw CodedError(Code::CannotRead, fmt::format("{}: not a .npy file: {}", path_, why));
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("expected '{}' in the header", c));
  }
  std::string quoted() {
    skip();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) fail("expected a quoted word in the header");
    char quote = text_[at_++];
    size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("a quote in the header does not end");
    std::string word(text_.substr(at_, end - at_));
    at_ = end + 1;
    return word;
  }
  bool boolean() {
    skip();
    for (auto [word, value] : {std::pair{std::string_view("True"), true}, {std::string_view("False"), false}}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    fail("expected True or False in the header");
  }
  void read_shape() {
    expect('(');
    while (!take(')')) {
      skip();
      int64_t extent = 0;
      size_t start = at_;
      while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
        if (__builtin_mul_overflow(extent, 10, &extent) || __builtin_add_overflow(extent, text_[at_] - '0', &extent)) {
          fail("an extent is too large");
        }
        ++at_;
      }
      if (at_ == start) fail("expected a number in the shape");
      shape.push_back(extent);
      if (shape.size() > 64) fail("more than 64 axes");
      if (!take(',')) {
        expect(')');
        break;
      }
    }
  }

  const std::string& path_;
  std::string_view text_;
  size_t at_ = 0;
  bool has_order_ = false, has_shape_ = false;
};

const std::map<std::string_view, DType> kTypes = {
    {"b1", kBool},   {"i1", kInt8},   {"i2", kInt16},  {"i4", kInt32},   {"i8", kInt64},   {"u1", kUInt8},
    {"u2", kUInt16}, {"u4", kUInt32}, {"u8", kUInt64}, {"f2", kFloat16}, {"f4", kFloat32}, {"f8", kFloat64}};

std::string descr_of(DType type) {
  for (const auto& [text, known] : kTypes) {
    if (known == type) return fmt::format("{}{}", type.bytes() == 1 ? "|" : "<", text);
  }
  throw CodedError(Code::CannotRead, ".npy has no dtype for " + type.str());
}

}  // namespace

Tensor read_npy(const std::string& path) {
  InputFile file(path);
  std::string bytes = file.read(10);
  auto fail = [&](const std::string& why) {
    throw CodedError(Code::CannotRead, fmt::format("{}: not a .npy file: {}", path, why));
  };
  auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(bytes.at(i))); };
  if (!std::string_view(bytes).starts_with("\x93NUMPY") || bytes.size() < 10) fail("it does not start as one");
  const size_t major = byte(6), minor = byte(7);
  if ((major != 1 && major != 2) || minor != 0) fail(fmt::format("format {}.{} is not 1.0 or 2.0", major, minor));
  size_t length = byte(8) | byte(9) << 8;
  if (major == 2) {
    bytes += file.read(2);
    if (bytes.size() < 12) fail("it ends in the header");
    length |= byte(10) << 16 | byte(11) << 24;
  }
  constexpr size_t kLongestHeader = 1 << 20;  // (numpy's own bound is 10 000)
  if (length > kLongestHeader) fail("its header is larger than 1 MB");
  const std::string head = file.read(length);
  if (head.size() < length) fail("it ends in the header");

  HeaderReader header(path, head);
  header.read();
  if (header.fortran_order && header.shape.size() > 1) {
    throw CodedError(Code::CannotRead, path + ": the array is in Fortran order; save it with numpy.ascontiguousarray");
  }
  const std::string& descr = header.descr;
  auto known = descr.size() == 3 ? kTypes.find(std::string_view(descr).substr(1)) : kTypes.end();
  const bool big = descr[0] == '>';
  if (known == kTypes.end() || (!big && descr[0] != '<' && descr[0] != '=' && descr[0] != '|') ||
      (descr[0] == '|' && known->second.bytes() != 1)) {
    throw CodedError(Code::CannotRead, fmt::format("{}: the dtype '{}' is not supported", path, descr));
  }
  Tensor tensor{known->second, header.shape, {}, {}};
  const int64_t width = tensor.dtype.bytes();
  int64_t expected = width;
  for (int64_t extent : tensor.shape) {
    if (__builtin_mul_overflow(expected, extent, &expected)) fail("its shape is too large");
  }
  // One byte more than there should be: more of what is too long is not read.
  const std::string data = file.read(static_cast<size_t>(expected) + 1);
  if (const auto available = static_cast<int64_t>(data.size()); available != expected) {
    fail(fmt::format("its shape asks for {} bytes of data, it has {}", expected,
                     available > expected ? "more" : std::to_string(available)));
  }
  tensor.data.assign(data.begin(), data.end());
  if (big) {
    for (auto element = tensor.data.begin(); element != tensor.data.end(); element += width) {
      std::reverse(element, element + width);
    }
  }
  if (tensor.dtype.is_bool()) {
    for (uint8_t& b : tensor.data) b = b != 0;
  }
  return tensor;
}

void write_npy(const std::string& path, const Tensor& tensor) {
  std::string shape;
  for (int64_t extent : tensor.shape) shape += fmt::format("{},{}", extent, tensor.shape.size() == 1 ? "" : " ");
  if (tensor.shape.size() > 1) shape.resize(shape.size() - 2);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr_of(tensor.dtype), shape);
  const bool small = header.size() + 65 < 0x10000;
  const size_t prefix = small ? 10 : 12;
  header.resize((prefix + header.size() + 1 + 63) / 64 * 64 - prefix - 1, ' ');
  header += '\n';
  std::string out = "\x93NUMPY";
  out += static_cast<char>(small ? 1 : 2);
  out += '\0';
  for (size_t i = 0; i < (small ? 2 : 4); ++i) out += static_cast<char>(header.size() >> (8 * i) & 0xff);
  out += header;
  out.append(reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size());
  write_file(path, out);
}

}  // namespace hexproof
