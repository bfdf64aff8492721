// Holds every packet of a netfilter queue back for a fixed time, then lets it go on its way: the
// delay of a long cable.
//
//   delay_packets QUEUE MICROSECONDS
//
// scripts/namespaces runs it between emulated hosts: netem, the kernel's own delay, is missing from
// many small kernels. It returns as soon as it has the queue, and goes on in the background until
// it is killed; the kernel then drops whatever is sent to the queue, so that nothing travels
// undelayed.
//
// The packets themselves stay in the kernel: only their numbers come up, and verdicts go down.

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <linux/netfilter.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_queue.h>
#include <linux/netlink.h>
#include <optional>
#include <poll.h>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint16_t kSubsystem = NFNL_SUBSYS_QUEUE << 8;
// More than a gigabit per second holds in 100 ms, in packets of 1500 bytes.
constexpr std::uint32_t kLongestQueue = 65'536;
constexpr int kSocketBuffer = 64 << 20;
// As many verdicts as one write to the kernel carries.
constexpr std::size_t kLargestWrite = 32 << 10;

[[noreturn]] void fail_with_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Messages to the kernel, one behind the other, as they go out in one write.
class Request {
 public:
  void begin(std::uint16_t type, std::uint16_t flags, std::uint16_t queue) {
    start_ = bytes_.size();
    nlmsghdr header{};
    header.nlmsg_type = static_cast<std::uint16_t>(kSubsystem | type);
    header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
    append(header);
    append(nfgenmsg{.nfgen_family = AF_UNSPEC, .version = NFNETLINK_V0, .res_id = htons(queue)});
  }

  template <typename Value>
  void attribute(std::uint16_t type, const Value& value) {
    append(nlattr{.nla_len = NLA_HDRLEN + sizeof(Value), .nla_type = type});
    append(value);
  }

  void end() {
    const auto length = static_cast<std::uint32_t>(bytes_.size() - start_);
    std::memcpy(bytes_.data() + start_ + offsetof(nlmsghdr, nlmsg_len), &length, sizeof length);
  }

  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }

  void clear() { bytes_.clear(); }

 private:
  /// Everything in a netlink message starts at a multiple of four bytes.
  template <typename Value>
  void append(const Value& value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + NLMSG_ALIGN(sizeof(Value)));
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }

  std::vector<char> bytes_;
  std::size_t start_ = 0;
};

/// One queue of netfilter's, which packets enter by a rule of iptables and leave by a verdict.
class PacketQueue {
 public:
  explicit PacketQueue(std::uint16_t queue) : queue_(queue) {
    socket_ = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
    if (socket_ < 0) fail_with_errno("cannot open a netfilter socket");
    set_option(SOL_SOCKET, SO_RCVBUFFORCE, kSocketBuffer);
    set_option(SOL_SOCKET, SO_SNDBUFFORCE, kSocketBuffer);
    // A burst that overruns the buffer loses packets, like a router; without this it would end the
    // program.
    set_option(SOL_NETLINK, NETLINK_NO_ENOBUFS, 1);
    take_over();
  }

  PacketQueue(const PacketQueue&) = delete;
  PacketQueue& operator=(const PacketQueue&) = delete;

  ~PacketQueue() { close(socket_); }

  /// Waits for packets, at most until `deadline`.
  void wait(std::optional<Clock::time_point> deadline) const {
    timespec patience{};
    if (deadline) {
      const auto left = std::max(*deadline - Clock::now(), Clock::duration::zero());
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
      patience = {.tv_sec = seconds.count(),
                  .tv_nsec = std::chrono::nanoseconds(left - seconds).count()};
    }
    pollfd socket{.fd = socket_, .events = POLLIN, .revents = 0};
    if (ppoll(&socket, 1, deadline ? &patience : nullptr, nullptr) < 0 && errno != EINTR) {
      fail_with_errno("cannot wait for packets");
    }
  }

  /// Calls `visit` with the number of each packet that has come, in order. Does not wait.
  template <typename Visit>
  void for_each_arrival(const Visit& visit) {
    for (;;) {
      const ssize_t received = recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
      if (received < 0 && errno == EAGAIN) return;
      if (received < 0 && errno == EINTR) continue;
      if (received < 0) fail_with_errno("cannot read from the packet queue");
      auto left = static_cast<std::size_t>(received);
      for (const auto* header = reinterpret_cast<const nlmsghdr*>(buffer_.data());
           NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
        if (const auto packet = packet_number(*header)) visit(*packet);
      }
    }
  }

