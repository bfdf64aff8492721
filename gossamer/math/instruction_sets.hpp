#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gossamer {

/// One instruction set that the kernels were compiled for and this machine can run.
struct InstructionSet {
  std::int64_t id;
  std::string name;
};

/// Best first; the kernels use the first one.
[[nodiscard]] std::vector<InstructionSet> instruction_sets();

/// While it lives, every kernel of the process runs on one instruction set. For tests and
/// benchmarks: not thread-safe.
class ForcedInstructionSet {
 public:
  explicit ForcedInstructionSet(const InstructionSet& forced);
  ForcedInstructionSet(const ForcedInstructionSet&) = delete;
  ForcedInstructionSet& operator=(const ForcedInstructionSet&) = delete;
  ~ForcedInstructionSet();
};

}  // namespace gossamer
