#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/network/keys/certificates.hpp"

// Certificates that count no more: a list that their authority signs (an X.509 revocation list,
// PEM).
namespace gossamer {

/// What a certificate is told from all others of its authority by: its serial number, as 3F0A...
[[nodiscard]] Result<std::string> serial_of(std::string_view certificate);

/// The serial numbers of certificates that are revoked.
class Revocations {
 public:
  /// Nobody.
  Revocations() = default;

  /// Refuses what is no list, or was not signed by this authority: half a sentence.
  [[nodiscard]] static Result<Revocations> read(std::string_view list, std::string_view authority);

  [[nodiscard]] bool has(const std::string& serial) const { return serials_.contains(serial); }

  [[nodiscard]] std::size_t size() const { return serials_.size(); }

  /// Grows with each list that an authority makes; 0 if there is none yet.
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  std::set<std::string> serials_;
  std::uint64_t number_ = 0;
};

/// A list with these certificates beside all that the earlier one has; "": there is none.
[[nodiscard]] Result<std::string> make_revocations(const Identity& authority,
                                                   std::string_view earlier,
                                                   const std::vector<std::string>& certificates);

}  // namespace gossamer
