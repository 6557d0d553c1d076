// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sweepd/v1/types.pb.h"

namespace sweepd::tools {

/// A match file that describes a config as a client would send it: by the contract's names, and without the
/// reader's code, for tests of it.
std::string match_file_of(const v1::MatchConfig& config);

}  // namespace sweepd::tools
