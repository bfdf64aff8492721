// Who may read private keys, and change what is trusted.
#include <chrono>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/network/keys/key_folder.hpp"
#include "gossamer/network/keys/key_inspection.hpp"
#include "gossamer/network/keys/keys.hpp"
#include "gossamer/network/sockets/credentials.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class KeyModes : public ::testing::Test {
 protected:
  KeyModes() {
    const Result<void> made = make_keys(folder(), {.nodes = 1});
    EXPECT_TRUE(made) << made.error().message;
  }

  [[nodiscard]] std::string folder() const { return around_.path("keys"); }

  [[nodiscard]] TlsKeyFiles files() const { return key_files(folder(), 0); }

  /// Of a peer.
  [[nodiscard]] std::string peer_refusal() const {
    const TlsKeyFiles own = files();
    const auto loaded =
        tls::Credentials::load({own.authority, own.certificate, own.private_key}, 0);
    return loaded ? "" : loaded.error().message;
  }

  /// Of whoever adds nodes.
  [[nodiscard]] std::string adding_refusal() const {
    const Result<NodeId> added = add_keys(folder(), {.nodes = 1});
    return added ? "" : added.error().message;
  }

  [[nodiscard]] std::vector<std::string> warnings() const {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    return inspect_keys(folder(), now).value().warnings;
  }

  static void set_mode(const std::string& path, mode_t mode) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0) << path;
  }

 private:
  TemporaryFolder around_;
};

TEST_F(KeyModes, AreGoodAsTheyAreMade) {
  EXPECT_EQ(peer_refusal(), "");
  EXPECT_EQ(adding_refusal(), "");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(KeyModes, OfAFolderThatOthersCanOnlyReadAreGood) {
  set_mode(folder(), 0755);
  EXPECT_EQ(peer_refusal(), "");
  EXPECT_EQ(adding_refusal(), "");
}

TEST_F(KeyModes, OfAFolderThatOthersCanChangeAreRefused) {
  for (const mode_t mode : {0770u, 0777u}) {
    set_mode(folder(), mode);
    const auto sentence = AllOf(HasSubstr("can change the folder of keys " + folder()),
                                HasSubstr("type: chmod go-w " + folder()));
    EXPECT_THAT(peer_refusal(), sentence);
    EXPECT_THAT(adding_refusal(), sentence);
    EXPECT_THAT(warnings(), ElementsAre(sentence));
  }
  // Each can change only what is his.
  set_mode(folder(), 01777);
  EXPECT_EQ(peer_refusal(), "");
}

TEST_F(KeyModes, OfAnAuthoritysCertificateThatOthersCanChangeAreRefused) {
  set_mode(files().authority, 0664);
  const auto sentence = HasSubstr("type: chmod go-w " + files().authority);
  EXPECT_THAT(peer_refusal(), sentence);
  EXPECT_THAT(adding_refusal(), sentence);
  EXPECT_THAT(warnings(), ElementsAre(sentence));
}

TEST_F(KeyModes, OfAnAuthoritysKeyThatOthersCanReadAreRefusedByWhoSignsWithIt) {
  const std::string key = authority_key_file(folder());
  set_mode(key, 0644);
  const auto sentence = AllOf(HasSubstr("is open to other users"), HasSubstr("chmod 600 " + key));
  EXPECT_THAT(adding_refusal(), sentence);
  EXPECT_THAT(warnings(), ElementsAre(sentence));
  // A peer has no use for it.
  EXPECT_EQ(peer_refusal(), "");
}

TEST_F(KeyModes, OfANodesKeyThatOthersCanReadAreRefusedByItsPeer) {
  set_mode(files().private_key, 0640);
  EXPECT_THAT(peer_refusal(), HasSubstr("chmod 600 " + files().private_key));
  EXPECT_EQ(adding_refusal(), "");
}

TEST_F(KeyModes, DoNotMatterWhereAKeyIsAPipe) {
  const std::string path = files().private_key;
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(peer_refusal(), HasSubstr("is a pipe, and no regular file"));
}

}  // namespace
}  // namespace gossamer::testing
