// Emulated hosts are as slow as they say, lose packets only when they are told to, and leave
// nothing behind. Times are held to their lower bounds alone: a busy machine may always be slower.

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

#include "tests/namespaces/testbed.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using testing::Cables;
using ::testing::HasSubstr;
using testing::Testbed;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

void check(bool success, const char* what) {
  if (!success) throw std::system_error(errno, std::generic_category(), what);
}

/// A socket of one host.
class HostSocket {
 public:
  HostSocket(const Testbed& testbed, int host, int type) {
    testbed.visit(host, [&] { socket_ = ::socket(AF_INET, type | SOCK_CLOEXEC, 0); });
    check(socket_ >= 0, "socket");
  }

  explicit HostSocket(int accepted) : socket_(accepted) { check(socket_ >= 0, "accept"); }

  HostSocket(const HostSocket&) = delete;
  HostSocket& operator=(const HostSocket&) = delete;

  ~HostSocket() { ::close(socket_); }

  /// Takes a port that is free, and returns where it is to be found.
  [[nodiscard]] sockaddr_in bind_to(int host) const {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    check(::inet_pton(AF_INET, Testbed::address(host).c_str(), &at.sin_addr) == 1, "inet_pton");
    check(::bind(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0, "bind");
    socklen_t length = sizeof at;
    check(::getsockname(socket_, reinterpret_cast<sockaddr*>(&at), &length) == 0, "getsockname");
    return at;
  }

  [[nodiscard]] int handle() const { return socket_; }

 private:
  int socket_ = -1;
};

/// A TCP connection between hosts 1 and 2, and how long it took to make.
struct Connection {
  std::unique_ptr<HostSocket> from;
  std::unique_ptr<HostSocket> to;
  Clock::duration handshake{};
};

Connection connect_1_to_2(const Testbed& testbed) {
  const HostSocket listener(testbed, 2, SOCK_STREAM);
  const sockaddr_in at = listener.bind_to(2);
  check(::listen(listener.handle(), 1) == 0, "listen");
  Connection made;
  made.from = std::make_unique<HostSocket>(testbed, 1, SOCK_STREAM);
  const Clock::time_point begin = Clock::now();
  check(::connect(made.from->handle(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0,
        "connect");
  made.handshake = Clock::now() - begin;
  made.to = std::make_unique<HostSocket>(::accept(listener.handle(), nullptr, nullptr));
  return made;
}

void send_datagram(const HostSocket& from, const sockaddr_in& to, const std::string& text) {
  check(::sendto(from.handle(), text.data(), text.size(), 0, reinterpret_cast<const sockaddr*>(&to),
                 sizeof to) == static_cast<ssize_t>(text.size()),
        "sendto");
}

/// Gives up after ten seconds: a packet that is lost shall fail a test, not hold it up.
std::string receive_datagram(const HostSocket& at) {
  const timeval patience{.tv_sec = 10, .tv_usec = 0};
  check(::setsockopt(at.handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0,
        "setsockopt");
  std::array<char, 100> buffer{};
  const ssize_t count = ::recv(at.handle(), buffer.data(), buffer.size(), 0);
  check(count >= 0, "recv");
  return {buffer.data(), static_cast<std::size_t>(count)};
}

class Namespaces : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = testing::why_there_are_no_namespaces();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_F(Namespaces, APacketTakesTheDelayInEachDirection) {
  const Testbed testbed(2, {.mbit_per_second = 100, .milliseconds = 30});
  EXPECT_GE(connect_1_to_2(testbed).handshake, 60ms);
}

TEST_F(Namespaces, ATransferIsNoFasterThanTheRate) {
  const Testbed testbed(2, {.mbit_per_second = 80, .milliseconds = 1});
  const Connection connection = connect_1_to_2(testbed);
  constexpr std::size_t kBytes = 2'000'000;
  const Clock::time_point begin = Clock::now();
  std::thread sender([&] {
    const std::vector<char> bytes(kBytes);
    (void)::send(connection.from->handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    (void)::shutdown(connection.from->handle(), SHUT_WR);
  });
  std::vector<char> buffer(1 << 16);
  std::size_t received = 0;
  for (ssize_t count = 1; count > 0; received += static_cast<std::size_t>(count)) {
    count = ::recv(connection.to->handle(), buffer.data(), buffer.size(), 0);
    if (count < 0) break;
  }
  const Clock::duration time = Clock::now() - begin;
  sender.join();
  ASSERT_EQ(received, kBytes);
  // 10 bytes per microsecond, without what two full buckets of 2 ms let through at once.
  EXPECT_GE(time, 200ms - 2 * 2ms);
}

TEST_F(Namespaces, ACutLinkDropsWhatIsSentAndAHealedOneCarriesIt) {
  const Testbed testbed(3, {.mbit_per_second = 100, .milliseconds = 1});
  const HostSocket first(testbed, 1, SOCK_DGRAM);
  const HostSocket second(testbed, 2, SOCK_DGRAM);
  const HostSocket third(testbed, 3, SOCK_DGRAM);
  const sockaddr_in at = second.bind_to(2);
  testbed.cut(1, 2);
  send_datagram(first, at, "while cut");
  send_datagram(third, at, "from elsewhere");
  EXPECT_EQ(receive_datagram(second), "from elsewhere");
  testbed.heal(1, 2);
  send_datagram(first, at, "after healing");
  EXPECT_EQ(receive_datagram(second), "after healing");
}

TEST_F(Namespaces, CuttingOrHealingTwiceIsAsGoodAsOnce) {
  const Testbed testbed(2, {});
  const HostSocket first(testbed, 1, SOCK_DGRAM);
  const HostSocket second(testbed, 2, SOCK_DGRAM);
  const sockaddr_in at = second.bind_to(2);
  testbed.heal(1, 2);
  testbed.cut(1, 2);
  testbed.cut(2, 1);
  testbed.heal(1, 2);
  send_datagram(first, at, "after healing");
  EXPECT_EQ(receive_datagram(second), "after healing");
}

TEST_F(Namespaces, KillEndsWhatRunsOnThatHostAlone) {
  const Testbed testbed(2, {});
  const testing::ProgramResult killed =
      testing::run_command(testbed.on_host(1, {"sh", "-c", "echo started; exec tail -f /dev/null"}),
                           [&](const std::string& out, pid_t) {
                             if (out == "started\n") testbed.kill(1);
                           });
  EXPECT_EQ(killed.exit_code, 128 + 9);
  EXPECT_EQ(testing::run_command(testbed.on_host(2, {"true"})).exit_code, 0);
  EXPECT_EQ(testing::run_command(testbed.on_host(1, {"true"})).exit_code, 0);
}

TEST_F(Namespaces, TestbedsDoNotSeeEachOther) {
  const Testbed one(2, {});
  const Testbed other(2, {});
  const HostSocket in_one(one, 2, SOCK_DGRAM);
  const HostSocket in_other(other, 2, SOCK_DGRAM);
  const sockaddr_in at = in_one.bind_to(2);
  check(::bind(in_other.handle(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0, "bind");
  send_datagram(HostSocket(one, 1, SOCK_DGRAM), at, "in one");
  send_datagram(HostSocket(other, 1, SOCK_DGRAM), at, "in the other");
  EXPECT_EQ(receive_datagram(in_one), "in one");
  EXPECT_EQ(receive_datagram(in_other), "in the other");
}

TEST_F(Namespaces, DownLeavesNothingAndMayBeRepeated) {
  const Testbed testbed(2, {.mbit_per_second = 1, .milliseconds = 1});
  for (int time = 0; time < 2; ++time)
    EXPECT_EQ(testbed.script({"down"}).exit_code, 0);
  const testing::ProgramResult gone = testbed.script({"exec", "1", "true"});
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_THAT(gone.err, HasSubstr("is not up"));
  EXPECT_EQ(testbed.script({"up", "2", "1", "1"}).exit_code, 0) << "names are free again";
}

TEST_F(Namespaces, HostsForOneCommandEndWithItAndItsExitCodeIsKept) {
  const testing::ProgramResult result = testing::run_command(
      {GOSSAMER_SOURCE_DIR "/scripts/namespaces", "with", "2", "0", "0", "sh", "-c",
       "echo $GOSSAMER_TESTBED; ip netns list | grep -c \"^$GOSSAMER_TESTBED-\"; exit 5"});
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\n3\n")) << "two hosts and a router";
  const std::string name = result.out.substr(0, result.out.find('\n'));
  const testing::ProgramResult left = testing::run_command({"/usr/bin/env", "ip", "netns", "list"});
  EXPECT_THAT(left.out, ::testing::Not(HasSubstr(name)));
}

TEST_F(Namespaces, MistakesAreNamed) {
  const Testbed testbed(2, {});
  EXPECT_THAT(testbed.script({"exec", "3", "true"}).err, HasSubstr("has no host '3', only 1 to 2"));
  EXPECT_THAT(testbed.script({"up", "2", "0", "0"}).err, HasSubstr("is up already"));
  EXPECT_THAT(testbed.script({"up", "many", "0", "0"}).err,
              HasSubstr("'many' is no number of hosts"));
  EXPECT_EQ(testbed.script({"fly"}).exit_code, 2);
}

}  // namespace
}  // namespace gossamer
