// PowerGossip. Vogels, Karimireddy, Jaggi, NeurIPS 2020: the difference to each neighbour,
// estimated by power iteration. A half-step of edge {lo, hi} and of matrix M, with factors P and Q:
//   odd:   Q = orth(Q); A = M Q;   exchange A; P = A_hi - A_lo
//   even:  P = orth(P); A = M^T P; exchange A; Q = A_hi - A_lo
//   then:  M_lo += gamma w P Q^T,  M_hi -= gamma w P Q^T
// P Q^T is an orthogonal projection of M_hi - M_lo, so that every gamma up to 2 / (1 - lambda_n) is
// safe. All edges use the model of the half-step's beginning. With the option `cold` every
// half-step begins from new random numbers instead of the last one's result, as in the authors'
// code.
//
// A block of several dimensions is a matrix of its first by all others. The other blocks are
// gossiped whole with gamma = 1, in the first half-step of a meeting.
//
// State: P and Q of every edge and matrix, the same bits at both ends; the number of the half-step.
// Needs a constant symmetric W, but for neighbours that are lost or come back.
// Per half-step and neighbour: 4 r m bytes of each matrix when odd, 4 r n when even; once per
// meeting 4 d bytes of each other block. Each neighbour gets bytes of its own.
// Passes over a matrix per half-step: deg r / 4, rounded up, read it for the products of all edges;
// one reads and writes it for all updates, and in the last half-step of a meeting reads u as well.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/algorithms/parts/edge_factors.hpp"
#include "gossamer/algorithms/parts/float_message.hpp"
#include "gossamer/algorithms/parts/ordered_gossip.hpp"
#include "gossamer/algorithms/parts/warnings.hpp"
#include "gossamer/math/kernels/thin_product.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer {
namespace {

struct PowerGossipForm {
  std::size_t rank = 1;
  /// Half-steps per meeting, each with an exchange of its own.
  std::uint64_t half_steps = 1;
  EdgeFactors::Basis basis = EdgeFactors::Basis::kWarm;
};

class PowerGossip final : public OrderedGossip, private EdgeCopies {
 public:
  PowerGossip(const AlgorithmSetup& setup, const PowerGossipForm& form)
      : OrderedGossip(setup, Ordering::kCombineWhileAdapt), form_(form), gamma_(setup.gamma) {}

  void start(Node& node) override {
    self_ = node.id();
    edges_ = edges_of(node);
    steps_.resize(edges_.size());
    read_layout(node.layout());
    wire_ = FloatBuffer(std::max(factor_size({1}), factor_size({2})) + mixed_.size());
  }

  void visit_state(StateVisitor& visitor) override {
    visitor.visit("half_step", step_.number);
    for (EdgeFactors& factors : factors_)
      factors.visit_state(visitor);
  }

  void welcome(Node& node) override { follow(node); }

  [[nodiscard]] EdgeCopies* copies() override { return this; }

 private:
  /// Blocks that are no matrices travel with the first half-step of a meeting.
  enum class Half { kFirst, kLater };

  /// Such a block, in the model.
  struct PlainBlock {
    Eigen::Index offset;
    Eigen::Index size;
  };

  void read_layout(const Layout& layout) {
    factors_.clear();
    plain_.clear();
    std::size_t plain_size = 0;
    std::uint32_t index = 0;
    for (const Block& block : layout.blocks()) {
      if (block.is_one_dimensional() || block.size == 0) {
        plain_.push_back(
            {static_cast<Eigen::Index>(block.offset), static_cast<Eigen::Index>(block.size)});
        plain_size += block.size;
      } else {
        const std::size_t rows = block.shape.front();
        factors_.emplace_back(MatrixPlace{index, block.offset, rows, block.size / rows}, form_.rank,
                              edges_);
      }
      ++index;
    }
    mixed_ = FloatBuffer(plain_size);
  }

  void publish(Node& node) override { send(node, Half::kFirst); }

