#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "gossamer/base/contract.hpp"

namespace gossamer {

/// Why something could not be done, as one sentence that a user can act on.
struct Error {
  std::string message;
};

/// A value, or the reason why there is none. For failures that the caller is expected to handle:
/// a bad option, a missing file, a refused frame. Reading the absent side is a contract violation.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}

  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }

  explicit operator bool() const { return ok(); }

  [[nodiscard]] const T& value() const& {
    expects(ok(), "Result::value() of a failure");
    return std::get<0>(state_);
  }

  [[nodiscard]] T& value() & {
    expects(ok(), "Result::value() of a failure");
    return std::get<0>(state_);
  }

  [[nodiscard]] T&& value() && {
    expects(ok(), "Result::value() of a failure");
    return std::get<0>(std::move(state_));
  }

  [[nodiscard]] const Error& error() const {
    expects(!ok(), "Result::error() of a success");
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value, or the reason for failure.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;

  Result(Error error) : state_(std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }

  explicit operator bool() const { return ok(); }

  [[nodiscard]] const Error& error() const {
    expects(!ok(), "Result::error() of a success");
    return std::get<1>(state_);
  }

 private:
  std::variant<std::monostate, Error> state_;
};

/// Bytes that cannot be what an honest peer sent. Thrown by decoders, which leave their output
/// untouched.
class CorruptMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A NaN or an infinity where a number is needed. Thrown before anything is sent.
class NonFiniteValue : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gossamer
