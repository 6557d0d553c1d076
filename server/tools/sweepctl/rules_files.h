// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "replay/approved_rules.h"
#include "sweepd/status.h"

namespace sweepd::tools {

/// The rules of a match file, or of all match files (.toml) in a folder, by name; wire::kApprovedRulesMax of
/// them at most. Each has the name of its file without the ending. An error names the file, and where it can
/// the line.
Result<std::vector<replay::ApprovedRules>> read_rules(const std::string& path);

}  // namespace sweepd::tools
