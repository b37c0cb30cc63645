#include "scenario/suggest.hpp"

#include <algorithm>
#include <cstddef>

namespace carom {
namespace detail {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// Optimal string alignment: insert, delete, replace and swap of neighbours cost one each. The swap looks two
// rows back, so three rows of the usual table are kept.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace
}  // namespace detail

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  // Below its own length: a word with every letter replaced is another word, not a misspelling.
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::size_t best_distance = std::min(limit + 1, word.size());
  std::string best;
  for (const std::string& name : known) {
    const std::size_t difference = std::max(name.size(), word.size()) - std::min(name.size(), word.size());
    if (difference >= best_distance) continue;  // a lower bound of the distance, and cheap for huge words
    const std::size_t distance = detail::edit_distance(detail::lower_case(word), detail::lower_case(name));
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  if (known.empty()) return "";
  const std::string near = nearest(word, known);
  if (!near.empty()) return "; did you mean \"" + near + "\"?";
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  return "; known are " + list;
}

}  // namespace carom
