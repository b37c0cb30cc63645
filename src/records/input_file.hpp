// Files that are read at any place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "files/descriptor.hpp"

namespace carom::detail {

class InputFile {
 public:
  // Throws FileError, and RecordError for what is no regular file: a pipe has no size to check against.
  explicit InputFile(std::filesystem::path path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }  // when it was opened
  [[nodiscard]] std::uint64_t current_size() const;
  // Fills `bytes`, or throws RecordError when the file ends before.
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
  [[nodiscard]] std::string text_at(std::uint64_t offset, std::size_t size) const;

 private:
  std::filesystem::path path_;
  Descriptor descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace carom::detail