  void combine(Node& node, CVec u) override {
    receive(node, Half::kFirst);
    mix_plain_blocks(node, u);
    for (std::uint64_t i = 1; i < form_.half_steps; ++i) {
      add_products(node, CVec(nullptr, 0));
      send(node, Half::kLater);
      receive(node, Half::kLater);
    }
    add_products(node, u);
  }

  void send(Node& node, Half half) {
    follow(node);
    multiply(node);
    Vec wire = wire_of(half);
    if (half == Half::kFirst) copy_plain_blocks(node, wire);
    for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
      Eigen::Index place = 0;
      for (EdgeFactors& factors : factors_) {
        const Vec own = factors.found(step_, edge);
        wire.segment(place, own.size()) = own;
        place += own.size();
      }
      node.send(edges_[edge].other_end(node.id()), message_of(node, wire));
    }
  }

  /// Each matrix times the bases of all edges, which is what compresses it.
  void multiply(Node& node) {
    const PhaseScope encode(node.timeline(), Phase::kEncode);
    for (EdgeFactors& factors : factors_)
      factors.multiply(step_, form_.basis, node.x(), node.scratch());
  }

  void receive(Node& node, Half half) {
    Vec wire = wire_of(half);
    mixed_.view().setZero();
    const std::span<const Received> received = node.gather();
    std::ranges::fill(steps_, 0.0f);  // which an edge that ends here keeps
    for (const Received& r : received) {
      const std::size_t edge = edge_to(r.from);
      read_floats(node, r.message, wire);
      subtract(node.id() < r.from, edge, wire);
      if (half == Half::kFirst) mixed_.view() += r.weight * plain_part(wire);
      steps_[edge] = node.id() < r.from ? gamma_ * r.weight : -gamma_ * r.weight;
    }
  }

  /// A_hi - A_lo for all matrices: both ends subtract what was sent, in the same direction.
  void subtract(bool is_lower, std::size_t edge, CVec wire) {
    Eigen::Index place = 0;
    for (EdgeFactors& factors : factors_) {
      Vec own = factors.found(step_, edge);
      const CVec theirs(wire.data() + place, own.size());
      if (is_lower) {
        own = theirs - own;
      } else {
        own -= theirs;
      }
      place += own.size();
    }
  }

  /// Ends the half-step.
  void add_products(Node& node, CVec u) {
    const PhaseScope decode(node.timeline(), Phase::kDecode);
    for (const EdgeFactors& factors : factors_)
      factors.add_products(steps_, u, node.scratch(), node.x());
    ++step_.number;
  }

  /// x_i += sum_j w_ij (x_j - x_i) + u_i, as D-PSGD adds them.
  void mix_plain_blocks(Node& node, CVec u) {
    const float* mixed = mixed_.data();
    for (const PlainBlock& block : plain_) {
      Vec x(node.x().data() + block.offset, block.size);
      const auto gossip = CVec(mixed, block.size) - (1.0f - node.self_weight()) * x;
      if (u.size() == 0) {
        x += gossip;
      } else {
        x += gossip + CVec(u.data() + block.offset, block.size);
      }
      mixed += block.size;
    }
  }

  void copy_plain_blocks(Node& node, Vec wire) {
    float* copy = plain_part(wire).data();
    for (const PlainBlock& block : plain_) {
      Vec(copy, block.size) = node.x().segment(block.offset, block.size);
      copy += block.size;
    }
  }

  /// What one neighbour gets in this half-step: all factors, then the plain blocks if it is the
  /// first.
  [[nodiscard]] Vec wire_of(Half half) {
    const std::size_t plain = half == Half::kFirst ? mixed_.size() : 0;
    return {wire_.data(), static_cast<Eigen::Index>(factor_size(step_) + plain)};
  }

  [[nodiscard]] Vec plain_part(Vec wire) {
    const auto size = static_cast<Eigen::Index>(mixed_.size());
    return {wire.data() + wire.size() - size, size};
  }

  [[nodiscard]] std::size_t factor_size(HalfStep step) const {
    std::size_t size = 0;
    for (const EdgeFactors& factors : factors_)
      size += factors.message_size(step);
    return size;
  }

