#include "gossamer/store/checkpoint.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/file.hpp"
#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/store/mean_model.hpp"
#include "gossamer/store/state_bytes.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer {
namespace {

// A file is: magic, version, round, node; the identity, a count and as many pairs of texts; the
// state, entries of kind, name and values up to the digest of all before it.
constexpr std::uint64_t kMagic = 0x31504B434D535347;  // "GSSMCKP1"

Identity read_identity(ByteReader& in) {
  Identity identity;
  for (auto left = in.read<std::uint32_t>(); left > 0; --left) {
    std::string key = in.read_text();
    identity.emplace_back(std::move(key), in.read_text());
  }
  return identity;
}

constexpr std::size_t kDigestSize = sizeof(std::uint64_t);

bool is_whole(ByteView bytes) {
  if (bytes.size() < kDigestSize) return false;
  ByteReader digest(bytes.last(kDigestSize));
  return digest.read<std::uint64_t>() == digest_of(bytes.first(bytes.size() - kDigestSize));
}

}  // namespace

std::optional<std::string> difference(const Identity& saved, const Identity& own) {
  for (std::size_t i = 0; i < std::max(saved.size(), own.size()); ++i) {
    if (i < saved.size() && i < own.size() && saved[i] == own[i]) continue;
    if (i >= saved.size() || i >= own.size() || saved[i].first != own[i].first)
      return "it was written by another version, with other settings";
    return fmt::format("its {} is '{}', and that of this run '{}'", own[i].first, saved[i].second,
                       own[i].second);
  }
  return std::nullopt;
}

CheckpointStore::CheckpointStore(std::string folder, Identity identity, NodeId files,
                                 Writers writers)
    : folder_(std::move(folder)),
      identity_(std::move(identity)),
      files_(files),
      writers_(writers) {}

Result<std::uint64_t> CheckpointStore::save(NodeId node, Round round, const ShowState& show,
                                            std::span<const NamedTensor> model) {
  ByteWriter out;
  out.write(kMagic);
  out.write(round);
  out.write(node);
  out.write(static_cast<std::uint32_t>(identity_.size()));
  for (const auto& [key, value] : identity_) {
    out.write_text(key);
    out.write_text(value);
  }
  StateWriter writer(out);
  show(writer);
  out.write(digest_of(out.bytes()));

  std::error_code error;
  std::filesystem::create_directories(folder_of(round), error);
  if (error) {
    return Error{fmt::format("cannot make the folder '{}': {}", folder_of(round), error.message())};
  }
  // Before the state, so that a complete round has all models.
  if (!model.empty()) {
    Result<void> written = write_safetensors(
        model_path_of(node, round), model,
        {{"model", fmt::format("node {}", node)}, {"round", fmt::format("{}", round)}});
    if (!written) return written.error();
  }
  if (const Result<void> written = write_file(path_of(node, round), out.bytes()); !written)
    return written.error();
  if (const Result<void> noted = note_saved(node, round); !noted) return noted.error();
  return static_cast<std::uint64_t>(out.bytes().size());
}

Result<Round> CheckpointStore::newest() const {
  for (const Round round : rounds()) {
    bool complete = true;
    for (NodeId node = 0; node < files_; ++node) {
      std::error_code error;
      if (!std::filesystem::exists(path_of(node, round), error)) {
        complete = false;
      } else if (const auto opened = open(node, round); !opened) {
        return opened.error();
      }
    }
    if (complete) return round;
  }
  return Error{fmt::format("'{}' has no complete checkpoint to resume from", folder_)};
}

Result<void> CheckpointStore::load(NodeId node, Round round, const ShowState& show) const {
  const Result<std::vector<std::uint8_t>> state = open(node, round);
  if (!state) return state.error();
  ByteReader in{ByteView(state.value())};
  StateReader reader(in);
  try {
    show(reader);
    in.expect_end();
  } catch (const CorruptMessage& error) {
    return Error{fmt::format("{} does not fit this run: {}", path_of(node, round), error.what())};
  }
  return {};
}

// The state's bytes, of a file that is whole and of this run.
Result<std::vector<std::uint8_t>> CheckpointStore::open(NodeId node, Round round) const {
  const std::string path = path_of(node, round);
  Result<std::vector<std::uint8_t>> file = read_file(path);
  if (!file) return file;
  const ByteView bytes(file.value());
  if (!is_whole(bytes)) {
    return Error{
        fmt::format("{} is damaged; remove its folder to resume from an older checkpoint", path)};
  }
  ByteReader in(bytes.first(bytes.size() - kDigestSize));
  try {
    if (in.read<std::uint64_t>() != kMagic) return Error{fmt::format("{} is no checkpoint", path)};
    if (in.read<Round>() != round || in.read<NodeId>() != node)
      return Error{fmt::format("{} belongs to another round or node", path)};
    if (const auto reason = difference(read_identity(in), identity_))
      return Error{fmt::format("{} belongs to another run: {}", path, *reason)};
  } catch (const CorruptMessage&) {
    return Error{fmt::format("{} is no checkpoint of this version", path)};
  }
  const ByteView state = in.read_bytes(in.remaining());
  return std::vector<std::uint8_t>(state.begin(), state.end());
}

