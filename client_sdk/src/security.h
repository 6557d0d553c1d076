// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <memory>
#include <string>

#include "server_certificate.h"
#include "sweepd/security.h"
#include "sweepd/status.h"

namespace sweepd::internal {

/// SecurityOptions, with what their files say. Immutable: channels and streams of a client share it.
class Security {
 public:
  /// `server`: ClientOptions::server.
  Security(SecurityOptions options, const std::string& server);

  /// What is wrong with the options, or with them and the server. Nothing may be sent then.
  const Status& error() const { return error_; }

  std::shared_ptr<grpc::ChannelCredentials> credentials() const;
  /// The server has one name at every address.
  void set_up(grpc::ChannelArguments& arguments) const;

  /// Whether calls may go there: no token in plain text to other machines.
  bool may_send_to(const std::string& target) const;
  /// Before each call: adds the token. An error: the call must not be made.
  Status authorize(grpc::ClientContext& context) const;

 private:
  bool has_token() const { return !options_.token.empty() || options_.fresh_token != nullptr; }
  Status check(const std::string& server);

  const SecurityOptions options_;
  std::string server_name_;                              ///< That certificates have to have.
  std::shared_ptr<const ServerCertificateCheck> check_;  ///< Null: plain text.
  std::string certificate_;                              ///< PEM, as the key. Empty: none.
  std::string key_;
  Status error_;
};

}  // namespace sweepd::internal
