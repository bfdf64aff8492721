// Davis, Gardner and Gardner, Deep South, 1941: which of 18 women came to which of 14 events. The
// Choco-SGD paper (Koloskova, Lin, Stich, Jaggi, ICLR 2020) calls it the social network.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/base/text/suggest.hpp"
#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/weights.hpp"

namespace gossamer {
namespace {

constexpr NodeId kWomen = 18;
constexpr NodeId kEvents = 14;

using Attendance = std::uint32_t;  // bit k: came to event k, counted from 1

template <typename... Event>
constexpr Attendance events(Event... event) {
  return ((Attendance{1} << event) | ...);
}

constexpr std::array<Attendance, kWomen> kAttendance = {
    events(1, 2, 3, 4, 5, 6, 8, 9),
    events(1, 2, 3, 5, 6, 7, 8),
    events(2, 3, 4, 5, 6, 7, 8, 9),
    events(1, 3, 4, 5, 6, 7, 8),
    events(3, 4, 5, 7),
    events(3, 5, 6, 8),
    events(5, 6, 7, 8),
    events(6, 8, 9),
    events(5, 7, 8, 9),
    events(7, 8, 9, 12),
    events(8, 9, 10, 12),
    events(8, 9, 10, 12, 13, 14),
    events(7, 8, 9, 10, 12, 13, 14),
    events(6, 7, 9, 10, 11, 12, 13, 14),
    events(7, 8, 10, 11, 12),
    events(8, 9),
    events(9, 11),
    events(9, 11),
};

// Women are nodes 0 to 17, event k is node 17 + k.
Graph social_graph() {
  std::vector<NodePair> pairs;
  for (NodeId woman = 0; woman < kWomen; ++woman) {
    for (NodeId event = 1; event <= kEvents; ++event) {
      const bool came = (kAttendance[woman] >> event & 1) != 0;
      if (came) pairs.push_back({woman, kWomen - 1 + event});
    }
  }
  return make_graph(kWomen + kEvents, std::move(pairs));
}

}  // namespace

Result<std::unique_ptr<Topology>> make_social(TopologyRequest& request) {
  const std::string text = request.options.raw();
  const std::vector<std::string> valid = {"weights=metropolis", "weights=maxdegree"};
  const bool is_max_degree = text == valid[1];
  if (!text.empty() && text != valid[0] && !is_max_degree) {
    return Error{unknown_name("option of social", text, valid)};
  }

  const std::string spec = is_max_degree ? "social:" + text : "social";
  const Result<void> agreed = expect_nodes(request, spec, kWomen + kEvents);
  if (!agreed) return agreed.error();
  const Graph graph = social_graph();
  return make_constant(spec, is_max_degree ? max_degree_weights(graph) : metropolis_weights(graph),
                       std::nullopt);
}

}  // namespace gossamer
