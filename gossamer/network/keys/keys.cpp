#include "gossamer/network/keys/keys.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/network/keys/certificates.hpp"
#include "gossamer/network/keys/key_folder.hpp"
#include "gossamer/network/keys/revocations.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

constexpr NodeId kMostNodes = 100'000;
constexpr int kMostDays = 36'500;

Error cannot(std::string_view what, const std::string& path) {
  return Error{fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno))};
}

std::string in_folder(const std::string& folder, std::string_view name) {
  return (fs::path(folder) / name).string();
}

// A folder of mode 0700 that goes with all in it, unless it was moved.
class PassingFolder {
 public:
  explicit PassingFolder(std::string pattern) : path_(std::move(pattern)) {
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }

  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;

  ~PassingFolder() {
    if (path_.empty()) return;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  [[nodiscard]] bool exists() const { return !path_.empty(); }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Takes the place of `target` if that is an empty folder or nothing.
  [[nodiscard]] bool move_to(const std::string& target) {
    if (std::rename(path_.c_str(), target.c_str()) != 0) return false;
    path_.clear();
    return true;
  }

 private:
  std::string path_;
};

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}

  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

// Created with its mode: between a file's making and a later chmod() others could open it.
Result<void> write_new_file(const std::string& path, std::string_view text, mode_t mode) {
  const Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (file.get() < 0) return cannot("write", path);
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return cannot("write", path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.get()) != 0) return cannot("write", path);
  return {};
}

Result<void> sync_folder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || ::fsync(folder.get()) != 0) return cannot("write to the folder", path);
  return {};
}

Result<void> write_identity(const Identity& identity, const std::string& certificate,
                            const std::string& private_key) {
  const Result<void> written = write_new_file(private_key, identity.private_key, 0600);
  return written ? write_new_file(certificate, identity.certificate, 0644) : written;
}

Result<void> write_nodes(const std::string& folder, const Identity& authority, NodeId first,
                         const NewKeys& wanted) {
  for (NodeId node = first; node < first + wanted.nodes; ++node) {
    const Result<Identity> made = make_node_identity(authority, node, wanted.valid_days);
    if (!made) return made.error();
    const TlsKeyFiles files = key_files(folder, node);
    if (const auto written = write_identity(made.value(), files.certificate, files.private_key);
        !written)
      return written;
  }
  return sync_folder(folder);
}

Result<void> check_wanted(const NewKeys& wanted) {
  if (wanted.nodes < 1 || wanted.nodes > kMostNodes)
    return Error{fmt::format("keys are made for 1 to {} nodes, not {}", kMostNodes, wanted.nodes)};
  if (wanted.valid_days < 1 || wanted.valid_days > kMostDays)
    return Error{
        fmt::format("keys are valid for 1 to {} days, not {}", kMostDays, wanted.valid_days)};
  return {};
}

// rename() would refuse too, without saying what to do.
Result<void> check_is_free(const std::string& folder) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(folder, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) return Error{fmt::format("'{}' exists and is no folder", folder)};
  if (fs::exists(key_files(folder, 0).authority, error))
    return Error{
        fmt::format("'{}' already holds the keys of a cluster, which are never overwritten: add "
                    "nodes with 'gossamer keys add', or name another folder",
                    folder)};
  if (!fs::is_empty(folder, error) || error)
    return Error{fmt::format("'{}' is not an empty folder; name one that does not exist", folder)};
  return {};
}

// What a file's text is good for, with the file's name in front of a refusal.
template <typename T>
Result<T> in_file(const std::string& path, Result<T> result) {
  if (result) return result;
  return Error{fmt::format("'{}' {}", path, result.error().message)};
}

Result<Identity> read_authority(const std::string& folder) {
  const std::string certificate_path = key_files(folder, 0).authority;
  const std::string key_path = authority_key_file(folder);
  const Result<std::string> certificate = read_text(certificate_path);
  if (!certificate)
    return Error{fmt::format("{}; 'gossamer keys init' makes the keys of a cluster",
                             certificate.error().message)};
  const Result<std::string> key = read_text(key_path);
  if (!key)
    return Error{fmt::format("{}; nodes are added where the authority's private key is kept",
                             key.error().message)};
  // Whoever else has this key can join, and whoever can change the folder can make us sign for him.
  for (const Result<void>& checked : {check_is_private(key_path), check_is_ones_own(folder),
                                      check_is_ones_own(certificate_path)}) {
    if (!checked) return checked.error();
  }
  Identity authority{certificate.value(), key.value()};
  const auto facts = in_file(certificate_path, read_certificate(authority.certificate));
  if (!facts) return facts.error();
  const Result<bool> whole = in_file(key_path, is_whole(authority));
  if (!whole) return whole.error();
  if (!whole.value())
    return Error{fmt::format("'{}' is not the private key of '{}'", key_path, certificate_path)};
  return authority;
}

Result<Identity> read_valid_authority(const std::string& folder) {
  Result<Identity> authority = read_authority(folder);
  if (!authority) return authority;
  const auto facts = read_certificate(authority.value().certificate);
  if (!facts) return facts.error();
  if (facts.value().valid_until <= std::chrono::system_clock::now())
    return Error{fmt::format(
        "the authority of '{}' is no longer valid: make new keys with 'gossamer keys init'",
        folder)};
  return authority;
}

