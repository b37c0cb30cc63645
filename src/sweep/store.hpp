// The rows of a sweep while it goes on: a file beside the results that holds every member's numbers as soon
// as they are known, so that a sweep that was killed, by whatever, goes on where it was.
//
// The file is mapped into memory. A row ends with a word that says what became of the member and is a
// checksum of its numbers: a row that was not written, or not all of it, is seen as missing. Beside it,
// `failures` is a list of the first failed members with their reasons.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files/descriptor.hpp"
#include "sweep/member_runner.hpp"

namespace carom {

// Consecutive members, done.
struct Batch {
  std::size_t first = 0;
  std::vector<MemberStatus> status = {};  // one a member
  std::vector<double> rows = {};
  std::map<std::size_t, std::string> reasons = {};  // of members that were refused or failed
};

class Store {
 public:
  static constexpr std::size_t most_reasons = 100;

  // Opens what an earlier sweep of the same `identity` left in the folder, or makes it anew. Throws
  // FileError, and RecordError where what is there belongs to another sweep.
  Store(const std::filesystem::path& folder, std::uint32_t identity, std::size_t members, std::size_t width);

  void put(const Batch& batch);  // by one thread at a time

  std::size_t members() const { return members_; }
  std::optional<MemberStatus> status(std::size_t member) const;  // nothing where it is not done
  std::span<const double> row(std::size_t member) const;
  // Of the first members that did not complete.
  const std::map<std::size_t, std::string>& reasons() const { return reasons_; }

  static bool exists(const std::filesystem::path& folder);
  static void remove(const std::filesystem::path& folder);

 private:
  double* begin_of(std::size_t member) const;
  std::uint64_t& tag_of(std::size_t member) const;
  void read_reasons();
  void forget_unexplained();
  void keep_reason(std::size_t member, const std::string& reason);

  std::filesystem::path rows_path_, reasons_path_;
  std::size_t members_, width_, bytes_;
  detail::Descriptor rows_, reasons_file_;
  struct Unmap {
    std::size_t bytes;
    void operator()(double* map) const;
  };
  std::unique_ptr<double, Unmap> map_;
  std::map<std::size_t, std::string> reasons_;
};

}  // namespace carom
