// SPDX-License-Identifier: MIT
#include "rpc/status.h"

#include "google/rpc/error.pb.h"

namespace sweepd::rpc {

grpc::Status to_status(const Error& error) {
  google::rpc::Status details;
  details.set_code(error.code);
  details.set_message(error.message);
  google::rpc::ErrorInfo info;
  info.set_reason(error.reason);
  info.set_domain("sweepd");
  for (const auto& [key, value] : error.metadata) (*info.mutable_metadata())[key] = value;
  details.add_details()->PackFrom(info);
  if (!error.field.empty()) {
    google::rpc::BadRequest bad_request;
    auto* violation = bad_request.add_field_violations();
    violation->set_field(error.field);
    violation->set_description(error.message);
    details.add_details()->PackFrom(bad_request);
  }
  return grpc::Status(error.code, error.message, details.SerializeAsString());
}

grpc::Status match_not_found(const std::string& match_id) {
  return to_status({grpc::StatusCode::NOT_FOUND, "MATCH_NOT_FOUND",
                    "there is no match '" + match_id + "' on this server; it may have ended",
                    {{"match_id", match_id}}});
}

grpc::Status server_shutting_down() {
  return to_status({grpc::StatusCode::UNAVAILABLE, "SERVER_SHUTTING_DOWN", "the server is stopping"});
}

grpc::Status invalid_config(const match::FieldError& error) {
  const std::string field = "config." + error.field;
  return to_status({grpc::StatusCode::INVALID_ARGUMENT, "INVALID_CONFIG", field + ": " + error.description, {}, field});
}

grpc::Status join_refused(match::JoinError error) {
  using match::JoinError;
  switch (error) {
    case JoinError::kInvalidName:
      return to_status({grpc::StatusCode::INVALID_ARGUMENT, "INVALID_JOIN",
                        "join.name: has to have 1 to " + std::to_string(match::kNameBytesMax) + " bytes", {},
                        "join.name"});
    case JoinError::kNameTaken:
      return to_status({grpc::StatusCode::ALREADY_EXISTS, "NAME_TAKEN",
                        "join.name: somebody of this name is in the match", {}, "join.name"});
    case JoinError::kNoSuchSlot:
      return to_status({grpc::StatusCode::NOT_FOUND, "NO_SUCH_SLOT",
                        "join.name: the match has slots, and none of this name and role", {}, "join.name"});
    case JoinError::kSlotTaken:
      return to_status({grpc::StatusCode::ALREADY_EXISTS, "SLOT_TAKEN", "join.name: this slot is taken", {},
                        "join.name"});
    case JoinError::kMatchFull:
      return to_status({grpc::StatusCode::RESOURCE_EXHAUSTED, "MATCH_FULL",
                        "the match has as many participants or observers, or has given out as many ids, as it may"});
    case JoinError::kMatchEnded:
      return to_status({grpc::StatusCode::NOT_FOUND, "MATCH_NOT_FOUND", "the match has ended"});
  }
  SWEEPD_ASSERT(false);
  return grpc::Status::CANCELLED;
}

}  // namespace sweepd::rpc
