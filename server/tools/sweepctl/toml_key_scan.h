// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "tools/sweepctl/toml_tree.h"

namespace sweepd::tools {

/// The place of a key of more parts ("a.b.c") than a file can mean. Each part is a table within the one
/// before: what walks through thousands of them has no stack left, and the parser bounds brackets alone.
std::optional<FileError> find_deep_key(std::string_view toml);

}  // namespace sweepd::tools
