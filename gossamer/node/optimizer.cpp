#include "gossamer/node/optimizer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/text/options.hpp"
#include "gossamer/base/text/suggest.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

enum class Direction { kGradient, kHeavyBall, kNesterov };

/// One stretch of the model and what happens to it. The vectors do not overlap.
struct Sweep {
  const float* x;
  float* m;
  float* g;
  std::size_t size;
  float scale;  // of the gradient; times 1 changes no bit
  float decay;
  float momentum;
  float lr;
};

// All in one loop, so that each number is read and written once.
template <Direction kDirection, bool kDecays>
void run(const Sweep& s) {
  const float* const x = s.x;
  float* const m = s.m;
  float* const g = s.g;
  const auto [scale, decay, momentum, lr] = std::array{s.scale, s.decay, s.momentum, s.lr};
  for (std::size_t i = 0; i < s.size; ++i) {
    float d = scale * g[i];
    if constexpr (kDecays) d += decay * x[i];
    float u = d;
    if constexpr (kDirection != Direction::kGradient) {
      const float moved = momentum * m[i] + d;
      m[i] = moved;
      u = kDirection == Direction::kNesterov ? d + momentum * moved : moved;
    }
    g[i] = -lr * u;
  }
}

template <Direction kDirection>
void run_with(bool decays, const Sweep& sweep) {
  decays ? run<kDirection, true>(sweep) : run<kDirection, false>(sweep);
}

// An infinite norm gives 0, and 0 times infinity the NaN that says what went wrong; a NaN gives 1.
float clip_factor(float clip, CVec g) {
  if (clip == 0) return 1;
  const double norm = std::sqrt(sum_squares(g));
  return norm > clip ? static_cast<float>(clip / norm) : 1.0f;
}

bool is_exempt(const Block& block, const std::vector<std::string>& names) {
  return std::ranges::any_of(
      names, [&](const std::string& name) { return block.name.find(name) != std::string::npos; });
}

// The names between the bars of `bn|norm`.
std::vector<std::string> split_names(std::string_view text, Options& options) {
  std::vector<std::string> names;
  for (;;) {
    const std::size_t bar = text.find('|');
    names.emplace_back(text.substr(0, bar));
    // Every name contains the empty one: nothing would decay.
    if (names.back().empty())
      options.refuse(fmt::format("{}: exempt= has an empty name", options.owner()));
    if (bar == std::string_view::npos) return names;
    text.remove_prefix(bar + 1);
  }
}

float read_momentum(Options& options) {
  const auto momentum = options.positional_number("momentum", 0, 1);
  if (!momentum) {
    options.refuse(
        fmt::format("{} needs its momentum, as in {}:0.9", options.owner(), options.owner()));
  } else if (*momentum == 1) {
    options.refuse(fmt::format("{}: momentum must be below 1: at 1 nothing is ever forgotten",
                               options.owner()));
  }
  return static_cast<float>(momentum.value_or(0));
}

}  // namespace

Result<OptimizerSetup> parse_optimizer(std::string_view spec) {
  static const std::vector<std::string> kNames = {"sgd", "heavy-ball", "nesterov"};
  auto [name, options] = split_spec(spec);
  if (std::ranges::find(kNames, name) == kNames.end())
    return Error{unknown_name("optimizer", name, kNames)};

  OptimizerSetup setup;
  if (name != "sgd") setup.momentum = read_momentum(options);
  setup.nesterov = name == "nesterov";
  const auto decay = options.number("weight-decay", 0, 1);
  setup.weight_decay = static_cast<float>(decay.value_or(0));
  setup.exempt = {"bn", "norm"};
  if (const auto names = options.text("exempt")) {
    setup.exempt = *names == "none" ? std::vector<std::string>{} : split_names(*names, options);
    if (!decay)
      options.refuse(fmt::format("{}: exempt= means nothing without weight-decay=", name));
  }
  setup.clip = static_cast<float>(options.number("clip", 0, 1e6).value_or(0));
  if (const Result<void> finished = options.finish(); !finished) return finished.error();
  return setup;
}

Optimizer::Optimizer(const OptimizerSetup& setup, const Layout& layout)
    : setup_(setup), momentum_(setup.momentum > 0 ? layout.size() : 0), size_(layout.size()) {
  for (const Block& block : layout.blocks()) {
    const bool decays = setup.weight_decay > 0 && !is_exempt(block, setup.exempt);
    if (stretches_.empty() || stretches_.back().decays != decays)
      stretches_.push_back({block.offset, block.offset, decays});
    stretches_.back().end = block.offset + block.size;
  }
}

void Optimizer::step(CVec x, float lr, Vec g) {
  expects(static_cast<std::size_t>(x.size()) == size_ && x.size() == g.size(),
          "the model and its gradient have the layout's size");
  const float scale = clip_factor(setup_.clip, g);
  for (const Stretch& stretch : stretches_) {
    const Sweep sweep{.x = x.data() + stretch.begin,
                      .m = setup_.momentum > 0 ? momentum_.data() + stretch.begin : nullptr,
                      .g = g.data() + stretch.begin,
                      .size = stretch.end - stretch.begin,
                      .scale = scale,
                      .decay = setup_.weight_decay,
                      .momentum = setup_.momentum,
                      .lr = lr};
    if (setup_.momentum == 0) {
      run_with<Direction::kGradient>(stretch.decays, sweep);
    } else if (setup_.nesterov) {
      run_with<Direction::kNesterov>(stretch.decays, sweep);
    } else {
      run_with<Direction::kHeavyBall>(stretch.decays, sweep);
    }
  }
}

void Optimizer::visit_state(StateVisitor& visitor) {
  if (setup_.momentum > 0) visitor.visit("momentum", momentum_.view());
}

}  // namespace gossamer
