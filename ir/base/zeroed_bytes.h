// Memory of programs that run.
#pragma once
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace hexproof {

/// Bytes that are zero. A memory may be far larger than what is touched of it: what nobody touches takes no time and
/// no memory of the machine, whatever allocator the process has (some write the zeros of `calloc`).
class ZeroedBytes {
 public:
  ZeroedBytes() = default;
  explicit ZeroedBytes(size_t size) : size_(size) {
    if (mapped()) {
      void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (pages != MAP_FAILED) bytes_ = static_cast<uint8_t*>(pages);
    } else {
      bytes_ = static_cast<uint8_t*>(std::calloc(size, 1));
    }
    if (!bytes_) throw std::bad_alloc();
  }
  ZeroedBytes(ZeroedBytes&& other) noexcept { swap(other); }
  ZeroedBytes& operator=(ZeroedBytes&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ZeroedBytes() {
    if (mapped())
      munmap(bytes_, size_);
    else
      std::free(bytes_);
  }
  uint8_t* get() const { return bytes_; }
  uint8_t& operator[](size_t at) const { return bytes_[at]; }

 private:
  bool mapped() const { return size_ >= (size_t{1} << 20); }
  void swap(ZeroedBytes& other) {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
  }

  uint8_t* bytes_ = nullptr;
  size_t size_ = 0;
};

}  // namespace hexproof
