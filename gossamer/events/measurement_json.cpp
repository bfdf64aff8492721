#include "gossamer/events/measurement_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "gossamer/events/figures.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Figure& figure) {
  const bool is_whole = figure.value == std::floor(figure.value);
  if (figure.kind == Figure::Kind::kCount && is_whole)
    return static_cast<std::uint64_t>(figure.value);
  return figure.value;
}

}  // namespace

std::string to_json(const Measurement& measurement) {
  Json json = Json::object();
  for (const Figure& figure : figures_of(measurement))
    json[figure.name] = json_of(figure);
  return json.dump();
}

}  // namespace gossamer
