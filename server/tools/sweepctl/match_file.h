// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sweepd/status.h"
#include "sweepd/types.h"
#include "tools/sweepctl/field_places.h"

namespace sweepd::tools {

/// A match described in a file: TOML whose keys are the fields of MatchConfig. Where the file reads better
/// otherwise, it does: the collision matrix is a table (`[collides]`), what contact does is in
/// `[[contacts]]`, and pictures of masks are in files of their own. deploy/samples/coop_shmup.toml has every
/// key.
struct MatchFile {
  std::string path = {};
  MatchConfig config = {};
  FieldPlaces places = {};
  /// Of its text, by position: "PATH:LINE:COLUMN: KEY, what was found, and what may stand there". Where there
  /// are any, `config` lacks what they are about. It may break rules of a match even if there are none:
  /// config_check.h.
  std::vector<std::string> errors = {};

  /// "PATH:LINE:COLUMN: " and what is wrong, in the words of the file, if `status` is about a field that the
  /// file gives; or else its message.
  std::string located(const Status& status) const;
  /// "PATH:LINE:COLUMN: "
  std::string at(FilePosition position) const;
};

/// Reads the file and the pictures that it names, whose paths are relative to its folder.
MatchFile read_match_file(const std::string& path);
/// The same for what has been read. `path`: for errors, and for the folder of pictures.
MatchFile parse_match_file(std::string_view text, const std::string& path);

}  // namespace sweepd::tools
