// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace sweepd::bench {

/// Seeking in half an hour of a trace. It is recorded when the benchmark runs.
void register_seek(const std::string& name, const std::filesystem::path& trace);

}  // namespace sweepd::bench
