// papers.html: what the folder holds of all items, in one page without scripts that can be mailed and
// printed.
#pragma once

#include <filesystem>

namespace carom::papers {

// From the NAME.json and NAME.svg of the items that were reproduced into this folder, in the papers' order;
// items that are not there yet are listed with the command that makes them. Throws FileError.
void write_page(const std::filesystem::path& folder);

}  // namespace carom::papers
