#include "gossamer/plan/layer_shapes.hpp"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/base/text/suggest.hpp"

namespace gossamer {
namespace {

using Sizes = std::vector<std::size_t>;

// A flat model holds fewer than 2^32 numbers.
constexpr std::size_t kMostNumbers = std::size_t{1} << 32;

struct LayerType {
  std::string name;
  std::string form;
  std::size_t numbers;  // in its form; 0: one or more
  void (*add)(Layout& layout, const std::string& name, const Sizes& sizes);
};

const std::array<LayerType, 6>& layer_types() {
  static const std::array<LayerType, 6> types = {{
      {"linear", "linear:INxOUT", 2,
       [](Layout& layout, const std::string& name, const Sizes& s) {
         layout.add(name + ".weight", {s[1], s[0]});
         layout.add(name + ".bias", {s[1]});
       }},
      {"conv", "conv:INxOUTxHEIGHTxWIDTH", 4,
       [](Layout& layout, const std::string& name, const Sizes& s) {
         layout.add(name + ".weight", {s[1], s[0], s[2], s[3]});
         layout.add(name + ".bias", {s[1]});
       }},
      {"norm", "norm:CHANNELS", 1,
       [](Layout& layout, const std::string& name, const Sizes& s) {
         layout.add(name + ".weight", {s[0]});
         layout.add(name + ".bias", {s[0]});
       }},
      {"embedding", "embedding:ROWSxWIDTH", 2,
       [](Layout& layout, const std::string& name, const Sizes& s) {
         layout.add(name + ".weight", s);
       }},
      {"lstm", "lstm:INxHIDDEN", 2,
       [](Layout& layout, const std::string& name, const Sizes& s) {
         layout.add(name + ".weight_ih", {4 * s[1], s[0]});
         layout.add(name + ".weight_hh", {4 * s[1], s[1]});
         layout.add(name + ".bias_ih", {4 * s[1]});
         layout.add(name + ".bias_hh", {4 * s[1]});
       }},
      {"tensor", "tensor:AxBx...", 0,
       [](Layout& layout, const std::string& name, const Sizes& s) { layout.add(name, s); }},
  }};
  return types;
}

Result<Sizes> parse_sizes(const LayerType& type, std::string_view layer, std::string_view text) {
  const Error bad{
      fmt::format("layer '{}' must be {}, with whole numbers from 1 on", layer, type.form)};
  Sizes sizes;
  std::size_t product = 1;
  for (;;) {
    const std::size_t x = text.find('x');
    const auto size = parse_number<std::size_t>(text.substr(0, x));
    if (!size || *size == 0) return bad;
    if (*size >= kMostNumbers || product * *size >= kMostNumbers / 8)
      return Error{fmt::format("layer '{}' has too many numbers", layer)};
    product *= *size;
    sizes.push_back(*size);
    if (x == std::string_view::npos) break;
    text = text.substr(x + 1);
  }
  if (type.numbers != 0 && sizes.size() != type.numbers) return bad;
  return sizes;
}

}  // namespace

Result<Layout> parse_layers(std::string_view text) {
  Layout layout;
  for (std::size_t number = 0;; ++number) {
    const std::size_t comma = text.find(',');
    const std::string_view layer = text.substr(0, comma);
    const std::size_t colon = layer.find(':');
    const auto type =
        find_named("layer type", layer.substr(0, colon), layer_types(), &LayerType::name);
    if (!type) return type.error();
    const std::string_view numbers =
        colon == std::string_view::npos ? std::string_view{} : layer.substr(colon + 1);
    const Result<Sizes> sizes = parse_sizes(*type.value(), layer, numbers);
    if (!sizes) return sizes.error();
    type.value()->add(layout, fmt::format("{}.{}", number, type.value()->name), sizes.value());
    if (layout.size() >= kMostNumbers) return Error{"the model has more than 2^32 numbers"};
    if (comma == std::string_view::npos) return layout;
    text = text.substr(comma + 1);
  }
}

}  // namespace gossamer
