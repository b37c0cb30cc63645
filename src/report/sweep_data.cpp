#include "report/sweep_data.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "records/json_file.hpp"
#include "records/npy_header.hpp"
#include "records/zip_reader.hpp"
#include "report/base64.hpp"
#include "sweep/quantiles.hpp"

namespace carom::detail {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

// Numbers that a page can hold: four bytes each, and a third more as text.
constexpr std::size_t most_numbers = 300'000, most_of_series = 120'000, most_times = 400;
constexpr std::size_t bins = 50;

struct Array {
  std::vector<std::size_t> shape;
  std::vector<double> numbers;
};

Array read_array(const InputFile& file, const ZipReader& archive, const ZipEntry& entry) {
  const std::uint64_t begin = archive.contents_of(entry);
  archive.check_sum(entry, begin);
  const NpyHeader header = read_npy_header(file, begin, begin + entry.size);
  Array r;
  r.shape.assign(header.shape.begin(), header.shape.end());
  const std::string type = header.structured ? "" : header.fields[0].type;
  r.numbers.resize((entry.size - header.bytes) / sizeof(double));
  file.read_at(begin + header.bytes, std::as_writable_bytes(std::span(r.numbers)));
  if (type == "<i8")
    for (double& x : r.numbers) x = static_cast<double>(std::bit_cast<std::int64_t>(x));
  return r;
}

std::map<std::string, Array> read_arrays(const fs::path& path) {
  const InputFile file(path);
  const ZipReader archive(file);
  std::map<std::string, Array> r;
  for (const ZipEntry& entry : archive.entries())
    r[entry.name.substr(0, entry.name.rfind('.'))] = read_array(file, archive, entry);
  return r;
}

std::size_t product(const std::vector<std::size_t>& shape) {
  std::size_t r = 1;
  for (const std::size_t n : shape) r *= n;
  return r;
}

// Every so many places of each axis, so that at most `most` remain.
std::vector<std::size_t> strides_for(const std::vector<std::size_t>& shape, std::size_t most) {
  std::vector<std::size_t> strides(shape.size(), 1);
  const auto left = [&](std::size_t k) { return (shape[k] + strides[k] - 1) / strides[k]; };
  while (true) {
    std::size_t all = 1, longest = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      all *= left(k);
      if (left(k) > left(longest)) longest = k;
    }
    if (all <= most || shape.empty()) return strides;
    ++strides[longest];
  }
}

// Calls use(index) for the first number of each place that remains, in order.
void for_each_kept(const std::vector<std::size_t>& shape, const std::vector<std::size_t>& strides,
                   const auto& use) {
  std::vector<std::size_t> place(shape.size(), 0);
  while (true) {
    std::size_t index = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) index = index * shape[k] + place[k];
    use(index);
    std::size_t k = shape.size();
    while (k > 0 && (place[k - 1] += strides[k - 1]) >= shape[k - 1]) place[--k] = 0;
    if (k == 0) return;
  }
}

std::string packed(const std::vector<float>& numbers) {
  return base64({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)});
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json histogram_of(std::vector<double> numbers) {
  std::erase_if(numbers, [](double x) { return !std::isfinite(x); });
  if (numbers.empty()) return nullptr;
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  const double from = *low, width = *high > *low ? (*high - *low) / bins : 1;
  std::vector<std::int64_t> counts(*high > *low ? bins : 1, 0);
  for (const double x : numbers)
    ++counts[std::min(counts.size() - 1, static_cast<std::size_t>((x - from) / width))];
  return {{"from", from}, {"width", width}, {"counts", counts}};
}

class SweepData {
 public:
  SweepData(const fs::path& folder)
      : arrays_(read_arrays(folder / "sweep.npz")), summary_(read_json(folder / "summary.json")) {
    for (const auto& axis : summary_.at("axes"))
      if (axis.at("drawn").get<bool>()) draws_ = axis.at("count");
    shape_ = summary_.at("shape").get<std::vector<std::size_t>>();
    if (draws_ > 0) shape_.pop_back();
    const std::size_t each =
        (draws_ > 0 ? quantile_levels.size() : 1) * std::max<std::size_t>(1, summary_["fields"].size());
    strides_ = strides_for(shape_, most_numbers / each);
  }

