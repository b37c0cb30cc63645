// A file that is written at any place, and is complete or absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "files/descriptor.hpp"

namespace carom::detail {

// What AtomicFile is for a stream of bytes: a temporary file beside the target, which commit() renames over
// it. Without commit() the target stays as it was and the temporary file is removed. A link is followed.
class StagedFile {
 public:
  explicit StagedFile(std::filesystem::path target);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  [[nodiscard]] const std::filesystem::path& target() const { return target_; }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }  // open for reading and writing
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  void write_at(std::uint64_t offset, std::string_view text) {
    write_at(offset, std::as_bytes(std::span(text)));
  }
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty after commit()
  Descriptor descriptor_;
};

}  // namespace carom::detail
