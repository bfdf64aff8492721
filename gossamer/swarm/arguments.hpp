#pragma once

#include <string>

#include "gossamer/swarm/run_request.hpp"

namespace gossamer {

/// What a loop of one's own can be told on its command line, as `gossamer train` can: --KEY VALUE
/// or
/// --KEY=VALUE for each setting that means something to it, --set KEY=VALUE, --config FILE,
/// --run-dir DIR, --resume DIR, --peers FILE, --node I and --insecure. With --peers the network is
/// tls. `preset` is what holds where nothing is said. An error names what is not known; for --help
/// it is all that can be told.
[[nodiscard]] Result<RunRequest> read_arguments(int count, const char* const* texts,
                                                const RunConfig& preset);

/// All of these, a line each.
[[nodiscard]] std::string arguments_help();

}  // namespace gossamer
