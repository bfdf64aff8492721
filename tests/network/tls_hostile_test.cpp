// What strangers may throw at a node's port: each leaves one line that names its address, and the
// node's conversation with its peer goes on.

#include <algorithm>
#include <array>
#include <asio.hpp>
#include <chrono>
#include <filesystem>
#include <openssl/ssl.h>
#include <string>
#include <thread>
#include <vector>

#include "tests/network/certificates.hpp"
#include "tests/network/cutting_proxy.hpp"
#include "tests/network/tls_world.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gossamer/network/tls/hello.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer::testing {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using Bytes = std::vector<std::uint8_t>;
using Kind = Arrival::Kind;

/// A caller who has read our documentation and means no good.
class Stranger {
 public:
  explicit Stranger(std::uint16_t port) {
    socket_.connect({asio::ip::address_v4::loopback(), port});
  }

  /// Shakes hands; with nothing, shows no certificate.
  void speak_tls(const std::optional<TlsCredentials>& credentials) {
    context_ = {SSL_CTX_new(TLS_client_method()), SSL_CTX_free};
    if (credentials) {
      SSL_CTX_use_certificate_file(context_.get(), credentials->certificate.c_str(),
                                   SSL_FILETYPE_PEM);
      SSL_CTX_use_PrivateKey_file(context_.get(), credentials->private_key.c_str(),
                                  SSL_FILETYPE_PEM);
    }
    ssl_ = {SSL_new(context_.get()), SSL_free};
    SSL_set_fd(ssl_.get(), socket_.native_handle());
    SSL_connect(ssl_.get());
  }

  void send(ByteView bytes) {
    if (ssl_) {
      SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()));
      return;
    }
    std::error_code ignored;
    asio::write(socket_, asio::buffer(bytes.data(), bytes.size()), ignored);
  }

  /// Waits until the node has closed the connection.
  void wait_for_end() {
    std::array<char, 4096> buffer{};
    if (ssl_) {
      while (SSL_read(ssl_.get(), buffer.data(), buffer.size()) > 0) {
      }
      return;
    }
    std::error_code error;
    while (!error)
      socket_.read_some(asio::buffer(buffer), error);
  }

  [[nodiscard]] std::string address() const {
    return fmt::format("127.0.0.1:{}", socket_.local_endpoint().port());
  }

  void hang_up() {
    std::error_code ignored;
    socket_.close(ignored);
  }

 private:
  asio::io_context io_;
  tcp::socket socket_{io_};
  std::shared_ptr<SSL_CTX> context_;
  std::shared_ptr<SSL> ssl_;
};

Bytes frame(FrameHeader header, ByteView payload) {
  header.payload = seal_payload(payload);
  const HeaderBytes bytes = encode_header(header);
  Bytes all(bytes.size() + payload.size());
  std::ranges::copy(payload, std::ranges::copy(bytes, all.begin()).out);
  return all;
}

Bytes hello_of(NodeId sender, std::uint64_t session = 77) {
  return frame({.kind = FrameKind::kHello, .sender = sender, .payload = {}},
               tls::encode_hello({.session = session, .call = 1}));
}

/// Nodes 0 and 1 talk; node 2 of the same cluster is a peer that does not come. Strangers call
/// node 0.
class TlsHostile : public ::testing::Test {
 protected:
  TlsHostile() : TlsHostile(Wires::kTls) {}

  explicit TlsHostile(Wires wires) : neighbourhood_(4, wires) {
    for (const NodeId node : {0u, 1u})
      neighbourhood_.setup(node).deadline = 2s;
    // Node 3 belongs to the cluster, and is no peer of node 0.
    neighbourhood_.setup(0).peers.pop_back();
    for (NodeId node : {0u, 1u}) {
      auto& peers = neighbourhood_.setup(node).peers;
      std::erase_if(peers, [](const TlsPeer& peer) { return peer.id == 3; });
    }
    node_ = neighbourhood_.open(0);
    neighbourhood_.setup(1).peers.pop_back();
    friend_ = neighbourhood_.open(1);
    converse();
  }

