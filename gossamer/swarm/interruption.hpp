#pragma once

#include "gossamer/member/stop_line.hpp"

namespace gossamer {

/// While it lives, Ctrl-C (or SIGTERM) asks the run to stop at the next round that all nodes can
/// stop at; the second time it ends the program at once. Before the first round nothing has been
/// done: then the first time is enough. One at a time.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  [[nodiscard]] StopLine& line() { return line_; }

 private:
  StopLine line_;
};

}  // namespace gossamer
