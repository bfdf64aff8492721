#pragma once

#include <vector>

#include "apps/processes/child_listener.hpp"
#include "apps/processes/child_process.hpp"

#include "gossamer/base/result.hpp"
#include "gossamer/base/time.hpp"

namespace gossamer::cli {

/// Runs all commands at the same time, to their ends. Whole lines of their outputs go to
/// the listener.
///
/// The first SIGINT that we get goes on to all of them as SIGINT; the second, or a SIGTERM, as
/// SIGTERM; and after `grace`, or another one, they are killed. So it goes from SIGTERM on if the
/// listener says that the end of one is that of all. A terminal sends Ctrl-C to us
/// alone: children are in process groups of their own, or they would be interrupted twice.
///
/// One call at a time, from the main thread. An error means that one of them could not be started
/// and that those before it were ended.
[[nodiscard]] Result<std::vector<ChildEnd>> run_children(const std::vector<ChildCommand>& commands,
                                                         Duration grace, ChildListener& listener);

}  // namespace gossamer::cli
