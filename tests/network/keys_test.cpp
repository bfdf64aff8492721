// Keys as files: who may read them, what they prove, and that nothing is lost or left behind.

#include "gossamer/network/keys/keys.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/network/keys/certificate_name.hpp"
#include "gossamer/network/keys/certificates.hpp"
#include "gossamer/network/keys/key_folder.hpp"
#include "gossamer/network/keys/key_inspection.hpp"
#include "gossamer/network/keys/revocations.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string text_of(const std::string& path) {
  const Result<std::string> text = read_text(path);
  EXPECT_TRUE(text) << path;
  return text ? text.value() : "";
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

unsigned mode_of(const std::string& path) {
  struct stat status {};

  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

std::chrono::sys_seconds now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

KeyFolderFacts facts_of(const std::string& folder, std::chrono::sys_seconds when = now()) {
  const Result<KeyFolderFacts> facts = inspect_keys(folder, when);
  EXPECT_TRUE(facts) << facts.error().message;
  return facts ? facts.value() : KeyFolderFacts{};
}

std::string refusal(const auto& result) {
  return result ? "not refused" : result.error().message;
}

/// A folder with the keys of a cluster.
class Keys {
 public:
  explicit Keys(NewKeys wanted) {
    const Result<void> made = make_keys(path(), wanted);
    EXPECT_TRUE(made) << made.error().message;
  }

  [[nodiscard]] std::string path() const { return folder_.path("keys"); }

  [[nodiscard]] TlsKeyFiles of(NodeId node) const { return key_files(path(), node); }

  [[nodiscard]] const TemporaryFolder& around() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

/// While it lives, everything that is written fails after so many bytes.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  }

  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

// Enough for a private key, and too little for a certificate.
constexpr rlim_t kRoomForAKey = 300;

using X509Pointer = std::unique_ptr<X509, decltype(&X509_free)>;

X509Pointer load(const std::string& path) {
  const std::string text = text_of(path);
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
      BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free);
  return {PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), X509_free};
}

// As a TLS peer judges a certificate that is shown to it.
int verify(const std::string& certificate, const std::string& authority, int purpose) {
  const X509Pointer shown = load(certificate);
  const X509Pointer trusted = load(authority);
  const std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)> store(X509_STORE_new(),
                                                                      X509_STORE_free);
  X509_STORE_add_cert(store.get(), trusted.get());
  const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> context(
      X509_STORE_CTX_new(), X509_STORE_CTX_free);
  X509_STORE_CTX_init(context.get(), store.get(), shown.get(), nullptr);
  X509_STORE_CTX_set_purpose(context.get(), purpose);
  X509_STORE_CTX_set_flags(context.get(), X509_V_FLAG_X509_STRICT);
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

TEST(Keys, AreFilesOfAnAuthorityAndOfEachNode) {
  const Keys keys({.nodes = 2});
  EXPECT_THAT(names_in(keys.path()),
              ElementsAre("authority.key", "authority.pem", "node-00000.key", "node-00000.pem",
                          "node-00001.key", "node-00001.pem"));
  EXPECT_THAT(names_in(keys.around().path()), ElementsAre("keys"));
  EXPECT_EQ(keys.of(1).authority, keys.path() + "/authority.pem");
  EXPECT_EQ(keys.of(1).certificate, keys.path() + "/node-00001.pem");
  EXPECT_EQ(keys.of(1).private_key, keys.path() + "/node-00001.key");
}

TEST(Keys, ArePrivateWhateverTheUmaskIs) {
  const mode_t before = ::umask(0);
  const Keys keys({.nodes = 1});
  EXPECT_TRUE(add_keys(keys.path(), {.nodes = 1}));
  ::umask(before);
  EXPECT_EQ(mode_of(keys.path()), 0700u);
  EXPECT_EQ(mode_of(authority_key_file(keys.path())), 0600u);
  for (const NodeId node : {0u, 1u}) {
    EXPECT_EQ(mode_of(keys.of(node).private_key), 0600u);
    EXPECT_TRUE(check_is_private(keys.of(node).private_key));
    EXPECT_EQ(mode_of(keys.of(node).certificate), 0644u);
  }
}

