// A folder for temporary files that goes away with its owner.
#pragma once
#include <filesystem>
#include <string>

namespace hexproof {

class ScratchFolder {
 public:
  /// Where temporary files go (TMPDIR). Error when none can be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string path(const std::string& name) const { return (root_ / name).string(); }

 private:
  std::filesystem::path root_;
};

}  // namespace hexproof
