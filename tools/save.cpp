#include "tools/save.h"

#include <cstring>
#include <filesystem>
#include <map>

#include "ir/base/codes.h"
#include "ir/base/file.h"
#include "rewrite/kernel/shown_difference.h"
#include "tools/files.h"
#include "verify/check/error_met.h"

namespace hexproof::tools {
namespace {

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw CodedError(Code::CannotWrite, "cannot make the folder '" + folder + "': " + error.message());
}

/// All or nothing: no file of the folder is one that the command was given.
void save(const std::string& folder, const std::map<std::string, const Tensor*>& tensors, const std::string& text) {
  const std::string words = folder + "/counterexample.txt";
  std::vector<std::string> paths = {words};
  for (const auto& [name, tensor] : tensors) paths.push_back(folder + "/" + name + ".npy");
  for (const std::string& path : paths) demand_free(path, "--save"), demand_unread({"--save", path});
  make_folder(folder);
  for (const auto& [name, tensor] : tensors) {
    if (tensor->dtype.code != TypeCode::BFloat) write_npy(folder + "/" + name + ".npy", *tensor);
  }
  write_file(words, text + "\n");
}

void save(const std::string& folder, const ProgramPair& pair, const Counterexample& found) {
  std::map<std::string, const Tensor*> tensors;
  for (size_t b = 0; b < pair.buffers.size(); ++b) {
    const BufferPair& buffer = pair.buffers[b];
    tensors.emplace("before_" + buffer.before->name, &found.input.before[b]);
    tensors.emplace("after_" + buffer.after->name, &found.input.after[b]);
  }
  save(folder, tensors, found.table);
}

constexpr int64_t kMostCells = int64_t{1} << 24;  // of an array that is saved of a few cells

/// Zeros, in the shape of the buffer; nothing where it is no array of numbers.
std::optional<Tensor> array_of(const Buffer& buffer) {
  if (!buffer->dtype.is_scalar() ||
      !(buffer->dtype.is_float() || buffer->dtype.is_integer() || buffer->dtype.is_bool()))
    return std::nullopt;
  std::vector<int64_t> shape;
  int64_t cells = 1;
  for (const Expr& extent : buffer->shape) {
    if (extent->op != Op::IntImm || extent->int_value() < 1 || extent->int_value() > kMostCells / cells)
      return std::nullopt;
    shape.push_back(extent->int_value());
    cells *= shape.back();
  }
  return make_tensor(buffer->dtype, shape);
}

/// A cell that the array does not have stays out.
void put(Tensor& tensor, const CellValue& cell) {
  if (cell.indices.size() != tensor.shape.size()) return;
  int64_t at = 0;
  for (size_t d = 0; d < tensor.shape.size(); ++d) {
    if (cell.indices[d] < 0 || cell.indices[d] >= tensor.shape[d]) return;
    at = at * tensor.shape[d] + static_cast<int64_t>(cell.indices[d]);
  }
  const size_t size = tensor.data.size() / static_cast<size_t>(tensor.size());
  const uint64_t bits = static_cast<uint64_t>(cell.value);
  std::memcpy(tensor.data.data() + static_cast<size_t>(at) * size, &bits, size);
}

}  // namespace

void add_save(CLI::App& command, std::string& folder) {
  command.add_option("--save", folder, "write the arguments of a counterexample as .npy files into this folder");
}

std::string save_folder(const std::string& folder, const std::string& function, bool several) {
  return folder.empty() || !several ? folder : folder + "/" + function;
}

void save_input(const std::string& folder, const CheckReport& report) {
  if (folder.empty() || !report.met) return;
  std::map<std::string, const Tensor*> tensors;
  for (const auto& [name, tensor] : report.met->arguments) tensors.emplace(name, &tensor);
  save(folder, tensors, report.counterexample);
}

void save_input(const std::string& folder, const EquivReport& report) {
  if (!folder.empty() && report.counterexample) save(folder, report.pair, *report.counterexample);
}

void save_input(const std::string& folder, const api::Failure& failure) {
  if (folder.empty() || !failure.detail || !failure.detail->refused) return;
  const Refused& refused = *failure.detail->refused;
  if (refused.step && refused.step->shown) return save(folder, refused.step->shown->pair, refused.step->shown->found);
  std::map<uint32_t, Tensor> arrays;
  std::map<std::string, const Tensor*> tensors;
  for (const CellValue& cell : refused.answer.cells) {
    if (!arrays.count(cell.buffer->id)) {
      std::optional<Tensor> array = array_of(cell.buffer);
      if (!array) continue;
      std::string name = cell.buffer->name;  // (several buffers of a program may have one)
      while (tensors.count(name)) name += "_";
      tensors[name] = &arrays.emplace(cell.buffer->id, *array).first->second;
    }
    put(arrays.at(cell.buffer->id), cell);
  }
  if (!tensors.empty()) save(folder, tensors, failure.what());
}

void save_input(const std::string& folder, const api::Transformed& transformed, const Validation* validation) {
  const bool several = transformed.source_checks.size() > 1;
  for (const auto& [function, checked] : transformed.source_checks)
    save_input(save_folder(folder, function, several), checked);
  if (!validation) return;
  if (validation->check) save_input(folder, *validation->check);
  if (validation->equiv) save_input(folder, *validation->equiv);
}

}  // namespace hexproof::tools
