// Files of peers: what they say, what they leave out, and the file and line of every mistake.

#include "gossamer/settings/peers.hpp"

#include <filesystem>
#include <string>

#include "tests/support/temporary_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Peers peers_in(const std::string& text) {
  const TemporaryFile file(text);
  const Result<Peers> peers = read_peers(file.path());
  EXPECT_TRUE(peers) << peers.error().message;
  return peers ? peers.value() : Peers{};
}

// The sentence without the name of the file that it begins with.
std::string refusal_of_peers(const std::string& text) {
  const TemporaryFile file(text);
  const Result<Peers> peers = read_peers(file.path());
  if (peers) return "not refused";
  EXPECT_THAT(peers.error().message, StartsWith(file.path() + ": "));
  return peers.error().message.substr(file.path().size() + 2);
}

TEST(PeersFile, SaysAllThatCanBeSaid) {
  const Peers peers = peers_in(R"(
keys = "/etc/gossamer/keys"
[[peer]]
id = 0
address = "site-a.example.org:7700"
listen = "10.0.0.7:7701"
data = "/data/site-a"
ssh = "user@site-a"
program = "/opt/gossamer/bin/gossamer"
keys = "/home/a/keys"
)");
  ASSERT_EQ(peers.size(), 1u);
  EXPECT_EQ(peers[0].id, 0u);
  EXPECT_EQ(peers[0].address, (HostPort{"site-a.example.org", 7700}));
  EXPECT_EQ(peers[0].listen, (HostPort{"10.0.0.7", 7701}));
  EXPECT_EQ(peers[0].data, "/data/site-a");
  EXPECT_EQ(peers[0].ssh, "user@site-a");
  EXPECT_EQ(peers[0].program, "/opt/gossamer/bin/gossamer");
  EXPECT_EQ(peers[0].keys, "/home/a/keys");
}

TEST(PeersFile, NeedsOnlyIdsAndAddresses) {
  const Peers peers = peers_in(R"(
peer = [ { id = 1, address = "[2001:db8::7]:65535" }, { id = 0, address = "10.0.0.7:1" } ]
)");
  ASSERT_EQ(peers.size(), 2u);
  EXPECT_EQ(peers[0].address, (HostPort{"10.0.0.7", 1}));
  EXPECT_EQ(peers[1].address, (HostPort{"2001:db8::7", 65535}));
  EXPECT_EQ(peers[1].id, 1u);
  EXPECT_EQ(peers[1].listen, (HostPort{"", 65535})) << "any address, the port of `address`";
  EXPECT_EQ(peers[1].ssh, "2001:db8::7");
  EXPECT_EQ(peers[1].program, "gossamer");
  EXPECT_EQ(peers[1].data, "");
  EXPECT_EQ(peers[1].keys, "");
}

TEST(PeersFile, FindsKeysBesideItself) {
  const TemporaryFile file(R"(
keys = "./keys"
[[peer]]
id = 0
address = "a:1"
[[peer]]
id = 1
address = "a:2"
keys = "../others"
)");
  const Result<Peers> peers = read_peers(file.path());
  ASSERT_TRUE(peers) << peers.error().message;
  const std::filesystem::path folder = std::filesystem::path(file.path()).parent_path();
  EXPECT_EQ(peers.value()[0].keys, folder / "keys");
  EXPECT_EQ(peers.value()[1].keys, folder.parent_path() / "others");
}

TEST(PeersFile, ListensWhereItIsTold) {
  const auto listen = [](const std::string& text) {
    const Peers peers =
        peers_in("[[peer]]\nid = 0\naddress = \"a:7700\"\nlisten = \"" + text + "\"");
    return peers.empty() ? HostPort{} : peers[0].listen;
  };
  EXPECT_EQ(listen(":7"), (HostPort{"", 7}));
  EXPECT_EQ(listen("0.0.0.0:7"), (HostPort{"0.0.0.0", 7}));
  EXPECT_EQ(listen("[::]:7"), (HostPort{"::", 7}));
}

