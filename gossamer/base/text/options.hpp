#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// The options behind a name in a spec string: `randk:0.01,unbiased` has the positional value 0.01
/// and the flag `unbiased`; `topk:k=50` has the key k. Strict: each one must be asked for exactly
/// by its kind.
///
/// Getters never fail on the spot: the first mistake is remembered and comes out of finish(), so
/// that a factory reads as a list of what it understands. Every key asked for counts as valid in
/// the suggestion for an unknown one.
class Options {
 public:
  /// `owner` is whom the options belong to ("topk"), for error sentences. `text` is what follows
  /// its colon.
  Options(std::string_view owner, std::string_view text);

  [[nodiscard]] bool flag(std::string_view name);
  [[nodiscard]] std::optional<std::uint64_t> integer(std::string_view name, std::uint64_t least,
                                                     std::uint64_t most);
  [[nodiscard]] std::optional<double> number(std::string_view name, double least, double most);
  /// As it stands; never empty, which is refused.
  [[nodiscard]] std::optional<std::string> text(std::string_view name);

  /// The value without a key. `meaning` names it in errors: "fraction", "bits".
  [[nodiscard]] std::optional<std::uint64_t> positional_integer(std::string_view meaning,
                                                                std::uint64_t least,
                                                                std::uint64_t most);
  [[nodiscard]] std::optional<double> positional_number(std::string_view meaning, double least,
                                                        double most);
  [[nodiscard]] std::optional<std::string> positional_text();

  /// Notes a mistake of the caller's own finding; the first one wins.
  void refuse(std::string sentence);

  /// The first mistake: a value out of range, a key given twice, or one that nobody asked for.
  [[nodiscard]] Result<void> finish() const;

  /// All of the text as it stands, for an owner that has a grammar of its own (a file's path).
  [[nodiscard]] const std::string& raw() const { return raw_; }

  [[nodiscard]] const std::string& owner() const { return owner_; }

 private:
  struct Entry {
    std::string key;  // empty: positional, or a flag if somebody asks for one of that name
    std::string value;
    bool used = false;
  };

  Entry* find_key(std::string_view name);
  Entry* find_positional();
  std::optional<std::uint64_t> integer_in(std::string_view name, const Entry& entry,
                                          std::uint64_t least, std::uint64_t most);
  std::optional<double> number_in(std::string_view name, const Entry& entry, double least,
                                  double most);

  std::string owner_;
  std::string raw_;
  std::vector<Entry> entries_;
  std::vector<std::string> asked_;
  std::optional<Error> mistake_;
};

/// `name` or `name:options`, split at the first colon.
struct NamedOptions {
  std::string name;
  Options options;
};

[[nodiscard]] NamedOptions split_spec(std::string_view spec);

}  // namespace gossamer
