#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/console/report_table.hpp"
#include "apps/launch/line_log.hpp"
#include "apps/launch/peers_screen.hpp"
#include "apps/processes/child_listener.hpp"

namespace gossamer::cli {

/// Makes one table of what all peers tell. Their lines are in the log, where events are what a peer
/// by itself would print of them.
class TableOfPeers final : public ChildListener {
 public:
  /// `nodes`: whose each child is; they print an EventStream. The log may be null.
  TableOfPeers(std::vector<NodeId> nodes, LineLog* log);

  void take(std::size_t child, ChildStream stream, std::string_view lines) override;

  Others ended(std::size_t child, const ChildEnd& end) override;

  void signalled(int signal) override;
  [[nodiscard]] int patience() const override;

  void on_time() override { screen_.on_time(); }

  /// After the last one's end.
  void finish() { screen_.finish(); }

  /// Whether a peer has said itself why it ended too early.
  [[nodiscard]] bool is_explained(NodeId node) const;

 private:
  void take_line(NodeId node, ChildStream stream, std::string_view line);
  void log(NodeId node, std::string_view lines);
  /// As a peer by itself prints it; empty: it does not.
  [[nodiscard]] std::string text_of(const Event& event);

  std::vector<NodeId> nodes_;
  LineLog* log_;
  std::map<NodeId, RowPrinter> rows_;  // of each peer's table in the log
  PeersScreen screen_;
};

}  // namespace gossamer::cli
