// SPDX-License-Identifier: MIT
#include "tools/load/load_channel.h"

#include <fstream>
#include <sstream>
#include <string_view>

#include "tools/load/play_stream.h"

namespace sweepd::tools::load {
namespace {

std::string content_of(const std::string& path) {
  if (path.empty()) return {};
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The SDK's client has found out by now what is wrong with any of it, and says so better.
std::shared_ptr<grpc::ChannelCredentials> credentials_for(const ServerChoice& server) {
  if (!server.tls) return grpc::InsecureChannelCredentials();
  return grpc::SslCredentials({.pem_root_certs = content_of(server.ca_file),
                               .pem_private_key = content_of(server.key_file),
                               .pem_cert_chain = content_of(server.certificate_file)});
}

/// Of "game.example.com:7777", "dns:///game.example.com:7777", "[::1]:7777".
std::string host_of_address(const std::string& address) {
  constexpr std::string_view kDns = "dns:///";
  const std::size_t begin = address.starts_with(kDns) ? kDns.size() : 0;
  const std::string host = address.substr(begin, address.rfind(':') - begin);
  return host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
}

}  // namespace

std::shared_ptr<grpc::Channel> open_load_channel(const std::string& target, const ServerChoice& server) {
  // The server has one name at all endpoints of its matches.
  return open_load_channel(target, credentials_for(server),
                           server.tls ? host_of_address(server.address) : std::string());
}

std::string authorization_for(const ServerChoice& server) {
  return server.token_file.empty() ? std::string() : "Bearer " + read_token(server.token_file);
}

}  // namespace sweepd::tools::load
