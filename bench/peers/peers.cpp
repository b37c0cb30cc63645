#include "peers/peers.hpp"

#include <map>
#include <stdexcept>

namespace carom::bench {

namespace {

// Inside a function, so that it is there before the first Entry of any file.
auto& makers() {
  static std::map<std::string, std::map<std::string, Maker>> all;
  return all;
}

}  // namespace

Entry::Entry(const std::string& package, const std::string& problem, Maker make) {
  makers()[package][problem] = make;
}

bool has_package(const std::string& package) { return makers().contains(package); }

std::unique_ptr<Contestant> make_peer(const std::string& package, const std::string& problem,
                                      const Setup& setup) {
  if (!has_package(package)) return nullptr;
  const auto& problems = makers()[package];
  const auto found = problems.find(problem);
  if (found == problems.end()) throw std::logic_error(package + " has no entry for " + problem);
  return found->second(setup);
}

}  // namespace carom::bench
