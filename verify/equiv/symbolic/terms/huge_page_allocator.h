// Memory for large tables: in huge pages, since looking up terms is bound by misses of the TLB.
#pragma once
#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace hexproof::symbolic {

template <class T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}  // NOLINT: allocators convert

  static constexpr size_t kPage = size_t{2} << 20;
  T* allocate(size_t n) {
    size_t bytes = n * sizeof(T);
    if (bytes < kPage) return static_cast<T*>(::operator new(bytes));
    bytes = (bytes + kPage - 1) / kPage * kPage;
    void* p = std::aligned_alloc(kPage, bytes);
    if (p == nullptr) throw std::bad_alloc();
    madvise(p, bytes, MADV_HUGEPAGE);  // a wish; it may fail
    return static_cast<T*>(p);
  }
  void deallocate(T* p, size_t n) {
    if (n * sizeof(T) < kPage) return ::operator delete(p);
    std::free(p);
  }
  friend bool operator==(const HugePages&, const HugePages&) { return true; }
};

}  // namespace hexproof::symbolic
