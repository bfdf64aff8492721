#pragma once

#include "apps/launch/standings.hpp"

namespace gossamer::cli {

/// Prints how peers ended, by what they said themselves: those that say the same, on one line.
void print_summary(const Standings& standings, double seconds);

}  // namespace gossamer::cli
