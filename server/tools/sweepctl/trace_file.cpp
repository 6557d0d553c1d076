// SPDX-License-Identifier: MIT
#include "tools/sweepctl/trace_file.h"

#include <filesystem>
#include <fstream>
#include <iostream>

#include "tools/sweepctl/trace_parser.h"

namespace sweepd::tools {

Result<Trace> read_trace(const std::string& path) {
  if (path == "-") return parse_trace(std::cin);
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    return Status(ErrorCode::kNotFound, "cannot read " + path);
  return parse_trace(file);
}

}  // namespace sweepd::tools
