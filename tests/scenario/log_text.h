// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "match/match.h"

namespace sweepd::scenario {

/// One line each, in the words of the public contract and with names of layers instead of indices.
std::string event_text(const collision::Event& event, const std::vector<std::string>& layers);
std::string rejection_text(const match::Rejection& rejection);
std::string join_error_text(match::JoinError error);

}  // namespace sweepd::scenario
