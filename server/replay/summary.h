// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "replay/reader.h"

namespace sweepd::replay {

/// What a replay says of itself.
struct Summary {
  Head head = {};
  Footer footer = {};
};

/// So many bytes from there on; nothing: they cannot be had.
using ReadBytes = std::function<std::optional<std::string>(std::uint64_t offset, std::size_t size)>;

/// Reads the header and the footer of a file of `size` bytes and nothing in between, which is not checked.
/// Takes a few MiB at most, whatever the file's size.
base::Result<Summary, FileFault> read_summary(std::uint64_t size, const ReadBytes& read);

}  // namespace sweepd::replay
