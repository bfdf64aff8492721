#pragma once

#include <optional>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

class Topology;

/// The extreme eigenvalues of I - W over vectors of mean zero, for a constant symmetric W with
/// eigenvalues 1 = lambda1 > lambda2 >= ... >= lambda_n > -1.
///
/// The differences are kept, not the eigenvalues: on a ring of 100,000 nodes 1 - lambda2 is 1e-9,
/// and taking it from a rounded lambda2 would leave seven digits of it.
struct Spectrum {
  double one_minus_lambda2;   // the mode that gossip damps least
  double one_minus_lambda_n;  // the mode that gossip moves most

  [[nodiscard]] double lambda2() const { return 1.0 - one_minus_lambda2; }

  [[nodiscard]] double lambda_n() const { return 1.0 - one_minus_lambda_n; }

  /// rho = 1 - max(|lambda2|, |lambda_n|).
  [[nodiscard]] double spectral_gap() const;

  /// beta = |I - W|, the largest singular value.
  [[nodiscard]] double beta() const { return one_minus_lambda_n; }

  /// The consensus step for which Choco-Gossip provably converges with any compressor of quality
  /// delta, 0 < delta <= 1 (Koloskova, Lin, Stich, Jaggi, ICLR 2020). Practice allows 100 to 1000
  /// times more.
  [[nodiscard]] double gamma_safe(double delta) const;

  /// The step that makes uncompressed gossip X += gamma (W - I) X fastest: 2 / (2 - lambda2 -
  /// lambda_n).
  [[nodiscard]] double gamma_plain() const;
};

/// How fast a topology mixes.
struct Mixing {
  /// 1 - |lambda2| of the product of all matrices of one period; rho where W is constant. One node
  /// alone has nothing to agree on, and a gap of 1.
  double spectral_gap;

  /// Only of a constant symmetric W with two nodes or more: directed and changing ones have no
  /// lambda_n to order, and the theory that needs beta and gamma does not hold for them.
  std::optional<Spectrum> spectrum;
};

/// Mixing of a constant symmetric W with these eigenvalues.
[[nodiscard]] Mixing mixing_from(const Spectrum& spectrum);

/// Mixing of one node alone.
[[nodiscard]] Mixing mixing_of_one();

/// Most nodes for which all eigenvalues of a dense matrix are computed. It takes a fifth of a
/// second and grows with the cube.
inline constexpr NodeId kDenseNodes = 1024;

/// By formula where the topology has one, from the dense matrix up to kDenseNodes, and by Lanczos'
/// method beyond (relative error below 1e-8). Fails for a large graph that mixes so slowly that
/// this would take minutes, and for a large directed one without a formula.
[[nodiscard]] Result<Mixing> mixing_of(const Topology& topology);

/// The same from all eigenvalues of the dense matrix, whatever the size: O(n^2) memory, O(n^3)
/// time.
[[nodiscard]] Mixing dense_mixing(const Topology& topology);

}  // namespace gossamer
