// SPDX-License-Identifier: MIT
#include "session/status.h"

#include <google/rpc/error.pb.h>

#include <algorithm>

namespace sweepd::session {

namespace {

/// What is exhausted says when to try again.
constexpr std::chrono::seconds kRetryDelayMin{1};

}  // namespace

std::string clipped(std::string_view text, std::size_t bytes_max) {
  std::string beginning(text);
  if (beginning.size() <= bytes_max) return beginning;
  std::size_t size = bytes_max;
  const auto is_within_character = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
  };
  while (size > 0 && is_within_character(text[size])) --size;
  beginning.replace(size, std::string::npos, "…");
  return beginning;
}

Status make_status(Code code, const ErrorDetails& details) {
  const std::string message = clipped(details.message, kStatusTextBytesMax);
  google::rpc::Status status;
  status.set_code(static_cast<int>(code));
  status.set_message(message);
  google::rpc::ErrorInfo info;
  info.set_reason(details.reason);
  info.set_domain("sweepd");
  for (const auto& [key, value] : details.metadata) (*info.mutable_metadata())[key] = clipped(value);
  status.add_details()->PackFrom(info);
  if (!details.violations.empty()) {
    google::rpc::BadRequest bad_request;
    for (const match::FieldError& error : details.violations) {
      auto* violation = bad_request.add_field_violations();
      violation->set_field(clipped(error.field, kStatusTextBytesMax));
      violation->set_description(clipped(error.description, kStatusTextBytesMax));
    }
    status.add_details()->PackFrom(bad_request);
  }
  auto retry_delay = details.retry_delay;
  if (code == Code::kResourceExhausted) retry_delay = std::max(retry_delay, kRetryDelayMin);
  if (retry_delay > std::chrono::seconds(0)) {
    google::rpc::RetryInfo retry;
    retry.mutable_retry_delay()->set_seconds(retry_delay.count());
    status.add_details()->PackFrom(retry);
  }
  return {code, message, status.SerializeAsString()};
}

std::string reason_of(const Status& status) {
  google::rpc::Status details;
  if (!details.ParseFromString(status.details())) return {};
  google::rpc::ErrorInfo info;
  for (const auto& detail : details.details()) {
    if (detail.UnpackTo(&info)) return info.reason();
  }
  return {};
}

}  // namespace sweepd::session
