#include "gossamer/topology/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "gossamer/topology/lanczos.hpp"
#include "gossamer/topology/topology.hpp"

namespace gossamer {
namespace {

// About ten seconds on one core.
constexpr double kMostWork = 1e10;

Eigen::Index index(NodeId id) {
  return static_cast<Eigen::Index>(id);
}

Eigen::MatrixXd dense_matrix(const Topology& topology, Round t) {
  const Eigen::Index n = index(topology.size());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);
  for (NodeId id = 0; id < topology.size(); ++id) {
    const Neighborhood row = topology.at(id, t);
    W(index(id), index(id)) = row.self_weight;
    for (const Edge& edge : row.neighbours)
      W(index(id), index(edge.peer)) = edge.weight;
  }
  return W;
}

Spectrum dense_spectrum(const Topology& topology) {
  const Eigen::Index n = index(topology.size());
  const Eigen::MatrixXd laplacian = Eigen::MatrixXd::Identity(n, n) - dense_matrix(topology, 0);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(laplacian, Eigen::EigenvaluesOnly);
  // Sorted from below: the first is the 0 of the constant vector.
  return {solver.eigenvalues()(1), solver.eigenvalues()(n - 1)};
}

double dense_gap_of_period(const Topology& topology) {
  const Eigen::Index n = index(topology.size());
  Eigen::MatrixXd product = Eigen::MatrixXd::Identity(n, n);
  for (Round t = 0; t < topology.period(); ++t)
    product = dense_matrix(topology, t) * product;
  // Without the mean: a doubly stochastic product keeps its other eigenvalues, and its 1 becomes 0.
  product.array() -= 1.0 / static_cast<double>(n);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(product, /*computeEigenvectors=*/false);
  return 1.0 - solver.eigenvalues().cwiseAbs().maxCoeff();
}

bool has_spectrum(const Topology& topology) {
  return topology.is_symmetric() && !topology.is_time_varying();
}

}  // namespace

double Spectrum::spectral_gap() const {
  return std::min(one_minus_lambda2, 2.0 - one_minus_lambda_n);
}

double Spectrum::gamma_safe(double delta) const {
  expects(delta > 0.0 && delta <= 1.0, "a compressor's quality delta is above 0 and at most 1");
  const double rho = spectral_gap();
  const double beta2 = beta() * beta();
  return rho * rho * delta /
         (16.0 * rho + rho * rho + 4.0 * beta2 + 2.0 * rho * beta2 - 8.0 * rho * delta);
}

double Spectrum::gamma_plain() const {
  return 2.0 / (one_minus_lambda2 + one_minus_lambda_n);
}

Mixing mixing_from(const Spectrum& spectrum) {
  return {spectrum.spectral_gap(), spectrum};
}

Mixing mixing_of_one() {
  return {1.0, std::nullopt};
}

Mixing dense_mixing(const Topology& topology) {
  if (topology.size() == 1) return mixing_of_one();
  if (has_spectrum(topology)) return mixing_from(dense_spectrum(topology));
  return {dense_gap_of_period(topology), std::nullopt};
}

Result<Mixing> mixing_of(const Topology& topology) {
  if (const std::optional<Mixing> formula = topology.closed_form()) return *formula;
  if (topology.size() <= kDenseNodes) return dense_mixing(topology);
  if (!has_spectrum(topology)) {
    return Error{
        fmt::format("{} has no formula for its spectral gap, and with {} nodes too many to compute "
                    "it (at most {})",
                    topology.spec(), topology.size(), kDenseNodes)};
  }
  if (const std::optional<Spectrum> spectrum = lanczos_spectrum(topology, kMostWork)) {
    return mixing_from(*spectrum);
  }
  return Error{fmt::format(
      "{} with {} nodes is too large or mixes too slowly for its spectral gap to be computed",
      topology.spec(), topology.size())};
}

}  // namespace gossamer
