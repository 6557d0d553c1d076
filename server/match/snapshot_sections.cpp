// SPDX-License-Identifier: MIT
#include "match/snapshot_sections.h"

#include <string>

#include "base/hash.h"
#include "match/claims/claim_desk.h"
#include "match/digest.h"
#include "match/history/history.h"
#include "match/object_owners.h"
#include "match/rejection_log.h"
#include "match/scoreboard.h"
#include "match/scoring.h"
#include "match/seats.h"
#include "match/selection_rules.h"
#include "match/templates/template_objects.h"
#include "match/world_config.h"

namespace sweepd::match {
namespace {

constexpr std::string_view kMagic = "SWMK";

// By the match's own definition of digests: a snapshot is as the build that first had it writes it.
std::uint64_t digest_of(const MatchConfig& config, std::uint32_t version) {
  return Digest(config, world_config_of(config), version).value();
}

}  // namespace

std::uint64_t hash_of(Section section, std::string_view content) {
  return base::hash_bytes(content, static_cast<std::uint64_t>(section));
}

bool has_section(const SnapshotParts& parts, Section section) {
  if (section == Section::kTemplates) return !parts.config.templates.empty();
  if (section == Section::kRecords) return parts.config.late_frames == LateFramePolicy::kSpread;
  return section != Section::kSelections || parts.selections.has_paces();
}

void save_section(const SnapshotParts& parts, Section section, base::ByteWriter& writer) {
  switch (section) {
    case Section::kWorld:
      return parts.world.save(writer);
    case Section::kDigest:
      return writer.word(parts.digest.value());
    case Section::kOwners:
      return parts.owners.save(writer);
    case Section::kSeats:
      return parts.seats.save(writer);
    case Section::kRejections:
      return parts.rejections.save(writer);
    case Section::kHistory:
      if (parts.history != nullptr) parts.history->save(writer);
      return;
    case Section::kClaims:
      return parts.claims.save(writer);
    case Section::kScoring:
      return parts.scoring.save(writer);
    case Section::kScores:
      return parts.scoreboard.save(writer);
    case Section::kTemplates:
      return parts.templates.save(writer);
    case Section::kSelections:
      return parts.selections.save(writer);
    case Section::kRecords:
      return parts.seats.save_records(writer);
  }
}

SnapshotError error_at(std::string_view part, const base::ByteFault& fault) {
  return {std::string(part) + ", byte " + std::to_string(fault.offset), fault.description};
}

void write_header(base::ByteWriter& writer, const SnapshotParts& parts) {
  writer.raw(kMagic);
  writer.byte(kSnapshotVersion);
  writer.word(digest_of(parts.config, parts.digest.version()));
}

std::optional<SnapshotError> check_header(base::ByteReader& reader, const SnapshotParts& parts) {
  reader.require(reader.raw(kMagic.size()) == kMagic, "is no snapshot of a match");
  const std::uint8_t version = reader.byte();
  if (!reader.ok()) return error_at("header", *reader.fault());
  if (version != kSnapshotVersion) {
    return SnapshotError{"header", "is of version " + std::to_string(version) +
                                       "; this build reads version " + std::to_string(kSnapshotVersion)};
  }
  reader.require(reader.word() == digest_of(parts.config, parts.digest.version()),
                 "is of a match of another config");
  if (!reader.ok()) return error_at("header", *reader.fault());
  return std::nullopt;
}

std::string_view read_content(base::ByteReader& reader, Section section) {
  reader.require(reader.byte() == static_cast<std::uint8_t>(section), "is not the section that is due");
  const std::string_view content = reader.raw(reader.count());
  reader.require(reader.word() == hash_of(section, content), "has a section that is not as it was written");
  return content;
}

}  // namespace sweepd::match
