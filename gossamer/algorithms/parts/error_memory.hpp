#pragma once

#include <memory>

#include "gossamer/compress/compressor.hpp"
#include "gossamer/node/node.hpp"
#include "gossamer/node/state_visitor.hpp"

namespace gossamer {

/// What compression has not sent yet, added to what is sent next: nothing is lost for ever.
class ErrorMemory {
 public:
  enum class Kind { kKeep, kForget };

  ErrorMemory(std::shared_ptr<const Compressor> compressor, Kind kind)
      : C_(std::move(compressor)), kind_(kind), m_(C_->size()) {}

  /// v = m + value; the message is C(v), and m = v - C(v). A memory that forgets has m = 0.
  template <typename Value>
  [[nodiscard]] Message compress(Node& node, const Value& value) {
    if (kind_ == Kind::kForget) m_.view().setZero();
    m_.view() += value;
    Message q = node.compress(*C_, m_.view());
    node.add(*C_, q, -1.0f, m_.view());
    return q;
  }

  void visit_state(StateVisitor& visitor) {
    if (kind_ == Kind::kKeep) visitor.visit("memory", m_.view());
  }

 private:
  std::shared_ptr<const Compressor> C_;
  Kind kind_;
  FloatBuffer m_;
};

}  // namespace gossamer
