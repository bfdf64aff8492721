#pragma once

#include <cstddef>
#include <string_view>

namespace gossamer::cli {

enum class ChildStream { kOut, kErr };

/// How a child ended.
struct ChildEnd {
  int exit_code = 0;
  int signal = 0;  // that ended it; 0: none did

  /// As a shell counts it.
  [[nodiscard]] int code() const { return signal == 0 ? exit_code : 128 + signal; }
};

/// Who is told what children print, and of their ends. Children are counted as they were started.
class ChildListener {
 public:
  ChildListener() = default;
  ChildListener(const ChildListener&) = delete;
  ChildListener& operator=(const ChildListener&) = delete;
  virtual ~ChildListener() = default;

  /// Whole lines, each with its end.
  virtual void take(std::size_t child, ChildStream stream, std::string_view lines) = 0;

  /// What the end of one means for the others.
  enum class Others { kGoOn, kEnd };

  /// It has ended, and all that it printed was taken.
  virtual Others ended(std::size_t, const ChildEnd&) { return Others::kGoOn; }

  /// A signal asked us to end: children were sent this one for it.
  virtual void signalled(int) {}

  /// Milliseconds until on_time() has something to do; -1: it never has.
  [[nodiscard]] virtual int patience() const { return -1; }

  virtual void on_time() {}
};

}  // namespace gossamer::cli
