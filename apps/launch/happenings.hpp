#pragma once

#include <optional>
#include <string>

#include "apps/launch/shared_lines.hpp"

#include "gossamer/events/event.hpp"

namespace gossamer::cli {

/// What happens to a run, for those who see all peers at once.
struct Happening {
  SharedLines::Line line;
  std::string undoes{};  // the key of what is over with it; empty: nothing
  bool is_failure = false;
};

/// Nothing for events that a table or a bar shows, or that nobody needs while all is well.
[[nodiscard]] std::optional<Happening> happening_of(const Event& event);

}  // namespace gossamer::cli
