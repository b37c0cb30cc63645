// The files of an item: NAME.svg, NAME.png and NAME.csv of each picture, and NAME.json with all that was
// found, from which the page is made.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "item.hpp"

namespace carom::papers {

// An item's entry in papers.json: paper, item, claim, measured, verdict, seconds, and more beside.
nlohmann::ordered_json entry_of(const Paper& paper, const Item& item, const Finding& finding, double seconds,
                                bool quick);
// Of an item that threw: no verdict, the error instead.
nlohmann::ordered_json failed_entry(const Paper& paper, const Item& item, const std::string& error,
                                    double seconds, bool quick);

// Throws FileError. PNGs are made by rsvg-convert; false where it is not installed.
bool write_item(const std::filesystem::path& folder, const Item& item, const Finding& finding,
                const nlohmann::ordered_json& entry);

// axes,series,x,y: every point of every curve.
std::string csv_of(const Figure& figure);

}  // namespace carom::papers
