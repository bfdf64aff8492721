#pragma once

#include <cstdint>
#include <string_view>

#include "gossamer/math/vec.hpp"

namespace gossamer {

/// Sees all that survives a round, and may overwrite it: for checkpoints, digests and memory
/// reports. Names are unique within one owner, and always come in the same order.
class StateVisitor {
 public:
  StateVisitor() = default;
  StateVisitor(const StateVisitor&) = delete;
  StateVisitor& operator=(const StateVisitor&) = delete;
  virtual ~StateVisitor() = default;

  virtual void visit(std::string_view name, Vec values) = 0;
  virtual void visit(std::string_view name, std::uint64_t& number) = 0;
};

}  // namespace gossamer
