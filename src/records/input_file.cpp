#include "records/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "files/files.hpp"
#include "records/table.hpp"

namespace carom::detail {

namespace {

// O_NONBLOCK: a pipe without a writer would otherwise wait for one instead of being refused.
Descriptor open_to_read(const std::filesystem::path& path) {
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor.get() < 0) throw FileError("open", path, errno);
  return descriptor;
}

}  // namespace

InputFile::InputFile(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(open_to_read(path_)), size_(current_size()) {}

std::uint64_t InputFile::current_size() const {
  struct ::stat status {};
  if (::fstat(descriptor_.get(), &status) != 0) throw FileError("read", path_, errno);
  if (!S_ISREG(status.st_mode)) throw RecordError(path_, "is not a file");
  return static_cast<std::uint64_t>(status.st_size);
}

void InputFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ::ssize_t n = ::pread(descriptor_.get(), bytes.data(), bytes.size(), static_cast<::off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw FileError("read", path_, errno);
    if (n == 0) throw RecordError(path_, fmt::format("ends at byte {}, too early", offset));
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
}

std::string InputFile::text_at(std::uint64_t offset, std::size_t size) const {
  if (offset > size_ || size > size_ - offset)
    throw RecordError(path_, fmt::format("ends at byte {}, too early", size_));
  std::string text(size, '\0');
  read_at(offset, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace carom::detail
