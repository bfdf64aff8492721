#include <memory>
#include <string>
#include <vector>

#include "apps/benchmarks/bench.hpp"
#include "apps/benchmarks/stopwatch.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/math/kernels/reduce.hpp"
#include "gossamer/math/kernels/thin_product.hpp"

namespace gossamer::cli {
namespace {

struct ProductBenchOptions {
  std::size_t rows = 3317;
  std::size_t columns = 3316;
  int samples = 15;
  bool json = false;
};

int run(const ProductBenchOptions& options) {
  const std::size_t elements = options.rows * options.columns;
  const FloatBuffer matrix = normal_numbers(elements);
  const MatrixView m{matrix.data(), options.rows, options.columns};
  bool finite = true;
  const auto read_all = [&] { finite = finite && all_finite(matrix.view()); };
  if (!options.json) {
    fmt::print("{} x {} floats, one thread\n{:<8} {:>5} {:>11} {:>8} {:>14}\n", options.rows,
               options.columns, "product", "rank", "ns/element", "GB/s", "of read speed");
  }
  const auto print = [&](const char* product, std::size_t rank, const Comparison& time) {
    const double ns_per_element = 1e9 * time.work / static_cast<double>(elements);
    const double share = time.baseline / time.work;
    if (options.json) {
      const nlohmann::ordered_json line = {{"product", product},
                                           {"rank", rank},
                                           {"rows", options.rows},
                                           {"columns", options.columns},
                                           {"ns_per_element", ns_per_element},
                                           {"gb_per_s", 4.0 / ns_per_element},
                                           {"share_of_read_bandwidth", share}};
      fmt::print("{}\n", line.dump());
    } else {
      fmt::print("{:<8} {:>5} {:>11.4f} {:>8.2f} {:>13.0f}%\n", product, rank, ns_per_element,
                 4.0 / ns_per_element, 100.0 * share);
    }
  };
  Scratch scratch;
  for (std::size_t rank = 1; rank <= kMaxRank; ++rank) {
    FloatBuffer q = normal_numbers(rank * options.columns);
    FloatBuffer p = normal_numbers(rank * options.rows);
    print("M Q", rank,
          compare(
              options.samples, [&] { multiply(m, q.view(), rank, p.view()); }, read_all));
    print("M^T P", rank,
          compare(
              options.samples, [&] { multiply_transposed(m, p.view(), rank, scratch, q.view()); },
              read_all));
  }
  if (!finite) throw std::logic_error("the benchmark's input is not finite");
  return kSuccess;
}

}  // namespace

void add_bench_products_command(CLI::App& bench, Action& action) {
  CLI::App* const command = bench.add_subcommand(
      "products", "Times products of a large matrix with a thin one, as PowerGossip uses them");
  const auto options = std::make_shared<ProductBenchOptions>();
  command->add_option("--rows", options->rows, "Rows of the matrix")->check(CLI::Range(1, 100000));
  command->add_option("--columns", options->columns, "Columns of the matrix")
      ->check(CLI::Range(1, 100000));
  command->add_option("--samples", options->samples, "Samples per row; the median counts")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", options->json, "One JSON object per row");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace gossamer::cli
