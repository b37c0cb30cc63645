// HDF5 files with a dataset for each column. The only file that knows the HDF5 library.
//
// They are written in the newer format of HDF5 1.10, in which all metadata has checksums, and with checksums
// of the data. Files in the older format are not opened: the library may crash on damaged ones.
#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "files/files.hpp"
#include "files/staged_file.hpp"
#include "records/columns.hpp"
#include "records/export.hpp"
#include "records/input_file.hpp"

namespace carom {

namespace fs = std::filesystem;

namespace {

// A call of the library failed; the outermost function turns it into FileError or RecordError.
struct Hdf5Error {
  std::string what;
};

herr_t gather(unsigned, const H5E_error2_t* entry, void* data) {
  auto& error = *static_cast<Hdf5Error*>(data);
  if (error.what.empty() && entry->desc != nullptr) error.what = entry->desc;
  return 0;
}

// Passes on what a function of the library returned, which is negative when it failed.
template <class Value>
Value checked(Value value) {
  if (value >= 0) return value;
  Hdf5Error error;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, gather, &error);
  throw error;
}

// The library would print its errors; and, after a damaged file, complain when the process ends that it
// cannot close all it had opened, so it is not asked to.
class Quiet {
 public:
  Quiet() {
    [[maybe_unused]] static const herr_t not_asked = H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// Owns an identifier of the library.
class Id {
 public:
  using Close = herr_t (*)(hid_t);
  Id(hid_t id, Close closer) : id_(checked(id)), close_(closer) {}
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Id& operator=(Id&&) = delete;
  ~Id() {
    if (id_ >= 0) close_(id_);
  }
  [[nodiscard]] hid_t get() const { return id_; }
  void close() { checked(close_(std::exchange(id_, -1))); }

 private:
  hid_t id_;
  Close close_;
};

Id access() {
  Id list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  checked(H5Pset_libver_bounds(list.get(), H5F_LIBVER_V110, H5F_LIBVER_V110));
  return list;
}

// Where the library's writes go. When one fails, the library must not know: it could not close the file any
// more, would try again when the process ends, and crash. So it is told that all is well until it has closed
// the file, and `error` tells us.
struct Target {
  int descriptor;
  int error = 0;  // an errno
};

// What a list of file properties carries to the driver, by copy.
struct DriverInfo {
  Target* target;
};

// What the library calls a file: its own part first.
struct DriverFile {
  H5FD_t library{};
  Target* target = nullptr;
  haddr_t allocated = 0, end = 0;
};

DriverFile& driver_file(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& driver_file(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* driver_open(const char*, unsigned, hid_t access_list, haddr_t) {
  const void* info = H5Pget_driver_info(access_list);
  auto file = std::make_unique<DriverFile>();
  file->target = static_cast<const DriverInfo*>(info)->target;
  return &file.release()->library;
}

herr_t driver_write(H5FD_t* handle, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* bytes) {
  DriverFile& file = driver_file(handle);
  file.end = std::max(file.end, address + size);
  if (file.target->error != 0) return 0;
  const std::span data(static_cast<const std::byte*>(bytes), size);
  file.target->error = detail::write_at(file.target->descriptor, data, address).error;
  return 0;
}

// Zeros where nothing was written.
herr_t driver_read(H5FD_t* handle, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* bytes) {
  Target& target = *driver_file(handle).target;
  std::memset(bytes, 0, size);
  for (std::size_t done = 0; done < size;) {
    const ::ssize_t n = ::pread(target.descriptor, static_cast<char*>(bytes) + done, size - done,
                                static_cast<::off_t>(address + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) target.error = errno;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  return 0;
}

// The file ends where the library's last allocation does, which need not be its last write.
herr_t driver_truncate(H5FD_t* handle, hid_t, hbool_t) {
  DriverFile& file = driver_file(handle);
  if (::ftruncate(file.target->descriptor, static_cast<::off_t>(file.allocated)) != 0)
    file.target->error = errno;
  file.end = file.allocated;
  return 0;
}

herr_t driver_close(H5FD_t* handle) {
  delete &driver_file(handle);
  return 0;
}

herr_t driver_allocate(H5FD_t* handle, H5FD_mem_t, haddr_t end) {
  driver_file(handle).allocated = end;
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t r{};
  r.name = "carom";
  r.maxaddr = std::numeric_limits<std::int64_t>::max();
  r.fc_degree = H5F_CLOSE_WEAK;
  r.fapl_size = sizeof(DriverInfo);
  r.open = driver_open;
  r.close = driver_close;
  r.get_eoa = [](const H5FD_t* file, H5FD_mem_t) { return driver_file(file).allocated; };
  r.set_eoa = driver_allocate;
  r.get_eof = [](const H5FD_t* file, H5FD_mem_t) { return driver_file(file).end; };
  r.read = driver_read;
  r.write = driver_write;
  r.truncate = driver_truncate;
  const std::array<H5FD_mem_t, H5FD_MEM_NTYPES> one_space = H5FD_FLMAP_SINGLE;
  std::copy(one_space.begin(), one_space.end(), r.fl_map);
  return r;
}

constexpr unsigned creation_order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;

Id create_file(Target& target) {
  static const H5FD_class_t description = driver_class();
  const Id driver(H5FDregister(&description), H5FDunregister);
  const Id list = access();
  const DriverInfo info{&target};
  checked(H5Pset_driver(list.get(), driver.get(), &info));
  const Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  checked(H5Pset_link_creation_order(creation.get(), creation_order));
  checked(H5Pset_obj_track_times(creation.get(), false));  // equal tables make equal files
  return {H5Fcreate("table", H5F_ACC_TRUNC, creation.get(), list.get()), H5Fclose};
}

// The attribute "names".
void name_parts(const Id& dataset, const Column& column) {
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  checked(H5Tset_size(type.get(), H5T_VARIABLE));
  checked(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  const hsize_t count = column.parts.size();
  const Id space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Id names(H5Acreate2(dataset.get(), "names", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                 H5Aclose);
  std::vector<const char*> texts;
  for (const std::string& part : column.parts) texts.push_back(part.c_str());
  checked(H5Awrite(names.get(), type.get(), texts.data()));
}

Id create_dataset(const Id& file, const Column& column, std::uint64_t rows) {
  const std::array<hsize_t, 2> shape{rows, column.width};
  const int rank = column.scalar ? 1 : 2;
  const Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  checked(H5Pset_obj_track_times(creation.get(), false));
  if (rows != 0 && column.width != 0) {
    constexpr hsize_t chunk_numbers = 32768;
    const std::array<hsize_t, 2> chunk{std::clamp<hsize_t>(chunk_numbers / column.width, 1, rows),
                                       column.width};
    checked(H5Pset_chunk(creation.get(), rank, chunk.data()));
    checked(H5Pset_fletcher32(creation.get()));
  }
  const Id space(H5Screate_simple(rank, shape.data(), nullptr), H5Sclose);
  Id dataset(H5Dcreate2(file.get(), column.name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                        creation.get(), H5P_DEFAULT),
             H5Dclose);
  if (!column.parts.empty()) name_parts(dataset, column);
  return dataset;
}

// Rows first ... first + count - 1 of a dataset, and the same numbers in memory.
struct Selection {
  Selection(const Id& dataset, const Column& column, std::uint64_t first, std::uint64_t count)
      : in_file(H5Dget_space(dataset.get()), H5Sclose), in_memory(memory_space(column, count)) {
    const std::array<hsize_t, 2> start{first, 0}, extent{count, column.width};
    checked(
        H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr));
  }
  static Id memory_space(const Column& column, std::uint64_t count) {
    const hsize_t numbers = count * column.width;
    return {H5Screate_simple(1, &numbers, nullptr), H5Sclose};
  }
  Id in_file, in_memory;
};

struct WriteFailed {};

void write_file(TableSource& source, Target& target) {
  Id file = create_file(target);
  std::vector<Id> datasets;
  for (const Column& column : source.layout().columns)
    datasets.push_back(create_dataset(file, column, source.rows()));
  detail::for_each_column_block(
      source, [&](std::size_t c, std::uint64_t first, std::span<const double> numbers) {
        const Column& column = source.layout().columns[c];
        if (numbers.empty()) return;
        const Selection rows(datasets[c], column, first, numbers.size() / column.width);
        checked(H5Dwrite(datasets[c].get(), H5T_NATIVE_DOUBLE, rows.in_memory.get(), rows.in_file.get(),
                         H5P_DEFAULT, numbers.data()));
      });
  for (Id& dataset : datasets) dataset.close();
  file.close();
}

class Hdf5Source final : public TableSource {
 public:
  explicit Hdf5Source(const fs::path& path) : path_(path) {
    check_format();
    const Quiet quiet;
    try {
      open();
      validate(layout_);
    } catch (const Hdf5Error& error) {
      throw RecordError(path_, fmt::format("cannot be read as HDF5: {}", error.what));
    } catch (const std::invalid_argument& error) {
      throw RecordError(path_, error.what());
    }
  }

  [[nodiscard]] const Layout& layout() const override { return layout_; }
  [[nodiscard]] std::uint64_t rows() const override { return rows_; }

 private:
  void check_format() const {
    const detail::InputFile file(path_);
    using namespace std::string_view_literals;
    constexpr std::size_t start = 9;  // signature and version
    constexpr char first_with_checksums = 2;
    if (file.size() < start || !file.text_at(0, start).starts_with("\x89HDF\r\n\x1a\n"sv))
      throw RecordError(path_, "is not an HDF5 file");
    if (file.text_at(0, start).back() < first_with_checksums)
      throw RecordError(path_, "is an HDF5 file of the older format, not written by carom");
  }

  void open() {
    const Id file(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access().get()), H5Fclose);
    H5G_info_t group{};
    checked(H5Gget_info(file.get(), &group));
    // Some damage to a list of many datasets makes the library see fewer of them, without an error.
    if (static_cast<hsize_t>(group.max_corder) != group.nlinks) throw Hdf5Error{"datasets are missing"};
    for (hsize_t i = 0; i < group.nlinks; ++i) {
      std::array<char, 256> name{};
      checked(H5Lget_name_by_idx(file.get(), ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name.data(),
                                 name.size(), H5P_DEFAULT));
      add_column(file, name.data());
    }
  }

  void add_column(const Id& file, const std::string& name) {
    const auto fail = [&](std::string_view what) {
      throw RecordError(path_, fmt::format("dataset '{}' {}", name, what));
    };
    Id dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const Id type(H5Dget_type(dataset.get()), H5Tclose);
    if (checked(H5Tequal(type.get(), H5T_IEEE_F64LE)) == 0) fail("is not of float64");
    const Id space(H5Dget_space(dataset.get()), H5Sclose);
    const int rank = checked(H5Sget_simple_extent_ndims(space.get()));
    if (rank != 1 && rank != 2) fail("has not one or two dimensions");
    std::array<hsize_t, 2> shape{0, 1};
    checked(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr));
    const hsize_t stored = H5Dget_storage_size(dataset.get()) / sizeof(double);
    if (shape[1] != 0 && shape[0] > stored / shape[1]) fail("lacks data");
    if (!datasets_.empty() && shape[0] != rows_) fail("has another number of rows");
    rows_ = shape[0];
    layout_.columns.push_back({name, shape[1], rank == 1});
    datasets_.push_back(std::move(dataset));
  }

  void fetch(std::uint64_t first, std::uint64_t count, std::span<double> numbers) override {
    const Quiet quiet;
    try {
      for (std::size_t c = 0; c < datasets_.size(); ++c) read_column(c, first, count, numbers);
    } catch (const Hdf5Error& error) {
      throw RecordError(path_, fmt::format("cannot be read: {}", error.what));
    }
  }

  void read_column(std::size_t c, std::uint64_t first, std::uint64_t count, std::span<double> numbers) {
    const Column& column = layout_.columns[c];
    if (column.width == 0) return;
    column_.resize(count * column.width);
    const Selection rows(datasets_[c], column, first, count);
    checked(H5Dread(datasets_[c].get(), H5T_NATIVE_DOUBLE, rows.in_memory.get(), rows.in_file.get(),
                    H5P_DEFAULT, column_.data()));
    detail::place_column(layout_, c, column_, numbers);
  }

  fs::path path_;
  Layout layout_;
  std::uint64_t rows_ = 0;
  std::vector<Id> datasets_;  // they keep the file open
  std::vector<double> column_;
};

}  // namespace

void export_hdf5(TableSource& source, const fs::path& path) {
  detail::refuse_text(source.layout());
  detail::StagedFile file(path);
  Target target{file.descriptor()};
  const Quiet quiet;
  try {
    write_file(source, target);
  } catch (const WriteFailed&) {  // target.error tells why
  } catch (const Hdf5Error& error) {
    if (target.error == 0)
      throw FileError(fmt::format("write, as HDF5 ({}),", error.what), file.target(), EIO);
  }
  if (target.error != 0) throw FileError("write", file.target(), target.error);
  file.commit();
}

std::unique_ptr<TableSource> open_hdf5(const fs::path& path) { return std::make_unique<Hdf5Source>(path); }

}  // namespace carom
