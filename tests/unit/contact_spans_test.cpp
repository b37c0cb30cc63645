// Beginnings and releases of contacts, put together to spans of time.
#include "report/contact_spans.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::test {
namespace {

ChangeRows changes(std::vector<ChangeRow> rows) {
  const auto total = rows.size();
  return {std::move(rows), total};
}
ChangeRow begins(double t, const char* contact) { return {t, 1, contact, true, t + 0.25}; }
ChangeRow released(double t, const char* contact) { return {t, 1, contact, false, t}; }

TEST(ContactSpans, NoneWithoutChanges) {
  const auto r = contact_spans({}, 10);
  EXPECT_EQ(r.count, 0u);
  EXPECT_TRUE(r.names.empty() && r.spans.empty());
}

TEST(ContactSpans, EachBeginningFindsItsRelease) {
  const auto r = contact_spans(
      changes({begins(1, "b"), begins(2, "a"), released(3, "b"), begins(4, "b"), released(5, "a")}), 10);
  EXPECT_EQ(r.names, (std::vector<std::string>{"b", "a"}));
  ASSERT_EQ(r.spans.size(), 3u);
  EXPECT_EQ(r.count, 3u);
  const auto is = [&](std::size_t i, std::size_t contact, double from, double to) {
    const ContactSpan& s = r.spans[i];
    EXPECT_TRUE(s.contact == contact && s.from == from && s.to == to && s.released) << i;
    EXPECT_EQ(s.settled, from + 0.25);
  };
  is(0, 0, 1, 3);
  is(1, 1, 2, 5);
  EXPECT_EQ(r.spans[2].from, 4);
  EXPECT_TRUE(std::isnan(r.spans[2].to)) << "lasts to the end";
  EXPECT_FALSE(r.spans[2].released);
}

TEST(ContactSpans, TellWhereTheySlide) {
  const auto turns = [](double t, int mode) { return ChangeRow{t, 1, "a", true, t, mode}; };
  const auto r = contact_spans(changes({begins(1, "a"), turns(1, 2), turns(2, 1), turns(3, 2), turns(4, 3),
                                        released(5, "a"), begins(6, "a"), turns(6, 1)}),
                               10);
  ASSERT_EQ(r.spans.size(), 2u);
  EXPECT_EQ(r.spans[0].slides, (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(r.spans[1].slides.empty());
}

TEST(ContactSpans, WhatDoesNotFitStillMakesSense) {
  const auto r = contact_spans(changes({released(1, "a"), begins(2, "a"), begins(3, "a")}), 10);
  ASSERT_EQ(r.spans.size(), 2u);
  EXPECT_TRUE(r.spans[0].from == 1 && r.spans[0].to == 1 && r.spans[0].released);
  EXPECT_TRUE(r.spans[1].from == 2 && std::isnan(r.spans[1].to));
}

TEST(ContactSpans, WhereReadingEndsNothingIsReleased) {
  auto some = changes({begins(1, "a"), begins(2, "b"), released(3, "b")});
  some.total = 100;
  const auto r = contact_spans(some, 10);
  ASSERT_EQ(r.spans.size(), 2u);
  EXPECT_EQ(r.spans[0].to, 3);
  EXPECT_FALSE(r.spans[0].released);
  EXPECT_TRUE(r.spans[1].released);
}

TEST(ContactSpans, AreThinnedEvenly) {
  std::vector<ChangeRow> rows;
  for (int i = 0; i < 4001; ++i) rows.push_back(begins(2 * i, "a")), rows.push_back(released(2 * i + 1, "a"));
  const auto r = contact_spans(changes(rows), 2000);
  EXPECT_EQ(r.count, 4001u);
  ASSERT_EQ(r.spans.size(), 1334u);  // each third
  for (std::size_t i = 0; i < r.spans.size(); ++i) EXPECT_EQ(r.spans[i].from, 6.0 * static_cast<double>(i));
  rows.resize(4000);  // as many as may be
  EXPECT_EQ(contact_spans(changes(rows), 2000).spans.size(), 2000u);
}

}  // namespace
}  // namespace carom::test
