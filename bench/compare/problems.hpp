// The problems, one source file each: they add their rows.
#pragma once

#include <string>
#include <vector>

#include "compare/growth.hpp"
#include "compare/row.hpp"

namespace carom::bench {

using Rows = std::vector<Row>;

void add_cart_pendulum(Rows& rows);
void add_smooth_pendulum(Rows& rows);
void add_wall(Rows& rows);
void add_ball(Rows& rows);
void add_cradle(Rows& rows);
void add_column(Rows& rows);
void add_rough_block(Rows& rows);
void add_rocking_block(Rows& rows);
void add_rough_pile(Rows& rows);
void add_sweep(Rows& rows, const std::string& program);

// Time of a sweep over its number of members; nothing where the program has no sweeps.
std::optional<Growth> growth_of_sweep(const std::string& program);

}  // namespace carom::bench
