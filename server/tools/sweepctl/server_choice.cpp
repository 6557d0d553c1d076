// SPDX-License-Identifier: MIT
#include "tools/sweepctl/server_choice.h"

#include <fstream>

namespace sweepd::tools {

std::string read_token(const std::string& path) {
  std::ifstream file(path);
  std::string token;
  file >> token;
  return token;
}

ClientOptions client_options(const ServerChoice& server) {
  ClientOptions options;
  options.server = server.address;
  options.security.tls = server.tls;
  options.security.ca_file = server.ca_file;
  options.security.certificate_file = server.certificate_file;
  options.security.key_file = server.key_file;
  if (!server.token_file.empty()) {
    options.security.fresh_token = [path = server.token_file] { return read_token(path); };
  }
  return options;
}

Client make_client(const ServerChoice& server) { return Client(client_options(server)); }

}  // namespace sweepd::tools