TEST(Keys, VerifyAsServersAndClientsOfTheirClusterAlone) {
  const Keys keys({.nodes = 2});
  const Keys others({.nodes = 1});
  for (const int purpose : {X509_PURPOSE_SSL_SERVER, X509_PURPOSE_SSL_CLIENT}) {
    EXPECT_EQ(verify(keys.of(0).certificate, keys.of(0).authority, purpose), X509_V_OK);
    EXPECT_EQ(verify(keys.of(1).certificate, keys.of(1).authority, purpose), X509_V_OK);
    EXPECT_NE(verify(others.of(0).certificate, keys.of(0).authority, purpose), X509_V_OK);
    EXPECT_NE(verify(keys.of(0).certificate, keys.of(1).certificate, purpose), X509_V_OK)
        << "a node is no authority";
  }
}

TEST(Keys, HaveNamesThatBelongToOneNodeAlone) {
  for (const char* name : {"", "gossamer node ", "gossamer node 03", "gossamer node 3 ",
                           "gossamer node -3", "Gossamer node 3", "gossamer cluster 3"})
    EXPECT_EQ(node_of(name), std::nullopt) << name;
}

TEST(Keys, NameTheirNodeAndTheirCluster) {
  const Keys keys({.nodes = 3});
  const Keys others({.nodes = 1});
  for (const NodeId node : {0u, 1u, 2u}) {
    const auto facts = read_certificate(text_of(keys.of(node).certificate));
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts.value().name, "gossamer node " + std::to_string(node));
    EXPECT_EQ(facts.value().name, certificate_name(node));
    EXPECT_EQ(node_of(facts.value().name), node);
  }
  EXPECT_THAT(facts_of(keys.path()).cluster, HasSubstr("gossamer cluster "));
  EXPECT_NE(facts_of(keys.path()).cluster, facts_of(others.path()).cluster);
}

TEST(Keys, AreValidFromYesterdayForAsLongAsAsked) {
  const Keys keys({.nodes = 1, .valid_days = 90});
  const auto facts = read_certificate(text_of(keys.of(0).authority));
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts.value().valid_until - facts.value().valid_from, std::chrono::days(91));
  EXPECT_LE(facts.value().valid_from, now() - std::chrono::days(1));
  EXPECT_EQ(facts_of(keys.path()).nodes.at(0).valid_until, facts.value().valid_until);
}

TEST(Keys, AreNeverOverwritten) {
  const Keys keys({.nodes = 1});
  const std::string before = text_of(keys.of(0).private_key);
  EXPECT_THAT(refusal(make_keys(keys.path(), {.nodes = 1})),
              AllOf(HasSubstr("already holds the keys of a cluster"), HasSubstr("keys add")));
  EXPECT_THAT(refusal(make_keys(keys.path() + "/", {.nodes = 1})), HasSubstr("already holds"));
  EXPECT_EQ(text_of(keys.of(0).private_key), before);
  EXPECT_THAT(names_in(keys.around().path()), ElementsAre("keys"));
}

TEST(Keys, TakeAnEmptyFolderAndNoOther) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path("empty"));
  EXPECT_TRUE(make_keys(folder.path("empty"), {.nodes = 1}));
  EXPECT_EQ(mode_of(folder.path("empty")), 0700u);
  fs::create_directory(folder.path("full"));
  write(folder.path("full/thesis.txt"), "mine");
  EXPECT_THAT(refusal(make_keys(folder.path("full"), {.nodes = 1})),
              HasSubstr("is not an empty folder"));
  EXPECT_THAT(names_in(folder.path("full")), ElementsAre("thesis.txt"));
  EXPECT_THAT(refusal(make_keys(folder.path("full/thesis.txt"), {.nodes = 1})),
              HasSubstr("exists and is no folder"));
  EXPECT_THAT(refusal(make_keys(folder.path("no/such/parent"), {.nodes = 1})),
              HasSubstr("cannot make a folder in"));
}

