#pragma once

#include <memory>
#include <string>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/network/keys/revocation_file.hpp"
#include "gossamer/network/tls/tls.hpp"

// OpenSSL's, which only .cpp files see.
struct ssl_ctx_st;

namespace gossamer::tls {

/// The cluster's authority and this node's own proof, ready for handshakes: TLS 1.3 only, both ends
/// show a certificate.
class Credentials {
 public:
  /// Refuses key files that others can read, that do not fit together, or that are of another node.
  [[nodiscard]] static Result<Credentials> load(const TlsCredentials& files, NodeId self);

  [[nodiscard]] ssl_ctx_st* context() const { return context_.get(); }

  /// Whose certificates count no more, as of loading.
  [[nodiscard]] const RevocationFile& revocations() const { return revocations_; }

 private:
  Credentials(std::shared_ptr<ssl_ctx_st> context, RevocationFile revocations)
      : context_(std::move(context)), revocations_(std::move(revocations)) {}

  std::shared_ptr<ssl_ctx_st> context_;
  RevocationFile revocations_;
};

}  // namespace gossamer::tls
