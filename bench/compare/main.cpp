// carom_compare [--growth] [--json] [--program CAROM]: side-by-side runs against other packages, or how cost
// grows, as bench/README.md describes them.
#include <iostream>
#include <string>
#include <vector>

#include "compare/problems.hpp"

namespace {

struct Wishes {
  bool json = false, growth = false, understood = true;
  std::string program;  // whose sweeps are measured
};

Wishes read(const std::vector<std::string>& words) {
  Wishes wishes;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--json")
      wishes.json = true;
    else if (words[i] == "--growth")
      wishes.growth = true;
    else if (words[i] == "--program" && i + 1 < words.size())
      wishes.program = words[++i];
    else
      wishes.understood = false;
  }
  return wishes;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace carom::bench;
  const Wishes wishes = read({argv + 1, argv + argc});
  if (!wishes.understood) {
    std::cerr
        << "usage: carom bench [--growth] [--json], or carom bench --parts [arguments of Google Benchmark]\n";
    return 2;
  }
  if (wishes.growth) {
    write_growth(std::cout, measure_growth(wishes.program), wishes.json);
    return 0;
  }
  Rows rows;
  add_cart_pendulum(rows);
  add_smooth_pendulum(rows);
  add_wall(rows);
  add_ball(rows);
  add_cradle(rows);
  add_column(rows);
  add_rough_block(rows);
  add_rocking_block(rows);
  add_rough_pile(rows);
  add_sweep(rows, wishes.program);
  (wishes.json ? write_json : write_table)(std::cout, rows);
}
