#include "gossamer/member/member.hpp"

#include <random>
#include <utility>

#include <fmt/format.h>

#include "gossamer/compress/compressor.hpp"
#include "gossamer/member/roll_call.hpp"
#include "gossamer/member/talking_pairs.hpp"
#include "gossamer/store/safetensors.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer {
namespace {

std::uint64_t digest_of_model(CVec x) {
  return digest_of(ByteView(reinterpret_cast<const std::uint8_t*>(x.data()),
                            static_cast<std::size_t>(x.size()) * sizeof(float)));
}

std::string text_of(const Layout& layout) {
  std::string text;
  for (const Block& block : layout.blocks())
    text += fmt::format("{}:{} ", block.name, fmt::join(block.shape, "x"));
  return text;
}

Incarnation drawn_incarnation() {
  std::random_device device;
  return (Incarnation{device()} << 32) | device();
}

}  // namespace

Result<std::unique_ptr<Member>> Member::make(const MemberSetup& setup) {
  Result<std::unique_ptr<Algorithm>> algorithm = make_algorithm(setup.algorithm, setup.method);
  if (!algorithm) return algorithm.error();
  return std::unique_ptr<Member>(new Member(setup, std::move(algorithm).value()));
}

Member::Member(const MemberSetup& setup, std::unique_ptr<Algorithm> algorithm)
    : setup_(setup),
      host_({setup.network, setup.topology, setup.method.layout, setup.seed, setup.patience},
            setup.events),
      ledger_(setup.network, host_.node().timeline()),
      algorithm_(std::move(algorithm)),
      mean_({.host = host_,
             .graph = talking_graph(find_algorithm(setup.algorithm).value().reach, setup.topology),
             .patience = setup.patience,
             .last_deadline = setup.process ? setup.process->peer_deadline : Duration{},
             .hear_next = [this](Time deadline) { return hear_next(deadline); }}),
      last_call_({host_,
                  talking_graph(find_algorithm(setup.algorithm).value().reach, setup.topology),
                  setup.patience}) {
  if (drops()) {
    host_.go_on_without_lost([&](Membership::Setup edges) {
      edges.on_partition = setup_.process->on_partition;
      edges.deadline = setup_.process->peer_deadline;
      edges.patience = setup_.patience;
      edges.rejoin_for = setup_.process->rejoin_for;
      return edges;
    });
    incarnation_ = setup_.process->incarnation;
    if (incarnation_ == 0) incarnation_ = drawn_incarnation();
  }
  if (setup.process) pace_.emplace(host_, setup.process->partners, setup.network.size());
  host_.listen([this](const Aside& aside) {
    // Not taken by it: whoever waits for its sender has to see it too.
    if (ends_together()) last_call_.hear(aside);
    return (pace_ && pace_->hear(aside)) || mean_.hear(aside) ||
           (upkeep_ && upkeep_->hear_in_round(aside));
  });
}

void Member::has_statistics(Layout layout, std::function<CVec()> statistics) {
  statistics_layout_ = std::move(layout);
  statistics_ = std::move(statistics);
}

Beginning Member::begin() {
  return guarded([this]() -> Beginning {
    first_model_ = digest_of_model(node().x());
    // Also before resuming: it makes room for the state that is then read.
    algorithm_->start(node());
    std::optional<Round> from = setup_.resume_from;
    if (setup_.process) from = drops() ? come_in() : agree();
    if (is_stopped_early_) return {Beginning::How::kStopped, node().round()};
    const bool has_joined = has_joined_;
    if (from && !drops()) resume(*from);
    if (setup_.process && !drops()) look_after_edges();
    if (!has_joined) tell_beginning();
    node().timeline().enter(Phase::kMix);
    if (has_joined) return {Beginning::How::kJoined, node().round()};
    return {from ? Beginning::How::kResumed : Beginning::How::kFresh, node().round()};
  });
}

bool Member::begin_round() {
  if (is_stopped_early_) return false;
  return guarded([this] {
    if (std::exchange(is_cut_off_, false)) rejoin();
    if (is_stopped_early_) return false;
    save_if_due();
    if (node().round() >= setup_.rounds) return false;
    if (setup_.stop != nullptr && !setup_.stop->may_begin(node().round())) {
      if (setup_.checkpoints != nullptr) save();
      return false;
    }
    if (pace_) pace_->between_rounds();
    while (!keep_edges()) {
      rejoin();
      if (is_stopped_early_) return false;
    }
    algorithm_->before_gradient(node());
    has_computed_ = false;
    node().timeline().enter(Phase::kCompute);
    return true;
  });
}

