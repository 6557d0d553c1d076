// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "replay/signing_key.h"

namespace sweepd::runtime {

/// The key in a file, PEM. The error says what is wrong with it; a file that others than its owner may read
/// or write is refused: what it signs would prove nothing.
base::Result<replay::SigningKey, std::string> read_signing_key(const std::filesystem::path& path);

/// The same; where there is no such file, a new key is made and written there first, for its owner's eyes
/// only.
base::Result<replay::SigningKey, std::string> read_or_make_signing_key(const std::filesystem::path& path);

}  // namespace sweepd::runtime
