#include "gossamer/network/keys/key_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <sys/stat.h>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/base/text/parse_number.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

std::string file_in(const std::string& folder, std::string_view name) {
  return (fs::path(folder) / name).string();
}

std::string node_name(NodeId node) {
  return fmt::format("node-{:05}", node);
}

Result<mode_t> mode_of(const std::string& path) {
  struct stat status {};

  if (::stat(path.c_str(), &status) == 0) return status.st_mode;
  return Error{fmt::format("cannot read '{}': {}", path, std::strerror(errno))};
}

}  // namespace

TlsKeyFiles key_files(const std::string& folder, NodeId node) {
  const std::string name = file_in(folder, node_name(node));
  return {file_in(folder, "authority.pem"), name + ".pem", name + ".key",
          file_in(folder, "revoked.pem")};
}

std::string authority_key_file(const std::string& folder) {
  return file_in(folder, "authority.key");
}

std::optional<NodeId> node_of_file(const fs::path& file) {
  const std::string name = file.stem().string();
  constexpr std::string_view kBegin = "node-";
  if (!name.starts_with(kBegin)) return std::nullopt;
  const auto node = parse_number<NodeId>(std::string_view(name).substr(kBegin.size()));
  return node && node_name(*node) == name ? node : std::nullopt;
}

Result<std::vector<fs::path>> files_in(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    files.push_back(entry->path());
  if (error) return Error{fmt::format("cannot read '{}': {}", folder, error.message())};
  std::ranges::sort(files);
  return files;
}

Result<std::string> read_text(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  return std::string(bytes.value().begin(), bytes.value().end());
}

Result<void> check_is_private(const std::string& path) {
  const Result<mode_t> mode = mode_of(path);
  if (!mode) return mode.error();
  if ((mode.value() & (S_IRWXG | S_IRWXO)) == 0) return {};
  return Error{
      fmt::format("the private key {} is open to other users (mode {:04o}); type: chmod 600 {}",
                  path, mode.value() & 07777u, path)};
}

Result<void> check_is_ones_own(const std::string& path) {
  const Result<mode_t> mode = mode_of(path);
  if (!mode) return mode.error();
  const bool is_folder = S_ISDIR(mode.value());
  const bool each_has_his_own = is_folder && (mode.value() & S_ISVTX) != 0;
  if ((mode.value() & (S_IWGRP | S_IWOTH)) == 0 || each_has_his_own) return {};
  return Error{fmt::format(
      "other users can change {} {} (mode {:04o}), and let their own keys be trusted; "
      "type: chmod go-w {}",
      is_folder ? "the folder of keys" : "the certificate", path, mode.value() & 07777u, path)};
}

std::string folder_of(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace gossamer
