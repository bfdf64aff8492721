#include "tests/layers/public_headers.hpp"

#include <sstream>

#include "tests/layers/cpp_text.hpp"
#include "tests/layers/sources.hpp"

namespace gossamer::testing {
namespace {

std::vector<std::string> includes_of(const std::string& path) {
  std::vector<std::string> headers;
  std::istringstream code(code_only(source_text(path)));
  for (std::string line; std::getline(code, line);) {
    if (const auto include = include_in(line)) headers.emplace_back(include->header);
  }
  return headers;
}

void reach(const std::string& header, std::set<std::string>& reached) {
  if (!reached.insert(header).second || !source_exists(header)) return;
  for (const std::string& next : includes_of(header))
    reach(next, reached);
}

}  // namespace

std::vector<std::string> public_headers() {
  std::vector<std::string> headers = includes_of("gossamer/gossamer.hpp");
  for (const std::string& header : includes_of("gossamer/torch.hpp"))
    headers.push_back(header);
  return headers;
}

std::set<std::string> reached_from(const std::string& header) {
  std::set<std::string> reached;
  reach(header, reached);
  return reached;
}

}  // namespace gossamer::testing
