// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "runtime/replays/replay_library.h"
#include "session/status.h"

namespace sweepd::session {

/// What ReplayService answers where it cannot do what is asked.

Status no_journal();
Status replay_unavailable(const runtime::ReplayError& error, const runtime::MatchId& id);
Status replay_lost(const runtime::MatchId& id, const std::string& what);
Status replay_too_large(std::size_t bytes_max);
Status too_many_verifications(const std::string& what);
Status verification_too_long(const std::string& what);
Status verification_too_large(const std::string& what);
Status verifier_failing(const std::string& what);
Status upload_too_slow(const std::string& what);
Status invalid_verification(const match::FieldError& error);

}  // namespace sweepd::session
