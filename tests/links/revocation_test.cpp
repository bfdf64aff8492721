// Certificates that are taken back while peers run.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/network/tls_world.hpp"
#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gossamer/network/keys/key_folder.hpp"
#include "gossamer/network/keys/keys.hpp"

namespace gossamer::testing {
namespace {

using namespace std::chrono_literals;
using Kind = Arrival::Kind;
namespace fs = std::filesystem;

/// Three nodes with keys that `gossamer keys` makes. Each has a folder of its own, as on machines
/// of its own; that of the authority is one more.
class TlsRevocation : public ::testing::Test {
 protected:
  TlsRevocation() : neighbourhood_(3, Wires::kTls) {
    EXPECT_TRUE(make_keys(authority(), {.nodes = 3}));
    for (const NodeId node : {0u, 1u, 2u}) {
      fs::create_directory(own(node));
      give_keys(node);
      const TlsKeyFiles files = key_files(own(node), node);
      neighbourhood_.setup(node).credentials =
          TlsCredentials{files.authority, files.certificate, files.private_key, files.revoked};
      neighbourhood_.setup(node).deadline = 60s;
    }
  }

  [[nodiscard]] std::string authority() const { return folder_.path("authority"); }

  [[nodiscard]] std::string own(NodeId node) const {
    return folder_.path(fmt::format("of-{}", node));
  }

  void give_keys(NodeId node) const {
    const TlsKeyFiles from = key_files(authority(), node);
    const TlsKeyFiles to = key_files(own(node), node);
    const auto over = fs::copy_options::overwrite_existing;
    fs::copy_file(from.authority, to.authority, over);
    fs::copy_file(from.certificate, to.certificate, over);
    fs::copy_file(from.private_key, to.private_key, over);
  }

  // Whole, as scp to another name and mv would put it there.
  void give_list(NodeId node) const {
    const std::string to = key_files(own(node), node).revoked;
    fs::copy_file(key_files(authority(), 0).revoked, to + ".part");
    fs::rename(to + ".part", to);
  }

  [[nodiscard]] std::string refusal_to_open(NodeId node) {
    TlsSetup setup = neighbourhood_.setup(node);
    setup.listen_port = "0";
    const auto opened = open_tls(setup);
    return opened ? "not refused" : opened.error().message;
  }

  static void exchange(TlsNetwork& one, TlsNetwork& other) {
    one.send(other.self(), 5, message_of(10, 1));
    ASSERT_EQ(next(other).round, 5u);
    other.send(one.self(), 6, message_of(10, 1));
    ASSERT_EQ(next(one).round, 6u);
  }

  TemporaryFolder folder_;
  Neighbourhood neighbourhood_;
};

TEST_F(TlsRevocation, EndsTheLinksOfANodeThatRuns) {
  const auto a = neighbourhood_.open(0);
  const auto b = neighbourhood_.open(1);
  const auto revoked = neighbourhood_.open(2);
  exchange(*a, *revoked);
  exchange(*b, *revoked);
  exchange(*a, *b);
  ASSERT_TRUE(revoke_keys(authority(), {2}));
  give_list(0);
  const Arrival lost = next(*a);
  EXPECT_EQ(lost.kind, Kind::kPeerLost);
  EXPECT_EQ(lost.from, 2u);
  EXPECT_EQ(lost.reason, "its certificate was revoked");
  EXPECT_TRUE(neighbourhood_.told(0).has("node 2 is lost: its certificate was revoked"));
  // Who has no list yet talks to it; and those two talk to each other.
  exchange(*b, *revoked);
  exchange(*a, *b);
  give_list(1);
  EXPECT_EQ(next(*b).reason, "its certificate was revoked");
  // It calls, and is refused at the door.
  while (neighbourhood_.told(1).events(EventKind::kCallerRefused).empty())
    ASSERT_EQ(b->receive(b->now() + 1ms).kind, Kind::kTimedOut);
  EXPECT_TRUE(neighbourhood_.told(1).has(": its certificate was revoked"));
  exchange(*a, *b);
  revoked->abandon();
}

TEST_F(TlsRevocation, RefusesAtTheDoorAndTakesRenewedKeys) {
  ASSERT_TRUE(renew_keys(authority(), 1, 100));
  give_list(0);
  const auto network = neighbourhood_.open(0);
  {
    const auto old = neighbourhood_.open(1);
    while (neighbourhood_.told(0).events(EventKind::kCallerRefused).empty())
      ASSERT_EQ(network->receive(network->now() + 1ms).kind, Kind::kTimedOut);
    EXPECT_TRUE(neighbourhood_.told(0).has(": its certificate was revoked"));
    old->abandon();
  }
  give_keys(1);
  const auto renewed = neighbourhood_.open(1);
  exchange(*network, *renewed);
  // Node 2 never comes: nobody waits for it.
  renewed->abandon();
  network->abandon();
}

TEST_F(TlsRevocation, KeepsItsOwnVictimFromStarting) {
  ASSERT_TRUE(revoke_keys(authority(), {1}));
  give_list(1);
  EXPECT_NE(refusal_to_open(1).find("was revoked; 'gossamer keys renew'"), std::string::npos)
      << refusal_to_open(1);
}

// Only the authority revokes, and what is revoked stays so.
TEST_F(TlsRevocation, IsNotImpressedByOtherLists) {
  const auto a = neighbourhood_.open(0);
  const auto b = neighbourhood_.open(1);
  exchange(*a, *b);
  const std::string others = folder_.path("others");
  ASSERT_TRUE(make_keys(others, {.nodes = 3}));
  ASSERT_TRUE(revoke_keys(others, {1}));
  const std::string file = key_files(own(0), 0).revoked;
  fs::copy_file(key_files(others, 0).revoked, file);
  while (!neighbourhood_.told(0).has("is not signed by the authority of this cluster"))
    ASSERT_EQ(a->receive(a->now() + 1ms).kind, Kind::kTimedOut);
  exchange(*a, *b);
  EXPECT_NE(refusal_to_open(0).find("is not signed by the authority"), std::string::npos)
      << "and nobody starts with one";

  ASSERT_TRUE(revoke_keys(authority(), {2}));
  const std::string earlier = folder_.path("earlier.pem");
  fs::copy_file(key_files(authority(), 0).revoked, earlier);
  ASSERT_TRUE(revoke_keys(authority(), {1}));
  give_list(0);
  EXPECT_EQ(next(*a).reason, "its certificate was revoked");
  fs::rename(earlier, file);
  while (!neighbourhood_.told(0).has("is an older list"))
    ASSERT_EQ(a->receive(a->now() + 1ms).kind, Kind::kTimedOut);
  fs::remove(file);
  while (!neighbourhood_.told(0).has("is gone: those who are revoked stay so"))
    ASSERT_EQ(a->receive(a->now() + 1ms).kind, Kind::kTimedOut);
  b->abandon();
  a->abandon();
}

}  // namespace
}  // namespace gossamer::testing
