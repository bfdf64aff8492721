#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/processes/child_listener.hpp"

#include "gossamer/base/ids.hpp"

namespace gossamer::cli {

/// Watches peers until the first of them begins with its first round. One that fails before that
/// will not come: the others, who would wait for it, are ended too. Later it is theirs to decide
/// what a loss means (--on-peer-loss). Hands everything on to another listener but for the lines
/// that peers say it with.
class StartWatch final : public ChildListener {
 public:
  /// Of the peer that failed.
  struct Failure {
    std::size_t child = 0;
    ChildEnd end;
    std::string last_words;  // its last line of standard error; empty: it said nothing
  };

  /// The listener must outlive it.
  StartWatch(std::size_t children, ChildListener& listener)
      : listener_(listener), last_words_(children) {}

  void take(std::size_t child, ChildStream stream, std::string_view lines) override;
  [[nodiscard]] Others ended(std::size_t child, const ChildEnd& end) override;
  void signalled(int signal) override;

  [[nodiscard]] int patience() const override { return listener_.patience(); }

  void on_time() override { listener_.on_time(); }

  /// Nothing if a run began, or was to be ended by its user, before one failed.
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }

 private:
  ChildListener& listener_;
  bool is_over_ = false;
  std::vector<std::string> last_words_;  // by child
  std::optional<Failure> failure_;
};

}  // namespace gossamer::cli
