#pragma once

#include "gossamer/base/bytes.hpp"
#include "gossamer/node/state_visitor.hpp"

namespace gossamer {

/// Writes all that it is shown: for checkpoints, and for nodes that join a run.
class StateWriter final : public StateVisitor {
 public:
  /// Must outlive it.
  explicit StateWriter(ByteWriter& out) : out_(out) {}

  void visit(std::string_view name, Vec values) override;
  void visit(std::string_view name, std::uint64_t& number) override;

 private:
  ByteWriter& out_;
};

/// Overwrites all that it is shown with what a StateWriter wrote. Throws CorruptMessage if that had
/// other names or sizes.
class StateReader final : public StateVisitor {
 public:
  /// Must outlive it.
  explicit StateReader(ByteReader& in) : in_(in) {}

  void visit(std::string_view name, Vec values) override;
  void visit(std::string_view name, std::uint64_t& number) override;

 private:
  ByteReader& in_;
};

}  // namespace gossamer
