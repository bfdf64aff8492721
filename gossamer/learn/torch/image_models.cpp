#include "gossamer/learn/torch/image_models.hpp"

#include <array>

#include "gossamer/base/text/suggest.hpp"

namespace gossamer {
namespace {

struct ModelEntry {
  std::string_view name;
  ModelFactory (*make)(Options& options, const PictureTask& task);
};

constexpr auto kModels = std::to_array<ModelEntry>({
#define GOSSAMER_PICTURE_MODEL(function, name, example, options, summary) {name, make_##function},
#define GOSSAMER_TEXT_MODEL(name, example, options, summary)
#define GOSSAMER_SCRIPT_MODEL(name, example, options, summary)
#include "gossamer/learn/models.def"
#undef GOSSAMER_PICTURE_MODEL
#undef GOSSAMER_TEXT_MODEL
#undef GOSSAMER_SCRIPT_MODEL
});

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