  ~TlsHostile() override {
    // Node 2 never comes: nobody needs to wait for it.
    friend_.reset();
    node_->abandon();
  }

  // Both ways, with what came before.
  void converse() {
    ++round_;
    node_->send(1, round_, message_of(1000, 1));
    friend_->send(0, round_, message_of(1000, 1));
    ASSERT_EQ(next(*node_).round, round_);
    ASSERT_EQ(next(*friend_).round, round_);
  }

  // The line is there when the connection is closed; the conversation never noticed.
  void expect_refused(Stranger& stranger, const std::string& reason) {
    const std::string line = fmt::format("refused {}: {}", stranger.address(), reason);
    stranger.wait_for_end();
    expect_line(line);
  }

  void expect_line(const std::string& line) {
    converse();
    EXPECT_TRUE(neighbourhood_.told(0).has(line))
        << line << "\nis not among\n"
        << fmt::format("{}", fmt::join(neighbourhood_.told(0).lines(), "\n"));
    EXPECT_FALSE(neighbourhood_.told(0).has("link to node 1"));
  }

  [[nodiscard]] std::uint16_t port() const { return neighbourhood_.port(0); }

  Neighbourhood neighbourhood_;
  std::unique_ptr<TlsNetwork> node_;
  std::unique_ptr<TlsNetwork> friend_;
  Round round_ = 0;
};

TEST_F(TlsHostile, NoCertificate) {
  Stranger stranger(port());
  stranger.speak_tls(std::nullopt);
  expect_refused(stranger, "it showed no certificate");
}

TEST_F(TlsHostile, ACertificateOfAnotherCluster) {
  Stranger stranger(port());
  stranger.speak_tls(another_cluster().credentials(2));
  expect_refused(stranger, "its certificate was not accepted");
}

TEST_F(TlsHostile, ACertificateThatNamesNoNode) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials("gossamer node 02"));
  expect_refused(stranger, "its certificate is made out to 'gossamer node 02', which is no node");
}

TEST_F(TlsHostile, ACertificateWithEscapeCodesInItsName) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials("\x1b[2Jnode 1 is fine"));
  expect_refused(stranger, R"(its certificate is made out to '\x1b[2Jnode 1 is fine', which is)");
}

TEST_F(TlsHostile, AValidCertificateWithAnotherNodesId) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(hello_of(1));
  expect_refused(stranger, "it says that it is node 1, and its certificate is node 2's");
}

TEST_F(TlsHostile, ANodeThatIsNoPeer) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(3));
  stranger.send(hello_of(3));
  expect_refused(stranger, "it is node 3, which is no peer of this node");
}

TEST_F(TlsHostile, ASecondHolderOfTheKeyOfAPeerThatIsConnected) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(1));
  stranger.send(hello_of(1));
  expect_refused(stranger, "it says that it is node 1, which is connected from 127.0.0.1:");
}

TEST_F(TlsHostile, Garbage) {
  Stranger stranger(port());
  stranger.send(Bytes(5000, 0xA5));
  expect_refused(stranger, "it does not speak TLS 1.3 as this cluster does");
}

TEST_F(TlsHostile, AWebBrowser) {
  Stranger stranger(port());
  const std::string request = "GET / HTTP/1.1\r\n\r\n";
  stranger.send(ByteView(reinterpret_cast<const std::uint8_t*>(request.data()), request.size()));
  expect_refused(stranger, "it does not speak TLS 1.3 as this cluster does: http request");
}

TEST_F(TlsHostile, GarbageAfterTheHandshake) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(Bytes(5000, 0xA5));
  expect_refused(stranger, "not a Gossamer frame");
}

TEST_F(TlsHostile, HalfAFrame) {
  const Bytes hello = hello_of(2);
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(ByteView(hello).first(hello.size() / 2));
  const std::string line =
      fmt::format("refused {}: its connection was closed before it said hello", stranger.address());
  stranger.hang_up();
  while (!neighbourhood_.told(0).has(line))
    converse();
  expect_line(line);
}