TEST(Keys, LeaveNothingBehindWhenTheyCannotBeMade) {
  const TemporaryFolder folder;
  {
    const FullDisk full(kRoomForAKey);
    EXPECT_THAT(refusal(make_keys(folder.path("keys"), {.nodes = 1})), HasSubstr("cannot write"));
  }
  EXPECT_THAT(names_in(folder.path()), IsEmpty());
}

TEST(Keys, CanBeAddedWithTheSameAuthority) {
  const Keys keys({.nodes = 2});
  const std::string before = text_of(keys.of(1).private_key);
  const Result<NodeId> first = add_keys(keys.path(), {.nodes = 2});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first.value(), 2u);
  EXPECT_EQ(text_of(keys.of(1).private_key), before);
  EXPECT_EQ(names_in(keys.path()).size(), 10u);
  EXPECT_EQ(verify(keys.of(3).certificate, keys.of(3).authority, X509_PURPOSE_SSL_CLIENT),
            X509_V_OK);
  EXPECT_EQ(facts_of(keys.path()).nodes.size(), 4u);
  EXPECT_THAT(facts_of(keys.path()).warnings, IsEmpty());
}

TEST(Keys, LeaveTheFolderAsItWasWhenTheyCannotBeAdded) {
  const Keys keys({.nodes = 1});
  const std::vector<std::string> before = names_in(keys.path());
  {
    const FullDisk full(kRoomForAKey);
    EXPECT_THAT(refusal(add_keys(keys.path(), {.nodes = 2})), HasSubstr("cannot write"));
  }
  EXPECT_EQ(names_in(keys.path()), before);
}

TEST(Keys, OutliveTheirAuthorityByNoMoment) {
  const Keys keys({.nodes = 1, .valid_days = 40});
  ASSERT_TRUE(add_keys(keys.path(), {.nodes = 1, .valid_days = 400}));
  const KeyFolderFacts facts = facts_of(keys.path());
  ASSERT_EQ(facts.nodes.size(), 2u);
  EXPECT_EQ(facts.nodes[1].valid_until, facts.valid_until);
}

TEST(Keys, AreAddedOnlyByAWholeAndValidAuthority) {
  const Keys keys({.nodes = 1});
  const Keys others({.nodes = 1});
  const std::string key = authority_key_file(keys.path());
  const std::string own = text_of(key);
  fs::remove(key);
  EXPECT_THAT(refusal(add_keys(keys.path(), {.nodes = 1})),
              HasSubstr("nodes are added where the authority's private key is kept"));
  write(key, text_of(authority_key_file(others.path())));
  ASSERT_EQ(::chmod(key.c_str(), 0600), 0);
  EXPECT_THAT(refusal(add_keys(keys.path(), {.nodes = 1})), HasSubstr("is not the private key of"));
  write(key, "nonsense");
  EXPECT_THAT(refusal(add_keys(keys.path(), {.nodes = 1})),
              HasSubstr("authority.key' holds no private key"));

  const Result<Identity> expired = make_authority(-1);
  ASSERT_TRUE(expired);
  write(keys.of(0).authority, expired.value().certificate);
  write(key, expired.value().private_key);
  EXPECT_THAT(refusal(add_keys(keys.path(), {.nodes = 1})), HasSubstr("is no longer valid"));
  EXPECT_EQ(names_in(keys.path()).size(), 4u);
  EXPECT_THAT(refusal(add_keys(keys.around().path(), {.nodes = 1})),
              HasSubstr("'gossamer keys init' makes the keys"));
}

