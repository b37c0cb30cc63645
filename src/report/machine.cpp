#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>
#include <thread>

#include "report/report.hpp"

namespace carom::detail {

std::string machine_description() {
  std::string processor = "an unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos) {
      processor = line.substr(colon + 2);
      break;
    }
  utsname system{};
  uname(&system);
  return fmt::format("{} x {}, {} {}, g++ {}", std::thread::hardware_concurrency(), processor, system.sysname,
                     system.release, __VERSION__);
}

}  // namespace carom::detail
