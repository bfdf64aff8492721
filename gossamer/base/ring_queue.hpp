#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "gossamer/base/contract.hpp"

namespace gossamer {

/// First in, first out, in one array that is reused in a circle: once it has grown to what is ever
/// waiting, it does not allocate. (std::deque allocates every few elements for ever.)
template <typename T>
class RingQueue {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }

  [[nodiscard]] std::size_t size() const { return count_; }

  /// The oldest element is the first.
  [[nodiscard]] const T& operator[](std::size_t place) const {
    expects(place < count_, "an element that the queue holds");
    return slots_[(first_ + place) % slots_.size()];
  }

  void push(T value) {
    if (count_ == slots_.size()) grow();
    slots_[(first_ + count_) % slots_.size()] = std::move(value);
    ++count_;
  }

  /// Takes the oldest element out.
  [[nodiscard]] T pop() {
    expects(count_ > 0, "pop() of a queue that holds something");
    // What stays behind is an empty T: a message's memory must not live on in a slot.
    T value = std::exchange(slots_[first_], T{});
    first_ = (first_ + 1) % slots_.size();
    --count_;
    return value;
  }

 private:
  void grow() {
    std::vector<T> larger(slots_.empty() ? 8 : 2 * slots_.size());
    for (std::size_t i = 0; i < count_; ++i)
      larger[i] = std::move(slots_[(first_ + i) % slots_.size()]);
    slots_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> slots_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace gossamer
