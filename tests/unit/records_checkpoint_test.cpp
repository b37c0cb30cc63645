// Checkpoints: exact, readable, and never half.
#include "records/checkpoint.hpp"

#include <gtest/gtest.h>

#include "records/npz.hpp"
#include "records_helpers.hpp"

namespace carom::test {
namespace {

using Checkpoints = RecordFiles;

Checkpoint sample() {
  Checkpoint checkpoint{.scenario = "[system]\nname = \"cart-pendulum\"  # θ\n", .numbers = {}, .counts = {}};
  checkpoint.numbers["all"] = awkward_rows(200, 1);
  checkpoint.numbers["nans"] = {std::bit_cast<double>(0x7FF8000000000123u),
                                std::bit_cast<double>(0xFFF8000000000000u),
                                std::bit_cast<double>(0x7FF0000000000001u)};
  checkpoint.numbers["none"] = {};
  checkpoint.counts = {{"step", 100'000'000}, {"least", std::numeric_limits<std::int64_t>::min()}};
  return checkpoint;
}

void expect_equal(const Checkpoint& a, const Checkpoint& b) {
  EXPECT_EQ(a.scenario, b.scenario);
  EXPECT_EQ(a.counts, b.counts);
  ASSERT_EQ(a.numbers.size(), b.numbers.size());
  for (const auto& [name, values] : a.numbers) expect_same(values, b.numbers.at(name));
}

TEST_F(Checkpoints, GiveBackEveryBit) {
  save_checkpoint(folder / "c", sample());
  expect_equal(load_checkpoint(folder / "c"), sample());
  save_checkpoint(folder / "c", {});
  expect_equal(load_checkpoint(folder / "c"), {});
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(Checkpoints, CanBeRead) {
  save_checkpoint(folder / "c",
                  {.scenario = "title = \"\"\n", .numbers = {{"q", {0.5, -0.0}}}, .counts = {{"n", 7}}});
  const std::string text = contents(folder / "c");
  EXPECT_EQ(text.substr(0, text.find("crc32")),
            "carom checkpoint 1\ncount n 7\nnumbers q 0.5 -0\nscenario 11 bytes\ntitle = \"\"\n\n");
}

// A scenario may contain whatever looks like the rest of a checkpoint.
TEST_F(Checkpoints, ScenarioIsTakenAsItIs) {
  for (const std::string text :
       {"", "\n", "crc32 00000000\n", "no newline", "scenario 3 bytes\nabc\ncrc32 1\n"}) {
    save_checkpoint(folder / "c", {.scenario = text, .numbers = {}, .counts = {}});
    EXPECT_EQ(load_checkpoint(folder / "c").scenario, text);
  }
}

TEST_F(Checkpoints, NamesAreWords) {
  for (const char* name : {"", "two words", "line\nbreak"}) {
    EXPECT_THROW(save_checkpoint(folder / "c", {.scenario = {}, .numbers = {{name, {}}}, .counts = {}}),
                 std::invalid_argument);
    EXPECT_THROW(save_checkpoint(folder / "c", {.scenario = {}, .numbers = {}, .counts = {{name, 1}}}),
                 std::invalid_argument);
  }
}

TEST_F(Checkpoints, EveryCutIsNoticed) {
  save_checkpoint(folder / "c", sample());
  const std::string whole = contents(folder / "c");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    overwrite(folder / "c", whole.substr(0, length));
    ASSERT_THROW((void)load_checkpoint(folder / "c"), RecordError) << length;
  }
  overwrite(folder / "c", whole + "\n");
  EXPECT_THROW((void)load_checkpoint(folder / "c"), RecordError);
}

TEST_F(Checkpoints, EveryFlippedBitIsNoticed) {
  save_checkpoint(folder / "c", sample());
  const std::string whole = contents(folder / "c");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
    overwrite(folder / "c", changed);
    ASSERT_THROW((void)load_checkpoint(folder / "c"), RecordError) << i;
  }
}

// Also what has a right checksum may be wrong.
TEST_F(Checkpoints, BadContentsAreNamed) {
  const auto message = [&](std::string body) {
    body = "carom checkpoint 1\n" + body;
    char line[32];
    std::snprintf(line, sizeof line, "crc32 %08x\n", detail::crc32(std::as_bytes(std::span(body))));
    overwrite(folder / "c", body + line);
    const std::string text = message_of([&] { (void)load_checkpoint(folder / "c"); });
    return text.substr(text.find("': ") + 3);
  };
  EXPECT_EQ(message("count n x\nscenario 0 bytes\n\n"), "a count cannot be read");
  EXPECT_EQ(message("count n 1\ncount n 1\nscenario 0 bytes\n\n"), "a count cannot be read");
  EXPECT_EQ(message("numbers q 1 x\nscenario 0 bytes\n\n"), "a number cannot be read");
  EXPECT_EQ(message("numbers q 1\nnumbers q 1\nscenario 0 bytes\n\n"), "'q' is there twice");
  EXPECT_EQ(message("scenario 99999999999 bytes\n\n"), "the scenario is cut off");
  EXPECT_EQ(message("scenario 0 bytes\n\nmore\n"), "something follows the scenario");
  EXPECT_EQ(message("color red\n"), "'color' is unknown");
  EXPECT_EQ(message(""), "a line is missing");
}

}  // namespace
}  // namespace carom::test
