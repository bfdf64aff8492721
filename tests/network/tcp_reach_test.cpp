// Whether a port can be reached: on this machine, at ports that the system chose.

#include "gossamer/network/tcp_reach.hpp"

#include <arpa/inet.h>
#include <chrono>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// A port of this machine's that nobody else has while this lives.
class Port {
 public:
  Port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_, any, sizeof(address)), 0);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::getsockname(socket_, any, &size), 0);
    number_ = std::to_string(ntohs(address.sin_port));
  }

  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  ~Port() { ::close(socket_); }

  void listen() const { EXPECT_EQ(::listen(socket_, 1), 0); }

  [[nodiscard]] const std::string& number() const { return number_; }

 private:
  int socket_;
  std::string number_;
};

TEST(TcpReach, FindsAPortWhereSomebodyListens) {
  const Port port;
  port.listen();
  const Result<void> reached = reach_tcp("127.0.0.1", port.number(), 10s);
  EXPECT_TRUE(reached) << reached.error().message;
}

TEST(TcpReach, SaysThatNobodyListens) {
  const Port port;
  const Result<void> reached = reach_tcp("127.0.0.1", port.number(), 10s);
  ASSERT_FALSE(reached);
  EXPECT_THAT(reached.error().message, HasSubstr("refused"));
}

TEST(TcpReach, SaysThatAHostIsUnknown) {
  const Result<void> reached = reach_tcp("no-such-host.invalid", "7700", 10s);
  ASSERT_FALSE(reached);
  EXPECT_THAT(reached.error().message, HasSubstr("the name of its host is not known here"));
}

}  // namespace
}  // namespace gossamer::testing
