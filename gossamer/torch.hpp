#pragma once

// The public headers that put torch modules on vectors of Gossamer's. Apart from
// gossamer/gossamer.hpp because they include torch, which a program links by itself.

#include "gossamer/learn/torch/first_weights.hpp"
#include "gossamer/learn/torch/flat_tensors.hpp"
