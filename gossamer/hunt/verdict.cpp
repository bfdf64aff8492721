#include "gossamer/hunt/verdict.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace gossamer {
namespace {

// How long before the end of a run one has to start to be taken in.
constexpr Duration kTimeToJoin = kHuntPatience / 2;

double at_seconds(Time time) {
  return seconds(time.time_since_epoch());
}

/// When the first one came to the end of the run: who starts shortly before it comes too late.
Time first_finish(std::span<const Life> lives) {
  Time first = Time::max();
  for (const Life& life : lives) {
    if (life.has_finished()) first = std::min(first, life.ended_at);
  }
  return first;
}

/// Whether this process was to come to the end of the run.
bool must_finish(const Life& life, Time first_finish, const std::set<NodeId>& hostile) {
  if (life.was_killed || life.was_stopped || hostile.contains(life.node)) return false;
  if (life.began == Fault::Kind::kRestartOtherSettings) return false;
  return first_finish == Time::max() || life.began_at == Time{} ||
         life.began_at + kTimeToJoin < first_finish;
}

std::string place_of(const Life& life) {
  return fmt::format("node {}, which began at {:.3f} s and had completed {} rounds at {:.3f} s,",
                     life.node, at_seconds(life.began_at), life.round,
                     at_seconds(life.progress_at));
}

}  // namespace

std::vector<Violation> judge_lives(std::span<const Life> lives, const Hunt& hunt) {
  std::vector<Violation> violations;
  const Time finish = first_finish(lives);
  std::set<NodeId> hostile;
  for (const Fault& fault : hunt.faults) {
    if (fault.kind == Fault::Kind::kHostile) hostile.insert(fault.node);
  }
  const Life* first = nullptr;
  for (const Life& life : lives) {
    if (life.crash) {
      violations.push_back(
          {"no process crashes", fmt::format("{} crashes at {:.3f} s: {}", place_of(life),
                                             at_seconds(life.ended_at), *life.crash)});
      continue;
    }
    if (!must_finish(life, finish, hostile)) continue;
    // Numbers that are wrong and finite are believed: docs/hunt.md.
    if (!hostile.empty() && life.failure && life.failure->kind == Failure::Kind::kDiverged)
      continue;
    const bool is_new = life.round == 0 && life.began_at > Time{};
    if (!life.has_ended) {
      violations.push_back({is_new ? "who starts again is taken in" : "nobody waits without end",
                            fmt::format("{} comes to no end", place_of(life))});
    } else if (life.failure) {
      violations.push_back({is_new ? "who starts again is taken in" : "no live member ends",
                            fmt::format("{} ends at {:.3f} s: {}", place_of(life),
                                        at_seconds(life.ended_at), life.failure->sentence)});
    } else if (first == nullptr) {
      first = &life;
    } else if (first->model != life.model) {
      violations.push_back(
          {"all end with one mean",
           fmt::format("{} ends with another mean than node {}", place_of(life), first->node)});
    }
  }
  return violations;
}

}  // namespace gossamer
