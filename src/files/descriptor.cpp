#include "files/descriptor.hpp"

#include <unistd.h>

#include <cerrno>

namespace carom::detail {

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Written write_at(int descriptor, std::span<const std::byte> bytes, std::uint64_t offset) {
  Written result;
  while (result.bytes < bytes.size()) {
    const ::ssize_t n = ::pwrite(descriptor, bytes.data() + result.bytes, bytes.size() - result.bytes,
                                 static_cast<::off_t>(offset + result.bytes));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      result.error = n < 0 ? errno : EIO;
      break;
    }
    result.bytes += static_cast<std::size_t>(n);
  }
  return result;
}

}  // namespace carom::detail
