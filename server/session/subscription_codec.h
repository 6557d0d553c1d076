// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "runtime/match/match_host.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::session {

/// What a join or a watch asks to be told; or the field at fault, relative to the message.
base::Result<runtime::SubscriptionOptions, match::FieldError> decode_subscription(
    const v1::Join& join, const runtime::MatchHost& host);
base::Result<runtime::SubscriptionOptions, match::FieldError> decode_subscription(
    const v1::WatchRequest& request, const runtime::MatchHost& host);

}  // namespace sweepd::session
