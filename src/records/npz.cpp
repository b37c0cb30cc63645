#include "records/npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <type_traits>

namespace carom {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

namespace detail {
namespace {

constexpr std::size_t slices = 8;
using CrcTables = std::array<std::array<std::uint32_t, 256>, slices>;

// tables[k][b] is the effect of byte b followed by k zero bytes, so that eight bytes are looked up at once.
constexpr CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t c = b;
    for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ ((c & 1) != 0 ? 0xEDB88320u : 0u);
    tables[0][b] = c;
  }
  for (std::size_t k = 1; k < slices; ++k) {
    for (std::size_t b = 0; b < 256; ++b) {
      const std::uint32_t c = tables[k - 1][b];
      tables[k][b] = (c >> 8) ^ tables[0][c & 0xFF];
    }
  }
  return tables;
}

constexpr CrcTables crc_tables = make_crc_tables();

// All numbers in a zip archive are little-endian and unaligned.
class Record {
 public:
  Record& u16(std::uint64_t value) { return append(value, 2); }
  Record& u32(std::uint64_t value) { return append(value, 4); }
  Record& u64(std::uint64_t value) { return append(value, 8); }
  Record& text(std::string_view s) {
    bytes_ += s;
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  Record& append(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes_ += static_cast<char>((value >> (8 * i)) & 0xFF);
    return *this;
  }
  std::string bytes_;
};

// The largest values of the old fields mean "see the ZIP64 record", so they are not available as numbers.
constexpr std::uint64_t max_u16 = 0xFFFF;
constexpr std::uint64_t max_u32 = 0xFFFFFFFF;
constexpr std::uint64_t version_plain = 20;
constexpr std::uint64_t version_zip64 = 45;
constexpr std::uint64_t dos_midnight = 0;
constexpr std::uint64_t dos_1980_01_01 = (1 << 5) | 1;

// APPNOTE 4.4.4, bit 11: the name is UTF-8. Plain ASCII needs no flag, and numpy sets none.
std::uint64_t name_flags(std::string_view name) {
  const bool ascii = std::all_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x80; });
  return ascii ? 0 : 1 << 11;
}

// The fields that the local header and the directory share (4.3.7 and 4.3.12): version to extra length.
void append_common(Record& record, const ZipEntry& entry, bool zip64, std::size_t extra_length) {
  const std::uint64_t size = std::min(entry.size, max_u32);
  record.u16(zip64 ? version_zip64 : version_plain).u16(name_flags(entry.name)).u16(0);
  record.u16(dos_midnight).u16(dos_1980_01_01);
  record.u32(entry.crc).u32(size).u32(size).u16(entry.name.size()).u16(extra_length);
}

// 4.5.3: the extra field lists only those numbers that the old fields could not hold.
std::string zip64_extra(std::string_view numbers) {
  if (numbers.empty()) return {};
  return Record().u16(0x0001).u16(numbers.size()).text(numbers).bytes();
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t c = ~before;
  const auto& t = crc_tables;
  for (; bytes.size() >= slices; bytes = bytes.subspan(slices)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), slices);
    word ^= c;
    c = t[7][word & 0xFF] ^ t[6][(word >> 8) & 0xFF] ^ t[5][(word >> 16) & 0xFF] ^ t[4][(word >> 24) & 0xFF] ^
        t[3][(word >> 32) & 0xFF] ^ t[2][(word >> 40) & 0xFF] ^ t[1][(word >> 48) & 0xFF] ^ t[0][word >> 56];
  }
  for (const std::byte b : bytes) c = (c >> 8) ^ t[0][(c ^ std::to_integer<std::uint32_t>(b)) & 0xFF];
  return ~c;
}

std::string npy_header(std::string_view type, std::span<const std::size_t> shape) {
  std::string tuple;
  for (const std::size_t n : shape) tuple += fmt::format("{}{}", tuple.empty() ? "" : ", ", n);
  if (shape.size() == 1) tuple += ',';
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, tuple);
  constexpr std::size_t preamble = 10;  // magic, version and length
  constexpr std::size_t alignment = 64;
  while ((preamble + dictionary.size() + 1) % alignment != 0) dictionary += ' ';
  dictionary += '\n';
  using namespace std::string_view_literals;
  return Record().text("\x93NUMPY\x01\x00"sv).u16(dictionary.size()).text(dictionary).bytes();
}

std::string zip_local_header(const ZipEntry& entry) {
  Record big;  // here, unlike in the directory, both sizes or neither
  if (entry.size >= max_u32) big.u64(entry.size).u64(entry.size);
  const std::string extra = zip64_extra(big.bytes());
  Record record;
  record.u32(0x04034B50);
  append_common(record, entry, !extra.empty(), extra.size());
  return record.text(entry.name).text(extra).bytes();
}

std::string zip_directory_header(const ZipEntry& entry) {
  Record big;
  if (entry.size >= max_u32) big.u64(entry.size).u64(entry.size);
  if (entry.offset >= max_u32) big.u64(entry.offset);
  const std::string extra = zip64_extra(big.bytes());
  Record record;
  record.u32(0x02014B50).u16(extra.empty() ? version_plain : version_zip64);
  append_common(record, entry, !extra.empty(), extra.size());
  record.u16(0).u16(0).u16(0).u32(0).u32(std::min(entry.offset, max_u32));
  return record.text(entry.name).text(extra).bytes();
}