  /// Lets a packet go on with the next flush().
  void release(std::uint32_t packet) {
    request_.begin(NFQNL_MSG_VERDICT, 0, queue_);
    request_.attribute(NFQA_VERDICT_HDR,
                       nfqnl_msg_verdict_hdr{.verdict = htonl(NF_ACCEPT), .id = htonl(packet)});
    request_.end();
    if (request_.bytes().size() > kLargestWrite) flush();
  }

  void flush() {
    if (request_.bytes().empty()) return;
    if (send(socket_, request_.bytes().data(), request_.bytes().size(), 0) < 0) {
      fail_with_errno("cannot write to the packet queue");
    }
    request_.clear();
  }

 private:
  void set_option(int level, int name, int value) const {
    if (setsockopt(socket_, level, name, &value, sizeof value) < 0)
      fail_with_errno("cannot set up the socket");
  }

  void take_over() {
    request_.begin(NFQNL_MSG_CONFIG, NLM_F_ACK, queue_);
    request_.attribute(NFQA_CFG_CMD,
                       nfqnl_msg_config_cmd{.command = NFQNL_CFG_CMD_BIND, ._pad = 0, .pf = 0});
    request_.attribute(NFQA_CFG_PARAMS,
                       nfqnl_msg_config_params{.copy_range = 0, .copy_mode = NFQNL_COPY_META});
    request_.attribute(NFQA_CFG_QUEUE_MAXLEN, htonl(kLongestQueue));
    // Large packets that the kernel would cut up later stay whole: fewer verdicts.
    request_.attribute(NFQA_CFG_FLAGS, htonl(NFQA_CFG_F_GSO));
    request_.attribute(NFQA_CFG_MASK, htonl(NFQA_CFG_F_GSO));
    request_.end();
    flush();
    const ssize_t received = recv(socket_, buffer_.data(), buffer_.size(), 0);
    if (received < static_cast<ssize_t>(NLMSG_LENGTH(sizeof(nlmsgerr))))
      fail_with_errno("no answer from netfilter");
    errno = -reinterpret_cast<const nlmsgerr*>(buffer_.data() + NLMSG_HDRLEN)->error;
    if (errno != 0) fail_with_errno("netfilter does not give the queue");
  }

  static std::optional<std::uint32_t> packet_number(const nlmsghdr& header) {
    if (header.nlmsg_type != (kSubsystem | NFQNL_MSG_PACKET)) return std::nullopt;
    const char* at = reinterpret_cast<const char*>(&header) + NLMSG_LENGTH(sizeof(nfgenmsg));
    const char* const end = reinterpret_cast<const char*>(&header) + header.nlmsg_len;
    while (end - at >= NLA_HDRLEN) {
      const auto& attribute = *reinterpret_cast<const nlattr*>(at);
      if ((attribute.nla_type & NLA_TYPE_MASK) == NFQA_PACKET_HDR) {
        return ntohl(reinterpret_cast<const nfqnl_msg_packet_hdr*>(at + NLA_HDRLEN)->packet_id);
      }
      at += NLA_ALIGN(attribute.nla_len);
    }
    return std::nullopt;
  }

  std::uint16_t queue_;
  int socket_ = -1;
  Request request_;
  alignas(nlmsghdr) std::array<char, 1 << 18> buffer_{};
};

struct Held {
  Clock::time_point until;
  std::uint32_t packet;
};

/// The delay is the same for all packets, so they leave in the order in which they came.
[[noreturn]] void delay_packets(PacketQueue& queue, std::chrono::microseconds delay) {
  std::deque<Held> held;
  for (;;) {
    queue.wait(held.empty() ? std::nullopt : std::optional(held.front().until));
    queue.for_each_arrival([&](std::uint32_t packet) {
      held.push_back({.until = Clock::now() + delay, .packet = packet});
    });
    for (const auto now = Clock::now(); !held.empty() && held.front().until <= now;
         held.pop_front())
      queue.release(held.front().packet);
    queue.flush();
  }
}

/// Whoever trains on the same processors must not make packets late. Where this is not allowed,
/// they may be.
void go_before_others() {
  const sched_param priority{.sched_priority = 10};
  (void)sched_setscheduler(0, SCHED_FIFO, &priority);
}

template <typename Number>
Number number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw std::invalid_argument("'" + std::string(text) +
                                "' is no number here; usage: delay_packets QUEUE MICROSECONDS");
  }
  return value;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 3) throw std::invalid_argument("usage: delay_packets QUEUE MICROSECONDS");
    const auto delay = std::chrono::microseconds(number<std::uint32_t>(arguments[2]));
    PacketQueue queue(number<std::uint16_t>(arguments[1]));
    go_before_others();
    if (daemon(0, 0) < 0) fail_with_errno("cannot go into the background");
    delay_packets(queue, delay);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "delay_packets: %s\n", error.what());
    return 1;
  }
}
