#include "gossamer/network/sim/platform.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <xbt/config.hpp>
#include <xbt/log.h>

#include <fmt/format.h>

// A sanitizer sees the stack of a thread, but not that of a fibre.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GOSSAMER_ACTORS_ARE_THREADS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GOSSAMER_ACTORS_ARE_THREADS 1
#endif
#endif

namespace gossamer {
namespace {

namespace s4u = simgrid::s4u;

// Bytes per second of what must never be the bottleneck.
constexpr double kUnlimited = 1e18;

// Operations per second. Work is given in seconds, so any number would do, but SimGrid takes less
// than 1e-5 operations for none.
constexpr double kCoreSpeed = 1e9;

/// Our own network: every machine has a connection of its own, and one latency lies between any two
/// of them, except where a pair has a cable.
class Builder {
 public:
  Builder(const Machines& machines, const SimSetup& setup)
      : machines_(machines), setup_(setup), zone_(s4u::create_full_zone("gossamer")) {}

  SimPlatform build() {
    std::vector<double> bandwidth(machines_.count(), setup_.bandwidth);
    for (const auto& [machine, rate] : setup_.machine_bandwidth)
      bandwidth[machine] = rate;
    for (NodeId id = 0; id < machines_.count(); ++id)
      add_machine(id, bandwidth[id]);
    for (const SimLink& link : setup_.links)
      add_cables(link);
    add_routes();
    SimPlatform platform{hosts_, nullptr, {}};
    if (setup_.processors.shared_cores > 0) platform.shared_processor = add_shared_processor();
    zone_->seal();
    return platform;
  }

 private:
  s4u::Link* make_link(const std::string& name, double bandwidth, Duration latency,
                       s4u::Link::SharingPolicy policy) {
    s4u::Link* const link = zone_->create_link(name, bandwidth);
    link->set_latency(seconds(latency))->set_sharing_policy(policy)->seal();
    return link;
  }

  void add_machine(NodeId id, double bandwidth) {
    using Policy = s4u::Link::SharingPolicy;
    // Nobody computes on it: nodes spend() time, or share a processor.
    hosts_.push_back(zone_->create_host(fmt::format("machine-{}", id), kCoreSpeed)->seal());
    up_.push_back(make_link(fmt::format("up-{}", id), bandwidth, Duration{0}, Policy::SHARED));
    down_.push_back(make_link(fmt::format("down-{}", id), bandwidth, Duration{0}, Policy::SHARED));
    // One wire for all would do, but then all flows would be one system of equations to SimGrid, to
    // be solved again for every message: twice the time with 1,024 nodes.
    wire_.push_back(
        make_link(fmt::format("wire-{}", id), kUnlimited, setup_.latency, Policy::FATPIPE));
    if (processors_are_cables()) add_processor_cable(id);
  }

  // All that a machine sends and receives also passes through its own processor, as through a cable
  // that carries so many bytes a second.
  [[nodiscard]] bool processors_are_cables() const {
    const SimProcessors& processors = setup_.processors;
    return processors.shared_cores == 0 &&
           (processors.seconds_per_byte > 0 || processors.per_message > Duration{0});
  }

  void add_processor_cable(NodeId id) {
    const SimProcessors& processors = setup_.processors;
    const double rate =
        processors.seconds_per_byte > 0 ? 1 / processors.seconds_per_byte : kUnlimited;
    processors_.push_back(make_link(fmt::format("processor-{}", id), rate, processors.per_message,
                                    s4u::Link::SharingPolicy::SHARED));
  }

  s4u::Host* add_shared_processor() {
    return zone_->create_host("processor", kCoreSpeed)
        ->set_core_count(static_cast<int>(setup_.processors.shared_cores))
        ->seal();
  }

  void add_cables(const SimLink& link) {
    const NodeId a = machines_.of(link.a);
    const NodeId b = machines_.of(link.b);
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
      cables_[{from, to}] =
          make_link(fmt::format("cable-{}-{}", from, to), link.bandwidth.value_or(kUnlimited),
                    link.latency.value_or(setup_.latency), s4u::Link::SharingPolicy::SHARED);
    }
  }

  void add_routes() {
    if (setup_.pairs.empty()) {
      for (NodeId from = 0; from < machines_.count(); ++from) {
        for (NodeId to = 0; to < machines_.count(); ++to)
          if (from != to) add_route(from, to);
      }
      return;
    }
    // Several pairs of nodes can be one pair of machines.
    std::set<Pair> done;
    for (const auto& [a, b] : setup_.pairs) {
      const Pair ends = unordered(machines_.of(a), machines_.of(b));
      if (ends.first == ends.second || !done.insert(ends).second) continue;
      add_route(ends.first, ends.second);
      add_route(ends.second, ends.first);
    }
  }

  void add_route(NodeId from, NodeId to) {
    const auto cable = cables_.find({from, to});
    s4u::Link* const between = cable == cables_.end() ? wire_[from] : cable->second;
    std::vector<s4u::LinkInRoute> route = {s4u::LinkInRoute(up_[from]), s4u::LinkInRoute(between),
                                           s4u::LinkInRoute(down_[to])};
    if (processors_are_cables()) {
      route.insert(route.begin(), s4u::LinkInRoute(processors_[from]));
      route.emplace_back(processors_[to]);
    }
    zone_->add_route(hosts_[from]->get_netpoint(), hosts_[to]->get_netpoint(), nullptr, nullptr,
                     route, false);
  }