std::string CheckpointStore::folder_of(Round round) const {
  return fmt::format("{}/round-{:09}", folder_, round);
}

std::string CheckpointStore::path_of(NodeId node, Round round) const {
  return fmt::format("{}/node-{:05}.ckpt", folder_of(round), node);
}

std::string CheckpointStore::model_path_of(NodeId node, Round round) const {
  return fmt::format("{}/node-{:05}.safetensors", folder_of(round), node);
}

std::string CheckpointStore::mean_path_of(Round round) const {
  return folder_of(round) + "/mean.safetensors";
}

// Newest first.
std::vector<Round> CheckpointStore::rounds() const {
  std::vector<Round> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    constexpr std::string_view kPrefix = "round-";
    if (!name.starts_with(kPrefix)) continue;
    if (const auto round = parse_number<Round>(std::string_view(name).substr(kPrefix.size())))
      found.push_back(*round);
  }
  std::ranges::sort(found, std::greater<>());
  return found;
}

// Of all who have a model; a coordinator has none.
Result<void> CheckpointStore::write_mean(Round round) const {
  std::vector<std::string> paths;
  for (NodeId node = 0; node < files_; ++node) {
    std::error_code ignored;
    if (std::filesystem::exists(model_path_of(node, round), ignored))
      paths.push_back(model_path_of(node, round));
  }
  if (paths.empty()) return {};
  return write_mean_model(paths, mean_path_of(round),
                          {{"model", fmt::format("mean over {} nodes", paths.size())},
                           {"round", fmt::format("{}", round)}});
}

bool CheckpointStore::is_complete(Round round) const {
  for (NodeId node = 0; node < files_; ++node) {
    std::error_code ignored;
    if (!std::filesystem::exists(path_of(node, round), ignored)) return false;
  }
  return true;
}

void CheckpointStore::remove_before(Round round) const {
  for (const Round older : rounds()) {
    std::error_code ignored;
    if (older < round) std::filesystem::remove_all(folder_of(older), ignored);
  }
}

Result<void> CheckpointStore::tidy() const {
  std::vector<Round> complete = rounds();
  std::erase_if(complete, [this](Round round) { return !is_complete(round); });
  constexpr std::size_t kKept = 2;
  if (complete.size() > kKept) complete.resize(kKept);
  for (const Round round : complete) {
    std::error_code ignored;
    if (std::filesystem::exists(mean_path_of(round), ignored)) continue;
    if (Result<void> written = write_mean(round); !written) return written;
  }
  // Whoever is behind still writes rounds after these: each node writes them in order.
  if (complete.size() == kKept) remove_before(complete.back());
  return {};
}

Result<void> CheckpointStore::check(NodeId node, Round round) const {
  const Result<std::vector<std::uint8_t>> opened = open(node, round);
  if (!opened) return opened.error();
  return {};
}

std::vector<Round> CheckpointStore::saved_by(NodeId node) const {
  std::vector<Round> saved;
  for (const Round round : rounds()) {
    if (check(node, round)) saved.push_back(round);
  }
  std::ranges::reverse(saved);
  return saved;
}

Result<std::optional<Round>> CheckpointStore::newest_by(NodeId node) const {
  std::optional<Error> first;
  for (const Round round : rounds()) {
    std::error_code error;
    if (!std::filesystem::exists(path_of(node, round), error)) continue;
    const Result<void> good = check(node, round);
    if (good) return std::optional(round);
    if (!first) first = good.error();
  }
  if (first) return *first;
  return std::optional<Round>();
}

// Keeps one that everybody has: the newest that is at least so far behind.
void CheckpointStore::forget_old_ones(Round newest) const {
  for (const Round older : rounds()) {
    if (older + kept_behind_ < newest) return remove_before(older);
  }
}

Result<void> CheckpointStore::note_saved(NodeId node, Round round) {
  if (writers_ == Writers::kOneNode) {
    forget_old_ones(round);
    return {};
  }
  if (writers_ == Writers::kManyProcesses) return node == 0 ? tidy() : Result<void>();
  const std::lock_guard lock(mutex_);
  if (++saved_[round] < files_) return {};
  saved_.erase(round);
  if (Result<void> written = write_mean(round); !written) return written;
  remove_before(complete_);
  complete_ = round;
  return {};
}

}  // namespace gossamer
