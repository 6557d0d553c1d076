// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/log.h"

namespace sweepd::rpc {

/// Metadata by which a client names a call, and by which it is told what the call's name is in the server's
/// log.
inline constexpr const char* kRequestIdKey = "x-request-id";
inline constexpr std::size_t kRequestIdBytesMax = 64;

/// One that nobody has given: 16 characters.
std::string random_request_id();
/// 1 to 64 visible characters of ASCII: nothing that could be taken for more than one field of a line.
bool is_request_id(std::string_view text);

/// By what a call is found in the log. Begun once, before anybody else has the call; the rest from any
/// thread.
class CallTrace {
 public:
  /// `call`: "GetMatch"; outlives this.
  explicit CallTrace(std::string_view call) : call_(call) {}

  /// Takes the id that the client has given the call, or gives it one; either goes back to the client with
  /// the first that it gets.
  void begin(grpc::ServerContext& context);

  /// While that lives, whatever is logged is this call's.
  runtime::LogScope scope() const { return {"request_id", request_id_}; }

  /// The client is told this status. OK is no news. `what`: "call refused", or what else it is to the client.
  void note_status(const grpc::Status& status, std::string_view what = "call refused") const;

 private:
  std::string_view call_;
  std::string request_id_;
  std::string peer_;
};

}  // namespace sweepd::rpc
