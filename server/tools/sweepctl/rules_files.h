// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "replay/approved_rules.h"
#include "sweepd/status.h"

namespace sweepd::tools {

/// As many as a server verifies by at once.
inline constexpr std::size_t kRulesFilesMax = 64;

/// The rules of a match file, or of all match files (.toml) in a folder, by name. An error names the file,
/// and where it can the line.
Result<std::vector<replay::ApprovedRules>> read_rules(const std::string& path);

}  // namespace sweepd::tools
