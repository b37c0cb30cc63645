#include <fmt/format.h>

#include <algorithm>

#include "records/columns.hpp"
#include "records/npy_header.hpp"
#include "records/npz.hpp"
#include "records/table.hpp"
#include "records/zip_reader.hpp"

namespace carom {

namespace fs = std::filesystem;

namespace {

class NpzSource final : public TableSource {
 public:
  explicit NpzSource(const fs::path& path) : file_(path) {
    const detail::ZipReader archive(file_);
    for (const detail::ZipEntry& entry : archive.entries()) add_column(archive, entry);
    try {
      validate(layout_);
    } catch (const std::invalid_argument& error) {
      throw RecordError(path, error.what());
    }
  }

  [[nodiscard]] const Layout& layout() const override { return layout_; }
  [[nodiscard]] std::uint64_t rows() const override { return rows_; }

 private:
  void add_column(const detail::ZipReader& archive, const detail::ZipEntry& entry) {
    const std::uint64_t begin = archive.contents_of(entry);
    archive.check_sum(entry, begin);
    const detail::NpyHeader header = detail::read_npy_header(file_, begin, begin + entry.size);
    constexpr std::string_view ending = ".npy";
    const std::string_view name = entry.name;
    const auto fail = [&](std::string_view what) {
      throw RecordError(file_.path(), fmt::format("array '{}' {}", entry.name, what));
    };
    if (!name.ends_with(ending)) fail("has no name that ends in .npy");
    if (name.ends_with(".names.npy") && !header.structured && header.fields[0].type.starts_with("<U")) return;
    if (header.structured || header.fields[0].type != "<f8" || header.fortran_order)
      fail("is not of float64 in C order");
    if (header.shape.empty() || header.shape.size() > 2) fail("has not one or two dimensions");
    const std::uint64_t width = header.shape.size() == 2 ? header.shape[1] : 1;
    const std::uint64_t numbers = (entry.size - header.bytes) / sizeof(double);
    if (width != 0 && (header.shape[0] > numbers / width || header.shape[0] * width != numbers))
      fail("has not the size that its header says");
    if (!begin_.empty() && header.shape[0] != rows_) fail("has another number of rows");
    rows_ = header.shape[0];
    layout_.columns.push_back(
        {std::string(name.substr(0, name.size() - ending.size())), width, header.shape.size() == 1});
    begin_.push_back(begin + header.bytes);
  }

  void fetch(std::uint64_t first, std::uint64_t count, std::span<double> numbers) override {
    for (std::size_t c = 0; c < layout_.columns.size(); ++c) {
      const std::size_t width = layout_.columns[c].width;
      column_.resize(count * width);
      file_.read_at(begin_[c] + first * width * sizeof(double), std::as_writable_bytes(std::span(column_)));
      detail::place_column(layout_, c, column_, numbers);
    }
  }

  detail::InputFile file_;
  Layout layout_;
  std::uint64_t rows_ = 0;
  std::vector<std::uint64_t> begin_;  // of each column's numbers
  std::vector<double> column_;
};

}  // namespace

std::unique_ptr<TableSource> open_npz(const fs::path& path) { return std::make_unique<NpzSource>(path); }

}  // namespace carom
