#pragma once

#include <string>

#include "gossamer/events/event.hpp"

namespace gossamer {

/// What happened, as people read it: one line, without control characters, whatever the event
/// quotes.
[[nodiscard]] std::string sentence_of(const Event& event);

}  // namespace gossamer
