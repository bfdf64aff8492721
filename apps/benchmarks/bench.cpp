#include "apps/benchmarks/bench.hpp"

#include "gossamer/base/rng.hpp"

namespace gossamer::cli {

FloatBuffer normal_numbers(std::size_t size) {
  FloatBuffer x(size);
  Rng rng(RngKey{.purpose = Purpose::kTest});
  for (std::size_t i = 0; i < size; ++i)
    x.data()[i] = static_cast<float>(rng.normal());
  return x;
}

void add_bench_command(CLI::App& program, Action& action) {
  CLI::App* const bench =
      program.add_subcommand("bench", "How fast this machine is, as ratios to its own memory");
  bench->require_subcommand(1);
  add_bench_compressors_command(*bench, action);
  add_bench_links_command(*bench, action);
  add_bench_products_command(*bench, action);
  add_bench_rounds_command(*bench, action);
}

}  // namespace gossamer::cli
