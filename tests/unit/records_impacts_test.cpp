// Impacts on their way from the live table to impacts.csv and back.
#include "records/impacts.hpp"

#include <gtest/gtest.h>

#include "records_helpers.hpp"

namespace carom::test {
namespace {

class Impacts : public RecordFiles {
 protected:
  void write_live(std::size_t dim, const std::vector<ImpactRow>& rows) {
    LiveTable table = LiveTable::create(folder / "impacts.npy", impact_layout(dim, 40));
    for (const ImpactRow& row : rows) {
      std::vector<double> numbers{row.t, static_cast<double>(row.step)};
      for (const auto* part : {&row.q, &row.p_before, &row.p_after})
        numbers.insert(numbers.end(), part->begin(), part->end());
      numbers.insert(numbers.end(), {row.impulse, row.rate_before, row.rate_after});
      table.append(numbers, row.contact);
    }
  }
  std::vector<ImpactRow> sample(std::size_t count) {
    std::vector<ImpactRow> rows;
    for (std::size_t i = 0; i < count; ++i) {
      const double x = 0.1 * static_cast<double>(i);
      rows.push_back({.t = x,
                      .step = static_cast<std::int64_t>(i) + 1'000'000'000'000,
                      .contact = i % 2 == 0 ? "floor" : "a, b + \"c\"",
                      .q = {x, -x},
                      .p_before = {1 / (x + 1), 5e-324},
                      .p_after = {-0.0, 1e300},
                      .impulse = 3 * x,
                      .rate_before = -x,
                      .rate_after = x});
    }
    return rows;
  }
};

TEST_F(Impacts, CsvIsThatOfTheContract) {
  write_live(2, {{.t = 0.25,
                  .step = 3,
                  .contact = "floor",
                  .q = {1, 2},
                  .p_before = {-1, 0.5},
                  .p_after = {1, 0.5},
                  .impulse = 2,
                  .rate_before = -1,
                  .rate_after = 1}});
  export_impacts(folder / "impacts.npy", folder / "impacts.csv");
  EXPECT_EQ(contents(folder / "impacts.csv"),
            "time,step,contact,q.0,q.1,p_before.0,p_before.1,p_after.0,p_after.1,impulse,gap_rate_before,gap_"
            "rate_after\n"
            "0.25,3,floor,1,2,-1,0.5,1,0.5,2,-1,1\n");
}

TEST_F(Impacts, ComeBackTheSame) {
  const auto rows = sample(5000);
  write_live(2, rows);
  export_impacts(folder / "impacts.npy", folder / "impacts.csv");
  for (const std::size_t limit : {0, 1, 1024, 1025, 5000, 9999}) {
    const std::vector<ImpactRow> first(rows.begin(),
                                       rows.begin() + static_cast<int>(std::min<std::size_t>(limit, 5000)));
    const ImpactRows from_csv = read_impacts(folder / "impacts.csv", limit);
    EXPECT_EQ(from_csv.total, 5000u);
    EXPECT_TRUE(from_csv.rows == first) << limit;
    const ImpactRows from_live = read_live_impacts(folder / "impacts.npy", limit);
    EXPECT_EQ(from_live.total, 5000u);
    EXPECT_TRUE(from_live.rows == first) << limit;
  }
}

TEST_F(Impacts, NoneAndOneCoordinate) {
  write_live(1, {});
  export_impacts(folder / "impacts.npy", folder / "impacts.csv");
  EXPECT_EQ(contents(folder / "impacts.csv"),
            "time,step,contact,q.0,p_before.0,p_after.0,impulse,gap_rate_before,gap_rate_after\n");
  EXPECT_EQ(read_impacts(folder / "impacts.csv", 10).total, 0u);
}

TEST_F(Impacts, CoordinatesHaveTheirNames) {
  const auto rows = sample(3);
  write_live(2, rows);
  export_impacts(folder / "impacts.npy", folder / "impacts.csv", {"θ", "step"});
  const std::string text = contents(folder / "impacts.csv");
  EXPECT_TRUE(text.starts_with("time,step,contact,θ,q.step,p_before.θ,p_before.step,p_after.θ,p_after.step,"))
      << text;
  EXPECT_TRUE(read_impacts(folder / "impacts.csv", 10).rows == rows);
}

TEST_F(Impacts, LineBreakInANameBecomesASpace) {
  auto rows = sample(1);
  rows[0].contact = "two\nlines";
  write_live(2, rows);
  export_impacts(folder / "impacts.npy", folder / "impacts.csv");
  EXPECT_EQ(read_impacts(folder / "impacts.csv", 10).rows.at(0).contact, "two lines");
}

TEST_F(Impacts, BadFilesAreRefused) {
  write_live(2, sample(3));
  export_impacts(folder / "impacts.npy", folder / "impacts.csv");
  const std::string whole = contents(folder / "impacts.csv");
  const auto message = [&](std::string text) {
    overwrite(folder / "b.csv", text);
    const std::string what = message_of([&] { (void)read_impacts(folder / "b.csv", 10); });
    return what.substr(what.find("': ") + 3);
  };
  EXPECT_EQ(message(""), "is empty");
  EXPECT_EQ(message("t,q.0\n"), "line 1 is not the header of a file of impacts");
  EXPECT_EQ(message(whole + "1,2,3\n"), "line 5 has not 12 columns");
  EXPECT_EQ(message(whole + "1,2,\"a,3,4,5,6,7,8,9,10,11\n"), "line 5 has not 12 columns");
  EXPECT_EQ(message(whole + "1,2,a,3,4,5,6,7,8,9,10,x\n"), "line 5 has no number in column 12: 'x'");
  EXPECT_EQ(message(whole + "1,2.5,a,3,4,5,6,7,8,9,10,11\n"),
            "line 5 has no number of a step in column 2: '2.5'");
  EXPECT_EQ(message(whole + "1,1e300,a,3,4,5,6,7,8,9,10,11\n"),
            "line 5 has no number of a step in column 2: '1e300'");
  EXPECT_EQ(message(whole.substr(0, whole.size() - 1)), "line 4 does not end, so the file was cut");
  make_live(folder / "b.npy", trajectory_layout(), 3);
  EXPECT_EQ(message_of([&] { export_impacts(folder / "b.npy", folder / "b.csv"); }),
            "'" + (folder / "b.npy").string() + "': is not a table of impacts");
}

TEST_F(Impacts, CutsAndChangedBytesDoNoHarm) {
  write_live(2, sample(3));
  export_impacts(folder / "impacts.npy", folder / "impacts.csv");
  const auto try_both = [&](const std::string& text) {
    overwrite(folder / "b", text);
    message_of([&] { (void)read_impacts(folder / "b", 10); });
    message_of([&] { (void)read_live_impacts(folder / "b", 10); });
  };
  for (const char* name : {"impacts.npy", "impacts.csv"}) {
    const std::string whole = contents(folder / name);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      try_both(whole.substr(0, i));
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
      try_both(changed);
    }
  }
}

}  // namespace
}  // namespace carom::test
