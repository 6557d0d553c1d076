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

void ServerChoice::take(const Context& context) {
  address = context.server;
  admin = context.admin;
  const auto fill = [](std::string& chosen, const std::string& of_context) {
    if (chosen.empty()) chosen = of_context;
  };
  fill(ca_file, context.ca_file);
  fill(token_file, context.token_file);
  if (certificate_file.empty()) {
    certificate_file = context.certificate_file;
    key_file = context.key_file;
  }
  tls = tls || context.tls || !ca_file.empty() || !certificate_file.empty();
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
