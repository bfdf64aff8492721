#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// A part of Gossamer in a shared library of its own, because what it is built on takes long to
/// start or is not installed everywhere.
struct ModuleDescription {
  /// lib/gossamer/libgossamer_<name>.so
  std::string name;
  /// What cannot be done without it: "networks need torch".
  std::string need;
  /// The option that builds it.
  std::string option;
  /// Name of a function without arguments that returns what the program and the module must agree
  /// on, and that text. Both are built from one version of the sources.
  std::string interface_function;
  std::string interface_text;
  /// Whose symbols it takes where the program and the module's own libraries have some of the same
  /// name.
  enum class Symbols : std::uint8_t { kOfProgram, kOfItsOwn } symbols = Symbols::kOfProgram;
};

/// A module that was opened. It stays open to the end of the process.
class Module {
 public:
  /// Looks for it beside the program: as installed in the folder above it, as built also in the
  /// next, where tests look from. Not farther up: what lies there may be anybody's.
  [[nodiscard]] static Result<Module> open(const ModuleDescription& description);

  /// The function of this name, or an error that names the file.
  template <typename Signature>
  [[nodiscard]] Result<std::function<Signature>> function(const std::string& name) const {
    const Result<void*> found = find(name);
    if (!found) return found.error();
    return std::function<Signature>(reinterpret_cast<Signature*>(found.value()));
  }

 private:
  Module(std::string path, void* handle) : path_(std::move(path)), handle_(handle) {}

  [[nodiscard]] Result<void*> find(const std::string& name) const;

  std::string path_;
  void* handle_;
};

}  // namespace gossamer