TEST(Keys, RefuseNumbersThatMakeNoSense) {
  const TemporaryFolder folder;
  for (const NewKeys& wanted : {NewKeys{.nodes = 0}, NewKeys{.nodes = 100'001}}) {
    EXPECT_THAT(refusal(make_keys(folder.path("keys"), wanted)), HasSubstr("1 to 100000 nodes"));
  }
  for (const int days : {0, -1, 36'501}) {
    EXPECT_THAT(refusal(make_keys(folder.path("keys"), {.nodes = 1, .valid_days = days})),
                HasSubstr("1 to 36500 days"));
  }
  EXPECT_THAT(names_in(folder.path()), IsEmpty());
}

Revocations revocations_in(const Keys& keys) {
  const auto read = Revocations::read(text_of(keys.of(0).revoked), text_of(keys.of(0).authority));
  EXPECT_TRUE(read) << read.error().message;
  return read ? read.value() : Revocations();
}

std::string serial_in(const std::string& certificate_file) {
  return serial_of(text_of(certificate_file)).value();
}

TEST(Keys, AreRevokedByAListThatOnlyGrows) {
  const Keys keys({.nodes = 4});
  EXPECT_FALSE(fs::exists(keys.of(0).revoked)) << "all are trusted";
  ASSERT_TRUE(revoke_keys(keys.path(), {1}));
  EXPECT_EQ(mode_of(keys.of(0).revoked), 0644u);
  EXPECT_EQ(revocations_in(keys).number(), 1u);
  ASSERT_TRUE(revoke_keys(keys.path(), {3, 1}));
  const Revocations list = revocations_in(keys);
  EXPECT_EQ(list.number(), 2u);
  EXPECT_EQ(list.size(), 2u) << "each once";
  for (const NodeId node : {0u, 1u, 2u, 3u})
    EXPECT_EQ(list.has(serial_in(keys.of(node).certificate)), node % 2 == 1) << node;
  EXPECT_THAT(names_in(keys.path()), ::testing::Contains("revoked.pem"));
  EXPECT_EQ(names_in(keys.path()).size(), 11u) << "nothing else is left";
}

TEST(Keys, ArePrivateAndValidWhenTheyAreRenewed) {
  const Keys keys({.nodes = 2});
  const std::string old_serial = serial_in(keys.of(1).certificate);
  const std::string old_key = text_of(keys.of(1).private_key);
  ASSERT_TRUE(renew_keys(keys.path(), 1, 100));
  EXPECT_NE(text_of(keys.of(1).private_key), old_key);
  EXPECT_EQ(mode_of(keys.of(1).private_key), 0600u);
  EXPECT_EQ(verify(keys.of(1).certificate, keys.of(1).authority, X509_PURPOSE_SSL_CLIENT),
            X509_V_OK);
  EXPECT_TRUE(revocations_in(keys).has(old_serial));
  EXPECT_FALSE(revocations_in(keys).has(serial_in(keys.of(1).certificate)));
  EXPECT_THAT(facts_of(keys.path()).warnings, IsEmpty());
  EXPECT_THAT(refusal(renew_keys(keys.path(), 1, 0)), HasSubstr("1 to 36500 days"));
}

TEST(Keys, AreRevokedOnlyByTheirAuthorityAndByTheirCertificate) {
  const Keys keys({.nodes = 1});
  const Keys others({.nodes = 1});
  EXPECT_THAT(refusal(revoke_keys(keys.path(), {7})),
              AllOf(HasSubstr("node-00007.pem"), HasSubstr("revoked by its certificate")));
  ASSERT_TRUE(revoke_keys(others.path(), {0}));
  const std::string list = text_of(others.of(0).revoked);
  EXPECT_THAT(refusal(Revocations::read(list, text_of(keys.of(0).authority))),
              HasSubstr("not signed by the authority of this cluster"));
  write(keys.of(0).revoked, list);
  EXPECT_THAT(refusal(revoke_keys(keys.path(), {0})), HasSubstr("is not signed by the authority"));
  EXPECT_THAT(facts_of(keys.path()).warnings,
              ElementsAre(HasSubstr("not signed by the authority")));
  for (std::size_t length = 0; length < list.size(); length += 7) {
    EXPECT_FALSE(Revocations::read(list.substr(0, length), text_of(others.of(0).authority)));
  }
  fs::remove(keys.of(0).revoked);
  fs::remove(authority_key_file(keys.path()));
  EXPECT_THAT(refusal(revoke_keys(keys.path(), {0})), HasSubstr("authority's private key"));
}

TEST(KeyInspection, SaysWhoIsRevoked) {
  const Keys keys({.nodes = 2});
  ASSERT_TRUE(revoke_keys(keys.path(), {1}));
  const KeyFolderFacts facts = facts_of(keys.path());
  EXPECT_EQ(facts.revoked, 1u);
  EXPECT_FALSE(facts.nodes.at(0).is_revoked);
  EXPECT_TRUE(facts.nodes.at(1).is_revoked);
}

TEST(KeyInspection, WarnsOfKeysThatOthersCanRead) {
  const Keys keys({.nodes = 2});
  EXPECT_THAT(facts_of(keys.path()).warnings, IsEmpty());
  ::chmod(keys.of(1).private_key.c_str(), 0640);
  EXPECT_THAT(facts_of(keys.path()).warnings,
              ElementsAre(AllOf(HasSubstr("node-00001.key"), HasSubstr("mode 0640"))));
  EXPECT_FALSE(check_is_private(keys.of(1).private_key));
}

TEST(KeyInspection, WarnsOfCertificatesThatEnd) {
  const Keys keys({.nodes = 1, .valid_days = 60});
  const std::chrono::sys_seconds end = facts_of(keys.path()).valid_until;
  const auto warnings_before_end = [&](std::chrono::seconds left) {
    return facts_of(keys.path(), end - left).warnings;
  };
  EXPECT_THAT(warnings_before_end(std::chrono::days(30)), IsEmpty());
  EXPECT_THAT(warnings_before_end(std::chrono::days(29) + std::chrono::hours(1)),
              ElementsAre(AllOf(HasSubstr("authority.pem"), HasSubstr("only 29 more days")),
                          AllOf(HasSubstr("node-00000.pem"), HasSubstr("only 29 more days"))));
  EXPECT_THAT(warnings_before_end(std::chrono::seconds(0)),
              ElementsAre(HasSubstr("no longer valid"), HasSubstr("no longer valid")));
  EXPECT_THAT(warnings_before_end(std::chrono::days(62)),
              ElementsAre(HasSubstr("not valid yet"), HasSubstr("not valid yet")));
}

TEST(KeyInspection, WarnsOfFilesThatDoNotBelongTogether) {
  const Keys keys({.nodes = 2});
  const Keys others({.nodes = 1});
  write(keys.of(0).certificate, text_of(others.of(0).certificate));
  EXPECT_THAT(facts_of(keys.path()).warnings,
              ElementsAre(HasSubstr("is not signed by the authority of this folder"),
                          HasSubstr("is not the key of the certificate beside it")));
  write(keys.of(0).certificate, text_of(keys.of(1).certificate));
  EXPECT_THAT(facts_of(keys.path()).warnings,
              ElementsAre(HasSubstr("is of 'gossamer node 1', not of node 0"),
                          HasSubstr("is not the key of the certificate beside it")));
  write(keys.of(0).certificate, "nonsense");
  EXPECT_THAT(facts_of(keys.path()).warnings, ElementsAre(HasSubstr("holds no certificate")));
}

TEST(KeyInspection, IsContentWithWhatOnePeerHas) {
  const Keys keys({.nodes = 2});
  fs::remove(authority_key_file(keys.path()));
  fs::remove(keys.of(0).private_key);
  fs::remove(keys.of(0).certificate);
  const KeyFolderFacts facts = facts_of(keys.path());
  EXPECT_FALSE(facts.can_add);
  ASSERT_EQ(facts.nodes.size(), 1u);
  EXPECT_EQ(facts.nodes[0].node, 1u);
  EXPECT_EQ(facts.nodes[0].fingerprint.size(), 32 * 3 - 1u);
  EXPECT_THAT(facts.warnings, IsEmpty());
}

TEST(KeyFolder, KnowsItsFilesByTheirNames) {
  EXPECT_EQ(node_of_file("keys/node-00012.pem"), 12u);
  EXPECT_EQ(node_of_file("node-123456.key"), 123456u);
  for (const char* const name : {"authority.pem", "node-12.pem", "node-.pem", "node-00x12.pem",
                                 "node--0012.pem", "my-node-00012.pem"})
    EXPECT_EQ(node_of_file(name), std::nullopt) << name;
}

}  // namespace
}  // namespace gossamer::testing
