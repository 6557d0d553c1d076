// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/sweepctl/command.h"
#include "tools/sweepctl/match_file.h"

namespace sweepd::tools {

/// An option of a command that says the same as a field of a match file.
struct FieldOption {
  const char* option;  ///< "--rate"
  const char* field;   ///< "tick_rate_hz"
  void (*copy)(const MatchConfig& from, MatchConfig& to);
};

/// A copy of one field, of a structure of the config's or its own.
template <auto... path>
void copy_field(const MatchConfig& from, MatchConfig& to) {
  (to.*....*path) = (from.*....*path);
}

/// --config FILE
void add_match_file_option(CLI::App& command, std::string& path, const std::string& description);

/// The file, or nothing once its errors have been printed.
std::optional<MatchFile> open_match_file(const std::string& path);

/// What the command line gives wins over the file, and each time that both give a field, a line says so.
void apply_options(const CLI::App& command, const std::vector<FieldOption>& options, const MatchConfig& given,
                   MatchFile& file);

/// One line on stderr of what was decided between the file and something else.
void print_note(const std::string& note);

/// Prints an error about the file's config, by position; yields kExitFailed.
int fail(const Status& status, const MatchFile& file);

}  // namespace sweepd::tools
