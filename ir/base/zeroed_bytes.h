// Memory of programs that run.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace hexproof {

/// Bytes that are zero. A memory may be far larger than what is touched of it: what nobody touches takes no time and
/// no memory of the machine.
class ZeroedBytes {
 public:
  ZeroedBytes() = default;
  explicit ZeroedBytes(size_t size) : bytes_(static_cast<uint8_t*>(std::calloc(size, 1))) {
    if (!bytes_) throw std::bad_alloc();
  }
  uint8_t* get() const { return bytes_.get(); }
  uint8_t& operator[](size_t at) const { return bytes_[at]; }

 private:
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<uint8_t[], Free> bytes_;
};

}  // namespace hexproof
