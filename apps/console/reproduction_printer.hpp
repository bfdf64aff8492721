#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gossamer/reproduce/reproduction.hpp"

namespace gossamer::cli {

/// Prints what `gossamer reproduce` does, as it goes: each run in a line, then a table of claims.
class ReproductionPrinter {
 public:
  enum class Format { kTable, kJson };

  explicit ReproductionPrinter(Format format) : format_(format) {}

  void begin(const Entry& entry);
  void run(const Entry& entry, const PerformedRun& run, double seconds);
  void end(const Reproduction& reproduction);
  /// Of an entry that is not run.
  void skip(const Entry& entry, std::string_view why);

 private:
  [[nodiscard]] bool is_silent() const { return format_ == Format::kJson; }

  Format format_;
  bool has_printed_ = false;
};

/// The words of a text in lines of this length, or longer where a word is.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace gossamer::cli
