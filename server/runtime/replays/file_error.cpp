// SPDX-License-Identifier: MIT
#include "runtime/replays/file_error.h"

#include <system_error>

namespace sweepd::runtime {

std::string file_error(std::string_view action, const std::filesystem::path& path, int error_number) {
  return "cannot " + std::string(action) + " " + path.string() + ": " +
         std::generic_category().message(error_number);
}

}  // namespace sweepd::runtime
