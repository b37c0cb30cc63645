// From when to when contacts lasted, for the report. Tested in tests/unit/contact_spans_test.cpp.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "records/contact_changes.hpp"

namespace carom {

struct ContactSpan {
  std::size_t contact = 0;  // which of the names
  double from = 0;
  double to = std::numeric_limits<double>::quiet_NaN();  // until the end of the run
  double settled = 0;
  bool released = false;
  std::vector<double> slides =
      {};  // from, to, from, ...: where it slides; the last one until the end of the span
};

struct ContactSpans {
  std::vector<std::string> names;  // in the order in which they first lasted
  std::vector<ContactSpan> spans;  // by their beginning
  std::size_t count = 0;           // of all spans, also those that were left out
};

// At most `most` spans, evenly chosen among all. Where not all changes were read, those that lasted at the
// last one end there, without a release.
ContactSpans contact_spans(const ChangeRows& changes, std::size_t most);

}  // namespace carom