// Says nothing at all, or stops in the middle: its time is up at some point.
TEST_F(TlsHostile, SlowLoris) {
  Stranger silent(port());
  Stranger slow(port());
  slow.speak_tls(our_cluster().credentials(2));
  slow.send(ByteView(hello_of(2)).first(10));
  expect_refused(silent, "it did not say hello within 2.0 s");
  slow.wait_for_end();
}

TEST_F(TlsHostile, ManyCallersWhoSayNothing) {
  std::vector<std::unique_ptr<Stranger>> strangers;
  for (int i = 0; i < 200; ++i)
    strangers.push_back(std::make_unique<Stranger>(port()));
  expect_refused(*strangers.front(), "too many others call at the same time");
}

TEST_F(TlsHostile, AFrameThatClaimsAnExabyte) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(hello_of(2));
  stranger.send(
      encode_header({.sender = 2, .payload = {.size = std::uint64_t{1} << 60, .hash = 0}}));
  expect_refused(stranger, "node 2 announces a payload of 1152921504606846976 bytes");
}

// Before anybody has proved who he is, not even a kilobyte is set aside for him.
TEST_F(TlsHostile, ALargeFirstFrame) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(encode_header(
      {.kind = FrameKind::kHello, .sender = 2, .payload = {.size = 1024, .hash = 0}}));
  expect_refused(stranger, "node 2 announces a payload of 1024 bytes, the limit is 44");
}

TEST_F(TlsHostile, AnotherVersionOfTheFrame) {
  Bytes hello = hello_of(2);
  hello[4] = 9;
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(hello);
  expect_refused(stranger, "the frame has version 9, this program speaks version 2");
}

TEST_F(TlsHostile, AnotherVersionOfTheLink) {
  tls::HelloBytes payload = tls::encode_hello({.session = 1, .call = 1});
  payload[0] = 9;
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(frame({.kind = FrameKind::kHello, .sender = 2, .payload = {}}, payload));
  expect_refused(stranger, "it speaks version 9 of the link protocol");
}

TEST_F(TlsHostile, APeerThatCameForSomethingElse) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(frame({.kind = FrameKind::kHello, .sender = 2, .payload = {}},
                      tls::encode_hello({.purpose = 7, .session = 1, .call = 1})));
  expect_refused(stranger, "it came for another purpose than this node (7 there, 0 here)");
}

TEST_F(TlsHostile, AHelloThatAnswersWhereNobodyAsked) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(frame({.kind = FrameKind::kHello, .sender = 2, .payload = {}},
                      tls::encode_hello({.session = 1, .call = 0})));
  expect_refused(stranger, "its hello is that of the other end: who calls gives its call a number");
}

TEST_F(TlsHostile, NoHello) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(frame({.sender = 2, .payload = {}}, {}));
  expect_refused(stranger, "it does not begin with a hello");
}

// The bytes that an honest peer sent before, again.
TEST_F(TlsHostile, AReplayedConnection) {
  CuttingProxy proxy(port(), 1, 0);
  neighbourhood_.setup(2).peers = {{0, "127.0.0.1", std::to_string(proxy.port())}};
  {
    const auto honest = neighbourhood_.open(2);
    honest->send(0, 99, message_of(100, 1));
    ASSERT_EQ(next(*node_).round, 99u);
  }
  ASSERT_EQ(next(*node_).kind, Kind::kPeerLost);
  const std::string record = proxy.recorded();
  Stranger stranger(port());
  stranger.send(ByteView(reinterpret_cast<const std::uint8_t*>(record.data()), record.size()));
  expect_refused(stranger, "it does not speak TLS 1.3 as this cluster does");
}

// A peer with a valid key that repeats itself, leaves out numbers or writes for others.
TEST_F(TlsHostile, RepeatedFramesAreDropped) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(hello_of(2));
  for (int i = 0; i < 3; ++i)
    stranger.send(frame({.sender = 2, .round = 50, .sequence = 0, .payload = {}}, {}));
  stranger.send(frame({.sender = 2, .round = 51, .sequence = 1, .payload = {}}, {}));
  EXPECT_EQ(next(*node_).round, 50u);
  EXPECT_EQ(next(*node_).round, 51u);
  expect_line(fmt::format("refused {}: node 2 repeated frame 0", stranger.address()));
}