  const Machines& machines_;
  const SimSetup& setup_;
  s4u::NetZone* zone_;
  std::vector<s4u::Host*> hosts_;
  std::vector<s4u::Link*> up_;
  std::vector<s4u::Link*> down_;
  std::vector<s4u::Link*> wire_;
  std::vector<s4u::Link*> processors_;
  std::map<std::pair<NodeId, NodeId>, s4u::Link*> cables_;
};

void list_hosts(s4u::NetZone& zone, std::vector<s4u::Host*>& hosts) {
  // From the second file of a process on, SimGrid forgets to; a zone that it did seal stays as it
  // is.
  zone.seal();
  // SimGrid lists them by name, where 10 comes before 2; their ids count them as they were read.
  std::vector<s4u::Host*> own = zone.get_all_hosts();
  std::ranges::sort(own, {}, [](const s4u::Host* host) { return host->get_netpoint()->id(); });
  hosts.insert(hosts.end(), own.begin(), own.end());
  for (s4u::NetZone* const inner : zone.get_children())
    list_hosts(*inner, hosts);
}

bool has_route(const s4u::Host& from, const s4u::Host& to) {
  std::vector<s4u::Link*> links;
  double latency = 0;
  try {
    from.route_to(&to, links, &latency);
  } catch (const std::exception&) {
    return false;  // some kinds of zone say it so
  }
  return !links.empty();
}

Result<void> check_routes(const std::vector<s4u::Host*>& hosts, const Machines& machines,
                          const SimSetup& setup) {
  const auto check = [&](NodeId a, NodeId b) -> Result<void> {
    const s4u::Host& from = *hosts[machines.of(a)];
    const s4u::Host& to = *hosts[machines.of(b)];
    if (has_route(from, to) && has_route(to, from)) return {};
    return Error{fmt::format("{}: no route connects {} and {}", setup.platform_file,
                             from.get_name().c_str(), to.get_name().c_str())};
  };
  for (const auto& [a, b] : setup.pairs) {
    if (auto checked = check(a, b); !checked) return checked;
  }
  if (!setup.pairs.empty()) return {};
  for (NodeId a = 0; a < machines.nodes(); ++a) {
    for (NodeId b = 0; b < a; ++b)
      if (auto checked = check(a, b); !checked) return checked;
  }
  return {};
}

Result<SimPlatform> load_platform(const s4u::Engine& engine, const Machines& machines,
                                  const SimSetup& setup) {
  std::vector<s4u::Host*> hosts;
  try {
    engine.load_platform(setup.platform_file);
    list_hosts(*engine.get_netzone_root(), hosts);
  } catch (const std::exception& failure) {
    return Error{fmt::format("SimGrid cannot read {}: {}", setup.platform_file, failure.what())};
  }
  if (hosts.size() < machines.count()) {
    return Error{fmt::format("{} has {} hosts, and {} machines are needed", setup.platform_file,
                             hosts.size(), machines.count())};
  }
  if (auto checked = check_routes(hosts, machines, setup); !checked) return checked.error();
  return SimPlatform{hosts, nullptr, {}};
}

// Most options exist only once there is an engine.
void choose_model() {
  // Flows share links by max-min fairness, without factors for protocols and their slow start: a
  // connection between nodes stays open from the first round to the last.
  // Once chosen in a process, it stays; choosing it again would abort.
  if (simgrid::config::get_value<std::string>("network/model") != "CM02")
    s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/crosstraffic:0");
  // The largest window in bytes, which divided by the round trip limits a flow's rate: none does.
  s4u::Engine::set_config("network/TCP-gamma:1e30");
  // Nodes of one machine talk through its memory.
  s4u::Engine::set_config("network/loopback-bw:1e10");
  s4u::Engine::set_config("network/loopback-lat:0");
  // In KiB. Touched only as deep as it is used.
  s4u::Engine::set_config("contexts/stack-size:1024");
}

void take_latencies(const s4u::Engine& engine, SimPlatform& platform) {
  for (s4u::Link* const link : engine.get_all_links()) {
    if (link->get_latency() <= 0) continue;
    platform.latencies[link] = link->get_latency();
    link->set_latency(0.0);
  }
}

}  // namespace

double SimPlatform::latency(const s4u::Host& from, const s4u::Host& to) const {
  std::vector<s4u::Link*> links;
  double left = 0;  // what SimGrid still adds itself
  from.route_to(&to, links, &left);
  double sum = 0;
  for (const s4u::Link* const link : links) {
    const auto taken = latencies.find(link);
    if (taken != latencies.end()) sum += taken->second;
  }
  return sum;
}

void prepare_simgrid() {
  // The library never prints: not even what SimGrid holds for critical.
  xbt_log_threshold_set(&_XBT_LOGV(XBT_LOG_ROOT_CAT), xbt_log_priority_infinite);
  // Every engine adds a callback here that reading a platform file calls, and leaves it behind when
  // it goes: the next file would call an engine that is no more.
  s4u::Engine::on_platform_created.disconnect_slots();
  // Ctrl-C belongs to the program.
  s4u::Engine::set_config("debug/verbose-exit:0");
#ifdef GOSSAMER_ACTORS_ARE_THREADS
  s4u::Engine::set_config("contexts/factory:thread");
#endif
}

Result<SimPlatform> make_platform(const s4u::Engine& engine, const Machines& machines,
                                  const SimSetup& setup) {
  choose_model();
  Result<SimPlatform> platform = setup.platform_file.empty()
                                     ? Builder(machines, setup).build()
                                     : load_platform(engine, machines, setup);
  if (platform) take_latencies(engine, platform.value());
  return platform;
}

}  // namespace gossamer
