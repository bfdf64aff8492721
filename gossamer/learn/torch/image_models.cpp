#include "gossamer/learn/torch/image_models.hpp"

#include <array>

#include "gossamer/base/text/suggest.hpp"

namespace gossamer {
namespace {

struct ModelEntry {
  std::string_view name;
  ModelFactory (*make)(Options& options, const PictureTask& task);
};

constexpr std::array<ModelEntry, 5> kModels = {{{"softmax", make_softmax},
                                                {"mlp", make_mlp},
                                                {"lenet", make_lenet},
                                                {"cnn", make_cnn},
                                                {"resnet20", make_resnet20}}};

}  // namespace

Result<ModelFactory> make_image_model(std::string_view spec, const PictureTask& task) {
  NamedOptions named = split_spec(spec);
  const auto entry = find_named("model", named.name, kModels, &ModelEntry::name);
  if (!entry) return entry.error();
  ModelFactory factory = entry.value()->make(named.options, task);
  if (const Result<void> understood = named.options.finish(); !understood)
    return understood.error();
  return factory;
}

}  // namespace gossamer
