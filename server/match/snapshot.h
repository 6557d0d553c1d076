// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collision/world.h"
#include "match/config.h"

namespace sweepd::match {

class ClaimDesk;
class Digest;
class History;
class ObjectOwners;
class RejectionLog;
class Scoreboard;
class Scoring;
class Seats;
class SelectionRules;
class TemplateObjects;

/// What is wrong with a snapshot.
struct SnapshotError {
  std::string place;  ///< "history, byte 1203"; of the whole, from 0.
  std::string description;
};

/// The bytes of a snapshot: "SWMK", the version, D(0) as an eight-byte word; then sections, in a fixed order:
/// a number that names it, the length of its content, the content, and XXH3 over the content with the
/// section's number as the seed, as a word. Every section holds what one noun saved, in its own words. A
/// version that is newer is refused.
inline constexpr std::uint8_t kSnapshotVersion = 1;

/// The parts of a match that the ticks to come depend on. What can be told from others, or from the config,
/// is not saved; what the last tick brought was told.
struct SnapshotParts {
  const MatchConfig& config;
  collision::World& world;
  Seats& seats;
  ObjectOwners& owners;
  TemplateObjects& templates;
  RejectionLog& rejections;
  Digest& digest;
  History* history;  ///< Null where none is kept.
  ClaimDesk& claims;
  Scoring& scoring;
  Scoreboard& scoreboard;
  SelectionRules& selections;
};

/// Only between two ticks.
std::string save(const SnapshotParts& parts);

/// Of the history: which is most of a snapshot.
enum class Past : std::uint8_t {
  kRestored,
  kLeftOut,  ///< For a match that keeps none, whether the one that was saved did or not.
};

/// Of a match that has just been made. Where there is an error the parts are of no use any more. A match of
/// forged bytes may be some thousand times as large, as a byte may stand for 64 places of a life: bound the
/// size of bytes from strangers.
std::optional<SnapshotError> restore(const SnapshotParts& parts, std::string_view snapshot,
                                     Past past = Past::kRestored);

/// Whether a snapshot is of this match, between two ticks: the first place where it says something else, or
/// cannot be read. Not compared is what calls may have changed of which no log has to know, as they were
/// refused or said nothing: counts of what participants sent, ticks they acknowledged, rejections. Nor, where
/// this match keeps no past, the past and what was claimed in it.
std::optional<SnapshotError> compare(const SnapshotParts& parts, std::string_view snapshot);

}  // namespace sweepd::match
