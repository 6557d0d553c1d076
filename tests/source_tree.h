// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

namespace sweepd::test {

/// Every file and folder below the folder, but for what npm installs and what the TypeScript SDK generates.
inline std::vector<std::filesystem::directory_entry> entries_below(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::vector<fs::directory_entry> entries;
  for (fs::recursive_directory_iterator it(folder), end; it != end; ++it) {
    const fs::path name = it->path().filename();
    if (name == "node_modules" || name == "generated") {
      it.disable_recursion_pending();
    } else {
      entries.push_back(*it);
    }
  }
  return entries;
}

}  // namespace sweepd::test
