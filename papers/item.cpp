#include "item.hpp"

namespace carom::papers {

Verdict judge(std::initializer_list<bool> parts) {
  bool all = true, any = false;
  for (const bool part : parts) all = all && part, any = any || part;
  return all ? Verdict::holds : any ? Verdict::holds_in_part : Verdict::does_not_hold;
}

std::string_view text_of(Verdict verdict) {
  if (verdict == Verdict::holds) return "holds";
  return verdict == Verdict::holds_in_part ? "holds in part" : "does not hold";
}

}  // namespace carom::papers
