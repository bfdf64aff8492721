#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "apps/processes/descriptor.hpp"

#include "gossamer/base/result.hpp"

namespace gossamer::cli {

/// A file that keeps the lines of all peers, behind what it had.
class LineLog {
 public:
  /// Makes the file if there is none. An error if it cannot be written.
  [[nodiscard]] static Result<LineLog> open(const std::string& path);

  /// What the file does not take is gone: no run ends for that.
  void write(std::string_view lines);

  /// Why it does not have all lines; empty: it has.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  LineLog(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  Descriptor file_;
  std::string error_;
};

}  // namespace gossamer::cli
