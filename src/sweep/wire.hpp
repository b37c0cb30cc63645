// What the processes of a sweep tell each other, as bytes. All run the same program on machines of one kind.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "sweep/store.hpp"
#include "sweep/work_queue.hpp"

namespace carom::detail {

// From a rank to rank 0: what it has done, and how many more it wants.
struct Request {
  std::size_t wanted = 0;
  bool leaving = false;  // the last message
  std::vector<Batch> done = {};
};

class WireWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T> WireWriter& operator<<(const T& x) {
    bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
    return *this;
  }
  template <class T>
  WireWriter& operator<<(const std::vector<T>& list) {
    *this << list.size();
    bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
    return *this;
  }
  WireWriter& operator<<(const std::string& text) {
    *this << text.size();
    bytes += text;
    return *this;
  }
  std::string bytes;
};

class WireReader {
 public:
  explicit WireReader(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  requires std::is_trivially_copyable_v<T> WireReader& operator>>(T& x) {
    std::memcpy(&x, take(sizeof x), sizeof x);
    return *this;
  }
  template <class T>
  WireReader& operator>>(std::vector<T>& list) {
    list.resize(next<std::size_t>());
    if (!list.empty()) std::memcpy(list.data(), take(list.size() * sizeof(T)), list.size() * sizeof(T));
    return *this;
  }
  WireReader& operator>>(std::string& text) {
    const auto size = next<std::size_t>();
    text.assign(take(size), size);
    return *this;
  }
  template <class T>
  T next() {
    T x;
    *this >> x;
    return x;
  }

 private:
  const char* take(std::size_t count) {
    if (count > bytes_.size() - at_) throw std::runtime_error("a message between processes was cut");
    return bytes_.data() + std::exchange(at_, at_ + count);
  }
  const std::string& bytes_;
  std::size_t at_ = 0;
};

inline std::string to_bytes(const Request& request) {
  WireWriter out;
  out << request.wanted << request.leaving << request.done.size();
  for (const Batch& batch : request.done) {
    out << batch.first << batch.status << batch.rows << batch.reasons.size();
    for (const auto& [member, reason] : batch.reasons) out << member << reason;
  }
  return out.bytes;
}

inline Request request_from(const std::string& bytes) {
  WireReader in(bytes);
  Request request;
  in >> request.wanted >> request.leaving;
  request.done.resize(in.next<std::size_t>());
  for (Batch& batch : request.done) {
    in >> batch.first >> batch.status >> batch.rows;
    for (auto reasons = in.next<std::size_t>(); reasons > 0; --reasons) {
      const auto member = in.next<std::size_t>();
      in >> batch.reasons[member];
    }
  }
  return request;
}

}  // namespace carom::detail
