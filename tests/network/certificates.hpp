#pragma once

#include <memory>
#include <string>

#include "tests/support/temporary_folder.hpp"

#include "gossamer/network/tls/tls.hpp"

struct evp_pkey_st;
struct x509_st;

namespace gossamer::testing {

/// An authority of its own, and certificates that it signs, in a folder that is gone with it.
class TestCluster {
 public:
  TestCluster();
  TestCluster(const TestCluster&) = delete;
  TestCluster& operator=(const TestCluster&) = delete;
  ~TestCluster();

  /// Files of a node, made when they are asked for first. Thread-safe.
  [[nodiscard]] TlsCredentials credentials(NodeId node) const;

  /// Of somebody whose certificate has this common name.
  [[nodiscard]] TlsCredentials credentials(const std::string& common_name) const;

 private:
  struct Secret;
  std::unique_ptr<Secret> secret_;
};

/// The cluster of all tests, and one that has nothing to do with it.
[[nodiscard]] const TestCluster& our_cluster();
[[nodiscard]] const TestCluster& another_cluster();

}  // namespace gossamer::testing
