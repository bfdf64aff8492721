// What users write, and data and models that come from anywhere.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/fuzz/fuzz_targets.hpp"
#include "tests/fuzz/input_file.hpp"

#include "gossamer/learn/convex/libsvm.hpp"
#include "gossamer/learn/images/cifar.hpp"
#include "gossamer/learn/images/decode_picture.hpp"
#include "gossamer/learn/images/idx.hpp"
#include "gossamer/settings/config.hpp"
#include "gossamer/settings/peers.hpp"
#include "gossamer/store/checkpoint.hpp"
#include "gossamer/store/safetensors.hpp"
#include "gossamer/topology/registry.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer::testing {
namespace {

// Whether it was accepted.
template <typename T>
bool is_read(const Result<T>& result) {
  if (!result) require(!result.error().message.empty(), "a refusal has a reason");
  return result.ok();
}

void expect_lawful(const ImageSet& set) {
  require(set.pixels.size() == set.labels.size() * set.shape.size(),
          "each picture of a set has a label");
  require(std::ranges::all_of(set.labels, [&](std::uint8_t label) { return label < set.classes; }),
          "labels are classes");
}

bool are_equal(const SafeTensors& one, const SafeTensors& other) {
  const auto is_same = [](const NamedTensor& a, const NamedTensor& b) {
    return a.name == b.name && a.shape == b.shape &&
           a.values.size_bytes() == b.values.size_bytes() &&
           (a.values.empty() ||
            std::memcmp(a.values.data(), b.values.data(), a.values.size_bytes()) == 0);
  };
  return one.metadata == other.metadata && std::ranges::equal(one.tensors, other.tensors, is_same);
}

}  // namespace

void fuzz_config(ByteView input) {
  static const InputFolder folder;
  RunConfig config;
  if (!is_read(read_config(config, folder.file("run.toml", input)))) return;
  (void)identity_digest(config);
  for (const Command command : {Command::kTrain, Command::kConsensus, Command::kOwnLoop}) {
    const std::string text = config_text(config, command);
    RunConfig again;
    const Result<void> read = read_config(
        again, folder.file("again.toml",
                           {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
    require(read.ok(), "the text of a config can be read");
    require(config_text(again, command) == text, "the text of a config reads to the same config");
  }
}

void fuzz_peers(ByteView input) {
  static const InputFolder folder;
  const Result<Peers> peers = read_peers(folder.file("peers.toml", input));
  if (!is_read(peers)) return;
  require(!peers.value().empty(), "a file names peers");
  for (std::size_t id = 0; id < peers.value().size(); ++id) {
    const Peer& peer = peers.value()[id];
    require(peer.id == id, "peers come in the order of their ids");
    const auto again = parse_host_port(format_host_port(peer.address));
    require(again.ok() && again.value() == peer.address, "an address is read as it is written");
  }
}

void fuzz_graph(ByteView input) {
  static const InputFolder folder;
  if (input.empty()) return;
  const std::string spec = "file:" + folder.file("graph.txt", input.subspan(1));
  const auto nodes = input[0] == 0 ? std::nullopt : std::optional<NodeId>(input[0]);
  const auto topology = make_topology(spec, nodes, 0);
  if (!is_read(topology)) return;
  require(!nodes || topology.value()->size() == *nodes,
          "a graph has as many nodes as were asked for");
}

void fuzz_libsvm(ByteView input) {
  static const InputFolder folder;
  const Result<Dataset> read = read_libsvm(folder.file("rows.libsvm", input));
  if (!is_read(read)) return;
  const Dataset& set = read.value();
  require(set.rows() > 0 && set.columns() > 0, "a set has rows and columns");
  for (std::size_t i = 0; i < set.rows(); ++i) {
    const Row row = set.row(i);
    require(std::isfinite(set.labels()[i]), "labels are finite");
    require(std::ranges::all_of(row.values, [](float value) { return std::isfinite(value); }),
            "values are finite");
    require(std::ranges::all_of(row.columns, [&](auto column) { return column < set.columns(); }),
            "entries are in columns of the set");
  }
}

void fuzz_idx(ByteView input) {
  static const InputFolder folder;
  if (input.size() < 2) return;
  const ByteView both = input.subspan(2);
  const std::size_t length = std::min<std::size_t>(input[0] + 256u * input[1], both.size());
  (void)folder.file("train-images-idx3-ubyte", both.first(length));
  (void)folder.file("train-labels-idx1-ubyte", both.subspan(length));
  const Result<ImageSet> set = read_idx(folder.path(), Split::kTrain);
  if (is_read(set)) expect_lawful(set.value());
}

void fuzz_cifar(ByteView input) {
  static const InputFolder folder;
  (void)folder.file("test_batch.bin", input);
  const Result<ImageSet> set = read_cifar10(folder.path(), Split::kTest);
  if (is_read(set)) expect_lawful(set.value());
}

void fuzz_picture(ByteView input) {
  const Result<Picture> picture = decode_picture(input);
  if (!is_read(picture)) return;
  const auto& [shape, pixels] = picture.value();
  require(shape.channels == 1 || shape.channels == 3, "a picture is grey or RGB");
  require(!pixels.empty() && pixels.size() == shape.size(), "a picture has its pixels");
}

void fuzz_safetensors(ByteView input) {
  static const InputFolder folder;
  const Result<SafeTensors> read = read_safetensors(folder.file("read.safetensors", input));
  if (!is_read(read)) return;
  const std::string path = folder.path() + "/again.safetensors";
  require(write_safetensors(path, read.value().tensors, read.value().metadata).ok(),
          "what was read can be written");
  const Result<SafeTensors> again = read_safetensors(path);
  require(again.ok() && are_equal(again.value(), read.value()),
          "what was written is read as the same");
}

void fuzz_checkpoint(ByteView input) {
  static const InputFolder folder;
  static const bool has_round =
      std::filesystem::create_directory(folder.path() + "/round-000000003");
  require(has_round, "a round has a folder");
  if (input.empty()) return;
  ByteWriter file;
  file.write_bytes(input.subspan(1));
  // Without this no guess gets past the digest.
  if (input[0] % 2 == 1) file.write(digest_of(file.bytes()));
  (void)folder.file("round-000000003/node-00000.ckpt", file.bytes());
  const CheckpointStore store(folder.path(), {{"seed", "1"}, {"task", "quadratic"}}, 1);
  std::array<float, 3> model{};
  std::uint64_t step = 0;
  const Result<void> loaded = store.load(0, 3, [&](StateVisitor& visitor) {
    visitor.visit("x", Vec(model.data(), model.size()));
    visitor.visit("step", step);
  });
  const Result<void> checked = store.check(0, 3);
  if (is_read(loaded)) require(checked.ok(), "a file that can be loaded is whole");
  require(is_read(checked) == (store.saved_by(0).size() == 1), "a file that is whole counts");
}

}  // namespace gossamer::testing
