// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

namespace sweepd {

/// How a client's connections are protected, and who it says it is. Files are read when the client is made;
/// what is wrong with them fails every call and every session with kInvalidArgument.
struct SecurityOptions {
  /// TLS 1.2 or 1.3. Else plain text: for servers on this machine, and for networks of one's own.
  bool tls = false;
  /// Issuers whose certificates of servers are good, PEM. Empty: those that the system trusts
  /// (/etc/ssl/certs; SSL_CERT_FILE and SSL_CERT_DIR in the environment name others).
  std::string ca_file = {};
  /// The client's own certificate with its chain, and its key, PEM, for servers that ask for one. Both, or
  /// neither.
  std::string certificate_file = {};
  std::string key_file = {};
  /// The name that the server's certificate has to have. Empty: the host in ClientOptions::server. It holds
  /// wherever the client is led to: at an endpoint of a match the server has to be the same one.
  std::string server_name = {};

  /// Sent with every call as `authorization: Bearer`. In plain text only to this machine (127.0.0.0/8, ::1,
  /// localhost, unix:): any other server is refused before anything is sent, and so is an endpoint elsewhere.
  std::string token = {};
  /// Gives the token in its place, for each call: one that is still good. From any thread, and at once. A
  /// stream whose ticket expires comes back with the next.
  std::function<std::string()> fresh_token = {};
};

}  // namespace sweepd
