// Objects linked into this process.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hexproof::codegen {

/// Code of an object for this machine, in memory. Symbols that it does not define are this process's own.
class LoadedObject {
 public:
  explicit LoadedObject(const std::vector<uint8_t>& object);
  ~LoadedObject();
  LoadedObject(LoadedObject&&) noexcept;

  /// Where a function of the object is; InternalError when there is none.
  void* address(const std::string& symbol) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hexproof::codegen
