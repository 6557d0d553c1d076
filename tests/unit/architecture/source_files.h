// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace sweepd::test {

inline std::filesystem::path source_folder() {
  const char* folder = std::getenv("SWEEPD_SOURCE_DIR");
  return folder != nullptr ? folder : std::filesystem::current_path();
}

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

}  // namespace sweepd::test
