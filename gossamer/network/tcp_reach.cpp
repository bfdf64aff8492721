#include "gossamer/network/tcp_reach.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include "gossamer/base/text/units.hpp"

namespace gossamer {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

// The errno of one attempt; 0: it can be reached.
int try_connect(int socket, const addrinfo& address, Duration patience) {
  if (::connect(socket, address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
  pollfd wait{socket, POLLOUT, 0};
  int ready = 0;
  do {
    ready = ::poll(&wait, 1, static_cast<int>(left));
  } while (ready < 0 && errno == EINTR);
  if (ready < 0) return errno;
  if (ready == 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof(error);
  return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

int reach(const addrinfo& address, Duration patience) {
  const int socket =
      ::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (socket < 0) return errno;
  const int error = try_connect(socket, address, patience);
  ::close(socket);
  return error;
}

}  // namespace

Result<void> reach_tcp(const std::string& host, const std::string& port, Duration patience) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &wanted, &list); error != 0)
    return Error{fmt::format("the name of its host is not known here: {}", ::gai_strerror(error))};
  const Addresses addresses(list, ::freeaddrinfo);
  int error = 0;
  for (const addrinfo* address = list; address != nullptr; address = address->ai_next) {
    error = reach(*address, patience);
    if (error == 0) return {};
  }
  if (error == ETIMEDOUT)
    return Error{
        fmt::format("no answer for {}: is a firewall in between?", format_duration(patience))};
  return Error{std::strerror(error)};
}

}  // namespace gossamer
