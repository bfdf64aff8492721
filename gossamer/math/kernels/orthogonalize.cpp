#include "gossamer/math/kernels/orthogonalize.hpp"

#include <cmath>

#include "gossamer/base/contract.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

class Columns {
 public:
  Columns(Vec columns, std::size_t rank)
      : data_(columns.data()), length_(columns.size() / static_cast<Eigen::Index>(rank)) {}

  [[nodiscard]] Vec operator[](std::size_t k) const {
    return {data_ + static_cast<Eigen::Index>(k) * length_, length_};
  }

 private:
  float* data_;
  Eigen::Index length_;
};

// v -= (basis . v) basis, each difference rounded once.
void remove_share(CVec basis, Vec v) {
  const double share = dot(basis, v);
  v = (v.cast<double>() - share * basis.cast<double>()).cast<float>();
}

}  // namespace

std::size_t orthogonalize(Vec columns, std::size_t rank) {
  expects(rank > 0 && static_cast<std::size_t>(columns.size()) % rank == 0,
          "columns of equal length");
  const Columns column(columns, rank);
  std::size_t zeros = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    Vec v = column[k];
    const double before = std::sqrt(sum_squares(v));
    // What remains of a nearly dependent column is a small difference of large numbers, and no
    // longer orthogonal to the others; the second pass makes it so again.
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < k; ++j)
        remove_share(column[j], v);
    }
    const double rest = std::sqrt(sum_squares(v));
    if (rest <= kDependentColumn * before) {
      v.setZero();
      ++zeros;
    } else {
      v = (v.cast<double>() * (1.0 / rest)).cast<float>();
    }
  }
  return zeros;
}

}  // namespace gossamer
