#pragma once

#include <string>

// OpenSSL's, which only .cpp files see.
struct asn1_string_st;

namespace gossamer {

/// A serial number, as serial_of() writes it.
[[nodiscard]] std::string serial_text(const asn1_string_st* serial);

}  // namespace gossamer
