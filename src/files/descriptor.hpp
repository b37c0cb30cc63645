// File descriptors that close themselves, and writing at a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace carom::detail {

// Owns a file descriptor; closing it reports nothing.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

// How much of a write reached the kernel before `error` (an errno; 0 when all did).
struct Written {
  std::size_t bytes = 0;
  int error = 0;
};
[[nodiscard]] Written write_at(int descriptor, std::span<const std::byte> bytes, std::uint64_t offset);

}  // namespace carom::detail
