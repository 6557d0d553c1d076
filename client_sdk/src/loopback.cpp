// SPDX-License-Identifier: MIT
#include "loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>

namespace sweepd::internal {

std::string host_of(std::string_view target) {
  if (target.starts_with(kUnix)) return {};
  if (target.starts_with(kDns)) target.remove_prefix(kDns.size());
  std::string_view host = target.substr(0, target.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return std::string(host);
}

bool is_on_this_machine(std::string_view target) {
  if (target.starts_with(kUnix)) return true;
  const std::string host = host_of(target);
  if (host == "localhost") return true;
  in_addr v4 = {};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
  in6_addr v6 = {};
  return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

}  // namespace sweepd::internal
