#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "gossamer/node/objective.hpp"

namespace gossamer::testing {

/// All that visit_state() shows, by name.
struct ObjectiveState {
  std::map<std::string, std::vector<float>> vectors;
  std::map<std::string, std::uint64_t> numbers;

  bool operator==(const ObjectiveState&) const = default;
};

inline ObjectiveState state_of(Objective& objective) {
  class Reader final : public StateVisitor {
   public:
    void visit(std::string_view name, Vec values) override {
      state.vectors.emplace(name, std::vector<float>(values.begin(), values.end()));
    }

    void visit(std::string_view name, std::uint64_t& number) override {
      state.numbers.emplace(name, number);
    }

    ObjectiveState state;
  } reader;

  objective.visit_state(reader);
  return reader.state;
}

inline void restore(Objective& objective, const ObjectiveState& state) {
  class Writer final : public StateVisitor {
   public:
    explicit Writer(const ObjectiveState& state) : state_(state) {}

    void visit(std::string_view name, Vec values) override {
      const std::vector<float>& saved = state_.vectors.at(std::string(name));
      values = CVec(saved.data(), values.size());
    }

    void visit(std::string_view name, std::uint64_t& number) override {
      number = state_.numbers.at(std::string(name));
    }

   private:
    const ObjectiveState& state_;
  } writer(state);

  objective.visit_state(writer);
}

/// What a gradient leaves behind.
struct Step {
  double loss = 0.0;
  std::vector<float> gradient;
  ObjectiveState state;
};

inline Step step(Objective& objective, const std::vector<float>& x, Round round) {
  const RngKey batch{.seed = 9, .purpose = Purpose::kBatch, .round = round};
  const auto size = static_cast<Eigen::Index>(x.size());
  Step taken{0.0, std::vector<float>(x.size()), {}};
  taken.loss = objective.gradient(CVec(x.data(), size), batch, Vec(taken.gradient.data(), size));
  taken.state = state_of(objective);
  return taken;
}

/// Also tells apart what == does not: zeros of two signs.
inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

inline bool same_bits(const Step& a, const Step& b) {
  return a.loss == b.loss && same_bits(a.gradient, b.gradient) && a.state == b.state;
}

}  // namespace gossamer::testing
