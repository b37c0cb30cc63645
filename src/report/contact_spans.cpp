#include "report/contact_spans.hpp"

#include <map>

namespace carom {
namespace {

class Gatherer {
 public:
  void add(const ChangeRow& row) {
    const std::size_t contact = number_of(row.contact);
    if (row.begins && open_.contains(contact)) return change_mode(all.spans[open_[contact]], row);
    if (row.begins || !open_.contains(contact)) {
      open_[contact] = all.spans.size();
      all.spans.push_back({.contact = contact, .from = row.t, .settled = row.settled});
    }
    if (row.begins) return;
    ContactSpan& span = all.spans[open_[contact]];
    span.to = row.t, span.released = true;
    open_.erase(contact);
  }
  // Where it begins to slide and to stick, in turns.
  static void change_mode(ContactSpan& span, const ChangeRow& row) {
    const bool slides = row.mode > 1, did = span.slides.size() % 2 == 1;
    if (row.mode != 0 && slides != did) span.slides.push_back(row.t);
  }
  void cut(double t) {
    for (const auto& [contact, span] : open_) all.spans[span].to = t;
  }
  ContactSpans all;

 private:
  std::size_t number_of(const std::string& name) {
    const auto [place, is_new] = numbers_.emplace(name, all.names.size());
    if (is_new) all.names.push_back(name);
    return place->second;
  }
  std::map<std::string, std::size_t> numbers_;
  std::map<std::size_t, std::size_t> open_;  // the span of each contact that lasts
};

}  // namespace

ContactSpans contact_spans(const ChangeRows& changes, std::size_t most) {
  Gatherer gatherer;
  for (const ChangeRow& row : changes.rows) gatherer.add(row);
  if (changes.total > changes.rows.size() && !changes.rows.empty()) gatherer.cut(changes.rows.back().t);
  ContactSpans r = std::move(gatherer.all);
  r.count = r.spans.size();
  const std::size_t stride = (r.count + most - 1) / most;
  if (stride < 2) return r;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < r.count; i += stride) r.spans[kept++] = r.spans[i];
  r.spans.resize(kept);
  return r;
}

}  // namespace carom
