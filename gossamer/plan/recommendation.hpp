#pragma once

#include <optional>
#include <vector>

#include "gossamer/plan/pilot.hpp"
#include "gossamer/plan/planner.hpp"

namespace gossamer {

/// A candidate with all that was found out about it.
struct Prospect {
  Forecast forecast;
  std::optional<Pilot> pilot = std::nullopt;

  [[nodiscard]] const MethodSpec& method() const { return forecast.candidate.method; }

  /// Of the whole run, where a pilot says that it gets there.
  [[nodiscard]] std::optional<double> seconds_to_target() const;
};

[[nodiscard]] bool is_compressed(const MethodSpec& method);

/// The best first. Without pilots that is the shortest round. With pilots it is the shortest run;
/// candidates whose pilot did not get there follow, and then those without one.
void rank(std::vector<Prospect>& prospects);

/// Whom to give a pilot: of the fastest methods so many, each on the graph where its rounds are
/// shortest, and the fastest that sends everything in every round, to compare with. Places in
/// `prospects`, which are ranked.
[[nodiscard]] std::vector<std::size_t> choose_pilots(const std::vector<Prospect>& prospects,
                                                     std::size_t count);

/// What to run, and what speaks for it. Points into the prospects.
struct Recommendation {
  /// Nobody, where no pilot got to the target.
  const Prospect* best = nullptr;
  /// The best with and without compression. Without pilots only methods that meet in every round:
  /// shorter rounds of the others say little about how many they need.
  const Prospect* compressed = nullptr;
  const Prospect* dense = nullptr;
  /// How many times as long the dense one takes; 0 where one of the two is missing.
  double gain = 0;

  /// A round that is not shorter by as much is not worth what compression makes of it.
  static constexpr double kWorthwhile = 1.1;

  [[nodiscard]] bool compression_pays() const { return gain >= kWorthwhile; }
};

/// Of ranked prospects. With pilots the best is the shortest run. Without, it is the shortest round
/// of a method that meets in every round, if there is one, and that theory does not warn of, if
/// there is one; of those that take about as long the one whose graph mixes best.
[[nodiscard]] Recommendation recommend(const std::vector<Prospect>& prospects);

}  // namespace gossamer
