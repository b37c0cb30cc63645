#include "papers.hpp"

#include <fmt/format.h>

#include "files/modules.hpp"

namespace carom::cli {
namespace {

const papers::Module* module_of(const Opened& opened) {
  return opened.function ? reinterpret_cast<papers::OpenPapers>(opened.function)() : nullptr;
}

Opened opened_papers() { return open_module("carom_papers", "carom_papers"); }

}  // namespace

const papers::Module* find_papers() { return module_of(opened_papers()); }

const papers::Module& open_papers() {
  const Opened opened = opened_papers();
  if (const papers::Module* module = module_of(opened)) return *module;
  throw ModuleError(
      fmt::format("the papers are a part of their own, which is not built or not of this program ({}): "
                  "./carom reproduce builds "
                  "it, and so does the target carom_papers",
                  opened.why));
}

}  // namespace carom::cli