void Member::share_gradient(Vec g) {
  guarded([&] {
    spend_compute_time();
    algorithm_->share_gradient(node(), g);
  });
}

void Member::end_round(CVec u, std::optional<double> loss) {
  guarded([&] {
    spend_compute_time();
    node().timeline().enter(Phase::kMix);
    try {
      algorithm_->after_gradient(node(), u);
    } catch (const CutOff&) {
      is_cut_off_ = true;
      return;
    }
    node().end_round();
    if (host_.events().wants(EventKind::kRoundDone))
      host_.events().emit(node().round(), RoundDone{loss, ledger_.bytes_sent()});
  });
}

// Before the gradient is shared: neighbours get it when it has been computed.
void Member::spend_compute_time() {
  if (std::exchange(has_computed_, true) || !trains() || !setup_.compute_time) return;
  const ThreadLeft left(node().timeline());
  setup_.network.spend(setup_.compute_time(node().round()));
}

MeanOfNodes Member::mean_model() {
  return guarded([this] {
    const PhaseScope other(node().timeline(), Phase::kOther);
    const std::size_t more = statistics_layout_.size();
    const std::size_t size = node().layout().size() + more;
    const bool is_last = node().round() >= setup_.rounds;
    if (!trains()) return mean_.mean(CVec(nullptr, 0), size, is_last);
    FloatBuffer own(size);
    own.view().head(node().x().size()) = node().x();
    if (more > 0) own.view().tail(static_cast<Eigen::Index>(more)) = statistics_();
    return mean_.mean(own.view(), size, is_last);
  });
}

bool Member::hear_next(Time deadline) {
  return upkeep_ ? upkeep_->hear_next(deadline) : host_.next_aside(deadline).has_value();
}

std::optional<Round> Member::stopped() const {
  if (setup_.stop == nullptr) return std::nullopt;
  // A line behind the last round stops nobody.
  const std::optional<Round> line = setup_.stop->line();
  return line && *line < setup_.rounds ? line : std::nullopt;
}

MemberStats Member::stats() {
  MemberStats stats{.bytes_sent = ledger_.bytes_sent(),
                    .payload_bytes = ledger_.payload_bytes(),
                    .aside_bytes = setup_.network.traffic().aside_bytes,
                    .now = ledger_.now(),
                    .clock = host_.now(),
                    .spent = ledger_.spent()};
  if (const Membership* const membership = host_.membership())
    stats.edges_lost = membership->losses();
  if (upkeep_) {
    stats.edges_back = upkeep_->joins();
    stats.copies_repaired = upkeep_->repairs();
  }
  return stats;
}

// What ends the run of this node as RunFailed; where it ends that of all, they are told.
template <typename Step>
auto Member::guarded(const Step& step) -> decltype(step()) {
  try {
    return step();
  } catch (const NonFiniteValue& error) {
    fail(Failure::Kind::kNonFinite, "message",
         fmt::format("node {} has numbers that are not finite after {} rounds: {}; the run has "
                     "diverged",
                     node().id(), node().round(), error.what()));
  } catch (const NeighbourLost& lost) {
    const bool ended = lost.reason == NeighbourLost::Reason::kEnded;
    end_for_all(ended ? Failure::Kind::kLost : Failure::Kind::kStalled,
                fmt::format("message of node {}", lost.neighbour), lost.what());
  } catch (const CutOff& end) {
    throw RunFailed(failure(Failure::Kind::kLost, "node",
                            fmt::format("node {} was cut off: {}", node().id(), end.what())));
  } catch (const RunEnded& end) {
    end_for_all(Failure::Kind::kLost, "node", end.what());
  }
}

void Member::fail(Failure::Kind kind, const std::string& quantity, const std::string& sentence) {
  const Failure own = failure(kind, quantity, sentence);
  throw RunFailed(ends_together() ? last_call_.conclude(own) : own);
}

// Ranks have a process that hears of all ends; and one that others go on without ends alone.
bool Member::ends_together() const {
  return setup_.process && setup_.process->can_return &&
         setup_.process->on_peer_loss == OnPeerLoss::kStop;
}

