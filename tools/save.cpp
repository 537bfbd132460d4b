#include "tools/save.h"

#include <filesystem>
#include <map>

#include "ir/base/codes.h"
#include "ir/base/file.h"
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
  demand_free(words, "--save");
  for (const auto& [name, tensor] : tensors) demand_free(folder + "/" + name + ".npy", "--save");
  make_folder(folder);
  for (const auto& [name, tensor] : tensors) {
    if (tensor->dtype.code != TypeCode::BFloat) write_npy(folder + "/" + name + ".npy", *tensor);
  }
  write_file(words, text + "\n");
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
  if (folder.empty() || !report.counterexample) return;
  std::map<std::string, const Tensor*> tensors;
  const PairInput& input = report.counterexample->input;
  for (size_t b = 0; b < report.pair.buffers.size(); ++b) {
    const BufferPair& buffer = report.pair.buffers[b];
    tensors.emplace("before_" + buffer.before->name, &input.before[b]);
    tensors.emplace("after_" + buffer.after->name, &input.after[b]);
  }
  save(folder, tensors, report.counterexample->table);
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
