// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "sweepd/types.h"
#include "tools/sweepctl/toml_reader.h"

namespace sweepd::tools {

/// Reads a match file's outermost table into the config, by the rows of its fields. `folder`: of pictures.
void read_config(TomlTable& file, const std::filesystem::path& folder, MatchConfig& config);

}  // namespace sweepd::tools
