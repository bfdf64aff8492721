#include "tests/algorithms/double_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace gossamer::testing {
namespace {

using Row = Eigen::RowVectorXd;

Row to_double(const std::vector<float>& x) {
  return Eigen::Map<const Eigen::RowVectorXf>(x.data(), static_cast<Eigen::Index>(x.size()))
      .cast<double>();
}

// `topk:A`: the floor(A d) largest magnitudes, one at least; of equal ones the first.
std::vector<Eigen::Index> largest(const Row& v, double fraction) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(v.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](auto a, auto b) { return std::abs(v[a]) > std::abs(v[b]); });
  const double k = std::floor(fraction * static_cast<double>(v.size()));
  order.resize(static_cast<std::size_t>(std::max(1.0, k)));
  return order;
}

// (|v|_1 / k) sign(v) on the k entries of `support`, where sign(0) = 1.
Row signs(const Row& v, const Row& decides, const std::vector<Eigen::Index>& support) {
  double scale = 0.0;
  for (const Eigen::Index j : support)
    scale += std::abs(v[j]) / static_cast<double>(support.size());
  Row c = Row::Zero(v.size());
  for (const Eigen::Index j : support)
    c[j] = decides[j] < 0.0 ? -scale : scale;
  return c;
}

Row nearest_of_256(const Row& v, const Row& decides, const Row& decided) {
  const double low = decides.minCoeff();
  const double width = decides.maxCoeff() - low;
  if (width == 0.0) return v;
  const double step = (v.maxCoeff() - v.minCoeff()) / 255.0;
  Row c = Row::Constant(v.size(), v.minCoeff());
  for (Eigen::Index j = 0; j < v.size(); ++j) {
    // In float32 a place on the grid has errors of some 255 * 2^-24 * 4: so close to the middle
    // between two points both are nearest, and the one that was taken counts.
    const double place = 255.0 * (decides[j] - low) / width;
    const bool tie = std::abs(place - std::floor(place) - 0.5) < 255 * 4 * 0x1.0p-24;
    const double taken = std::round(255.0 * (decided[j] - low) / width);
    const double level =
        tie ? std::clamp(taken, std::floor(place), std::ceil(place)) : std::round(place);
    c[j] += level * step;
  }
  return c;
}

}  // namespace

Row compress_in_double(const std::string& spec, const Row& v, const Compression& noted) {
  const Row decides = to_double(noted.input);
  if (spec == "identity") return v;
  if (spec == "sign") return signs(v, decides, largest(decides, 1.0));
  if (spec == "minmax:8,nearest") return nearest_of_256(v, decides, to_double(noted.output));
  if (!spec.starts_with("topk:")) throw std::invalid_argument("no model of " + spec);
  const std::vector<Eigen::Index> support = largest(decides, std::stod(spec.substr(5)));
  if (spec.ends_with("+sign")) return signs(v, decides, support);
  Row c = Row::Zero(v.size());
  for (const Eigen::Index j : support)
    c[j] = v[j];
  return c;
}

DoubleModel::DoubleModel(const Swarm& swarm)
    : name_(swarm.algorithm.substr(0, swarm.algorithm.find(':'))),
      options_(swarm.algorithm.substr(name_.size())),
      compressor_(swarm.compressor),
      gamma_(double{swarm.gamma}),
      lr_(double{swarm.lr}) {
  const Ordering own =
      name_ == "deepsqueeze" ? Ordering::kAdaptThenCombine : Ordering::kCombineWhileAdapt;
  adapt_first_ = swarm.ordering.value_or(own) == Ordering::kAdaptThenCombine;

  const auto topology = std::move(make_topology(swarm.topology, swarm.nodes, 0)).value();
  const Eigen::Index n = swarm.nodes;
  const auto d = static_cast<Eigen::Index>(swarm.size);
  I_ = Rows::Identity(n, n);
  W_ = Rows::Zero(n, n);
  B_ = X_ = E_ = V_ = Rows::Zero(n, d);
  for (NodeId i = 0; i < swarm.nodes; ++i) {
    W_(i, i) = topology->at(i, 0).self_weight;
    for (const Edge& edge : topology->at(i, 0).neighbours)
      W_(i, edge.peer) = edge.weight;
    B_.row(i) = to_double(target_of(i, swarm.size, swarm.seed));
    if (swarm.start) X_.row(i) = to_double(swarm.start(i));
  }
  X_hat_ = name_ == "ecd" ? X_ : Rows(Rows::Zero(n, d));
  G_ = X_;
  g_ = X_.row(0);
}

