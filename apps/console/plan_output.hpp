#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/commands/plan_arguments.hpp"

#include "gossamer/plan/recommendation.hpp"

namespace gossamer::cli {

/// "85 %", or "a loss of 0.3".
[[nodiscard]] std::string text_of(const Target& target);

/// A pilot in a line, for people who wait for the next one.
[[nodiscard]] std::string text_of(const Pilot& pilot, const Target& target);

/// The ranked prospects as a table, what its columns mean, what to make of it, and last a command
/// line to run.
void print_plan(const PlanArguments& arguments, const std::vector<Prospect>& prospects,
                const std::optional<Target>& target);

/// One object per prospect and line.
void print_plan_json(const PlanArguments& arguments, const std::vector<Prospect>& prospects);

}  // namespace gossamer::cli