void Member::end_for_all(Failure::Kind kind, const std::string& quantity,
                         const std::string& sentence) {
  // Who misses others because one has failed asks for the reason.
  if (last_call_.has_begun()) fail(kind, quantity, sentence);
  leave(sentence);
  throw RunFailed(failure(kind, quantity, sentence));
}

void Member::leave(const std::string& why) {
  if (setup_.process && setup_.process->can_return) host_.say_farewell(why);
}

Failure Member::failure(Failure::Kind kind, std::string quantity, std::string sentence) const {
  return {kind, node().id(), node().round(), std::move(quantity), std::move(sentence)};
}

void Member::tell_beginning() {
  if (!host_.events().wants(EventKind::kBegan)) return;
  const auto at_zero =
      std::chrono::system_clock::now().time_since_epoch() - host_.now().time_since_epoch();
  host_.events().emit(node().round(), Began{node().size(), setup_.rounds, node().round(),
                                            std::chrono::duration<double>(at_zero).count()});
}

// From here on the node takes part in audits and joins.
void Member::look_after_edges() {
  const MemberSetup::AmongProcesses& process = *setup_.process;
  upkeep_.emplace(Upkeep::Setup{.host = host_,
                                .algorithm = *algorithm_,
                                .audit_every = process.audit_every,
                                .patience = setup_.patience,
                                .rounds = setup_.rounds,
                                .show_model = [this](StateVisitor& v) { show_model(v); }});
}

Presence Member::presence() const {
  Presence presence{.settings = setup_.process->settings};
  presence.settings.emplace_back("layout of the model", text_of(node().layout()));
  presence.settings.emplace_back("digest of the first model", fmt::format("{:016x}", first_model_));
  if (resumes()) presence.saved = rounds_to_resume();
  return presence;
}

bool Member::resumes() const {
  return setup_.checkpoints != nullptr && (setup_.process->resumes || setup_.resume_from);
}

std::vector<Round> Member::rounds_to_resume() const {
  if (setup_.resume_from) return {*setup_.resume_from};
  return setup_.checkpoints->saved_by(node().id());
}

void Member::resume(Round round) {
  load(round);
  node().begin_at(round);
  ledger_.catch_up();
}

void Member::load(Round round) {
  const Result<void> loaded = setup_.checkpoints->load(
      node().id(), round, [this](StateVisitor& visitor) { show_state(visitor); });
  if (!loaded) fail_of_file(loaded.error().message);
  saved_ = round;
}

void Member::save_if_due() {
  if (setup_.checkpoints == nullptr || setup_.checkpoint_every == 0) return;
  const Round completed = node().round();
  const bool is_due = completed % setup_.checkpoint_every == 0 || completed == setup_.rounds;
  if (completed > 0 && is_due) save();
}

void Member::save() {
  const PhaseScope other(node().timeline(), Phase::kOther);
  if (saved_ == node().round()) return;
  std::vector<NamedTensor> model;
  if (trains()) model = tensors_of(node().layout(), node().x());
  if (trains() && statistics_layout_.size() > 0) {
    const auto more = tensors_of(statistics_layout_, statistics_());
    model.insert(model.end(), more.begin(), more.end());
  }
  const auto begin = std::chrono::steady_clock::now();
  const Result<std::uint64_t> saved = setup_.checkpoints->save(
      node().id(), node().round(), [this](StateVisitor& visitor) { show_state(visitor); }, model);
  if (!saved) fail_of_file(saved.error().message);
  saved_ = node().round();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  host_.events().emit(node().round(), CheckpointSaved{saved.value(), took.count()});
}

// All print the sentence: one that names a file says on whose machine.
void Member::fail_of_file(const std::string& sentence) {
  fail(Failure::Kind::kFile, "checkpoint",
       ends_together() ? fmt::format("node {}: {}", node().id(), sentence) : sentence);
}

void Member::show_state(StateVisitor& visitor) {
  ledger_.visit_state(visitor);
  if (Membership* const membership = host_.membership()) {
    // An algorithm has copies for the edges that it had then.
    if (membership->visit_state(visitor)) {
      node().read_weights();
      algorithm_->welcome(node());
    }
  }
  visitor.visit("x", node().x());
  show_loop_(visitor);
  algorithm_->visit_state(visitor);
}

// What a node takes over that joins empty-handed.
void Member::show_model(StateVisitor& visitor) {
  visitor.visit("x", node().x());
  show_model_(visitor);
}

}  // namespace gossamer