std::string zip_end(std::uint64_t entries, std::uint64_t directory_size, std::uint64_t directory_offset) {
  Record record;
  if (entries >= max_u16 || directory_size >= max_u32 || directory_offset >= max_u32) {
    constexpr std::uint64_t rest_of_record = 44;  // 4.3.14: what follows this field
    record.u32(0x06064B50).u64(rest_of_record).u16(version_zip64).u16(version_zip64).u32(0).u32(0);
    record.u64(entries).u64(entries).u64(directory_size).u64(directory_offset);
    record.u32(0x07064B50).u32(0).u64(directory_offset + directory_size).u32(1);  // 4.3.15: where it is
  }
  const std::uint64_t count = std::min(entries, max_u16);
  record.u32(0x06054B50).u16(0).u16(0).u16(count).u16(count);
  return record.u32(std::min(directory_size, max_u32))
      .u32(std::min(directory_offset, max_u32))
      .u16(0)
      .bytes();
}

}  // namespace detail

namespace {

struct RawArray {
  std::string_view type;
  std::size_t count;
  std::span<const std::byte> bytes;
};

RawArray raw(const NpyArray& array) {
  return std::visit(
      [](auto data) {
        using Value = std::remove_const_t<typename decltype(data)::element_type>;
        return RawArray{std::is_same_v<Value, double> ? "<f8" : "<i8", data.size(), std::as_bytes(data)};
      },
      array.data);
}

// Of an element: eight for numbers, four for each character of a text.
std::size_t item_bytes(std::string_view type) {
  std::size_t characters = 2;
  if (type.starts_with("<U")) std::from_chars(type.data() + 2, type.data() + type.size(), characters);
  return 4 * characters;
}

// Nothing when the product of the shape overflows.
std::optional<std::size_t> elements(std::span<const std::size_t> shape, std::size_t bytes_each = 8) {
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return 0;
  std::size_t product = 1;
  for (const std::size_t n : shape) {
    if (product > std::numeric_limits<std::size_t>::max() / bytes_each / n) return std::nullopt;
    product *= n;
  }
  return product;
}

std::string shape_text(std::span<const std::size_t> shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

void validate(std::span<const NpyPlan> plans) {
  constexpr std::size_t max_name = 65531;     // with ".npy" it must fit a 16-bit length
  constexpr std::size_t max_dimensions = 32;  // numpy's own limit
  std::set<std::string_view> names;
  for (const NpyPlan& plan : plans) {
    if (plan.name.empty() || plan.name.size() > max_name || plan.name.find('\0') != std::string::npos) {
      throw std::invalid_argument(fmt::format("npz: '{:.40}' cannot be the name of an array", plan.name));
    }
    if (!names.insert(plan.name).second) {
      throw std::invalid_argument(fmt::format("npz: two arrays are named '{}'", plan.name));
    }
    if (plan.shape.size() > max_dimensions || !elements(plan.shape, item_bytes(plan.type))) {
      throw std::invalid_argument(
          fmt::format("npz: array '{}' cannot have shape {}", plan.name, shape_text(plan.shape)));
    }
  }
}

}  // namespace

NpzWriter::NpzWriter(const std::filesystem::path& path, std::span<const NpyPlan> plans)
    : file_((validate(plans), path)) {
  for (const NpyPlan& plan : plans) {
    const std::string npy = detail::npy_header(plan.type, plan.shape);
    const std::uint64_t size = npy.size() + *elements(plan.shape) * item_bytes(plan.type);
    const detail::ZipEntry zip{plan.name + ".npy", size, end_, detail::crc32(std::as_bytes(std::span(npy)))};
    const std::uint64_t begin = end_ + detail::zip_local_header(zip).size();
    file_.write_at(begin, npy);
    end_ = begin + size;
    entries_.push_back({zip, begin + npy.size(), end_});
  }
}

void NpzWriter::append(std::size_t array, std::span<const std::byte> bytes) {
  Entry& entry = entries_.at(array);
  if (bytes.size() > entry.end - entry.next)
    throw std::logic_error(fmt::format("npz: more bytes than '{}' has room for", entry.zip.name));
  file_.write_at(entry.next, bytes);
  entry.zip.crc = detail::crc32(bytes, entry.zip.crc);
  entry.next += bytes.size();
}

void NpzWriter::commit() {
  std::string directory;
  for (const Entry& entry : entries_) {
    if (entry.next != entry.end)
      throw std::logic_error(fmt::format("npz: '{}' lacks {} bytes", entry.zip.name, entry.end - entry.next));
    file_.write_at(entry.zip.offset, detail::zip_local_header(entry.zip));
    directory += detail::zip_directory_header(entry.zip);
  }
  file_.write_at(end_, directory + detail::zip_end(entries_.size(), directory.size(), end_));
  file_.commit();
}

void write_npz(const std::filesystem::path& path, std::span<const NpyArray> arrays) {
  std::vector<NpyPlan> plans;
  for (const NpyArray& array : arrays) {
    const RawArray data = raw(array);
    if (elements(array.shape) != data.count)
      throw std::invalid_argument(fmt::format("npz: array '{}' has shape {} but {} values", array.name,
                                              shape_text(array.shape), data.count));
    plans.push_back({array.name, array.shape, std::string(data.type)});
  }
  NpzWriter writer(path, plans);
  for (std::size_t i = 0; i < arrays.size(); ++i) writer.append(i, raw(arrays[i]).bytes);
  writer.commit();
}

}  // namespace carom
