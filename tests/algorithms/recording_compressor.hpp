#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/algorithms/swarm.hpp"

namespace gossamer::testing {

/// What a node gave to its compressor in one round, and what the bytes decode to.
struct Compression {
  std::vector<float> input;
  std::vector<float> output;
};

/// By node and round; none where a node compressed nothing.
using Compressions = std::vector<std::vector<std::optional<Compression>>>;

/// An operator that notes what it does in a table that outlives it. Each node writes rows of its
/// own, so that threads need no lock.
class RecordingCompressor final : public Compressor {
 public:
  RecordingCompressor(std::shared_ptr<const Compressor> inner, Compressions& table)
      : Compressor(inner->size()), inner_(std::move(inner)), table_(table) {}

  [[nodiscard]] std::string spec() const override { return inner_->spec(); }

  [[nodiscard]] Quality quality() const override { return inner_->quality(); }

  [[nodiscard]] std::size_t encoded_size(const RngKey& key) const override {
    return inner_->encoded_size(key);
  }

  [[nodiscard]] std::size_t message_size(ByteView bytes) const override {
    return inner_->message_size(bytes);
  }

  void check(ByteView message, Scratch& scratch) const override { inner_->check(message, scratch); }

  void add_checked(ByteView message, float a, Scratch& scratch, Vec y) const override {
    inner_->add_checked(message, a, scratch, y);
  }

 private:
  void append(CVec v, const RngKey& key, Scratch& scratch, ByteWriter& out) const override {
    const std::size_t before = out.size();
    inner_->encode(v, key, scratch, out);
    Compression& noted = table_.at(key.node).at(key.round).emplace();
    noted.input = copy_of(v);
    noted.output.assign(size(), 0.0f);
    inner_->add(out.bytes().subspan(before), 1.0f, scratch, view(noted.output));
  }

  std::shared_ptr<const Compressor> inner_;
  Compressions& table_;
};

/// Lets a swarm's compressor note what it does.
inline void record(Swarm& swarm, Compressions& table) {
  table.assign(swarm.nodes, {});
  for (auto& rounds : table)
    rounds.resize(static_cast<std::size_t>(swarm.rounds));
  swarm.decorate = [&table](std::shared_ptr<const Compressor> inner) {
    return std::make_shared<const RecordingCompressor>(std::move(inner), table);
  };
}

}  // namespace gossamer::testing
