#pragma once

#include "apps/command.hpp"
#include <CLI/CLI.hpp>

#include "gossamer/math/vec.hpp"

namespace gossamer::cli {

/// Standard normal, the same in every run.
[[nodiscard]] FloatBuffer normal_numbers(std::size_t size);

// The parts of `gossamer bench`, each in its own file. One thread, data in memory, ratios within
// one run.
void add_bench_compressors_command(CLI::App& bench, Action& action);
void add_bench_links_command(CLI::App& bench, Action& action);
void add_bench_products_command(CLI::App& bench, Action& action);
void add_bench_rounds_command(CLI::App& bench, Action& action);

}  // namespace gossamer::cli
