#include "sweep/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstring>
#include <fstream>

#include "files/files.hpp"
#include "records/npz.hpp"
#include "records/table.hpp"

namespace carom {
namespace fs = std::filesystem;

namespace {

constexpr auto rows_name = "members.partial", reasons_name = "failures.partial";
constexpr std::size_t header_words = 8;
using Header = std::array<std::uint64_t, header_words>;
constexpr std::uint64_t magic = 0x31'70'65'65'77'73'2e'63;  // "c.sweep1"

std::uint64_t tag(MemberStatus status, std::span<const double> row) {
  const std::uint64_t sum = detail::crc32(std::as_bytes(row));
  return sum << 32 | (static_cast<std::uint64_t>(status) + 1);
}

}  // namespace

Store::Store(const fs::path& folder, std::uint32_t identity, std::size_t members, std::size_t width)
    : rows_path_(folder / rows_name),
      reasons_path_(folder / reasons_name),
      members_(members),
      width_(width),
      bytes_(sizeof(double) * (header_words + members * (width + 1))) {
  const Header header = {magic, identity, members, width};
  const bool old = fs::exists(rows_path_);
  rows_ = detail::Descriptor(::open(rows_path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (rows_.get() < 0) throw FileError("open", rows_path_, errno);
  if (::flock(rows_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw RecordError(rows_path_, "is being written by another process");
  // All of the space at once: a full disk is told here, and not by the death of the process at a later write.
  if (const int error = ::posix_fallocate(rows_.get(), 0, static_cast<::off_t>(bytes_)))
    throw FileError("write", rows_path_, error);
  void* map = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, rows_.get(), 0);
  if (map == MAP_FAILED) throw FileError("map", rows_path_, errno);
  map_ = std::unique_ptr<double, Unmap>(static_cast<double*>(map), Unmap{bytes_});
  reasons_file_ =
      detail::Descriptor(::open(reasons_path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (reasons_file_.get() < 0) throw FileError("open", reasons_path_, errno);
  Header found;
  std::memcpy(&found, map_.get(), sizeof found);
  if (old && found != Header{} && found != header) throw RecordError(rows_path_, "belongs to another sweep");
  std::memcpy(map_.get(), &header, sizeof header);
  read_reasons();
  forget_unexplained();
}

void Store::Unmap::operator()(double* map) const { ::munmap(map, bytes); }

double* Store::begin_of(std::size_t member) const {
  return map_.get() + header_words + member * (width_ + 1);
}

std::uint64_t& Store::tag_of(std::size_t member) const {
  return *reinterpret_cast<std::uint64_t*>(begin_of(member) + width_);
}

std::span<const double> Store::row(std::size_t member) const { return {begin_of(member), width_}; }

std::optional<MemberStatus> Store::status(std::size_t member) const {
  const std::uint64_t stored = tag_of(member);
  if (stored == 0) return std::nullopt;
  const auto status = static_cast<MemberStatus>((stored & 0xFFFFFFFF) - 1);
  return stored == tag(status, row(member)) ? std::optional(status) : std::nullopt;
}

void Store::put(const Batch& batch) {
  for (const auto& [member, reason] : batch.reasons) keep_reason(member, reason);
  for (std::size_t i = 0; i < batch.status.size(); ++i) {
    const std::span<const double> row(batch.rows.data() + i * width_, width_);
    std::copy(row.begin(), row.end(), begin_of(batch.first + i));
    std::atomic_signal_fence(
        std::memory_order_seq_cst);  // a process dies between instructions: the tag comes last
    tag_of(batch.first + i) = tag(batch.status[i], row);
  }
}

void Store::keep_reason(std::size_t member, const std::string& reason) {
  if (reasons_.size() >= most_reasons && member > reasons_.rbegin()->first) return;
  reasons_[member] = reason;
  if (reasons_.size() > most_reasons) reasons_.erase(std::prev(reasons_.end()));
  const std::string line = fmt::format("{}\t{}\n", member, reason);
  if (::write(reasons_file_.get(), line.data(), line.size()) != static_cast<::ssize_t>(line.size()))
    throw FileError("write", reasons_path_, errno);
}

void Store::read_reasons() {
  std::ifstream file(reasons_path_);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::size_t at = 0;
  for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::size_t gap = text.find('\t', at);
    std::size_t member = 0;
    if (gap < end && std::from_chars(text.data() + at, text.data() + gap, member).ec == std::errc{})
      reasons_[member] = text.substr(gap + 1, end - gap - 1);
  }
  if (::ftruncate(reasons_file_.get(), static_cast<::off_t>(at)) != 0)  // half a line
    throw FileError("write", reasons_path_, errno);
  while (reasons_.size() > most_reasons) reasons_.erase(std::prev(reasons_.end()));
}

// A failed member of the first hundred whose reason was lost is done again.
void Store::forget_unexplained() {
  std::size_t failed = 0;
  for (std::size_t i = 0; i < members_ && failed < most_reasons; ++i) {
    const auto s = status(i);
    if (!s || *s == MemberStatus::completed) continue;
    reasons_.contains(i) ? void(++failed) : void(tag_of(i) = 0);
  }
}

bool Store::exists(const fs::path& folder) { return fs::exists(folder / rows_name); }

void Store::remove(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {rows_name, reasons_name}) fs::remove(folder / name, ignored);
}

}  // namespace carom
