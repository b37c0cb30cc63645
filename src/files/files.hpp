// Output files that are either complete or absent.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string_view>

namespace carom {

// A file could not be written; the message names the file and the system's reason.
struct FileError : std::runtime_error {
  FileError(std::string_view action, const std::filesystem::path& path, int error_number);
};

// Bytes go to a temporary file beside the target, and commit() renames it over the target. Without commit()
// the target stays as it was and the temporary file is removed.
//
// A link is followed, so that the file it names is replaced and not the link. A target that is a device or a
// pipe has no old contents to protect and is written directly: renaming over /dev/null would destroy it.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

 private:
  void create_temporary();

  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty when the target is written directly, and after commit()
  int descriptor_ = -1;
};

// Replaces the file's contents by `text`, all or nothing.
void write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace carom
