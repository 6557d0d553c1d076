// SPDX-License-Identifier: MIT
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace sweepd::testing {

/// A loopback port where connections are made and nobody ever says a word.
class NetworkHole {
 public:
  NetworkHole() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(descriptor_, any, size) == 0 && ::listen(descriptor_, 16) == 0 &&
        ::getsockname(descriptor_, any, &size) == 0) {
      port_ = ntohs(address.sin_port);
    }
  }
  ~NetworkHole() { ::close(descriptor_); }
  NetworkHole(const NetworkHole&) = delete;
  NetworkHole& operator=(const NetworkHole&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  const int descriptor_;
  int port_ = 0;
};

}  // namespace sweepd::testing
