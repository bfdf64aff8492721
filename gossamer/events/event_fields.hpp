#pragma once

#include <concepts>
#include <type_traits>

#include "gossamer/events/event.hpp"

namespace gossamer {

// The fields of each kind of event, once, for writing (const) and for reading: `field` is called
// with the name and the value of each.

template <typename Given, typename Wanted>
concept IsEventPart = std::same_as<std::remove_const_t<Given>, Wanted>;

void fields(IsEventPart<RoundDone> auto& done, auto& field) {
  field("loss", done.loss);
  field("bytes_sent", done.bytes_sent);
}

// The figures that users know, then what they leave out.
void fields(IsEventPart<Measured> auto& measured, auto& field) {
  auto& measurement = measured.measurement;
  field("figures", measurement);
  if (measurement.tested) {
    field("loss_nodes_mean", measurement.tested->loss_nodes_mean);
    field("loss_nodes_worst", measurement.tested->loss_nodes_worst);
  }
  field("farthest_node", measurement.farthest_node);
  field("seconds_other", measurement.spent.by_phase[static_cast<std::size_t>(Phase::kOther)]);
  field("cpu_seconds_compute", measurement.spent.cpu_compute);
  field("cpu_seconds_total", measurement.spent.cpu_total);
}

template <typename Happening>
concept HasPeerAndReason = IsEventPart<Happening, LinkDown> || IsEventPart<Happening, PeerLost> ||
    IsEventPart<Happening, EdgeLost> || IsEventPart<Happening, JoinRefused> ||
    IsEventPart<Happening, JoinFailed>;

void fields(HasPeerAndReason auto& happening, auto& field) {
  field("peer", happening.peer);
  field("reason", happening.reason);
}

template <typename Happening>
concept HasPeer = IsEventPart<Happening, PeerBack> || IsEventPart<Happening, EdgeBack> ||
    IsEventPart<Happening, CopyRepaired>;

void fields(HasPeer auto& happening, auto& field) {
  field("peer", happening.peer);
}

void fields(IsEventPart<LinkUp> auto& up, auto& field) {
  field("peer", up.peer);
  field("seconds_down", up.seconds_down);
}

void fields(IsEventPart<CallerRefused> auto& refused, auto& field) {
  field("address", refused.address);
  field("reason", refused.reason);
  field("left_out", refused.left_out);
}

void fields(IsEventPart<Joined> auto& joined, auto& field) {
  field("checkpoint", joined.checkpoint);
}

void fields(IsEventPart<Waiting> auto& waiting, auto& field) {
  field("peers", waiting.peers);
  field("seconds_waited", waiting.seconds);
}

void fields(IsEventPart<Waiting::Awaited> auto& awaited, auto& field) {
  field("peer", awaited.peer);
  field("reason", awaited.reason);
}

void fields(IsEventPart<SlowPeer> auto& slow, auto& field) {
  field("peer", slow.peer);
  field("other", slow.other);
  field("cause", slow.cause);
  field("share", slow.share);
}

void fields(IsEventPart<CheckpointSaved> auto& saved, auto& field) {
  field("bytes", saved.bytes);
  field("seconds_taken", saved.seconds);
}

void fields(IsEventPart<Began> auto& began, auto& field) {
  field("nodes", began.nodes);
  field("rounds", began.rounds);
  field("from", began.from);
  field("unix_time", began.unix_time);
}

void fields(IsEventPart<Spans> auto& spans, auto& field) {
  field("spans", spans.spans);
}

void fields(IsEventPart<Span> auto& span, auto& field) {
  field("phase", span.phase);
  field("round", span.round);
  field("begin", span.begin);
  field("end", span.end);
}

void fields(IsEventPart<Warned> auto& warned, auto& field) {
  field("text", warned.text);
}

void fields(IsEventPart<Failed> auto& failed, auto& field) {
  field("kind", failed.kind);
  field("quantity", failed.quantity);
  field("sentence", failed.sentence);
  field("remedy", failed.remedy);
}

void fields(IsEventPart<Ended> auto& ended, auto& field) {
  field("outcome", ended.outcome);
}

}  // namespace gossamer
