// `gossamer doctor` among peers of this machine: what it finds when all is well, and who is named
// when it is not.

#include <arpa/inet.h>
#include <fstream>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include "tests/e2e/program.hpp"
#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramResult;
using testing::run_program;

// Ports that the system chose, all different because all are held until the last is chosen.
std::vector<int> free_ports(int count) {
  std::vector<int> sockets;
  std::vector<int> ports;
  for (int i = 0; i < count; ++i) {
    sockets.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::bind(sockets.back(), any, size), 0);
    EXPECT_EQ(::getsockname(sockets.back(), any, &size), 0);
    ports.push_back(ntohs(address.sin_port));
  }
  for (const int socket : sockets)
    ::close(socket);
  return ports;
}

class Doctor : public ::testing::Test {
 protected:
  void SetUp() override { make_keys("keys"); }

  void make_keys(const std::string& name) const {
    ASSERT_EQ(run_program({"keys", "init", folder_.path(name), "--nodes", "3"}).exit_code, 0);
  }

  // The last peer has the keys of this folder, the others those of the cluster.
  [[nodiscard]] std::string peers_file(const std::string& keys_of_last) const {
    const std::vector<int> ports = free_ports(3);
    std::ofstream file(folder_.path("peers.toml"));
    for (int i = 0; i < 3; ++i)
      file << fmt::format("[[peer]]\nid = {}\naddress = \"127.0.0.1:{}\"\nkeys = \"{}\"\n", i,
                          ports[static_cast<std::size_t>(i)], i == 2 ? keys_of_last : "keys");
    return folder_.path("peers.toml");
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Doctor, FindsAHealthyClusterHealthy) {
  const ProgramResult result = run_program(
      {"launch", "--peers", peers_file("keys"), "--local", "--", "doctor", "--wait", "1min"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  for (int node = 0; node < 3; ++node) {
    for (int peer = 0; peer < 3; ++peer) {
      if (peer == node) continue;
      EXPECT_THAT(result.out,
                  ContainsRegex(fmt::format(
                      "\\[{}\\]     {}  127.0.0.1:[0-9]+ [^\n]* ms [^\n]* Mbps [^\n]* ms  ok\n",
                      node, peer)));
    }
  }
  EXPECT_THAT(result.out, Not(HasSubstr("cannot be called")));
  EXPECT_EQ(result.err, "");
}

TEST_F(Doctor, WritesTheLinksThatARunIsPlannedFor) {
  const ProgramResult result = run_program({"launch", "--peers", peers_file("keys"), "--local",
                                            "--", "doctor", "--wait", "1min", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  const std::string links = folder_.path("links.jsonl");
  std::ofstream(links) << result.out;
  const ProgramResult plan =
      run_program({"plan", "--links", links, "--layers", "tensor:1000", "--compute", "1ms",
                   "--methods", "dpsgd", "--topologies", "ring", "--json"});
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("\"method\":\"dpsgd\""));
  const ProgramResult other = run_program({"plan", "--links", links, "--nodes", "4"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("has the links of 3 nodes: leave out --nodes"));
}

TEST_F(Doctor, NamesAPeerOfAnotherCluster) {
  make_keys("others");
  const ProgramResult result = run_program(
      {"launch", "--peers", peers_file("others"), "--local", "--", "doctor", "--wait", "1s"});
  EXPECT_EQ(result.exit_code, 3);
  // Whoever of the two calls sees it first; the one that belongs there is told by the other.
  EXPECT_THAT(result.out + result.err, HasSubstr("certificate"));
  EXPECT_THAT(result.out, Not(ContainsRegex("\\[[01]\\]     2 [^\n]* ok\n")));
  EXPECT_THAT(result.err, AllOf(HasSubstr("gossamer: node 0 ended with exit code 3"),
                                HasSubstr("gossamer: node 2 ended with exit code 3")));
}

TEST_F(Doctor, RefusesWhatItCannotExamine) {
  const std::string peers = peers_file("keys");
  const ProgramResult stranger = run_program({"doctor", "--peers", peers, "--node", "3"});
  EXPECT_EQ(stranger.exit_code, 2);
  EXPECT_THAT(stranger.err, HasSubstr("there is no node 3: the peers file has 0 to 2"));
  std::ofstream(folder_.path("bare.toml")) << "[[peer]]\nid = 0\naddress = \"127.0.0.1:7700\"\n";
  const ProgramResult bare =
      run_program({"doctor", "--peers", folder_.path("bare.toml"), "--node", "0"});
  EXPECT_EQ(bare.exit_code, 2);
  EXPECT_THAT(bare.err, AllOf(HasSubstr("peer 0 has no keys"), HasSubstr("--insecure")));
}

}  // namespace
}  // namespace gossamer
