// Did you mean ...? The nearest of the known names, for error messages.
#pragma once

#include <string>
#include <vector>

namespace carom {

// The known name with the smallest edit distance (swapped neighbours count one, upper and lower case are the
// same; the first of equals wins), or "" when none is near: near is one edit, or up to a third of the word's
// length, and never the whole word.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

// "; did you mean \"svc\"?" when something is near, else "; known are a, b, c" ("" when nothing is known).
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace carom
