#pragma once

#include <string>

#include "gossamer/learn/registry.hpp"

namespace gossamer {

/// What the program and the module must agree on: both are built from one version of the sources.
inline constexpr const char* kTorchInterface = "gossamer torch 1";

/// Name of the module's function, and what it is: a new task, or nullptr and a sentence.
inline constexpr const char* kMakeModel = "gossamer_make_model";
using MakeModel = Task*(const TaskSetup& setup, std::string& error);

inline constexpr const char* kInterfaceOf = "gossamer_torch_interface";

}  // namespace gossamer
