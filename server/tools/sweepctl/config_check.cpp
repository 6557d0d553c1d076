// SPDX-License-Identifier: MIT
#include "tools/sweepctl/config_check.h"

#include <utility>

#include "sweepd/config_message.h"
#include "wire/config_codec.h"

// The message that the SDK would send, judged by the server's own code: there is no second list of rules to
// keep in step.
namespace sweepd::tools {
namespace {

Status status_of(const match::FieldError& error) {
  const std::string field = "config." + error.field;
  return Status(ErrorCode::kInvalidArgument, field + ": " + error.description, "INVALID_CONFIG", field);
}

}  // namespace

Status check_config(const MatchConfig& config) { return checked_config(config).status(); }

Result<match::MatchConfig> checked_config(const MatchConfig& config) {
  const auto bytes = config_message(config);
  if (!bytes) return bytes.status();
  v1::MatchConfig message;
  message.ParseFromString(*bytes);
  auto decoded = wire::decode_config(message);
  if (!decoded.ok()) return status_of(decoded.error());
  if (const auto error = match::find_error(*decoded)) return status_of(*error);
  return std::move(*decoded);
}

}  // namespace sweepd::tools
