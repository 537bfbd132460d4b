#include "tools/save.h"

#include <filesystem>

#include "ir/base/file.h"
#include "verify/check/error_met.h"

namespace hexproof::tools {
namespace {

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error("cannot make the folder " + folder + ": " + error.message());
}

void save(const std::string& path, const Tensor& tensor) {
  if (tensor.dtype.code != TypeCode::BFloat) write_npy(path, tensor);
}

}  // namespace

void add_save(CLI::App& command, std::string& folder) {
  command.add_option("--save", folder, "write the arguments of a counterexample as .npy files into this folder");
}

void save_input(const std::string& folder, const CheckReport& report) {
  if (folder.empty() || !report.met) return;
  make_folder(folder);
  for (const auto& [name, tensor] : report.met->arguments) save(folder + "/" + name + ".npy", tensor);
  write_file(folder + "/counterexample.txt", report.counterexample + "\n");
}

void save_input(const std::string& folder, const EquivReport& report) {
  if (folder.empty() || !report.counterexample) return;
  make_folder(folder);
  const PairInput& input = report.counterexample->input;
  for (size_t b = 0; b < report.pair.buffers.size(); ++b) {
    const BufferPair& buffer = report.pair.buffers[b];
    save(folder + "/before_" + buffer.before->name + ".npy", input.before[b]);
    save(folder + "/after_" + buffer.after->name + ".npy", input.after[b]);
  }
  write_file(folder + "/counterexample.txt", report.counterexample->table + "\n");
}

void save_input(const std::string& folder, const api::Transformed& transformed, const Validation* validation) {
  for (const auto& [function, checked] : transformed.source_checks) save_input(folder, checked);
  if (!validation) return;
  if (validation->check) save_input(folder, *validation->check);
  if (validation->equiv) save_input(folder, *validation->equiv);
}

}  // namespace hexproof::tools
