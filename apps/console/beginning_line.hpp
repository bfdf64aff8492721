#pragma once

#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "gossamer/events/sink.hpp"

namespace gossamer::cli {

/// Prints a line when the node begins with its first round, for launch, which shows it to nobody.
class BeginningLine final : public EventListener {
 public:
  /// No line of a run, and no event.
  static constexpr std::string_view kLine = R"({"launched":"began"})";

  [[nodiscard]] bool wants(EventKind kind) const noexcept override {
    return kind == EventKind::kBegan;
  }

  void take(const Event&) override { fmt::print("{}\n", kLine); }

  void flush() override { std::fflush(stdout); }
};

}  // namespace gossamer::cli
