#include "gossamer/plan/recommendation.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "gossamer/algorithms/registry.hpp"

namespace gossamer {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

bool meets_every_round(const Prospect& prospect) {
  return prospect.method().local_steps == 1;
}

bool have_pilots(const std::vector<Prospect>& prospects) {
  return std::ranges::any_of(prospects, [](const Prospect& p) { return p.pilot.has_value(); });
}

// Who uses no graph has everybody's mean at once.
double mixing_of_graph(const Prospect& prospect) {
  return prospect.forecast.spectral_gap.value_or(1.0);
}

/// What is compared: a whole run, or else a round.
double cost_of(const Prospect& prospect, bool by_target) {
  return by_target ? prospect.seconds_to_target().value_or(kNever)
                   : prospect.forecast.round.seconds;
}

// The first that may be chosen; without pilots, the best mixed of those that take about as long.
template <typename May>
const Prospect* best_of(const std::vector<Prospect>& prospects, May may) {
  constexpr double kAboutAsLong = 1.05;
  const bool by_target = have_pilots(prospects);
  const Prospect* best = nullptr;
  double shortest = 0;
  for (const Prospect& prospect : prospects) {
    const double cost = cost_of(prospect, by_target);
    if (cost == kNever || !may(prospect)) continue;
    if (best == nullptr) {
      best = &prospect;
      shortest = cost;
    } else if (!by_target && cost <= kAboutAsLong * shortest &&
               mixing_of_graph(prospect) > mixing_of_graph(*best)) {
      best = &prospect;
    }
  }
  return best;
}

}  // namespace

std::optional<double> Prospect::seconds_to_target() const {
  if (!pilot || pilot->to_target.source == RoundsToTarget::Source::kNone) return std::nullopt;
  return pilot->to_target.rounds * forecast.round.seconds;
}

bool is_compressed(const MethodSpec& method) {
  const Result<AlgorithmInfo> algorithm = find_algorithm(method.algorithm);
  return method.compressor != "identity" || (algorithm && algorithm.value().compresses_by_itself);
}

void rank(std::vector<Prospect>& prospects) {
  const auto place = [](const Prospect& prospect) {
    const double run = prospect.seconds_to_target().value_or(kNever);
    return std::tuple(run, !prospect.pilot.has_value(), prospect.forecast.round.seconds);
  };
  std::ranges::stable_sort(prospects, {}, place);
}

std::vector<std::size_t> choose_pilots(const std::vector<Prospect>& prospects, std::size_t count) {
  std::vector<std::size_t> chosen;
  std::vector<MethodSpec> methods;
  const auto choose = [&](std::size_t i) {
    const MethodSpec& method = prospects[i].method();
    if (std::ranges::count(methods, method) > 0) return;
    methods.push_back(method);
    chosen.push_back(i);
  };
  for (std::size_t i = 0; i < prospects.size() && chosen.size() < count; ++i)
    choose(i);
  const auto dense = std::ranges::find_if(prospects, [](const Prospect& prospect) {
    return !is_compressed(prospect.method()) && meets_every_round(prospect);
  });
  if (dense != prospects.end()) choose(static_cast<std::size_t>(dense - prospects.begin()));
  return chosen;
}

Recommendation recommend(const std::vector<Prospect>& prospects) {
  const bool by_target = have_pilots(prospects);
  const auto is_comparable = [&](const Prospect& prospect) {
    return by_target || meets_every_round(prospect);
  };
  const auto is_sound = [](const Prospect& prospect) { return prospect.forecast.warnings.empty(); };
  const auto find = [&](bool compressed) {
    return best_of(prospects, [&](const Prospect& prospect) {
      return is_compressed(prospect.method()) == compressed && is_comparable(prospect) &&
             is_sound(prospect);
    });
  };
  Recommendation found;
  found.compressed = find(true);
  found.dense = find(false);
  if (found.compressed != nullptr && found.dense != nullptr) {
    found.gain = cost_of(*found.dense, by_target) / cost_of(*found.compressed, by_target);
    const double needed = by_target ? 1.0 : Recommendation::kWorthwhile;
    found.best = found.gain >= needed ? found.compressed : found.dense;
  } else {
    found.best = found.compressed != nullptr ? found.compressed : found.dense;
  }
  if (found.best == nullptr) found.best = best_of(prospects, is_sound);
  if (found.best == nullptr) found.best = best_of(prospects, [](const Prospect&) { return true; });
  return found;
}

}  // namespace gossamer
