#pragma once

#include <stdexcept>

namespace gossamer {

/// A bug in the calling code, never something a user or a peer can cause. The message names the
/// place.
class ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Where a call is made, when current() is a default argument. What std::source_location is for;
/// clang 14 has none.
struct CodePlace {
  const char* file;
  const char* function;
  int line;

  [[nodiscard]] static constexpr CodePlace current(const char* file = __builtin_FILE(),
                                                   const char* function = __builtin_FUNCTION(),
                                                   int line = __builtin_LINE()) {
    return {file, function, line};
  }
};

/// Throws ContractViolation. Apart from expects(), so that a promise which holds costs one branch.
[[noreturn]] void report_violation(const char* promise, const CodePlace& where);

/// States what the caller promised. Throws rather than aborts: a library must not end its host.
inline void expects(bool holds, const char* promise,
                    const CodePlace& where = CodePlace::current()) {
  if (!holds) [[unlikely]]
    report_violation(promise, where);
}

}  // namespace gossamer
