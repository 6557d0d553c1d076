// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/status.h>

#include <map>
#include <string>

#include "match/config.h"
#include "match/match.h"

namespace sweepd::rpc {

/// An error as the public contract promises it: a gRPC status with ErrorInfo (domain "sweepd") and, where a field of the
/// request is at fault, BadRequest.
struct Error {
  grpc::StatusCode code;
  std::string reason;   ///< UPPER_SNAKE_CASE.
  std::string message;  ///< For people.
  std::map<std::string, std::string> metadata = {};
  std::string field = {};  ///< Path in the request; empty: none is at fault.
};

grpc::Status to_status(const Error& error);

grpc::Status match_not_found(const std::string& match_id);
grpc::Status server_shutting_down();
grpc::Status invalid_config(const match::FieldError& error);
grpc::Status join_refused(match::JoinError error);

}  // namespace sweepd::rpc
