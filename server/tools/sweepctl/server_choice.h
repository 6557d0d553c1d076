// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sweepd/client.h"
#include "tools/sweepctl/contexts.h"

namespace sweepd::tools {

/// Which server a command is about, and how it is talked to.
struct ServerChoice {
  std::string address = "127.0.0.1:7777";
  std::string admin = {};  ///< Its admin listener, where a context names it.
  bool tls = false;
  std::string ca_file = {};           ///< Empty: those that the system trusts.
  std::string certificate_file = {};  ///< The client's own, with the next; empty: none.
  std::string key_file = {};
  std::string token_file = {};  ///< Read for each call, so that it may be replaced; empty: no token.

  /// The server of a context, and of its files those that are not chosen yet.
  void take(const Context& context);
};

/// The one place in which a server's choice becomes a client's options.
ClientOptions client_options(const ServerChoice& server);
Client make_client(const ServerChoice& server);

/// The token in a file, without the end of its line. Empty: it cannot be read.
std::string read_token(const std::string& path);

}  // namespace sweepd::tools
