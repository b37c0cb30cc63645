// The rows of a sweep under way: what is there after any kind of death is whole, and what is damaged counts
// as missing.
#include "sweep/store.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "records/table.hpp"

namespace carom {
namespace {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  static constexpr std::size_t members = 300, width = 3;
  const fs::path folder = fs::temp_directory_path() / ("carom-store-" + std::to_string(::getpid()));

  static Batch some(std::size_t first, std::size_t count, MemberStatus status = MemberStatus::completed) {
    Batch batch{first};
    for (std::size_t i = first; i < first + count; ++i) {
      batch.status.push_back(status);
      for (std::size_t k = 0; k < width; ++k)
        batch.rows.push_back(std::sqrt(static_cast<double>(width * i + k)));
      if (status != MemberStatus::completed) batch.reasons[i] = "reason " + std::to_string(i);
    }
    return batch;
  }
};

TEST_F(StoreTest, RowsAreThereWhenItIsOpenedAgain) {
  {
    Store store(folder, 1, members, width);
    for (std::size_t i = 0; i < members; ++i) EXPECT_FALSE(store.status(i));
    store.put(some(10, 20));
    store.put(some(50, 1, MemberStatus::failed));
  }
  const Store store(folder, 1, members, width);
  for (std::size_t i = 0; i < members; ++i)
    EXPECT_EQ(store.status(i).has_value(), (i >= 10 && i < 30) || i == 50);
  EXPECT_EQ(store.row(12)[1], std::sqrt(37.0));
  EXPECT_EQ(store.status(50), MemberStatus::failed);
  EXPECT_EQ(store.reasons().at(50), "reason 50");
}

TEST_F(StoreTest, AnyChangedByteMakesARowMissing) {
  { Store(folder, 1, members, width).put(some(0, members)); }
  constexpr std::size_t header = 64, stride = sizeof(double) * (width + 1);
  for (std::size_t i = 0; i < 32; ++i) {
    std::fstream file(folder / "members.partial", std::ios::in | std::ios::out | std::ios::binary);
    const auto at = static_cast<std::streamoff>(header + i * stride + i % stride);
    file.seekg(at);
    const char was = static_cast<char>(file.get());
    file.seekp(at);
    file.put(static_cast<char>(was ^ 0x10));
  }
  const Store store(folder, 1, members, width);
  for (std::size_t i = 0; i < members; ++i) EXPECT_EQ(store.status(i).has_value(), i >= 32) << i;
}

TEST_F(StoreTest, TheFirstHundredReasonsAreKeptInWhateverOrderTheyCome) {
  {
    Store store(folder, 1, members, width);
    store.put(some(150, 150, MemberStatus::failed));
    store.put(some(0, 150, MemberStatus::failed));
  }
  const Store store(folder, 1, members, width);
  EXPECT_EQ(store.reasons().size(), Store::most_reasons);
  EXPECT_EQ(store.reasons().rbegin()->first, 99);
}

TEST_F(StoreTest, AFailureWhoseReasonWasLostIsDoneAgain) {
  { Store(folder, 1, members, width).put(some(5, 2, MemberStatus::failed)); }
  std::ofstream(folder / "failures.partial") << "5\treason 5\n6\treas";  // cut
  const Store store(folder, 1, members, width);
  EXPECT_TRUE(store.status(5));
  EXPECT_FALSE(store.status(6));
}

TEST_F(StoreTest, AnotherSweepIsRefused) {
  { Store(folder, 1, members, width).put(some(0, 1)); }
  EXPECT_THROW(Store(folder, 2, members, width), RecordError);
  const Store open(folder, 1, members, width);
  EXPECT_THROW(Store(folder, 1, members, width), RecordError) << "while another process writes it";
}

}  // namespace
}  // namespace carom