  [[nodiscard]] static std::vector<SharedEdge> edges_of(const Node& node) {
    std::vector<SharedEdge> edges;
    for (const Neighbour& neighbour : node.neighbours())
      edges.emplace_back(node.seed(), node.id(), neighbour.peer);
    return edges;
  }

  [[nodiscard]] std::size_t edge_to(NodeId peer) const {
    const auto found = std::ranges::find_if(
        edges_, [&](const SharedEdge& edge) { return edge.other_end(self_) == peer; });
    expects(found != edges_.end(), "powergossip is started, and hears neighbours");
    return static_cast<std::size_t>(found - edges_.begin());
  }

  /// Neighbours may have been lost, or have come back.
  void follow(const Node& node) {
    const bool same = std::ranges::equal(edges_, node.neighbours(),
                                         [&](const SharedEdge& edge, const Neighbour& neighbour) {
                                           return edge.other_end(self_) == neighbour.peer;
                                         });
    if (same) return;
    edges_ = edges_of(node);
    steps_.resize(edges_.size());
    for (EdgeFactors& factors : factors_)
      factors.follow(edges_);
  }

  // The factors of an edge are the same at both ends. If they are not, both begin again with it.

  [[nodiscard]] std::uint64_t own_digest(NodeId peer) override {
    ByteWriter all;
    for (const EdgeFactors& factors : factors_)
      all.write(factors.digest(edge_to(peer)));
    return digest_of(all.bytes());
  }

  [[nodiscard]] std::uint64_t copy_digest(NodeId peer) override { return own_digest(peer); }

  void write_own(NodeId, ByteWriter&) override {}

  void read_copy(NodeId peer, ByteReader&) override { forget(peer); }

  void visit_common(StateVisitor& visitor) override { visitor.visit("half_step", step_.number); }

  void forget(NodeId peer) {
    for (EdgeFactors& factors : factors_)
      factors.forget(edge_to(peer));
  }

  PowerGossipForm form_;
  float gamma_;
  NodeId self_ = 0;
  HalfStep step_{1};
  // By neighbour, in the order of node.neighbours().
  std::vector<SharedEdge> edges_;
  std::vector<float> steps_;
  std::vector<EdgeFactors> factors_;
  std::vector<PlainBlock> plain_;
  FloatBuffer mixed_;
  FloatBuffer wire_;
};

PowerGossipForm read_form(Options& options) {
  PowerGossipForm form;
  const auto rank = options.integer("rank", 1, kMaxRank);
  const auto half_steps = options.integer("steps", 1, 1'000'000);
  if (options.flag("cold")) form.basis = EdgeFactors::Basis::kFresh;
  const auto bare_rank = options.positional_integer("rank", 1, kMaxRank);
  if (rank && bare_rank) options.refuse("powergossip has one rank, as in powergossip:2");
  form.rank = rank.value_or(bare_rank.value_or(form.rank));
  form.half_steps = half_steps.value_or(form.half_steps);
  return form;
}

}  // namespace

AlgorithmInfo about_powergossip() {
  return {.name = "powergossip",
          .example = "powergossip:rank=2",
          .summary =
              "PowerGossip: power iteration on the difference to each neighbour; nothing to "
              "tune",
          .gamma = Gamma::kSpectral,
          .symmetry = Symmetry::kNeeded,
          .needs_constant_graph = true,
          .compresses_by_itself = true,
          .judge = warn_of_large_gamma};
}

Result<std::unique_ptr<Algorithm>> make_powergossip(const AlgorithmSetup& setup, Options& options) {
  const PowerGossipForm form = read_form(options);
  if (setup.compressor->spec() != "identity") {
    return Error{fmt::format(
        "powergossip compresses by itself, to the rank it is given: its compressor is 'identity', "
        "not '{}'",
        setup.compressor->spec())};
  }
  return std::unique_ptr<Algorithm>(std::make_unique<PowerGossip>(setup, form));
}

}  // namespace gossamer
