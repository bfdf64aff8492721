#include "gossamer/learn/models.hpp"

#include <array>

#include "gossamer/base/text/options.hpp"
#include "gossamer/base/text/suggest.hpp"

namespace gossamer {
namespace {

constexpr auto kModels = std::to_array<ModelInfo>({
#define GOSSAMER_PICTURE_MODEL(function, name, example, options, summary) \
  {name, example, options, summary, ModelInput::kPictures},
#define GOSSAMER_TEXT_MODEL(name, example, options, summary) \
  {name, example, options, summary, ModelInput::kText},
#define GOSSAMER_SCRIPT_MODEL(name, example, options, summary) \
  {name, example, options, summary, ModelInput::kPictures},
#include "gossamer/learn/models.def"
#undef GOSSAMER_PICTURE_MODEL
#undef GOSSAMER_TEXT_MODEL
#undef GOSSAMER_SCRIPT_MODEL
});

}  // namespace

std::span<const ModelInfo> models() {
  return kModels;
}

bool is_script_file(std::string_view model) {
  // A slash behind a colon belongs to an option, as in mlp:256/128.
  const std::string_view name = model.substr(0, model.find(':'));
  return model.ends_with(".pt") || model.ends_with(".pth") ||
         name.find('/') != std::string_view::npos;
}

Result<ModelInfo> find_model(std::string_view spec) {
  if (is_script_file(spec)) return kModels.back();
  const auto found = find_named("model", split_spec(spec).name, kModels, &ModelInfo::name);
  if (!found) return found.error();
  return *found.value();
}

}  // namespace gossamer
