#include "gossamer/math/instruction_sets.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace gossamer {

std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    sets.push_back({target, hwy::TargetName(target)});
  }
  return sets;
}

ForcedInstructionSet::ForcedInstructionSet(const InstructionSet& forced) {
  hwy::SetSupportedTargetsForTest(forced.id);
}

ForcedInstructionSet::~ForcedInstructionSet() {
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace gossamer
