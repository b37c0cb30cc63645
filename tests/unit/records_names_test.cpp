// Numbers are found by the same names in every format, whatever coordinates, contacts and quantities are
// called.
#include "records/names.hpp"

#include <gtest/gtest.h>

#include "records/export.hpp"
#include "records_helpers.hpp"

namespace carom::test {
namespace {

using Names = std::vector<std::string>;

Layout named_layout(const Names& coordinates, const Names& contacts, const Names& quantities) {
  const std::size_t n = coordinates.size();
  Layout r{.columns = {{"t"},
                       {"q", n, false, coordinates},
                       {"v", n, false, coordinates},
                       {"p", n, false, coordinates},
                       {"H"},
                       {"work"},
                       {"gaps", contacts.size(), false, contacts}},
           .text_name = {}};
  if (!quantities.empty()) r.columns.push_back({"quantities", quantities.size(), false, quantities});
  return r;
}

TEST(RecordNames, OfEveryNumber) {
  EXPECT_EQ(number_names(named_layout({"x", "θ2"}, {"floor", "left wall"}, {"height"})),
            (Names{"t", "x", "θ2", "v.x", "v.θ2", "p.x", "p.θ2", "H", "work", "gaps.floor", "gaps.left wall",
                   "height"}));
  EXPECT_EQ(number_names({.columns = {{"t"}, {"q", 2, false}}, .text_name = {}}), (Names{"t", "q.0", "q.1"}));
}

// A column of the records keeps its name, also one that this run does not have.
TEST(RecordNames, AreNoTwoAlike) {
  const Layout layout = named_layout({"q", "H", "work", "friction", "x", "x"}, {"H", "H"}, {});
  Names names = number_names(layout);
  EXPECT_EQ((Names{names.begin() + 1, names.begin() + 7}),
            (Names{"q.q", "q.H", "q.work", "q.friction", "x", "q.x"}));
  EXPECT_EQ(column_of(layout, "H"), 19u);
  EXPECT_EQ(column_of(layout, "q.H"), 2u);
  EXPECT_EQ(column_of(layout, "q"), std::nullopt);
}

TEST(RecordNames, LeadToTheirPlaces) {
  const Layout layout = named_layout({"x", "y1"}, {"floor"}, {"a", "b"});
  for (const auto& [name, place] : std::vector<std::pair<const char*, std::size_t>>{{"t", 0},
                                                                                    {"x", 1},
                                                                                    {"q.x", 1},
                                                                                    {"q.0", 1},
                                                                                    {"y1", 2},
                                                                                    {"v.y1", 4},
                                                                                    {"v.1", 4},
                                                                                    {"H", 7},
                                                                                    {"gaps.floor", 9},
                                                                                    {"gaps.0", 9},
                                                                                    {"a", 10},
                                                                                    {"quantities.b", 11},
                                                                                    {"b", 11}})
    EXPECT_EQ(column_of(layout, name), place) << name;
  for (const char* name : {"", "z", "q", "q.2", "q.z", "floor", "H.0", "t.0", "x.0", "q.", ".x", "q.0 "})
    EXPECT_EQ(column_of(layout, name), std::nullopt) << name;
}

// The layouts that the formats give back have every number in the place of its name.
using NamedFiles = RecordFiles;

TEST_F(NamedFiles, GiveBackEveryNumberByItsName) {
  for (const Names& coordinates :
       {Names{"x"}, Names{"θ1", "θ2"}, Names{"q", "H", "v"}, Names{"work", "y", "t2"}}) {
    const Layout layout = named_layout(coordinates, {"floor", "a, \"b\""}, {"height", "ω"});
    make_live(folder / "a.npy", layout, 50);
    const auto live = open_live(folder / "a.npy");
    const auto expected = all_rows(*live);
    const std::size_t width = layout.row_width();
    NamedTable plain(*live, layout, false), copied(*live, layout, true);
    export_csv(plain, folder / "a.csv"), export_npz(copied, folder / "a.npz"),
        export_hdf5(copied, folder / "a.h5");
    for (const auto& source :
         {open_csv(folder / "a.csv"), open_npz(folder / "a.npz"), open_hdf5(folder / "a.h5")}) {
      ASSERT_EQ(source->layout().columns[1].width, coordinates.size());
      const auto rows = all_rows(*source);
      const std::size_t own_width = source->layout().row_width();
      for (const std::string& name : number_names(layout)) {
        if (name.find('.') != std::string::npos) continue;
        const auto here = column_of(layout, name), there = column_of(source->layout(), name);
        ASSERT_TRUE(here && there) << name;
        std::vector<double> a, b;
        for (std::size_t i = 0; i < 50; ++i)
          a.push_back(expected[i * width + *here]), b.push_back(rows[i * own_width + *there]);
        ASSERT_NO_FATAL_FAILURE(expect_same(a, b, false)) << name;
      }
    }
  }
}

}  // namespace
}  // namespace carom::test
