#include "gossamer/network/keys/revocation_file.hpp"

#include <sys/stat.h>

#include <fmt/format.h>

#include "gossamer/network/keys/key_folder.hpp"

namespace gossamer {

std::optional<RevocationFile::Stamp> RevocationFile::stamp() const {
  struct stat status {};

  if (::stat(path_.c_str(), &status) != 0) return std::nullopt;
  return Stamp{status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Result<bool> RevocationFile::look() {
  if (!is_watched()) return false;
  const std::optional<Stamp> now = stamp();
  if (now == seen_) return false;
  seen_ = now;
  if (!now) {
    return Error{
        fmt::format("'{}' is gone: those who are revoked stay so until this program ends", path_)};
  }
  const Result<std::string> text = read_text(path_);
  if (!text) return text.error();
  const Result<Revocations> read = Revocations::read(text.value(), authority_);
  if (!read) return Error{fmt::format("'{}' {}", path_, read.error().message)};
  if (read.value().number() < list_.number()) {
    return Error{
        fmt::format("'{}' is an older list than the one that was there: it is not used", path_)};
  }
  const bool is_new = read.value().number() != list_.number();
  list_ = read.value();
  return is_new;
}

}  // namespace gossamer
