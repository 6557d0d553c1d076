// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/message.h>

#include <optional>

#include "match/field_check.h"
#include "session/message_bytes.h"

namespace sweepd::session {

/// What keeps `message`, which has what was read of its bytes until then, from being read whole: the path of
/// a text that is not UTF-8 ("config.layers[2]"), or "message", where the bytes are no message of its type.
match::FieldError parse_fault(const google::protobuf::Message& message);

/// Reads `bytes`, which are gone then, into `message`. Nothing: it is whole.
std::optional<match::FieldError> parse_request(MessageBytes& bytes, google::protobuf::Message& message);

}  // namespace sweepd::session
