#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "apps/benchmarks/bench.hpp"
#include "apps/benchmarks/stopwatch.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/message.hpp"
#include "gossamer/compress/registry.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer::cli {
namespace {

struct CompressorBenchOptions {
  std::vector<std::string> specs;
  std::vector<std::uint64_t> sizes = {10'000, 1'000'000, 11'000'000};
  int samples = 15;
  bool json = false;
};

struct Row {
  std::string compressor;
  std::string op;
  std::size_t size = 0;
  Comparison time;
  double bytes_per_element = 0.0;

  [[nodiscard]] double ns_per_element() const {
    return 1e9 * time.work / static_cast<double>(size);
  }

  [[nodiscard]] double gb_per_s() const { return 4.0 / ns_per_element(); }

  [[nodiscard]] double ratio_to_memcpy() const { return time.work / time.baseline; }
};

/// Every registered operator, and the compositions and forms with code of their own.
std::vector<std::string> default_specs() {
  std::vector<std::string> specs;
  for (const CompressorInfo& info : compressors())
    specs.push_back(info.example);
  for (const char* form : {"qsgd:4,bucket=512", "qsgd:8", "minmax:8,nearest", "topk:0.001",
                           "topk:0.01+qsgd:4", "topk:0.01+sign", "randk:0.01+qsgd:4"}) {
    specs.emplace_back(form);
  }
  return specs;
}

void print_header() {
  fmt::print("{:<20} {:<7} {:>10} {:>11} {:>8} {:>9} {:>11}\n", "compressor", "op", "d",
             "ns/element", "GB/s", "x memcpy", "bytes/elem");
}

void print(const Row& row, const CompressorBenchOptions& options) {
  if (options.json) {
    const nlohmann::ordered_json line = {{"compressor", row.compressor},
                                         {"op", row.op},
                                         {"d", row.size},
                                         {"ns_per_element", row.ns_per_element()},
                                         {"gb_per_s", row.gb_per_s()},
                                         {"ratio_to_memcpy", row.ratio_to_memcpy()},
                                         {"bytes_per_element", row.bytes_per_element}};
    fmt::print("{}\n", line.dump());
  } else {
    fmt::print("{:<20} {:<7} {:>10} {:>11.4f} {:>8.2f} {:>9.2f} {:>11.5f}\n", row.compressor,
               row.op, row.size, row.ns_per_element(), row.gb_per_s(), row.ratio_to_memcpy(),
               row.bytes_per_element);
  }
  std::fflush(stdout);
}

void bench_size(std::size_t size, const CompressorBenchOptions& options) {
  const FloatBuffer x = normal_numbers(size);
  FloatBuffer copy(size);
  FloatBuffer y(size);
  const auto memcpy_all = [&] { std::memcpy(copy.data(), x.data(), size * sizeof(float)); };
  const auto measure = [&](const std::string& name, const std::string& op, double bytes,
                           const auto& work) {
    print({name, op, size, compare(options.samples, work, memcpy_all),
           bytes / static_cast<double>(size)},
          options);
  };

  if (!options.json) {
    // What the same array costs to copy, and to look at once.
    measure("(memcpy)", "copy", 4.0 * static_cast<double>(size), memcpy_all);
    bool finite = true;
    measure("(read)", "read", 0.0, [&] { finite = finite && all_finite(x.view()); });
    if (!finite) throw std::logic_error("the benchmark's input is not finite");
  }
  Scratch scratch;
  RngKey key{.seed = 1, .purpose = Purpose::kCompress};
  for (const std::string& spec : options.specs) {
    const auto made = make_compressor(spec, Layout::flat(size));
    if (!made) throw BadInput(made.error().message);
    const Compressor& compressor = *made.value();
    ByteWriter message = Message::writer();
    measure(spec, "encode", static_cast<double>(compressor.encoded_size(key)), [&] {
      message.clear();
      compressor.encode(x.view(), key, scratch, message);
    });
    measure(spec, "add", static_cast<double>(message.size()),
            [&] { compressor.add(message.bytes(), 0.5f, scratch, y.view()); });
  }
}

int run(CompressorBenchOptions options) {
  if (options.specs.empty()) options.specs = default_specs();
  // A misspelt operator is found before minutes of measuring.
  for (const std::string& spec : options.specs) {
    for (const std::uint64_t size : options.sizes) {
      const auto made = make_compressor(spec, Layout::flat(size));
      if (!made) throw BadInput(made.error().message);
    }
  }
  if (!options.json) print_header();
  for (const std::uint64_t size : options.sizes)
    bench_size(size, options);
  return kSuccess;
}

}  // namespace

void add_bench_compressors_command(CLI::App& bench, Action& action) {
  CLI::App* const command =
      bench.add_subcommand("compressors", "Times encode and add of every compressor, one thread");
  const auto options = std::make_shared<CompressorBenchOptions>();
  command->add_option("--only", options->specs,
                      "Only this compressor (may be given several times)");
  command->add_option("--dim", options->sizes, "Vector lengths instead of 10^4, 10^6 and 11 x 10^6")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31));
  command->add_option("--samples", options->samples, "Samples per row; the median counts")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", options->json, "One JSON object per row");
  command->footer(
      "Every row is measured in turns with a memcpy of the same array: 'x memcpy' is the ratio of "
      "the two.");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace gossamer::cli