// In place of what is there, if anything is: readers find the old file or the new one, whole.
Result<void> replace_file(const std::string& path, std::string_view text, mode_t mode) {
  const PassingFolder made(in_folder(fs::path(path).parent_path().string(), ".replacing-XXXXXX"));
  if (!made.exists()) return cannot("write", path);
  const std::string next = in_folder(made.path(), "next");
  if (const Result<void> written = write_new_file(next, text, mode); !written) return written;
  if (std::rename(next.c_str(), path.c_str()) != 0) return cannot("write", path);
  return sync_folder(fs::path(path).parent_path().string());
}

Result<void> revoke_with(const Identity& authority, const std::string& folder,
                         const std::vector<NodeId>& nodes) {
  const std::string path = key_files(folder, 0).revoked;
  std::string earlier;
  std::error_code ignored;
  if (fs::exists(path, ignored)) {
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    earlier = text.value();
    if (const auto read = in_file(path, Revocations::read(earlier, authority.certificate)); !read)
      return read.error();
  }
  std::vector<std::string> certificates;
  for (const NodeId node : nodes) {
    const std::string file = key_files(folder, node).certificate;
    const Result<std::string> text = read_text(file);
    if (!text)
      return Error{fmt::format("{}; a node is revoked by its certificate", text.error().message)};
    const Result<bool> is_ours = in_file(file, is_signed_by(text.value(), authority.certificate));
    if (!is_ours) return is_ours.error();
    if (!is_ours.value())
      return Error{fmt::format("'{}' is not signed by the authority of this folder", file)};
    certificates.push_back(text.value());
  }
  const Result<std::string> list = make_revocations(authority, earlier, certificates);
  if (!list) return list.error();
  return replace_file(path, list.value(), 0644);
}

// Puts the files of one folder into another, none over another file; all of them or none.
Result<void> move_all(const std::string& from, const std::string& to) {
  const Result<std::vector<fs::path>> files = files_in(from);
  if (!files) return files.error();
  std::vector<std::string> placed;
  for (const fs::path& file : files.value()) {
    const std::string target = in_folder(to, file.filename().string());
    if (::link(file.c_str(), target.c_str()) == 0) {
      placed.push_back(target);
      continue;
    }
    const Error error = cannot("write", target);
    for (const std::string& path : placed)
      ::unlink(path.c_str());
    return error;
  }
  return sync_folder(to);
}

}  // namespace

Result<void> make_keys(const std::string& folder, const NewKeys& wanted) {
  if (const Result<void> checked = check_wanted(wanted); !checked) return checked;
  const fs::path target = fs::path(folder + "/").lexically_normal().parent_path();
  if (const Result<void> free = check_is_free(target.string()); !free) return free;
  const std::string parent = target.has_parent_path() ? target.parent_path().string() : ".";
  PassingFolder made(in_folder(parent, ".gossamer-keys-XXXXXX"));
  if (!made.exists()) return cannot("make a folder in", parent);

  const Result<Identity> authority = make_authority(wanted.valid_days);
  if (!authority) return authority.error();
  if (const auto written = write_identity(authority.value(), key_files(made.path(), 0).authority,
                                          authority_key_file(made.path()));
      !written)
    return written;
  if (const auto written = write_nodes(made.path(), authority.value(), 0, wanted); !written)
    return written;
  if (!made.move_to(target.string())) return cannot("make", target.string());
  return sync_folder(parent);
}

Result<NodeId> add_keys(const std::string& folder, const NewKeys& wanted) {
  if (const Result<void> checked = check_wanted(wanted); !checked) return checked.error();
  const Result<Identity> authority = read_valid_authority(folder);
  if (!authority) return authority.error();
  const Result<std::vector<fs::path>> files = files_in(folder);
  if (!files) return files.error();
  NodeId first = 0;
  for (const fs::path& file : files.value()) {
    if (const std::optional<NodeId> node = node_of_file(file)) first = std::max(first, *node + 1);
  }
  const PassingFolder made(in_folder(folder, ".adding-XXXXXX"));
  if (!made.exists()) return cannot("make a folder in", folder);
  if (const auto written = write_nodes(made.path(), authority.value(), first, wanted); !written)
    return written.error();
  if (const auto moved = move_all(made.path(), folder); !moved) return moved.error();
  return first;
}

Result<void> revoke_keys(const std::string& folder, const std::vector<NodeId>& nodes) {
  const Result<Identity> authority = read_authority(folder);
  if (!authority) return authority.error();
  return revoke_with(authority.value(), folder, nodes);
}

// The old certificate is revoked first: if this is interrupted, it is worth nothing, and the next
// attempt does the rest.
Result<void> renew_keys(const std::string& folder, NodeId node, int valid_days) {
  if (const auto checked = check_wanted({.valid_days = valid_days}); !checked) return checked;
  const Result<Identity> authority = read_valid_authority(folder);
  if (!authority) return authority.error();
  const Result<Identity> made = make_node_identity(authority.value(), node, valid_days);
  if (!made) return made.error();
  if (const auto revoked = revoke_with(authority.value(), folder, {node}); !revoked) return revoked;
  const TlsKeyFiles files = key_files(folder, node);
  const auto written = replace_file(files.private_key, made.value().private_key, 0600);
  return written ? replace_file(files.certificate, made.value().certificate, 0644) : written;
}

}  // namespace gossamer
