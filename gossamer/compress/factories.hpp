#pragma once

#include <memory>

#include "gossamer/base/result.hpp"
#include "gossamer/base/text/options.hpp"
#include "gossamer/compress/compressor.hpp"
#include "gossamer/compress/selector.hpp"

namespace gossamer {

using DensePtr = std::unique_ptr<const Compressor>;
using SelectorPtr = std::unique_ptr<const Selector>;

/// What an operator is made for.
struct Target {
  std::size_t size = 0;
  /// One block of several: a k that exceeds it means all of it, as a small block's k does in every
  /// paper.
  bool is_block = false;
};

// make_<name> for every line of registry.def: each lives in the file of its name. The caller has
// split the spec string and calls options.finish().
#define GOSSAMER_DENSE(name, example, summary) \
  Result<DensePtr> make_##name(Options& options, std::size_t size);
#define GOSSAMER_SELECTOR(name, example, summary) \
  Result<SelectorPtr> make_##name(Options& options, Target target);
#include "gossamer/compress/registry.def"
#undef GOSSAMER_DENSE
#undef GOSSAMER_SELECTOR

}  // namespace gossamer
