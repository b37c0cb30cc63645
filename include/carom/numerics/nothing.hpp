// What is at rest in zero, and decays towards it, has rounding errors that are as large as itself: what is
// below this is no number any more, and no equation is solved for it. 2^-52 of it is still a normal one.
#pragma once

namespace carom {

inline constexpr double nothing = 1e-290;

}  // namespace carom
