// SPDX-License-Identifier: MIT
#include "app/sweepctl/config_check.h"

// The message that the SDK would send, judged by the server's own code: there is no second list of rules to
// keep in step.
#include "match_codec.h"
#include "rpc/config_codec.h"

namespace sweepd::app {
namespace {

Status status_of(const match::FieldError& error) {
  const std::string field = "config." + error.field;
  return Status(ErrorCode::kInvalidArgument, field + ": " + error.description, "INVALID_CONFIG", field);
}

}  // namespace

Status check_config(const MatchConfig& config) {
  v1::MatchConfig message;
  if (const auto error = internal::encode(config, &message)) return error->status();
  const auto decoded = rpc::decode_config(message);
  if (!decoded.ok()) return status_of(decoded.error());
  if (const auto error = match::find_error(*decoded)) return status_of(*error);
  return {};
}

}  // namespace sweepd::app
