// What the program asks of the papers. They are a module, carom_papers.so, so that nobody else waits until
// their figures are compiled; cli/papers.hpp opens it. Tested by tests/papers/reproduce_test.py.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "item.hpp"

namespace carom::papers {

class Module {
 public:
  virtual ~Module() = default;
  virtual std::vector<Paper> papers() const = 0;

  // Measures, judges and writes an item into the folder. Its entry, with an "error" where it threw; null
  // where it was stopped. `pictured` is false where PNGs could not be made. Throws FileError.
  virtual nlohmann::ordered_json reproduce(const Paper& paper, const Item& item, const Lab& lab,
                                           const std::filesystem::path& folder, bool& pictured) const = 0;
  virtual void write_page(const std::filesystem::path& folder) const = 0;  // see page.hpp
};

// What the module exports, as "carom_papers".
using OpenPapers = const Module* (*)();

}  // namespace carom::papers