  std::string operator()() const {
    Json j = {
        {"members", summary_["members"]}, {"failures", summary_["failures"]}, {"cost", summary_["cost"]}};
    j["axes"] = axes(strides_);
    j["drawn"] = Json::array();
    for (const auto& axis : summary_["axes"])
      if (axis["drawn"].get<bool>()) j["drawn"].push_back(axis["key"]);
    j["draws"] = draws_;
    j["levels"] = draws_ > 0 || !summary_["series"].empty() ? Json(quantile_levels) : Json(nullptr);
    j["fields"] = Json::array();
    for (const auto& name : summary_["fields"]) j["fields"].push_back(field(name));
    j["series"] = series();
    return j.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  // Along each axis of the grid: its first key with values or words, and the others that move with it.
  Json axes(const std::vector<std::size_t>& strides) const {
    Json list = Json::array();
    for (const auto& axis : summary_["axes"]) {
      if (axis["drawn"].get<bool>()) continue;
      const std::size_t k = axis["axis"];
      if (k < list.size()) {
        list[k]["with"].push_back(axis["key"]);
        continue;
      }
      Json values = Json::array();
      const auto& numbers = arrays_.at(axis["key"]).numbers;
      for (std::size_t i = 0; i < numbers.size(); i += strides[k])
        values.push_back(axis.contains("words") ? axis["words"][i] : number(numbers[i]));
      list.push_back({{"key", axis["key"]},
                      {"count", numbers.size()},
                      {"values", values},
                      {"words", axis.contains("words")},
                      {"stride", strides[k]},
                      {"with", Json::array()}});
    }
    return list;
  }

  Json field(const std::string& name) const {
    const Array& array = arrays_.at(name);
    if (array.numbers.size() != product(shape_) * std::max<std::size_t>(1, draws_))
      throw RecordError("sweep.npz", fmt::format("the array '{}' does not fit summary.json", name));
    std::vector<float> kept;
    std::vector<double> sample;
    for_each_kept(shape_, strides_, [&](std::size_t i) {
      if (draws_ == 0) return kept.push_back(static_cast<float>(array.numbers[i]));
      const auto first = array.numbers.begin() + static_cast<std::ptrdiff_t>(i * draws_);
      sample.assign(first, first + static_cast<std::ptrdiff_t>(draws_));
      for (const double x : quantiles_of(sample)) kept.push_back(static_cast<float>(x));
    });
    return {{"name", name},
            {"numbers", packed(kept)},
            {"histogram", draws_ > 0 ? histogram_of(array.numbers) : Json(nullptr)}};
  }

  // Quantiles over time, at each place of the grid where there are draws.
  Json series() const {
    if (summary_["series"].empty()) return nullptr;
    const auto& times = arrays_.at("t").numbers;
    const std::size_t levels = quantile_levels.size(), step = (times.size() + most_times - 1) / most_times;
    const std::size_t each = (times.size() + step - 1) / step * levels * summary_["series"].size();
    const auto shape = draws_ > 0 ? shape_ : std::vector<std::size_t>();
    const auto strides = strides_for(shape, std::max<std::size_t>(1, most_of_series / each));
    Json r = {{"t", Json::array()},
              {"axes", draws_ > 0 ? axes(strides) : Json::array()},
              {"fields", Json::array()}};
    for (std::size_t i = 0; i < times.size(); i += step) r["t"].push_back(times[i]);
    for (const auto& name : summary_["series"]) {
      const auto& numbers = arrays_.at(name).numbers;
      std::vector<float> kept;
      for_each_kept(shape, strides, [&](std::size_t i) {
        for (std::size_t t = 0; t < times.size(); t += step)
          for (std::size_t k = 0; k < levels; ++k)
            kept.push_back(static_cast<float>(numbers.at((i * times.size() + t) * levels + k)));
      });
      r["fields"].push_back({{"name", name}, {"numbers", packed(kept)}});
    }
    return r;
  }

  std::map<std::string, Array> arrays_;
  Json summary_;
  std::size_t draws_ = 0;
  std::vector<std::size_t> shape_, strides_;  // of the grid
};

}  // namespace

std::string sweep_json(const fs::path& folder) {
  try {
    return SweepData(folder)();
  } catch (const Json::exception& e) {
    throw RecordError(folder / "summary.json", "is not that of a sweep");
  } catch (const std::out_of_range& e) {
    throw RecordError(folder / "sweep.npz", "does not fit summary.json");
  }
}

}  // namespace carom::detail
