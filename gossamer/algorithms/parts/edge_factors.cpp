#include "gossamer/algorithms/parts/edge_factors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/base/rng.hpp"
#include "gossamer/math/kernels/orthogonalize.hpp"
#include "gossamer/math/kernels/thin_product.hpp"
#include "gossamer/math/kernels/thin_update.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer {

SharedEdge::SharedEdge(std::uint64_t run_seed, NodeId one, NodeId other)
    : lower(std::min(one, other)),
      higher(std::max(one, other)),
      seed(RngKey{.seed = run_seed, .purpose = Purpose::kEdge, .node = lower, .round = higher}
               .stream()) {}

Vec EdgeFactors::Factor::columns(std::size_t first, std::size_t count) {
  return {numbers.data() + first * length, static_cast<Eigen::Index>(count * length)};
}

CVec EdgeFactors::Factor::columns(std::size_t first, std::size_t count) const {
  return {numbers.data() + first * length, static_cast<Eigen::Index>(count * length)};
}

EdgeFactors::EdgeFactors(const MatrixPlace& place, std::size_t rank,
                         std::span<const SharedEdge> edges)
    : place_(place),
      rank_(std::min({rank, place.rows, place.columns})),
      edges_(edges.begin(), edges.end()),
      p_(place.rows, width()),
      q_(place.columns, width()) {}

void EdgeFactors::follow(std::span<const SharedEdge> edges) {
  EdgeFactors next(place_, rank_, edges);
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    const auto known = std::ranges::find(edges_, edges[edge]);
    if (known == edges_.end()) continue;
    const auto before = static_cast<std::size_t>(known - edges_.begin());
    next.p_.columns(edge * rank_, rank_) = p_.columns(before * rank_, rank_);
    next.q_.columns(edge * rank_, rank_) = q_.columns(before * rank_, rank_);
  }
  *this = std::move(next);
}

std::uint64_t EdgeFactors::digest(std::size_t edge) const {
  ByteWriter both;
  for (const Factor* factor : {&p_, &q_}) {
    const CVec columns = factor->columns(edge * rank_, rank_);
    both.write(digest_of({reinterpret_cast<const std::uint8_t*>(columns.data()),
                          static_cast<std::size_t>(columns.size()) * sizeof(float)}));
  }
  return digest_of(both.bytes());
}

void EdgeFactors::forget(std::size_t edge) {
  p_.columns(edge * rank_, rank_).setZero();
  q_.columns(edge * rank_, rank_).setZero();
}

std::size_t EdgeFactors::message_size(HalfStep step) const {
  return rank_ * (step.is_odd() ? place_.rows : place_.columns);
}

void EdgeFactors::multiply(HalfStep step, Basis kind, CVec x, Scratch& scratch) {
  Factor& basis = step.is_odd() ? q_ : p_;
  if (kind == Basis::kFresh) basis.numbers.view().setZero();
  for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
    draw_zero_columns(step, edge, basis);
    orthogonalize(basis.columns(edge * rank_, rank_), rank_);
  }
  const MatrixView m{x.data() + place_.offset, place_.rows, place_.columns};
  for (std::size_t first = 0; first < width(); first += kMaxRank) {
    const std::size_t count = std::min(kMaxRank, width() - first);
    if (step.is_odd()) {
      gossamer::multiply(m, q_.columns(first, count), count, p_.columns(first, count));
    } else {
      multiply_transposed(m, p_.columns(first, count), count, scratch, q_.columns(first, count));
    }
  }
}

Vec EdgeFactors::found(HalfStep step, std::size_t edge) {
  return (step.is_odd() ? p_ : q_).columns(edge * rank_, rank_);
}

void EdgeFactors::add_products(std::span<const float> steps, CVec u, Scratch& scratch,
                               Vec x) const {
  Scratch::Frame frame(scratch);
  const std::span<float> scaled = frame.take<float>(p_.numbers.size());
  for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
    const CVec p = p_.columns(edge * rank_, rank_);
    Vec(scaled.data() + edge * rank_ * p_.length, p.size()) = steps[edge] * p;
  }
  const auto size = static_cast<Eigen::Index>(u.size() == 0 ? 0 : place_.rows * place_.columns);
  add_thin_products({x.data() + place_.offset, place_.rows, place_.columns},
                    CVec(scaled.data(), static_cast<Eigen::Index>(scaled.size())),
                    q_.numbers.view(), width(),
                    CVec(size == 0 ? nullptr : u.data() + place_.offset, size));
}

void EdgeFactors::visit_state(StateVisitor& visitor) {
  for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
    const SharedEdge& e = edges_[edge];
    const std::string where = fmt::format("{}-{}.block{}", e.lower, e.higher, place_.block);
    visitor.visit("P." + where, p_.columns(edge * rank_, rank_));
    visitor.visit("Q." + where, q_.columns(edge * rank_, rank_));
  }
}

void EdgeFactors::draw_zero_columns(HalfStep step, std::size_t edge, Factor& basis) const {
  Rng rng(RngKey{.seed = edges_[edge].seed,
                 .purpose = Purpose::kEdge,
                 .round = step.number,
                 .block = place_.block});
  for (std::size_t k = 0; k < rank_; ++k) {
    Vec column = basis.columns(edge * rank_ + k, 1);
    if ((column != 0.0f).any()) continue;
    for (float& value : column)
      value = static_cast<float>(rng.normal());
  }
}

}  // namespace gossamer
