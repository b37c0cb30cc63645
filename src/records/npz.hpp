// Arrays for numpy: an .npz file is a zip archive of .npy files, here stored without compression.
//
// Formats: numpy.lib.format version 1.0, and PKWARE's APPNOTE 6.3 (sections cited in npz.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "files/staged_file.hpp"

namespace carom {

// One array in C order (the last index runs fastest). An empty shape is a scalar with one element.
struct NpyArray {
  std::string name;  // as in numpy.load(path)["name"]
  std::vector<std::size_t> shape;
  std::variant<std::span<const double>, std::span<const std::int64_t>> data;
};

// Writes the arrays in the given order, all or nothing. Equal arrays make equal files: the archive holds no
// time. Throws std::invalid_argument for a repeated or unusable name or a shape that does not fit its data,
// and FileError when the file cannot be written.
void write_npz(const std::filesystem::path& path, std::span<const NpyArray> arrays);

namespace detail {

// The CRC-32 of zip, PNG and Ethernet; `before` continues the sum of earlier bytes.
[[nodiscard]] std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

// Magic, length and dictionary, padded so that the data begins on a multiple of 64 bytes.
// `type` is numpy's name, such as "<f8".
[[nodiscard]] std::string npy_header(std::string_view type, std::span<const std::size_t> shape);

struct ZipEntry {
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  // of its local header in the archive
  std::uint32_t crc = 0;
};

// Each of these takes its ZIP64 form exactly when a number does not fit the old one.
[[nodiscard]] std::string zip_local_header(const ZipEntry& entry);
[[nodiscard]] std::string zip_directory_header(const ZipEntry& entry);
[[nodiscard]] std::string zip_end(std::uint64_t entries, std::uint64_t directory_size,
                                  std::uint64_t directory_offset);

}  // namespace detail

// An array whose contents come later.
struct NpyPlan {
  std::string name;
  std::vector<std::size_t> shape;
  std::string type = "<f8";  // or "<i8", or "<U12": texts of twelve characters at most
};

// Writes arrays of known shapes whose contents come in pieces, for all arrays in turn: each has its place in
// the archive from the start. What write_npz says of equal files and failures holds here too.
class NpzWriter {
 public:
  NpzWriter(const std::filesystem::path& path, std::span<const NpyPlan> plans);
  // The next bytes of array number `array`. Throws std::logic_error for more than its shape holds.
  void append(std::size_t array, std::span<const std::byte> bytes);
  // Throws std::logic_error unless all arrays are complete.
  void commit();

 private:
  struct Entry {
    detail::ZipEntry zip;
    std::uint64_t next = 0, end = 0;  // where the next bytes go, and the last ones end
  };
  detail::StagedFile file_;
  std::vector<Entry> entries_;
  std::uint64_t end_ = 0;  // of the last array
};

}  // namespace carom
