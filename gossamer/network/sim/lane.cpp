#include "gossamer/network/sim/lane.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/wire/frame.hpp"

namespace gossamer {

namespace s4u = simgrid::s4u;
using simgrid::kernel::timer::Timer;

// SimGrid has one list of callbacks per process, and nothing leaves it: so this is called for the
// messages of all simulations, and knows each by its data.
void Lane::listen_to_simgrid() {
  [[maybe_unused]] static const bool kOnce = [] {
    s4u::Activity::on_completion_cb([](const s4u::Activity& activity) {
      auto* const flight = activity.get_data<Flight>();
      if (flight != nullptr && activity.get_state() == s4u::Activity::State::FINISHED)
        flight->lane->complete(*flight, activity);
    });
    return true;
  }();
}

void Lane::post(Arrival message) {
  flights_.push_back({this, std::move(message)});
  send_next();
}

void Lane::post_news(Arrival news) {
  flights_.push_back({this, std::move(news), Flight::Stage::kLanded});
}

std::size_t Lane::cut() {
  ++cuts_;
  return ground();
}

void Lane::heal() {
  if (--cuts_ > 0) return;
  send_next();
  deliver();
}

std::size_t Lane::lose_messages() {
  const std::size_t grounded = ground();
  const bool has_news =
      !flights_.empty() && flights_.back().arrival.kind == Arrival::Kind::kPeerLost;
  flights_.erase(flights_.begin(), flights_.end() - (has_news ? 1 : 0));
  if (cuts_ == 0) deliver();
  return grounded;
}

// The first that waits for it, unless one is being sent.
void Lane::send_next() {
  if (cuts_ > 0) return;
  const auto next = std::ranges::find_if(flights_, [](const Flight& flight) {
    return flight.stage == Flight::Stage::kQueued || flight.stage == Flight::Stage::kSending;
  });
  if (next != flights_.end() && next->stage == Flight::Stage::kQueued) take_off(*next);
}

void Lane::take_off(Flight& flight) {
  flight.stage = Flight::Stage::kSending;
  const std::size_t bytes = kFrameHeaderSize + flight.arrival.message.payload().size();
  const s4u::CommPtr comm = s4u::Comm::sendto_init(way_.from_host, way_.to_host);
  comm->set_payload_size(bytes)->set_data(&flight);
  flight.parts.emplace_back(comm);
  flight.bytes = comm.get();
  const SharedProcessor& processor = tower_.processor();
  // Its two ends.
  for (int end = 0; end < 2 && processor.charges_messages(); ++end) {
    const s4u::ExecPtr work = processor.message_work(bytes);
    work->set_data(&flight);
    flight.parts.emplace_back(work);
  }
  for (const s4u::ActivityPtr& part : flight.parts)
    part->start();
  tower_.took_off();
}

// Called by SimGrid when a part of a message has come to its end.
void Lane::complete(Flight& flight, const s4u::Activity& part) {
  const auto done = std::ranges::find(flight.parts, &part, &s4u::ActivityPtr::get);
  retire(std::move(*done));
  flight.parts.erase(done);
  if (&part == flight.bytes) {
    flight.bytes = nullptr;
    fly(flight);
    send_next();
  }
  land_if_done(flight);
}

void Lane::fly(Flight& flight) {
  flight.stage = Flight::Stage::kInTheAir;
  if (way_.latency == 0) return;
  flight.landing = Timer::set(s4u::Engine::get_clock() + way_.latency, [this, &flight] {
    flight.landing = nullptr;
    land_if_done(flight);
  });
}

// When the latency is over, and both ends have done their work.
void Lane::land_if_done(Flight& flight) {
  if (flight.landing != nullptr || !flight.parts.empty()) return;
  flight.stage = Flight::Stage::kLanded;
  deliver();
  tower_.landed();
}

void Lane::deliver() {
  while (!flights_.empty() && flights_.front().stage == Flight::Stage::kLanded) {
    tower_.arrived(way_.to, std::move(flights_.front().arrival));
    flights_.pop_front();
  }
}

// Stops all that is under way, and returns how many that were. They can take off again.
std::size_t Lane::ground() {
  std::size_t count = 0;
  for (Flight& flight : flights_) {
    if (flight.stage != Flight::Stage::kSending && flight.stage != Flight::Stage::kInTheAir)
      continue;
    for (s4u::ActivityPtr& part : flight.parts) {
      part->cancel();
      retire(std::move(part));
    }
    flight.parts.clear();
    flight.bytes = nullptr;
    if (flight.landing != nullptr) std::exchange(flight.landing, nullptr)->remove();
    flight.stage = Flight::Stage::kQueued;
    ++count;
  }
  return count;
}

// SimGrid calls back for some activities more than once: from here on for nobody.
void Lane::retire(s4u::ActivityPtr part) {
  part->set_data(nullptr);
  tower_.keep_for_now(std::move(part));
}

}  // namespace gossamer