void DoubleModel::round(const std::vector<const Compression*>& noted,
                        const std::vector<bool>& meets) {
  noted_ = &noted;
  t_ += 1.0;
  const Rows U = -lr_ * (X_ - B_);
  if (name_ == "dcd") return dcd(U);
  if (name_ == "ecd") return ecd(U);
  if (name_ == "ef-sgd") return ef_sgd(U);
  if (name_ == "qsparse" || name_ == "qsparse-async") {
    X_ += U;
    return qsparse(meets);
  }
  if (name_ == "allreduce") {
    X_ += U.colwise().mean().replicate(X_.rows(), 1);
    return;
  }
  if (name_ == "local-sgd") {
    X_ += U;
    if (meets.front()) X_ = X_.colwise().mean().replicate(X_.rows(), 1).eval();
    return;
  }
  // Gradient and gossip in one of two orders.
  if (adapt_first_) X_ += U;
  if (meets.front()) gossip();
  if (!adapt_first_) X_ += U;
}

void DoubleModel::gossip() {
  if (name_ == "choco") return choco();
  if (name_ == "deepsqueeze") return deepsqueeze();
  if (name_ == "dpsgd" || name_ == "exact") return plain(gamma_);
  if (name_ == "powergossip") return plain(1.0);  // blocks of one dimension, whatever gamma
  if (name_ == "naive") return naive();
  if (name_ == "q1") return q1();
  if (name_ == "q2") return q2();
  throw std::invalid_argument("no model of " + name_);
}

Rows DoubleModel::C(const Rows& V) {
  V_ = V;
  Rows Q = Rows::Zero(V.rows(), V.cols());
  for (Eigen::Index i = 0; i < V.rows(); ++i) {
    const Compression* const noted = (*noted_)[static_cast<std::size_t>(i)];
    if (noted != nullptr) {
      Q.row(i) = compress_in_double(compressor_, V.row(i), *noted);
    } else if (compressor_ == "identity") {
      Q.row(i) = V.row(i);
    } else {
      throw std::logic_error("a node has compressed nothing where the equations do");
    }
  }
  return Q;
}

// sum_j w_ij (x_hat_j - x_hat_i) = ((W - I) X_hat)_i.
void DoubleModel::choco() {
  X_hat_ += C(X_ - X_hat_);
  X_ += gamma_ * (W_ - I_) * X_hat_;
}

// Over neighbours, sum_j w_ij q_j - (1 - w_ii) q_i = ((W - I) Q)_i.
void DoubleModel::deepsqueeze() {
  const Rows V = X_ + E_;
  const Rows Q = C(V);
  E_ = V - Q;
  X_ += gamma_ * (W_ - I_) * Q;
}

// C is the identity.
void DoubleModel::plain(double gamma) {
  X_ += gamma * (W_ - I_) * C(X_);
}

void DoubleModel::naive() {
  X_ = W_ * C(X_);
}

// The sum runs over neighbours, so that a node sees its own model as it is: with j = i in it, the
// errors of Q1-G in docs/golden_numbers.md would be up to twice as large.
void DoubleModel::q1() {
  const Rows D = W_.diagonal().asDiagonal();
  X_ += gamma_ * ((W_ - D) * C(X_) - (I_ - D) * X_);
}

void DoubleModel::q2() {
  X_ += gamma_ * (W_ - I_) * C(X_);
}

// With the models themselves where nodes have copies that equal them.
void DoubleModel::dcd(const Rows& U) {
  X_ += C(W_ * X_ + U - X_);
}

void DoubleModel::ecd(const Rows& U) {
  const Rows X_new = W_ * X_hat_ + U;
  const Rows Q = C((1.0 - t_ / 2.0) * X_ + (t_ / 2.0) * X_new);
  X_hat_ = (1.0 - 2.0 / t_) * X_hat_ + (2.0 / t_) * Q;
  X_ = X_new;
}

// Asynchronous; synchronous where all meet or none does. E is the memory m.
void DoubleModel::qsparse(const std::vector<bool>& meets) {
  const bool forgets = options_.find("no-memory") != std::string::npos;
  for (Eigen::Index r = 0; r < X_.rows(); ++r) {
    if (!meets[static_cast<std::size_t>(r)]) continue;
    const Row v = E_.row(r) + G_.row(r) - X_.row(r);
    const Compression* const noted = (*noted_)[static_cast<std::size_t>(r)];
    if (noted == nullptr) throw std::logic_error("a worker met the master with nothing");
    const Row q = compress_in_double(compressor_, v, *noted);
    V_.row(r) = v;
    if (!forgets) E_.row(r) = v - q;
    g_ -= q / static_cast<double>(X_.rows());
  }
  for (Eigen::Index r = 0; r < X_.rows(); ++r) {
    if (meets[static_cast<std::size_t>(r)]) G_.row(r) = X_.row(r) = g_;
  }
}

// lr is inside the memory.
void DoubleModel::ef_sgd(const Rows& U) {
  const Rows P = -U + E_;
  const Rows Q = C(P);
  E_ = P - Q;
  X_ -= Q.colwise().mean().replicate(X_.rows(), 1);
}

}  // namespace gossamer::testing
