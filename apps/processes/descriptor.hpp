#pragma once

#include <string_view>
#include <utility>

namespace gossamer::cli {

/// A file descriptor, closed when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}

  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  ~Descriptor() { close(); }

  void close();

  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

/// Returns 0, or the errno of a descriptor that takes no more.
int write_all(int to, std::string_view text);

}  // namespace gossamer::cli
