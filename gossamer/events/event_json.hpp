#pragma once

#include <string>
#include <string_view>

#include "gossamer/base/result.hpp"
#include "gossamer/events/event.hpp"

namespace gossamer {

/// One line of events.jsonl, without its end: `event`, `node`, `round`, `seconds`, then the fields
/// of the kind. docs/events.md has them all. What is not known is left out; a number that is not
/// finite is null.
[[nodiscard]] std::string to_json(const Event& event);

/// The event of such a line. A null is read as a NaN. Fields that it does not know are passed over,
/// so that files of later versions can be read; the sentence names what is missing or wrong.
[[nodiscard]] Result<Event> parse_event(std::string_view line);

}  // namespace gossamer
