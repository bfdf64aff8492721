#pragma once

#include <cstddef>
#include <string_view>

namespace gossamer::cli {

enum class ChildStream { kOut, kErr };

/// Who is told what children print, and of their ends. Children are counted as they were started.
class ChildListener {
 public:
  ChildListener() = default;
  ChildListener(const ChildListener&) = delete;
  ChildListener& operator=(const ChildListener&) = delete;
  virtual ~ChildListener() = default;

  /// Whole lines, each with its end.
  virtual void take(std::size_t child, ChildStream stream, std::string_view lines) = 0;

  /// It has ended, and all that it printed was taken.
  virtual void ended(std::size_t) {}

  /// A signal asked us to end: children were sent this one for it.
  virtual void signalled(int) {}

  /// Milliseconds until on_time() has something to do; -1: it never has.
  [[nodiscard]] virtual int patience() const { return -1; }

  virtual void on_time() {}
};

}  // namespace gossamer::cli
