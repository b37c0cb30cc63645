#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local long count = 0;
}

long carom::bench::allocations() { return count; }

extern "C" {
void* __real_malloc(std::size_t);
void* __real_calloc(std::size_t, std::size_t);
void* __real_realloc(void*, std::size_t);
void* __real_aligned_alloc(std::size_t, std::size_t);
int __real_posix_memalign(void**, std::size_t, std::size_t);

void* __wrap_malloc(std::size_t size) { return ++count, __real_malloc(size); }
void* __wrap_calloc(std::size_t n, std::size_t size) { return ++count, __real_calloc(n, size); }
void* __wrap_realloc(void* p, std::size_t size) { return ++count, __real_realloc(p, size); }
void* __wrap_aligned_alloc(std::size_t to, std::size_t size) {
  return ++count, __real_aligned_alloc(to, size);
}
int __wrap_posix_memalign(void** p, std::size_t to, std::size_t size) {
  return ++count, __real_posix_memalign(p, to, size);
}
}

// Those of the standard library, which is linked already, would not be seen. Not inlined: g++ would take
// malloc and delete for a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
