#include "gossamer/math/layout.hpp"

#include <functional>
#include <numeric>
#include <utility>

namespace gossamer {

Layout Layout::flat(std::size_t size) {
  Layout layout;
  layout.add("x", {size});
  return layout;
}

void Layout::add(std::string name, std::vector<std::size_t> shape) {
  const std::size_t size =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  blocks_.push_back({std::move(name), std::move(shape), size_, size});
  size_ += size;
}

}  // namespace gossamer
