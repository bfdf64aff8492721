// Leaf kernels on every instruction set that this machine has:
//   build/release/bench/gossamer_bench --benchmark_format=json

#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "gossamer/base/rng.hpp"
#include "gossamer/math/instruction_sets.hpp"
#include "gossamer/math/kernels/bitpack.hpp"
#include "gossamer/math/kernels/quantize.hpp"
#include "gossamer/math/kernels/random_words.hpp"
#include "gossamer/math/kernels/reduce.hpp"
#include "gossamer/math/kernels/select.hpp"
#include "gossamer/math/kernels/subset.hpp"

namespace gossamer {
namespace {

constexpr std::size_t kSize = 1'000'000;
constexpr std::size_t kTile = 1024;

const FloatBuffer& numbers() {
  static const FloatBuffer x = [] {
    FloatBuffer filled(kSize);
    Rng rng(RngKey{.purpose = Purpose::kTest});
    for (std::size_t i = 0; i < kSize; ++i)
      filled.data()[i] = static_cast<float>(rng.normal());
    return filled;
  }();
  return x;
}

CVec tile() {
  return CVec(numbers().data(), kTile);
}

template <typename Work>
void on_instruction_set(benchmark::State& state, std::size_t elements, const Work& work) {
  const InstructionSet set = instruction_sets().at(static_cast<std::size_t>(state.range(0)));
  const ForcedInstructionSet forced(set);
  for (auto _ : state)
    work();
  state.SetLabel(set.name);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(elements));
}

void BM_SumAbs(benchmark::State& state) {
  on_instruction_set(state, kSize, [] { benchmark::DoNotOptimize(sum_abs(numbers().view())); });
}

void BM_SumSquares(benchmark::State& state) {
  on_instruction_set(state, kSize, [] { benchmark::DoNotOptimize(sum_squares(numbers().view())); });
}

void BM_Range(benchmark::State& state) {
  on_instruction_set(state, kSize, [] { benchmark::DoNotOptimize(range_of(numbers().view())); });
}

void BM_RandomWords(benchmark::State& state) {
  std::vector<std::uint32_t> words(kTile);
  on_instruction_set(state, kTile, [&] {
    fill_random_words(7, 0, words);
    benchmark::ClobberMemory();
  });
}

void BM_QuantizeSigned(benchmark::State& state) {
  std::vector<std::uint16_t> random(kTile, 12345);
  std::vector<std::uint16_t> levels(kTile);
  const LevelScale scale = LevelScale::over(0.0f, 6.0f, 7);
  on_instruction_set(state, kTile, [&] {
    quantize_signed(tile(), scale, 3, random, levels);
    benchmark::ClobberMemory();
  });
}

void BM_PackFields(benchmark::State& state) {
  const auto bits = static_cast<unsigned>(state.range(1));
  const std::vector<std::uint16_t> fields(kTile, 1);
  std::vector<std::uint8_t> packed(kTile / 8 * bits);
  on_instruction_set(state, kTile, [&] {
    pack_fields(fields, bits, packed);
    benchmark::ClobberMemory();
  });
}

void BM_UnpackFields(benchmark::State& state) {
  const auto bits = static_cast<unsigned>(state.range(1));
  std::vector<std::uint16_t> fields(kTile);
  const std::vector<std::uint8_t> packed(kTile / 8 * bits, 0x55);
  on_instruction_set(state, kTile, [&] {
    unpack_fields(packed, bits, fields);
    benchmark::ClobberMemory();
  });
}

void BM_SelectTopK(benchmark::State& state) {
  const auto k = kSize / static_cast<std::size_t>(state.range(1));
  std::vector<std::uint32_t> indices(k);
  std::vector<float> values(k);
  Scratch scratch;
  on_instruction_set(state, kSize, [&] {
    select_top_k(numbers().view(), scratch, {indices, values});
    benchmark::ClobberMemory();
  });
}

void BM_DrawSubset(benchmark::State& state) {
  const auto k = kSize / static_cast<std::size_t>(state.range(1));
  std::vector<std::uint32_t> indices(k);
  Scratch scratch;
  on_instruction_set(state, k, [&] {
    draw_subset(7, kSize, scratch, indices);
    benchmark::ClobberMemory();
  });
}

std::vector<std::int64_t> every_set() {
  return benchmark::CreateDenseRange(0, static_cast<std::int64_t>(instruction_sets().size()) - 1,
                                     1);
}

BENCHMARK(BM_SumAbs)->ArgsProduct({every_set()});
BENCHMARK(BM_SumSquares)->ArgsProduct({every_set()});
BENCHMARK(BM_Range)->ArgsProduct({every_set()});
BENCHMARK(BM_RandomWords)->ArgsProduct({every_set()});
BENCHMARK(BM_QuantizeSigned)->ArgsProduct({every_set()});
BENCHMARK(BM_PackFields)->ArgsProduct({every_set(), {1, 2, 3, 4, 8, 10, 16}});
BENCHMARK(BM_UnpackFields)->ArgsProduct({every_set(), {1, 2, 3, 4, 8, 10, 16}});
BENCHMARK(BM_SelectTopK)->ArgsProduct({every_set(), {10, 100, 1000}});
BENCHMARK(BM_DrawSubset)->ArgsProduct({every_set(), {10, 100, 1000}});

}  // namespace
}  // namespace gossamer
