#include "module.hpp"

#include <chrono>
#include <nlohmann/json.hpp>

#include "page.hpp"
#include "write.hpp"

namespace carom::papers {
namespace {

using Json = nlohmann::ordered_json;

class BuiltIn final : public Module {
 public:
  std::vector<Paper> papers() const override { return all_papers(); }

  Json reproduce(const Paper& paper, const Item& item, const Lab& lab, const std::filesystem::path& folder,
                 bool& pictured) const override {
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&begin] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    Finding finding;
    Json entry;
    try {
      finding = item.reproduce(lab);
      entry = entry_of(paper, item, finding, seconds(), lab.quick);
    } catch (const Stopped&) {
      return nullptr;
    } catch (const std::exception& e) {
      entry = failed_entry(paper, item, e.what(), seconds(), lab.quick);
    }
    pictured = write_item(folder, item, finding, entry);
    return entry;
  }

  void write_page(const std::filesystem::path& folder) const override { papers::write_page(folder); }
};

}  // namespace

std::vector<Paper> all_papers() { return {paper_000(), paper_001(), paper_002(), paper_003(), paper_004()}; }

}  // namespace carom::papers

extern "C" const carom::papers::Module* carom_papers() {
  static const carom::papers::BuiltIn module;
  return &module;
}
