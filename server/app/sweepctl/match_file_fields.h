// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "app/sweepctl/toml_reader.h"
#include "sweepd/types.h"

namespace sweepd::app {

/// Reads a match file's outermost table into the config, by the rows of its fields. `folder`: of pictures.
void read_config(TomlTable& file, const std::filesystem::path& folder, MatchConfig& config);

}  // namespace sweepd::app
