#include "files/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace carom {

namespace fs = std::filesystem;

FileError::FileError(std::string_view action, const fs::path& path, int error_number)
    : std::runtime_error(fmt::format("cannot {} '{}': {}", action, path.string(),
                                     std::generic_category().message(error_number))) {}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  std::error_code ignored;  // what cannot be inspected cannot be opened either, and that reports the reason
  const fs::file_status status = fs::status(target_, ignored);
  if (fs::is_directory(status)) throw FileError("write", target_, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw FileError("open", target_, errno);
    return;
  }
  if (fs::is_symlink(fs::symlink_status(target_, ignored))) {
    const fs::path resolved = fs::weakly_canonical(target_, ignored);
    if (!resolved.empty()) target_ = resolved;
  }
  create_temporary();
}

void AtomicFile::create_temporary() {
  static std::atomic<unsigned> counter{0};
  // The name does not contain the target's, which may already be as long as the file system allows.
  // A file left by a killed process may have the same name; O_EXCL passes over it.
  constexpr int attempts = 1000;
  for (int i = 0; i < attempts && descriptor_ < 0; ++i) {
    temporary_ = target_.parent_path() / fmt::format(".carom-{}-{}.tmp", ::getpid(), counter++);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) throw FileError("create", target_, errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw FileError("write", target_, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  // Without this the rename may reach the disk before the data, and a power cut leaves an empty file.
  // Pipes and some network file systems know no fsync and say EINVAL or ENOTSUP.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP)
    throw FileError("write", target_, errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) throw FileError("write", target_, errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw FileError("replace", target_, errno);
  temporary_.clear();
}

void write_text(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace carom
