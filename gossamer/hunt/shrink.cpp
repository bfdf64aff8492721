#include "gossamer/hunt/shrink.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "gossamer/hunt/hunted_run.hpp"

namespace gossamer {
namespace {

class Shrinker {
 public:
  Shrinker(Hunt hunt, const StillFails& still_fails, std::uint64_t most_tries)
      : hunt_(std::move(hunt)), still_fails_(still_fails), left_(most_tries) {}

  Hunt run() {
    drop_faults();
    try_ring();
    drop_nodes();
    mend_sooner();
    shorten();
    round_times();
    // What has become smaller may need less.
    drop_faults();
    return hunt_;
  }

 private:
  /// Takes it if it still fails.
  bool attempt(Hunt smaller) {
    if (left_ == 0) return false;
    --left_;
    if (!still_fails_(smaller)) return false;
    hunt_ = std::move(smaller);
    return true;
  }

  // In chunks, then one by one, until none of them can go.
  void drop_faults() {
    for (std::size_t chunk = std::max<std::size_t>(hunt_.faults.size() / 2, 1); left_ > 0;) {
      bool has_dropped = false;
      for (std::size_t begin = 0; begin < hunt_.faults.size() && left_ > 0;) {
        Hunt smaller = without(begin, chunk);
        if (smaller.faults.size() < hunt_.faults.size() && attempt(std::move(smaller))) {
          has_dropped = true;
        } else {
          begin += chunk;
        }
      }
      if (chunk == 1 && !has_dropped) return;
      chunk = std::max<std::size_t>(chunk / 2, 1);
    }
  }

  // What ends another fault goes with it, and only with it: a short pause would become a long one.
  [[nodiscard]] Hunt without(std::size_t begin, std::size_t count) const {
    Hunt smaller = hunt_;
    std::vector<bool> goes(hunt_.faults.size(), false);
    for (std::size_t k = begin; k < std::min(begin + count, goes.size()); ++k)
      goes[k] = !begin_of(k).has_value();
    for (std::size_t k = 0; k < goes.size(); ++k) {
      if (const std::optional<std::size_t> its_begin = begin_of(k)) goes[k] = goes[*its_begin];
    }
    smaller.faults.clear();
    for (std::size_t k = 0; k < goes.size(); ++k) {
      if (!goes[k]) smaller.faults.push_back(hunt_.faults[k]);
    }
    return smaller;
  }

  /// The fault that this one puts an end to.
  [[nodiscard]] std::optional<std::size_t> begin_of(std::size_t end) const {
    const Fault& fault = hunt_.faults[end];
    for (std::size_t k = end; k-- > 0;) {
      const Fault& other = hunt_.faults[k];
      if (end_of(other.kind) == fault.kind && other.node == fault.node &&
          other.other == fault.other && other.part == fault.part)
        return k;
    }
    return std::nullopt;
  }

  void try_ring() {
    if (hunt_.topology == "ring") return;
    Hunt smaller = hunt_;
    smaller.topology = "ring";
    attempt(std::move(smaller));
  }

  void drop_nodes() {
    constexpr NodeId kFewest = 3;
    while (hunt_.nodes > kFewest && (hunt_.topology == "ring" || hunt_.topology == "complete")) {
      Hunt smaller = hunt_;
      --smaller.nodes;
      const NodeId gone = smaller.nodes;
      const bool is_named = std::ranges::any_of(smaller.faults, [gone](const Fault& fault) {
        return fault.node == gone || fault.other == gone ||
               std::ranges::count(fault.part, gone) > 0;
      });
      if (is_named || !attempt(std::move(smaller))) return;
    }
  }

  void mend_sooner() {
    if (!hunt_.mended_at || hunt_.faults.empty()) return;
    Hunt smaller = hunt_;
    smaller.mended_at = hunt_.faults.back().at + std::chrono::seconds(1);
    if (*smaller.mended_at < *hunt_.mended_at) attempt(std::move(smaller));
  }

  void shorten() {
    for (const Round rounds : {Round{60}, Round{100}, Round{150}}) {
      if (rounds >= hunt_.rounds) return;
      // As much quiet as it takes to come back.
      const Time end = Time{} + static_cast<std::int64_t>(rounds) * hunt_.compute;
      if (hunt_.mended_at && *hunt_.mended_at + kHuntPatience > end) continue;
      Hunt smaller = hunt_;
      smaller.rounds = rounds;
      if (attempt(std::move(smaller))) return;
    }
  }

  void round_times() {
    for (const Duration unit :
         {Duration(std::chrono::seconds(1)), Duration(std::chrono::milliseconds(100))}) {
      for (std::size_t k = 0; k < hunt_.faults.size(); ++k) {
        Hunt rounder = hunt_;
        Fault& fault = rounder.faults[k];
        const Duration since = fault.at.time_since_epoch();
        const Duration rounded = unit * ((since + unit / 2) / unit);
        const bool is_in_order =
            (k == 0 || rounder.faults[k - 1].at <= Time{} + rounded) &&
            (k + 1 == rounder.faults.size() || Time{} + rounded <= rounder.faults[k + 1].at);
        const bool is_mended = hunt_.mended_at && Time{} + rounded > *hunt_.mended_at;
        if (rounded == since || !is_in_order || is_mended) continue;
        fault.at = Time{} + rounded;
        attempt(std::move(rounder));
      }
    }
  }

  Hunt hunt_;
  const StillFails& still_fails_;
  std::uint64_t left_;
};

}  // namespace

Hunt shrink(const Hunt& hunt, const StillFails& still_fails, std::uint64_t most_tries) {
  return Shrinker(hunt, still_fails, most_tries).run();
}

bool breaks(const Hunt& hunt, const std::string& rule) {
  const Result<HuntReport> report = run_hunt(hunt);
  return report && std::ranges::count(report.value().violations, rule, &Violation::rule) > 0;
}

}  // namespace gossamer
