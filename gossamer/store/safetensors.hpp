#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/math/layout.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer {

/// A tensor in row-major order. Borrows its values.
struct NamedTensor {
  std::string name;
  std::vector<std::size_t> shape;  // empty: one number
  std::span<const float> values;
};

/// Free text, by keys.
using TensorMetadata = std::vector<std::pair<std::string, std::string>>;

/// The blocks of a model, as views of x.
[[nodiscard]] std::vector<NamedTensor> tensors_of(const Layout& layout, CVec x);

/// Writes a safetensors file, whole or not at all. The format: a length N as 8 bytes,
/// little-endian; N bytes of JSON, `{"__metadata__": {...}, NAME: {"dtype": "F32", "shape": [...],
/// "data_offsets": [BEGIN, END]}, ...}`, padded with spaces to a multiple of 8; the numbers of all
/// tensors, one after the other without gaps. Offsets count from the first of them.
[[nodiscard]] Result<void> write_safetensors(const std::string& path,
                                             std::span<const NamedTensor> tensors,
                                             const TensorMetadata& metadata);

/// What a file holds. Its tensors are views of its own values, so it moves and is never copied.
struct SafeTensors {
  SafeTensors() = default;
  SafeTensors(const SafeTensors&) = delete;
  SafeTensors& operator=(const SafeTensors&) = delete;
  SafeTensors(SafeTensors&&) = default;
  SafeTensors& operator=(SafeTensors&&) = default;
  ~SafeTensors() = default;

  std::vector<NamedTensor> tensors;  // in the order of their data
  TensorMetadata metadata;
  std::vector<float> values;
};

/// Reads a file of F32 tensors. All of it is checked before any of it is used; an error names the
/// file, and the tensor where there is one.
[[nodiscard]] Result<SafeTensors> read_safetensors(const std::string& path);

}  // namespace gossamer
