#include "gossamer/base/module.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace gossamer {
namespace {

std::optional<std::string> find_file(const std::string& file) {
  std::error_code error;
  std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (int level = 0; level < 3; ++level) {
    if (std::filesystem::exists(folder / file, error)) return (folder / file).string();
    folder = folder.parent_path();
  }
  return std::nullopt;
}

Error of_another_version(const std::string& path) {
  return Error{
      fmt::format("{} belongs to another version of Gossamer: install both together", path)};
}

}  // namespace

Result<Module> Module::open(const ModuleDescription& description) {
  const std::string name = fmt::format("libgossamer_{}.so", description.name);
  const std::optional<std::string> beside = find_file("lib/gossamer/" + name);
  // A program of somebody else's lies anywhere; find_package and pkg-config give it a run path to
  // where Gossamer was installed.
  const std::string path = beside.value_or(name);
  const bool prefers_own = description.symbols == ModuleDescription::Symbols::kOfItsOwn;
  void* const handle =
      dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | (prefers_own ? RTLD_DEEPBIND : 0));
  if (handle == nullptr) {
    const std::string why = dlerror();
    if (beside || why.find("No such file") == std::string::npos)
      return Error{fmt::format("{} cannot be opened: {}", description.name, why)};
    return Error{
        fmt::format("{}, and there is no lib/gossamer/{} beside this program: build Gossamer with "
                    "{}=ON and install it",
                    description.need, name, description.option)};
  }
  Module opened(path, handle);
  const auto interface_of = opened.function<const char*()>(description.interface_function);
  if (!interface_of) return interface_of.error();
  if (std::string_view(interface_of.value()()) != description.interface_text)
    return of_another_version(path);
  return opened;
}

Result<void*> Module::find(const std::string& name) const {
  void* const symbol = dlsym(handle_, name.c_str());
  if (symbol == nullptr) return of_another_version(path_);
  return symbol;
}

}  // namespace gossamer
