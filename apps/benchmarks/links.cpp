// How fast two peers talk over loopback, beside OpenSSL on a blocking socket: the same sizes, in
// turns, in one run.

#include <algorithm>
#include <barrier>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "apps/benchmarks/bench.hpp"
#include "apps/benchmarks/stopwatch.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/message_pool.hpp"
#include "gossamer/network/sockets/raw_tls.hpp"
#include "gossamer/network/tls/tls.hpp"

namespace gossamer::cli {
namespace {

struct LinkBenchOptions {
  std::string keys;
  std::size_t large = 10'000'000;
  std::size_t small = 256;
  int samples = 9;
  bool json = false;
};

/// One of two ends that talk to each other.
class Talker {
 public:
  Talker() = default;
  Talker(const Talker&) = delete;
  Talker& operator=(const Talker&) = delete;
  virtual ~Talker() = default;
  virtual void send(std::size_t size) = 0;
  virtual void receive(std::size_t size) = 0;
};

class RawTalker final : public Talker {
 public:
  RawTalker(RawTls& tls, std::size_t most) : tls_(tls), out_(most, 0x5A), in_(most) {}

  void send(std::size_t size) override { tls_.send(ByteView(out_).first(size)); }

  void receive(std::size_t size) override { tls_.receive(std::span(in_).first(size)); }

 private:
  RawTls& tls_;
  std::vector<std::uint8_t> out_;
  std::vector<std::uint8_t> in_;
};

class LinkTalker final : public Talker {
 public:
  explicit LinkTalker(Network& network) : network_(network) {}

  void send(std::size_t size) override {
    // A node writes each message into a buffer that is free again: its bytes are not new memory.
    network_.send(1 - network_.self(), 0,
                  pool_.make([&](ByteWriter& out) { (void)out.extend(size); }));
  }

  void receive(std::size_t size) override {
    const Arrival arrival = network_.receive(Time::max());
    if (arrival.kind != Arrival::Kind::kMessage || arrival.message.payload().size() != size) {
      throw std::runtime_error("the link lost a message");
    }
  }

 private:
  Network& network_;
  MessagePool pool_;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds for a message, on the side of node 0.
double one_way(Talker& talker, NodeId self, std::size_t size) {
  constexpr int kMessages = 10;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kMessages; ++i) {
    if (self == 0) {
      talker.send(size);
    } else {
      talker.receive(size);
    }
  }
  // The last one has arrived when the answer has.
  if (self == 0) {
    talker.receive(1);
  } else {
    talker.send(1);
  }
  return seconds_since(begin) / kMessages;
}

double round_trip(Talker& talker, NodeId self, std::size_t size) {
  constexpr int kTrips = 2000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kTrips; ++i) {
    if (self == 0) talker.send(size);
    talker.receive(size);
    if (self == 1) talker.send(size);
  }
  return seconds_since(begin) / kTrips;
}

struct Samples {
  std::vector<double> one_way;
  std::vector<double> round_trip;
};

struct Measured {
  Samples raw;
  Samples link;
};

struct Ends {
  Network& network;
  RawTls& raw;
};

void measure_end(const Ends& ends, const LinkBenchOptions& options, std::barrier<>& together,
                 Measured& measured) {
  const NodeId self = ends.network.self();
  RawTalker raw(ends.raw, options.large);
  LinkTalker link(ends.network);
  const auto sample = [&](Talker& talker, Samples& samples) {
    together.arrive_and_wait();
    samples.one_way.push_back(one_way(talker, self, options.large));
    together.arrive_and_wait();
    samples.round_trip.push_back(round_trip(talker, self, options.small));
  };
  // The first time buffers are made and hands are shaken.
  Measured warm_up;
  sample(raw, warm_up.raw);
  sample(link, warm_up.link);
  for (int i = 0; i < options.samples; ++i) {
    sample(raw, measured.raw);
    sample(link, measured.link);
  }
}

TlsCredentials key_files(const std::string& folder, NodeId node) {
  const std::string name = fmt::format("{}/node-{:05}", folder, node);
  return {folder + "/authority.pem", name + ".pem", name + ".key"};
}

Measured measure(const LinkBenchOptions& options) {
  std::vector<TlsListener> listeners;
  for (NodeId node = 0; node < 2; ++node)
    listeners.push_back(value_or_throw(TlsListener::bind("127.0.0.1", "0")));
  const std::vector<std::string> ports = {std::to_string(listeners[0].port()),
                                          std::to_string(listeners[1].port())};
  std::vector<std::unique_ptr<TlsNetwork>> networks;
  for (NodeId node = 0; node < 2; ++node) {
    TlsSetup setup;
    setup.self = node;
    setup.size = 2;
    setup.peers = {{1 - node, "127.0.0.1", ports[1 - node]}};
    setup.credentials = key_files(options.keys, node);
    networks.push_back(value_or_throw(open_tls(setup, std::move(listeners[node]))));
  }
  auto raw = value_or_throw(raw_tls_pair(key_files(options.keys, 0), key_files(options.keys, 1)));
  std::barrier<> together(2);
  Measured measured[2];
  std::thread other([&] {
    measure_end({*networks[1], raw.second}, options, together, measured[1]);
    networks[1].reset();
  });
  measure_end({*networks[0], raw.first}, options, together, measured[0]);
  networks[0].reset();
  other.join();
  return measured[0];
}

int run(const LinkBenchOptions& options) {
  const Measured measured = measure(options);
  const double raw_rate = static_cast<double>(options.large) / median(measured.raw.one_way);
  const double link_rate = static_cast<double>(options.large) / median(measured.link.one_way);
  const double raw_trip = median(measured.raw.round_trip);
  const double link_trip = median(measured.link.round_trip);
  if (options.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"large", options.large},
                                              {"small", options.small},
                                              {"raw_bytes_per_second", raw_rate},
                                              {"link_bytes_per_second", link_rate},
                                              {"rate_ratio", link_rate / raw_rate},
                                              {"raw_round_trip", raw_trip},
                                              {"link_round_trip", link_trip},
                                              {"round_trip_ratio", link_trip / raw_trip}}
                           .dump());
    return kSuccess;
  }
  fmt::print("{:<32} {:>12} {:>12} {:>8}\n", "two peers on loopback", "raw TLS", "link", "ratio");
  fmt::print("{:<32} {:>7.0f} MB/s {:>7.0f} MB/s {:>8.2f}\n",
             fmt::format("messages of {} bytes", options.large), 1e-6 * raw_rate, 1e-6 * link_rate,
             link_rate / raw_rate);
  fmt::print("{:<32} {:>9.1f} us {:>9.1f} us {:>8.2f}\n",
             fmt::format("round trip of {} bytes", options.small), 1e6 * raw_trip, 1e6 * link_trip,
             link_trip / raw_trip);
  return kSuccess;
}

}  // namespace

void add_bench_links_command(CLI::App& bench, Action& action) {
  CLI::App* const command = bench.add_subcommand(
      "links", "Times messages between two peers over TLS, beside OpenSSL on a plain socket");
  const auto options = std::make_shared<LinkBenchOptions>();
  command
      ->add_option("--keys", options->keys,
                   "Folder with the keys of nodes 0 and 1; 'gossamer keys init' makes it")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->add_option("--large", options->large, "Bytes of a message that measures the rate")
      ->check(CLI::Range(1, 1 << 30));
  command->add_option("--small", options->small, "Bytes of a message that goes to and fro")
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--samples", options->samples, "Samples; the median counts")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", options->json, "One JSON object");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace gossamer::cli
