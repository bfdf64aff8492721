#include "apps/launch/lines_of_peers.hpp"

#include <unistd.h>

#include "apps/console/whole_lines.hpp"
#include "apps/processes/descriptor.hpp"
#include <fmt/format.h>

namespace gossamer::cli {

std::string with_node(NodeId node, std::string_view lines) {
  return prefixed(fmt::format("[{}] ", node), lines);
}

void LinesOfPeers::take(std::size_t child, ChildStream stream, std::string_view lines) {
  const std::string text = with_node(nodes_.at(child), lines);
  if (log_ != nullptr) log_->write(text);
  (void)write_all(stream == ChildStream::kOut ? STDOUT_FILENO : STDERR_FILENO, text);
}

}  // namespace gossamer::cli
