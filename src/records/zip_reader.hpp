// The directory of a zip archive whose files are stored without compression, as npz.hpp writes them and numpy
// too.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "records/input_file.hpp"
#include "records/npz.hpp"
#include "records/table.hpp"

namespace carom::detail {

inline std::uint64_t number_at(std::string_view bytes, std::size_t offset, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[offset + static_cast<std::size_t>(i)]);
  return value;
}

// An archive's directory: section numbers of PKWARE's APPNOTE, as in npz.cpp.
class ZipReader {
 public:
  explicit ZipReader(const InputFile& file) : file_(file) { read_directory(find_directory()); }

  [[nodiscard]] const std::vector<ZipEntry>& entries() const { return entries_; }

  // Where the entry's contents begin, behind a local header that must agree (4.3.7).
  [[nodiscard]] std::uint64_t contents_of(const ZipEntry& entry) const {
    constexpr std::size_t fixed = 30;
    const std::string header = file_.text_at(entry.offset, fixed);
    const std::size_t name = number_at(header, 26, 2);
    const std::uint64_t begin = entry.offset + fixed + name + number_at(header, 28, 2);
    if (number_at(header, 0, 4) != 0x04034B50 || name != entry.name.size() ||
        file_.text_at(entry.offset + fixed, name) != entry.name || begin > file_.size() ||
        entry.size > file_.size() - begin)
      fail(fmt::format("'{}' is not where the directory says", entry.name));
    return begin;
  }

  // Reads the contents once.
  void check_sum(const ZipEntry& entry, std::uint64_t begin) const {
    constexpr std::uint64_t piece = std::uint64_t{1} << 18;
    std::vector<std::byte> bytes(std::min(piece, entry.size));
    std::uint32_t crc = 0;
    for (std::uint64_t at = 0; at < entry.size; at += piece) {
      const auto part = std::span(bytes).first(std::min(piece, entry.size - at));
      file_.read_at(begin + at, part);
      crc = crc32(part, crc);
    }
    if (crc != entry.crc)
      throw RecordError(file_.path(),
                        fmt::format("array '{}' is damaged: its checksum is wrong", entry.name));
  }

 private:
  struct Place {
    std::uint64_t offset, size, entries;
  };

  [[noreturn]] void fail(std::string_view what) const { throw RecordError(file_.path(), what); }

  // 4.3.16, and where a number did not fit, 4.3.14 and 4.3.15.
  [[nodiscard]] Place find_directory() const {
    constexpr std::size_t end_bytes = 22, locator_bytes = 20, zip64_bytes = 56, longest_comment = 65535;
    const std::uint64_t tail_bytes = std::min<std::uint64_t>(file_.size(), end_bytes + longest_comment);
    const std::string tail = file_.text_at(file_.size() - tail_bytes, tail_bytes);
    const std::size_t at = tail.rfind("PK\x05\x06");
    if (at == std::string::npos || tail.size() - at < end_bytes) fail("is not a whole .npz archive");
    const std::uint64_t end = file_.size() - tail_bytes + at;
    Place place{number_at(tail, at + 16, 4), number_at(tail, at + 12, 4), number_at(tail, at + 10, 2)};
    std::uint64_t directory_end = end;
    if (place.offset == 0xFFFFFFFF || place.size == 0xFFFFFFFF || place.entries == 0xFFFF) {
      if (end < locator_bytes) fail("is not a whole .npz archive");
      const std::string locator = file_.text_at(end - locator_bytes, locator_bytes);
      const std::uint64_t record_at = number_at(locator, 8, 8);
      if (number_at(locator, 0, 4) != 0x07064B50) fail("is not a whole .npz archive");
      const std::string record = file_.text_at(record_at, zip64_bytes);
      if (number_at(record, 0, 4) != 0x06064B50) fail("is not a whole .npz archive");
      place = {number_at(record, 48, 8), number_at(record, 40, 8), number_at(record, 32, 8)};
      directory_end = record_at;
    }
    if (place.size > directory_end || place.offset != directory_end - place.size)
      fail("the directory of the archive is not where it should be");
    return place;
  }

  void read_directory(const Place& place) {
    constexpr std::uint64_t most = std::uint64_t{1} << 24;  // a table has some ten columns
    if (place.size > most) fail("the directory of the archive is too large");
    const std::string text = file_.text_at(place.offset, place.size);
    for (std::string_view rest = text; !rest.empty();) rest.remove_prefix(read_entry(rest));
    if (entries_.size() != place.entries) fail("the directory of the archive is damaged");
  }

  // 4.3.12; returns the length of the entry.
  std::size_t read_entry(std::string_view header) {
    constexpr std::size_t fixed = 46;
    if (header.size() < fixed || number_at(header, 0, 4) != 0x02014B50)
      fail("the directory of the archive is damaged");
    const std::size_t name = number_at(header, 28, 2), extra = number_at(header, 30, 2);
    const std::size_t length = fixed + name + extra + number_at(header, 32, 2);
    if (length > header.size()) fail("the directory of the archive is damaged");
    ZipEntry entry{std::string(header.substr(fixed, name)), number_at(header, 24, 4),
                   number_at(header, 42, 4), static_cast<std::uint32_t>(number_at(header, 16, 4))};
    std::uint64_t stored = number_at(header, 20, 4);
    read_zip64(header.substr(fixed + name, extra), entry, stored);
    if (number_at(header, 10, 2) != 0 || stored != entry.size)
      fail(fmt::format("'{}' is compressed, which is not supported", entry.name));
    entries_.push_back(std::move(entry));
    return length;
  }

  // 4.5.3: the numbers that did not fit, in this order.
  static void read_zip64(std::string_view extra, ZipEntry& entry, std::uint64_t& stored) {
    while (extra.size() >= 4) {
      const std::size_t size = std::min<std::size_t>(number_at(extra, 2, 2), extra.size() - 4);
      std::string_view numbers = extra.substr(4, size);
      const bool zip64 = number_at(extra, 0, 2) == 1;
      extra.remove_prefix(4 + size);
      for (std::uint64_t* number : {&entry.size, &stored, &entry.offset}) {
        if (!zip64 || *number != 0xFFFFFFFF || numbers.size() < 8) continue;
        *number = number_at(numbers, 0, 8);
        numbers.remove_prefix(8);
      }
    }
  }

  const InputFile& file_;
  std::vector<ZipEntry> entries_;
};

}  // namespace carom::detail
