#pragma once

#include <cstddef>
#include <memory>

#include <Eigen/Core>

namespace gossamer {

/// A model is one contiguous buffer of floats; these are views of one, or of a part of one.
/// Algebra on them is Eigen's: `x += gamma * (s - x_hat)` is one pass over memory.
using Vec = Eigen::Map<Eigen::ArrayXf>;

/// The read-only view. A class of its own because Eigen does not convert one Map into the other.
class CVec final : public Eigen::Map<const Eigen::ArrayXf> {
 public:
  using Eigen::Map<const Eigen::ArrayXf>::Map;

  CVec(const Vec& x) : Map(x.data(), x.size()) {}
};

/// Owns a flat vector that starts on a cache line, a large one on a huge page. Zero at first; its
/// size never changes.
class FloatBuffer {
 public:
  explicit FloatBuffer(std::size_t size = 0);

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] float* data() { return memory_.get(); }

  [[nodiscard]] const float* data() const { return memory_.get(); }

  [[nodiscard]] Vec view() { return Vec(data(), static_cast<Eigen::Index>(size_)); }

  [[nodiscard]] CVec view() const { return CVec(data(), static_cast<Eigen::Index>(size_)); }

 private:
  struct FreeAligned {
    std::size_t alignment;
    void operator()(float* memory) const;
  };

  std::size_t size_;
  std::unique_ptr<float[], FreeAligned> memory_;
};

}  // namespace gossamer
