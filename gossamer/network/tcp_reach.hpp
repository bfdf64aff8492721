#pragma once

#include <string>

#include "gossamer/base/result.hpp"
#include "gossamer/base/time.hpp"

namespace gossamer {

/// Whether a TCP connection to this port can be made from here; it is closed at once. The reason
/// why not is half a sentence: "connection refused".
[[nodiscard]] Result<void> reach_tcp(const std::string& host, const std::string& port,
                                     Duration patience);

}  // namespace gossamer
