// SPDX-License-Identifier: MIT
#include "server_status.h"

#include "google/rpc/error.pb.h"
#include "server_certificate.h"
#include "token_text.h"

namespace sweepd::internal {
namespace {

/// Of a grpc::StatusCode, or of any number that a server gives for one.
ErrorCode code_of(int code) {
  switch (code) {
    case grpc::StatusCode::OK:
      return ErrorCode::kNone;
    case grpc::StatusCode::INVALID_ARGUMENT:
      return ErrorCode::kInvalidArgument;
    case grpc::StatusCode::OUT_OF_RANGE:
      return ErrorCode::kOutOfRange;
    case grpc::StatusCode::NOT_FOUND:
      return ErrorCode::kNotFound;
    case grpc::StatusCode::PERMISSION_DENIED:
      return ErrorCode::kPermissionDenied;
    case grpc::StatusCode::UNAUTHENTICATED:
      return ErrorCode::kUnauthenticated;
    case grpc::StatusCode::ALREADY_EXISTS:
      return ErrorCode::kAlreadyExists;
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return ErrorCode::kResourceExhausted;
    case grpc::StatusCode::FAILED_PRECONDITION:
    case grpc::StatusCode::ABORTED:
      return ErrorCode::kFailedPrecondition;
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::CANCELLED:
      return ErrorCode::kUnavailable;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return ErrorCode::kDeadlineExceeded;
    case grpc::StatusCode::DATA_LOSS:
      return ErrorCode::kDataLoss;
    default:
      return ErrorCode::kInternal;
  }
}

struct Details {
  std::string reason;
  std::string field;
};

// A server or a proxy may send no details, or others: then both stay empty.
Details details_of(const grpc::Status& status) {
  Details found;
  google::rpc::Status rich;
  if (!rich.ParseFromString(status.error_details())) return found;
  for (const auto& detail : rich.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest bad_request;
    if (detail.Is<google::rpc::ErrorInfo>() && detail.UnpackTo(&info)) {
      found.reason = info.reason();
    } else if (detail.Is<google::rpc::BadRequest>() && detail.UnpackTo(&bad_request) &&
               bad_request.field_violations_size() > 0) {
      found.field = bad_request.field_violations(0).field();
    }
  }
  return found;
}

/// Of what gRPC says around it, people need nothing where a connection failed by its certificate; what it
/// says of a connection that failed otherwise does not tell them why.
std::string words_of(const grpc::Status& status) {
  const std::string& message = status.error_message();
  const auto has = [&message](const char* part) { return message.find(part) != std::string::npos; };
  if (status.error_code() != grpc::StatusCode::UNAVAILABLE) return message;
  if (has(kCertificateFault)) return message.substr(message.find(kCertificateFault));
  if (has("wrong version number")) return message + " (the server does not speak TLS)";
  if (has("certificate required") || has("bad certificate") || has("unknown ca"))
    return message + " (the server does not take the certificate of the client, or wants one)";
  if (has("failed to connect") && (has("Socket closed") || has("Connection reset")))
    return message + " (the server hangs up: it may speak TLS, or want a certificate of the client)";
  return message;
}

/// The server refuses a token as a whole; only here it is known which argument it was.
std::string field_of(const std::string& reason) { return reason == "INVALID_TOKEN" ? kTokenField : ""; }

}  // namespace

Status from_server(const grpc::Status& status) {
  if (status.ok()) return {};
  Details details = details_of(status);
  if (details.field.empty()) details.field = field_of(details.reason);
  return {code_of(status.error_code()), words_of(status), std::move(details.reason),
          std::move(details.field)};
}

Status from_server(const v1::JoinRefused& refusal) {
  const ErrorCode code = code_of(refusal.code());
  // Whatever it says: it is an error.
  return {code == ErrorCode::kNone ? ErrorCode::kInternal : code, refusal.message(), refusal.reason(),
          field_of(refusal.reason())};
}

}  // namespace sweepd::internal
