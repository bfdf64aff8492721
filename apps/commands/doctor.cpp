#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "apps/command.hpp"
#include "apps/commands/version.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/text/printable.hpp"
#include "gossamer/base/text/units.hpp"
#include "gossamer/events/sentence.hpp"
#include "gossamer/network/checkup.hpp"
#include "gossamer/network/tcp_reach.hpp"
#include "gossamer/settings/peers.hpp"
#include "gossamer/settings/tls_peers.hpp"

namespace gossamer::cli {
namespace {

struct DoctorArguments {
  std::string peers;
  NodeId node = 0;
  std::string wait = "10s";
  bool insecure = false;
  bool json = false;
};

/// What the network tells while it runs, each sentence once.
class Sentences final : public EventSink {
 public:
  void take(const Event& event) noexcept override {
    const std::string line = sentence_of(event);
    const std::lock_guard lock(mutex_);
    if (std::ranges::count(lines_, line) == 0) lines_.push_back(line);
  }

  [[nodiscard]] std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

// The checks of a network are not for those that train.
constexpr std::uint8_t kPurposeOfDoctor = 1;
// On four peers with 100 Mbit/s each one pass finds 35 to 75 of them, four find 94.
constexpr int kPassesForPlans = 4;
// A certificate is valid from a day before it was made; clocks that are so wrong mislead people
// who compare logs long before.
constexpr Duration kTolerableSkew = std::chrono::minutes(1);

struct Findings {
  std::vector<PeerCheckup> peers;
  std::map<NodeId, std::string> not_called;  // why a peer cannot be called from here
  std::vector<std::string> warnings;
};

Findings examine(const DoctorArguments& arguments, const Peers& peers, Duration wait) {
  Sentences heard;
  TlsSetup setup = value_or_throw(tls_setup(
      peers, arguments.node, arguments.insecure ? Transport::kPlainTcp : Transport::kTls));
  setup.purpose = kPurposeOfDoctor;
  setup.start_deadline = wait;
  setup.deadline = wait;
  setup.events = &heard;
  const std::unique_ptr<TlsNetwork> network = value_or_throw(open_tls(setup));

  Findings findings;
  CheckupSetup checkup;
  checkup.patience = wait;
  checkup.passes = arguments.json ? kPassesForPlans : 1;
  checkup.version = short_version();
  checkup.wall_clock = [] {
    return std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
  };
  // A link needs a call in one direction only. Now the peer is here, so the other one can be tried.
  checkup.before_measuring = [&](NodeId peer) {
    const HostPort& address = peers[peer].address;
    const Result<void> reached =
        reach_tcp(address.host, fmt::format("{}", address.port), std::chrono::seconds(2));
    if (!reached) findings.not_called[peer] = reached.error().message;
  };
  std::vector<NodeId> others;
  for (const TlsPeer& peer : setup.peers)
    others.push_back(peer.id);
  findings.peers = check_up(*network, others, checkup);
  findings.warnings = heard.lines();
  return findings;
}

std::string milliseconds_of(Duration duration) {
  return fmt::format("{:.3g} ms", 1000 * seconds(duration));
}

// What a user should know of a peer that answers.
std::vector<std::string> remarks_on(const Findings& findings, const PeerCheckup& peer) {
  std::vector<std::string> remarks;
  if (const auto found = findings.not_called.find(peer.peer); found != findings.not_called.end())
    remarks.push_back(fmt::format("calls us, but cannot be called from here: {}", found->second));
  if (peer.version != short_version())
    remarks.push_back(
        fmt::format("runs {}, and this node {}", printable(peer.version), short_version()));
  if (std::chrono::abs(peer.clock_ahead) > kTolerableSkew)
    remarks.push_back(fmt::format("has a clock that is {:.0f} s {}",
                                  std::abs(seconds(peer.clock_ahead)),
                                  peer.clock_ahead > Duration::zero() ? "ahead" : "behind"));
  return remarks;
}

void print_table(const DoctorArguments& arguments, const Peers& peers, const Findings& findings) {
  fmt::print("node {} of {}, {}, listens at {}\n", arguments.node, peers.size(), short_version(),
             format_host_port(peers[arguments.node].listen));
  fmt::print("{:>5}  {:<30} {:>11} {:>12} {:>11}  {}\n", "peer", "address", "round trip",
             "rate to it", "its clock", "");
  for (const PeerCheckup& peer : findings.peers) {
    const std::string address = format_host_port(peers[peer.peer].address);
    if (!peer.trouble.empty()) {
      fmt::print("{:>5}  {:<30} {}\n", peer.peer, address, printable(peer.trouble));
      continue;
    }
    fmt::print("{:>5}  {:<30} {:>11} {:>12} {:>11}  ok\n", peer.peer, address,
               milliseconds_of(peer.round_trip),
               fmt::format("{:.3g} Mbps", peer.bytes_per_second * 8 / 1e6),
               fmt::format("{:+.3g} ms", 1000 * seconds(peer.clock_ahead)));
    for (const std::string& remark : remarks_on(findings, peer))
      fmt::print("       node {} {}\n", peer.peer, remark);
  }
}

// What `gossamer plan --links` reads: gossamer/plan/measured_links.hpp.
void print_json(const DoctorArguments& arguments, const Peers& peers, const Findings& findings) {
  for (const PeerCheckup& peer : findings.peers) {
    nlohmann::ordered_json line{{"node", arguments.node},
                                {"peer", peer.peer},
                                {"address", format_host_port(peers[peer.peer].address)}};
    if (!peer.trouble.empty()) {
      line["trouble"] = peer.trouble;
    } else {
      line["round_trip_seconds"] = seconds(peer.round_trip);
      line["bytes_per_second"] = peer.bytes_per_second;
      line["clock_ahead_seconds"] = seconds(peer.clock_ahead);
      line["version"] = peer.version;
      line["remarks"] = remarks_on(findings, peer);
    }
    // A peer may call its version what it likes.
    using Handler = nlohmann::ordered_json::error_handler_t;
    fmt::print("{}\n", line.dump(-1, ' ', false, Handler::replace));
  }
}

bool is_well(const PeerCheckup& peer) {
  return peer.trouble.empty() && peer.version == short_version();
}

int print_findings(const DoctorArguments& arguments, const Peers& peers, const Findings& findings) {
  arguments.json ? print_json(arguments, peers, findings) : print_table(arguments, peers, findings);
  if (std::ranges::all_of(findings.peers, is_well)) return kSuccess;
  for (const std::string& warning : findings.warnings)
    fmt::print(stderr, "gossamer: {}\n", warning);
  return kRunFailed;
}

int run_doctor(const DoctorArguments& arguments) {
  const Peers peers = value_or_throw(read_peers(arguments.peers));
  const Result<Duration> wait = parse_duration(arguments.wait);
  if (!wait) throw BadInput(fmt::format("--wait: {}", wait.error().message));
  return print_findings(arguments, peers, examine(arguments, peers, wait.value()));
}

}  // namespace

void add_doctor_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "doctor", "Checks the ways between peers: reach, keys, round trips, rates, clocks, versions");
  const auto arguments = std::make_shared<DoctorArguments>();
  command->add_option("--peers", arguments->peers, "The peers")->option_text("FILE")->required();
  command->add_option("--node", arguments->node, "Which of them this is")
      ->option_text("I")
      ->required();
  command->add_option("--wait", arguments->wait, "How long for a peer [10s]")->option_text("TIME");
  command->add_flag("--insecure", arguments->insecure, "Over plain TCP, without keys");
  command->add_flag("--json", arguments->json,
                    "One JSON object per peer, for plans: measures longer");
  command->footer(R"(All peers run it at the same time, best by:
  gossamer launch --peers peers.toml -- doctor
What it measures is a network that runs can be planned for:
  gossamer launch --peers peers.toml -- doctor --json > links.jsonl
  gossamer plan --links links.jsonl
A peer that trains meanwhile does not take part, and is named. The exit code is 3 if a peer does not
answer or has another version.)");
  command->callback(
      [arguments, &action] { action = [arguments] { return run_doctor(*arguments); }; });
}

}  // namespace gossamer::cli
