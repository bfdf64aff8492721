#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gossamer/base/result.hpp"
#include "gossamer/network/keys/revocations.hpp"

namespace gossamer {

/// A list of revoked certificates in a file that may appear and change while a peer runs. What was
/// revoked once stays so: a file that is gone, broken or older changes nothing.
class RevocationFile {
 public:
  /// An empty path: there will never be one.
  RevocationFile(std::string path, std::string authority)
      : path_(std::move(path)), authority_(std::move(authority)) {}

  [[nodiscard]] bool is_watched() const { return !path_.empty(); }

  /// Looks whether the file is another one than last time, and then reads it. Returns whether the
  /// list is a new one. A file that cannot be used is an error, once.
  [[nodiscard]] Result<bool> look();

  [[nodiscard]] const Revocations& list() const { return list_; }

 private:
  /// What tells one state of a file from another without reading it.
  struct Stamp {
    std::uint64_t file = 0;
    std::int64_t size = 0;
    std::int64_t changed_seconds = 0;
    std::int64_t changed_nanoseconds = 0;

    bool operator==(const Stamp&) const = default;
  };

  [[nodiscard]] std::optional<Stamp> stamp() const;

  std::string path_;
  std::string authority_;
  std::optional<Stamp> seen_;
  Revocations list_;
};

}  // namespace gossamer
