#pragma once

#include <string_view>

#include "gossamer/base/result.hpp"
#include "gossamer/math/layout.hpp"

namespace gossamer {

/// The tensors of a model from a list of its layers: `linear:784x256,linear:256x10`. There are
///
///   linear:INxOUT               a matrix and a bias
///   conv:INxOUTxHEIGHTxWIDTH    kernels and a bias
///   norm:CHANNELS               scales and shifts
///   embedding:ROWSxWIDTH        a matrix
///   lstm:INxHIDDEN              both matrices and both biases of four gates
///   tensor:AxBx...              one tensor of any shape
[[nodiscard]] Result<Layout> parse_layers(std::string_view text);

}  // namespace gossamer
