#include "backend/scratch.h"

#include <cstdlib>
#include <cstring>

#include "ir/base/diagnostic.h"
#include "ir/base/interrupt.h"

namespace hexproof {

ScratchFolder::ScratchFolder() {
  std::error_code failed;
  std::filesystem::path parent = std::filesystem::temp_directory_path(failed);
  if (failed) throw Error("no folder for temporary files: " + failed.message());
  std::string name = (parent / "hexproof-XXXXXX").string();
  InterruptLock lock = hold_interrupts();
  if (!mkdtemp(name.data())) throw Error("cannot make a folder in " + parent.string() + ": " + std::strerror(errno));
  root_ = name;
  remember_path(lock, name);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
  forget_path(root_.string());
}

}  // namespace hexproof
