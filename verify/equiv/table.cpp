#include "verify/equiv/table.h"

#include <fmt/format.h>

#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/layout/cells.h"

namespace hexproof {
namespace {

constexpr size_t kMaxLines = 16;

std::string cell_name(const Buffer& buffer, const std::vector<int64_t>& index) {
  std::string out;
  for (int64_t i : index) out += fmt::format("{}{}", out.empty() ? "" : ", ", i);
  return fmt::format("{}[{}]", buffer->name, out);
}

/// Lines of two or more columns, padded to the widest entry of each.
std::string columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line = " ";
    for (size_t c = 0; c < row.size(); ++c) line += fmt::format(" {:<{}}", row[c], width[c] + 1);
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

bool is_zero(const Tensor& t, int64_t at) { return element(t, at) == zero_scalar(t.dtype); }

std::string sizes(const ProgramPair& pair, const Instance& at) {
  std::string out;
  std::vector<Var> vars = pair.before.scalars();
  for (size_t k = 0; k < vars.size(); ++k) {
    out += fmt::format("{}{} = {}", out.empty() ? "with " : ", ", vars[k].name(),
                       to_string(scalar_value(vars[k], at.before_scalars.at(k))));
  }
  return out.empty() ? out : out + "\n";
}

std::string inputs(const ProgramPair& pair, const PairInput& input) {
  std::vector<std::vector<std::string>> rows;
  size_t hidden = 0;
  for (size_t b = 0; b < pair.buffers.size(); ++b) {
    const Tensor& t = input.before[b];
    for (int64_t i = 0; i < t.size(); ++i) {
      if (is_zero(t, i)) continue;
      if (rows.size() == kMaxLines) {
        ++hidden;
        continue;
      }
      rows.push_back({cell_name(pair.buffers[b].before, index_of(i, t.shape)), "= " + value_text(t, i)});
    }
  }
  std::string out = columns(rows);
  if (hidden > 0) out += fmt::format("  and {} more that are not zero\n", hidden);
  if (rows.empty()) return "on the input: all zeros\n";
  return "on the input (cells that are not named are zero):\n" + out;
}

}  // namespace

Scalar element(const Tensor& tensor, int64_t at) {
  return load_scalar(tensor.dtype, tensor.data.data() + static_cast<size_t>(at * tensor.dtype.bytes()));
}

void set_element(Tensor& tensor, int64_t at, const Scalar& value) {
  store_scalar(value, tensor.data.data() + static_cast<size_t>(at * tensor.dtype.bytes()));
}

Scalar constant_value(const Expr& constant) { return evaluate(constant, {}); }

std::string value_text(const Tensor& tensor, int64_t at) {
  uint8_t state = tensor.initialised.empty() ? 1 : tensor.initialised[static_cast<size_t>(at)];
  if (state == 0) return "uninitialised";
  if (state == 2) return "undef";
  return text_of(element(tensor, at));
}

size_t flat_of(const std::vector<int64_t>& index, const std::vector<int64_t>& shape) {
  int64_t flat = 0;
  for (size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + index[d];
  return static_cast<size_t>(flat);
}

std::string counterexample_table(const ProgramPair& pair, const Counterexample& found) {
  std::string out = sizes(pair, found.input.instance) + inputs(pair, found.input);
  if (found.after_error)
    return out + "the program after reaches an error, the one before none:\n" + found.after_error->str();
  std::vector<std::vector<std::string>> rows = {{"cell", "before", "after"}};
  for (const Difference& d : found.differences) {
    if (rows.size() > kMaxLines) break;
    const BufferPair& buffer = pair.buffers[d.buffer];
    const std::vector<int64_t>& index = buffer.identity ? d.before_index : d.after_index;
    std::string name = cell_name(buffer.identity ? buffer.before : buffer.after, index);
    if (!buffer.identity) {
      bool padding = d.before_index.empty() && !found.input.instance.before_shapes[d.buffer].empty();
      name += padding ? " (padding)" : " = " + cell_name(buffer.before, d.before_index);
    }
    rows.push_back({name, d.before_value, d.after_value});
  }
  out += "these cells differ:\n" + columns(rows);
  if (found.differences.size() >= rows.size()) {
    out += fmt::format("  and {} more\n", found.differences.size() + 1 - rows.size());
  }
  const Difference& first = found.differences.front();
  auto wrote = [](const LastWriter& writer) {
    if (writer.statement.empty()) return std::string("nothing stores to it");
    return (writer.span ? writer.span.str() + ": " : "") + writer.statement;
  };
  out += fmt::format("the first was last written by\n  before: {}\n  after:  {}", wrote(first.before_writer),
                     wrote(first.after_writer));
  return out;
}

}  // namespace hexproof
