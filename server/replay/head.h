// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "match/config.h"
#include "match/match.h"
#include "replay/testimony.h"

namespace sweepd::replay {

/// Which match a replay is of, and under which rules it was played.
struct Head {
  std::string engine_version = {};  ///< Of the build that recorded it.
  std::uint32_t digest_version = 0;
  std::string match_id = {};
  std::string nonce =
      {};  ///< Given by the server when the match was created: a run recorded before has another.
  std::string config_bytes = {};     ///< See encode_config.
  std::string config_digest = {};    ///< SHA-256 of those.
  std::uint64_t initial_digest = 0;  ///< Of the match before its first tick.
  // From digest version kDigestVersionWithStatements on; empty before.
  std::string rules_digest = {};  ///< See rules_digest.h.
  std::string rules_name = {};    ///< Of approved rules; empty: they were none, and it is UNRANKED.
  TicketSubject creator = {};     ///< Who created the match.
  std::int64_t create_time_unix_ms = 0;
};

/// By which rules a match is played.
struct MatchRules {
  std::string digest = {};  ///< See rules_digest.h; empty: not known yet.
  std::string name = {};    ///< Of approved rules, up to kRulesNameBytesMax; empty: UNRANKED.
};

/// How a match came about.
struct Creation {
  MatchRules rules = {};
  TicketSubject creator = {};  ///< Up to kSubjectBytesMax in all.
  std::int64_t time_unix_ms = 0;
};

/// Of a match that has not run a tick yet, recorded by this build. `match_id` and `nonce`: up to kIdBytesMax.
Head head_of(const match::Match& match, std::string match_id, std::string nonce, Creation creation = {});

/// The lowest version of the format that says all that is in its file.
std::uint32_t format_version_of(const Head& head);

}  // namespace sweepd::replay