TEST(PeersFile, NamesTheLineAndTheMistake) {
  struct Case {
    const char* text;
    const char* sentence;
  };

  for (const Case& c : {
           Case{"", "names no peers"},
           Case{"peer = []", "names no peers"},
           Case{"peer = 3", "line 1: peer: is a list of tables: write [[peer]]"},
           Case{"[peer]\nid = 0", "line 1: peer: is a list of tables: write [[peer]]"},
           Case{"[[peer]]\nid = 0\naddress", "line 3, column"},
           Case{"[[peers]]\nid = 0", "line 1: unknown key 'peers'; did you mean 'peer'?"},
           Case{"keys = 3", "line 1: keys: must be a text in quotes"},
           Case{"keys = \"\"", "line 1: keys: must be a text in quotes"},
           Case{"\n[[peer]]\naddress = \"a:1\"", "line 2: peer.id: must be the id of a node"},
           Case{"[[peer]]\nid = -1", "line 2: peer.id: must be the id of a node"},
           Case{"[[peer]]\nid = \"0\"", "line 2: peer.id: must be the id of a node"},
           Case{"[[peer]]\nid = 0", "line 1: peer.address: is missing"},
           Case{"[[peer]]\nid = 0\naddress = 7700", "line 3: peer.address: must be host:port"},
           Case{"[[peer]]\nid = 0\naddress = \"a:1\"\nport = 3",
                "line 4: peer: unknown key 'port'; valid: id, address, listen"},
           Case{"[[peer]]\nid = 0\naddress = \"a:1\"\nprogramm = \"p\"",
                "line 4: peer: unknown key 'programm'; did you mean 'program'?"},
           Case{"[[peer]]\nid = 0\naddress = \"a:1\"\ndata = [\"a\"]",
                "line 4: peer.data: must be a text in quotes"},
           Case{"[[peer]]\nid = 0\naddress = \"a:1\"\nlisten = \"7700\"",
                "line 4: peer.listen: must be host:port"},
           Case{"[[peer]]\nid = 0\naddress = \"a:1\"\nlisten = \":0\"",
                "line 4: peer.listen: a port is a number from 1 to 65535, not '0'"},
           Case{"[[peer]]\nid = 1\naddress = \"a:1\"",
                "line 1: peer.id: is 1, but the ids of 1 peers are 0 to 0, each once"},
           Case{"[[peer]]\nid = 0\naddress = \"a:1\"\n[[peer]]\nid = 0\naddress = \"a:2\"",
                "line 4: peer.id: is 0, as that of the peer of line 1"},
           Case{"[[peer]]\nid = 0\naddress = \"a.b:1\"\n[[peer]]\nid = 1\naddress = \"A.b:1\"",
                "line 4: peer.address: is A.b:1, as that of the peer of line 1"},
       }) {
    EXPECT_THAT(refusal_of_peers(c.text), HasSubstr(c.sentence)) << c.text;
  }
}

TEST(PeersFile, RefusesAddressesThatReachNobody) {
  struct Case {
    const char* address;
    const char* sentence;
  };

  for (const Case& c : {
           Case{"site-a", "must be host:port"},
           Case{":7700", "must be host:port"},
           Case{"a b:7700", "must be host:port"},
           Case{"user@a:7700", "must be host:port"},
           Case{"tls://a:7700", "must be host:port"},
           Case{"-oProxyCommand=x:7700", "must be host:port"},
           Case{"[]:7700", "must be host:port"},
           Case{"[a]:7700", "must be host:port"},
           Case{"a:", "a port is a number from 1 to 65535, not ''"},
           Case{"a:0", "a port is a number from 1 to 65535, not '0'"},
           Case{"a:65536", "a port is a number from 1 to 65535, not '65536'"},
           Case{"a:-1", "a port is a number from 1 to 65535, not '-1'"},
           Case{"a:77oo", "a port is a number from 1 to 65535, not '77oo'"},
           Case{"2001:db8::7:7700", "an IPv6 address stands in brackets"},
           Case{"[2001:db8::7]", "must be host:port"},
           Case{"0.0.0.0:7700", "it belongs in listen"},
           Case{"[::]:7700", "it belongs in listen"},
       }) {
    const std::string text = std::string("[[peer]]\nid = 0\naddress = \"") + c.address + "\"";
    EXPECT_THAT(refusal_of_peers(text), StartsWith("line 3: peer.address: ")) << c.address;
    EXPECT_THAT(refusal_of_peers(text), HasSubstr(c.sentence)) << c.address;
  }
}

TEST(PeersFile, MustBeAFile) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder.path(), folder.path("none.toml")}) {
    const Result<Peers> peers = read_peers(path);
    ASSERT_FALSE(peers);
    EXPECT_THAT(peers.error().message, StartsWith("cannot read '" + path + "'"));
  }
}

TEST(HostPort, FormatsAsItParses) {
  for (const char* const text : {"a:1", "site-a.example.org:7700", "10.0.0.7:65535",
                                 "[2001:db8::7]:7700", "[fe80::1%eth0]:9"}) {
    const Result<HostPort> parsed = parse_host_port(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(format_host_port(parsed.value()), text);
  }
}

}  // namespace
}  // namespace gossamer::testing
