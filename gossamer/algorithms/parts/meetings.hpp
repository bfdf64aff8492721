#pragma once

#include "gossamer/algorithms/registry.hpp"

namespace gossamer {

/// In which rounds nodes talk: the index set I_T of the papers on local steps, {H, 2H, ...} and T.
class Meetings {
 public:
  explicit Meetings(const AlgorithmSetup& setup) : every_(setup.local_steps), last_(setup.rounds) {}

  [[nodiscard]] bool in(Round round) const {
    return (round + 1) % every_ == 0 || round + 1 == last_;
  }

 private:
  Round every_;
  Round last_;
};

}  // namespace gossamer
