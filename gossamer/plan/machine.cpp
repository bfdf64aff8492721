#include "gossamer/plan/machine.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <time.h>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/message_pool.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/network/keys/key_folder.hpp"
#include "gossamer/network/keys/keys.hpp"
#include "gossamer/network/tls/tls.hpp"
#include "gossamer/node/timeline.hpp"
#include "gossamer/plan/cache_flood.hpp"

namespace gossamer {
namespace {

template <typename Number>
Number median_of(std::vector<Number> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

// Of all threads, in the program and in the kernel.
double process_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A folder that is gone with this object.
class PassingFolder {
 public:
  [[nodiscard]] static Result<std::unique_ptr<PassingFolder>> make() {
    std::error_code error;
    const auto parent = std::filesystem::temp_directory_path(error);
    if (error) return Error{fmt::format("no folder for passing files: {}", error.message())};
    const auto path = parent / fmt::format("gossamer-{:08x}", std::random_device{}());
    return std::make_unique<PassingFolder>(path);
  }

  explicit PassingFolder(std::filesystem::path path) : path_(std::move(path)) {}

  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;

  ~PassingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

using Networks = std::array<std::unique_ptr<TlsNetwork>, 2>;

Result<Networks> open_pair(const std::string& keys) {
  std::vector<TlsListener> listeners;
  for (int i = 0; i < 2; ++i) {
    Result<TlsListener> listener = TlsListener::bind("127.0.0.1", "0");
    if (!listener) return listener.error();
    listeners.push_back(std::move(listener).value());
  }
  const std::array<std::string, 2> ports = {fmt::format("{}", listeners[0].port()),
                                            fmt::format("{}", listeners[1].port())};
  Networks networks;
  for (NodeId node = 0; node < 2; ++node) {
    const TlsKeyFiles files = key_files(keys, node);
    TlsSetup setup;
    setup.self = node;
    setup.size = 2;
    setup.peers = {{1 - node, "127.0.0.1", ports[1 - node]}};
    setup.credentials =
        TlsCredentials{files.authority, files.certificate, files.private_key, files.revoked};
    Result<std::unique_ptr<TlsNetwork>> network = open_tls(setup, std::move(listeners[node]));
    if (!network) return network.error();
    networks[node] = std::move(network).value();
  }
  return networks;
}

// Both send and receive so many messages, in turns, as neighbours do in their rounds.
void exchange(Network& network, std::size_t size, int count) {
  MessagePool pool;
  for (int i = 0; i < count; ++i) {
    network.send(1 - network.self(), 0,
                 pool.make([&](ByteWriter& out) { (void)out.extend(size); }));
    while (network.receive(Time::max()).kind != Arrival::Kind::kMessage) {
    }
  }
}

// Processor seconds of one end for one message of this size.
double cost_of(std::vector<Networks>& pairs, std::size_t size, int count) {
  const double begin = process_seconds();
  {
    std::vector<std::jthread> ends;
    for (Networks& pair : pairs) {
      for (const auto& network : pair)
        ends.emplace_back([&network, size, count] { exchange(*network, size, count); });
    }
  }
  // Each of the two ends of a pair is at one end of two messages in every turn.
  return (process_seconds() - begin) / (4.0 * count * static_cast<double>(pairs.size()));
}

}  // namespace

Duration measure_gradient(const Task& task, NodeId at_once, const OptimizerSetup& optimizer) {
  constexpr int kWarmUp = 2;
  constexpr int kSteps = 9;
  std::mutex mutex;
  std::vector<Duration> times;
  run_inproc(at_once, [&](Network& network) {
    const std::unique_ptr<Objective> objective = task.objective_of(network.self());
    Optimizer local(optimizer, task.layout());
    FloatBuffer x(task.layout().size());
    FloatBuffer u(task.layout().size());
    CacheFlood flood(kFloodedModels * task.layout().size());
    objective->initialize(RngKey{.seed = 0, .purpose = Purpose::kInit}, x.view());
    for (Round step = 0; step < kWarmUp + kSteps; ++step) {
      const RngKey batch{
          .seed = 0, .purpose = Purpose::kBatch, .node = network.self(), .round = step};
      flood.pass();
      const Duration begin = thread_cpu_time();
      (void)objective->gradient(x.view(), batch, u.view());
      local.step(x.view(), 0.0f, u.view());
      const Duration spent = thread_cpu_time() - begin;
      const std::lock_guard lock(mutex);
      if (step >= kWarmUp) times.push_back(spent);
    }
  });
  return median_of(std::move(times));
}

Result<SimProcessors> measure_messages(NodeId at_once) {
  constexpr std::size_t kSmall = 256;
  constexpr std::size_t kLarge = 4'000'000;
  const auto folder = PassingFolder::make();
  if (!folder) return folder.error();
  const std::string keys = folder.value()->path();
  if (auto made = make_keys(keys, {.nodes = 2, .valid_days = 1}); !made) return made.error();
  std::vector<Networks> pairs;
  for (NodeId pair = 0; pair < std::max(NodeId{1}, at_once / 2); ++pair) {
    Result<Networks> networks = open_pair(keys);
    if (!networks) return networks.error();
    pairs.push_back(std::move(networks).value());
  }
  std::vector<double> small;
  std::vector<double> large;
  (void)cost_of(pairs, kLarge, 3);  // hands are shaken, and buffers made
  for (int sample = 0; sample < 5; ++sample) {
    small.push_back(cost_of(pairs, kSmall, 200));
    large.push_back(cost_of(pairs, kLarge, 5));
  }
  const double one = median_of(std::move(small));
  return SimProcessors{
      .shared_cores = 0,
      .per_message = from_seconds(one),
      .seconds_per_byte = std::max(0.0, median_of(std::move(large)) - one) / double{kLarge}};
}

}  // namespace gossamer
