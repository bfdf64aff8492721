#pragma once

#include <string>
#include <vector>

#include "tests/algorithms/recording_compressor.hpp"
#include "tests/algorithms/swarm.hpp"
#include <Eigen/Dense>

namespace gossamer::testing {

/// Row i belongs to node i.
using Rows = Eigen::MatrixXd;

/// C(v) in double precision, for the operators that draw no random numbers: identity, topk, sign,
/// topk+sign and minmax nearest.
///
/// Which entries are kept, which sign or grid point an entry gets: these choices jump, and two runs
/// that differ by a rounding error may choose differently, after which nothing is comparable.
/// So they are made where `noted` made them, at the float32 input; all numbers come from v. Whoever
/// has checked that v and that input are equal to rounding has left no freedom to the choices.
[[nodiscard]] Eigen::RowVectorXd compress_in_double(const std::string& spec,
                                                    const Eigen::RowVectorXd& v,
                                                    const Compression& noted);

/// Every algorithm of the registry once more: the equations of docs/algorithms for all nodes at
/// once, in double precision, with the whole matrix W and without messages. Written from the
/// equations and not from the code, to be a second opinion on it.
class DoubleModel {
 public:
  explicit DoubleModel(const Swarm& swarm);

  /// One round. `noted` is what the float32 run compressed in it, by node; `meets`, who talks.
  void round(const std::vector<const Compression*>& noted, const std::vector<bool>& meets);

  /// The models.
  [[nodiscard]] const Rows& X() const { return X_; }

  /// What the last round compressed, for the nodes that did.
  [[nodiscard]] const Rows& V() const { return V_; }

 private:
  [[nodiscard]] Rows C(const Rows& V);
  void gossip();
  void choco();
  void deepsqueeze();
  void plain(double gamma);
  void naive();
  void q1();
  void q2();
  void dcd(const Rows& U);
  void ecd(const Rows& U);
  void qsparse(const std::vector<bool>& meets);
  void ef_sgd(const Rows& U);

  std::string name_;
  std::string options_;
  std::string compressor_;
  bool adapt_first_;
  double gamma_;
  double lr_;
  double t_ = 0;  // of the current round; the first is 1
  Rows I_;
  Rows W_;
  Rows B_;  // targets: node i's gradient at x is x - b_i

  Rows X_;
  Rows X_hat_;            // choco: public copies; ecd: what everybody believes the models to be
  Rows E_;                // deepsqueeze, ef-sgd, qsparse: error memories
  Rows G_;                // qsparse: the global model as each worker last saw it
  Eigen::RowVectorXd g_;  // qsparse: the master's
  Rows V_;
  const std::vector<const Compression*>* noted_ = nullptr;
};

}  // namespace gossamer::testing
