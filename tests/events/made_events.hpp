#pragma once

#include <chrono>
#include <ostream>
#include <utility>
#include <vector>

#include "gossamer/events/event.hpp"
#include "gossamer/events/event_json.hpp"

namespace gossamer {

inline void PrintTo(const Event& event, std::ostream* out) {
  *out << to_json(event);
}

}  // namespace gossamer

namespace gossamer::testing {

inline Event at_node_2(What what) {
  return {2, 1200, Time(std::chrono::milliseconds(34'500)), std::move(what)};
}

inline Measurement made_measurement() {
  Measurement measurement;
  measurement.round = 1200;
  measurement.epoch = 1.5;
  measurement.train_loss = 0.375;
  measurement.tested = Tested{{0.5, 0.875}, 0.625, 0.75, 0.8125, 0.75};
  measurement.consensus_distance = 0.0625;
  measurement.bytes_sent_per_node = 1'048'576;
  measurement.payload_bytes_per_node = 1'000'000.5;
  measurement.seconds = 34.25;
  for (std::size_t i = 0; i < kPhaseCount; ++i)
    measurement.spent.by_phase[i] = std::chrono::milliseconds(250 * (i + 1));
  measurement.spent.cpu_compute = std::chrono::microseconds(125);
  measurement.spent.cpu_total = std::chrono::microseconds(250);
  measurement.farthest_node = 3;
  return measurement;
}

/// One of each kind, in the order of What: those of docs/events.md.
inline std::vector<Event> made_events() {
  const Time begin(std::chrono::milliseconds(1500));
  return {
      at_node_2(RoundDone{0.25, 4096}),
      at_node_2(Measured{made_measurement()}),
      at_node_2(LinkDown{3, "its connection was reset"}),
      at_node_2(LinkUp{3, 1.25}),
      at_node_2(CallerRefused{"203.0.113.9:51234", "it does not begin with a hello", 12}),
      at_node_2(PeerLost{3, "it was silent for 10.0 s"}),
      at_node_2(PeerBack{3}),
      at_node_2(EdgeLost{3, "it was silent for 10.0 s"}),
      at_node_2(EdgeBack{3}),
      at_node_2(JoinRefused{
          3,
          "node 3 and node 2 do not agree: seed is '2' there and '1' here; all nodes must be "
          "started with the same settings"}),
      at_node_2(JoinFailed{3, "its copies did not come"}),
      at_node_2(Joined{1000}),
      at_node_2(CopyRepaired{3}),
      at_node_2(Waiting{{{3, "its connection was refused"}, {7, "nothing was heard of it"}}, 5.0}),
      at_node_2(SlowPeer{3, std::nullopt, SlowPeer::Cause::kLink, 0.75}),
      at_node_2(CheckpointSaved{1'234'567, 0.125}),
      at_node_2(Began{8, 5000, 1200, 1'767'225'600.5}),
      at_node_2(Spans{{{Phase::kCompute, 1199, begin, begin + std::chrono::milliseconds(250)},
                       {Phase::kWait, 1199, begin + std::chrono::milliseconds(250),
                        begin + std::chrono::milliseconds(500)}}}),
      at_node_2(Warned{"gamma is larger than theory allows"}),
      at_node_2(Failed{"lost", "message of node 3", "node 2 lost node 3 in round 1200",
                       "start it again with --resume"}),
      at_node_2(Ended{"finished"}),
  };
}

}  // namespace gossamer::testing
