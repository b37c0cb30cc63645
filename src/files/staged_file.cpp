#include "files/staged_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "files/files.hpp"

namespace carom::detail {

namespace fs = std::filesystem;

StagedFile::StagedFile(fs::path target) : target_(std::move(target)) {
  std::error_code ignored;  // what cannot be inspected cannot be created either, and that reports the reason
  const fs::file_status status = fs::status(target_, ignored);
  if (fs::is_directory(status)) throw FileError("write", target_, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) throw FileError("write", target_, ESPIPE);
  if (fs::is_symlink(fs::symlink_status(target_, ignored))) {
    const fs::path resolved = fs::weakly_canonical(target_, ignored);
    if (!resolved.empty()) target_ = resolved;
  }
  static std::atomic<unsigned> counter{0};
  constexpr int attempts = 1000;  // a killed process may have left a file of the same name
  for (int i = 0; i < attempts && descriptor_.get() < 0; ++i) {
    temporary_ = target_.parent_path() / fmt::format(".carom-{}-{}.part", ::getpid(), counter++);
    descriptor_ = Descriptor(::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (descriptor_.get() < 0 && errno != EEXIST) break;
  }
  if (descriptor_.get() < 0) throw FileError("create", target_, errno);
}

StagedFile::~StagedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void StagedFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  const Written written = detail::write_at(descriptor_.get(), bytes, offset);
  if (written.error != 0) throw FileError("write", target_, written.error);
}

void StagedFile::commit() {
  // As in AtomicFile: the data must be on the disk before the name is.
  if (::fsync(descriptor_.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
    throw FileError("write", target_, errno);
  if (::close(descriptor_.release()) != 0) throw FileError("write", target_, errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw FileError("replace", target_, errno);
  temporary_.clear();
}

}  // namespace carom::detail