TEST_F(TlsHostile, AGapEndsTheConnection) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(hello_of(2));
  stranger.send(frame({.sender = 2, .sequence = 5, .payload = {}}, {}));
  expect_refused(stranger, "node 2 sent frame 5 where frame 0 was next");
}

TEST_F(TlsHostile, FramesInAnotherNodesName) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(hello_of(2));
  stranger.send(frame({.sender = 1, .payload = {}}, {}));
  expect_refused(stranger, "it is node 2, and sent a frame of node 1");
}

TEST_F(TlsHostile, ReceiptsForWhatWasNeverSent) {
  Stranger stranger(port());
  stranger.speak_tls(our_cluster().credentials(2));
  stranger.send(hello_of(2));
  stranger.send(frame({.kind = FrameKind::kReceipt, .sender = 2, .payload = {}},
                      tls::encode_receipt({.next = 1000})));
  expect_refused(stranger, "it confirms all frames before 1000, and can have 0 to 0");
}

class TcpHostile : public TlsHostile {
 protected:
  TcpHostile() : TlsHostile(Wires::kTcp) {}
};

TEST_F(TcpHostile, Garbage) {
  Stranger stranger(port());
  stranger.send(Bytes(5000, 0xA5));
  expect_refused(stranger, "not a Gossamer frame");
}

TEST(TlsCredentialFiles, PrivateKeysThatOthersCanReadAreRefused) {
  const TlsCredentials files = our_cluster().credentials(5);
  std::filesystem::permissions(files.private_key, std::filesystem::perms::group_read,
                               std::filesystem::perm_options::add);
  TlsSetup setup;
  setup.self = 5;
  setup.size = 6;
  setup.credentials = files;
  const auto opened = open_tls(setup);
  std::filesystem::permissions(files.private_key, std::filesystem::perms::group_read,
                               std::filesystem::perm_options::remove);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("type: chmod 600 " + files.private_key), std::string::npos)
      << opened.error().message;
  EXPECT_TRUE(open_tls(setup));
}

TEST(TlsCredentialFiles, KeysThatDoNotFitAreRefused) {
  TlsSetup setup;
  setup.self = 5;
  setup.size = 8;
  setup.credentials = our_cluster().credentials(6);
  EXPECT_NE(open_tls(setup).error().message.find("is made out to 'gossamer node 6'"),
            std::string::npos);
  setup.credentials->certificate = our_cluster().credentials(5).certificate;
  EXPECT_NE(open_tls(setup).error().message.find("is not the private key of"), std::string::npos);
  setup.credentials->certificate = "nowhere.pem";
  EXPECT_NE(open_tls(setup).error().message.find("nowhere.pem cannot be read"), std::string::npos);
}

TEST(TlsSetups, ThatCannotBeAreRefused) {
  TlsSetup setup;
  setup.self = 1;
  setup.size = 3;
  setup.peers = {{1, "127.0.0.1", "1"}};
  EXPECT_FALSE(open_tls(setup)) << "itself";
  setup.peers = {{3, "127.0.0.1", "1"}};
  EXPECT_FALSE(open_tls(setup)) << "nobody";
  setup.peers = {{2, "127.0.0.1", "1"}, {2, "127.0.0.1", "2"}};
  EXPECT_FALSE(open_tls(setup)) << "twice";
  setup.peers = {};
  const TlsListener taken = TlsListener::bind("127.0.0.1", "0").value();
  setup.listen_host = "127.0.0.1";
  setup.listen_port = std::to_string(taken.port());
  EXPECT_NE(open_tls(setup).error().message.find("cannot listen on 127.0.0.1:"), std::string::npos);
}

}  // namespace
}  // namespace gossamer::testing
