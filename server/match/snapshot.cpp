// SPDX-License-Identifier: MIT
#include "match/snapshot.h"

#include <utility>

#include "base/assert.h"
#include "match/claims/claim_desk.h"
#include "match/digest.h"
#include "match/history/history.h"
#include "match/object_owners.h"
#include "match/rejection_log.h"
#include "match/scoreboard.h"
#include "match/scoring.h"
#include "match/seats.h"
#include "match/selection_rules.h"
#include "match/snapshot_sections.h"
#include "match/templates/template_objects.h"

namespace sweepd::match {
namespace {

void restore_section(const SnapshotParts& parts, Section section, base::ByteReader& reader) {
  const collision::World& world = parts.world;
  const auto layer_count = static_cast<std::uint32_t>(parts.config.layers.size());
  switch (section) {
    case Section::kWorld:
      return parts.world.restore(reader);
    case Section::kDigest:
      return parts.digest.continue_after(reader.word());
    case Section::kOwners:
      return parts.owners.restore(reader);
    case Section::kSeats:
      return parts.seats.restore(reader, world.tick(),
                                 [&](ParticipantNumber number) { return parts.owners.count_of(number) > 0; });
    case Section::kRejections:
      return parts.rejections.restore(reader);
    case Section::kHistory:
      if (parts.history != nullptr) parts.history->restore(reader, world, layer_count);
      return;
    case Section::kClaims:
      return parts.claims.restore(reader);
    case Section::kScoring:
      return parts.scoring.restore(reader, world);
    case Section::kScores:
      return parts.scoreboard.restore(reader);
    case Section::kTemplates:
      return parts.templates.restore(reader);
    case Section::kSelections:
      return parts.selections.restore(reader);
    case Section::kRecords:
      return parts.seats.restore_records(reader, world.tick());
  }
}

}  // namespace

std::string save(const SnapshotParts& parts) {
  base::ByteWriter writer;
  write_header(writer, parts);
  for (const auto& [section, name] : kSections) {
    if (!has_section(parts, section)) continue;
    base::ByteWriter content;
    save_section(parts, section, content);
    writer.byte(static_cast<std::uint8_t>(section));
    writer.text(content.bytes());
    writer.word(hash_of(section, content.bytes()));
  }
  return writer.take();
}

std::optional<SnapshotError> restore(const SnapshotParts& parts, std::string_view snapshot, Past past) {
  SWEEPD_ASSERT(past == Past::kRestored || parts.history == nullptr);
  return read_sections(parts, snapshot,
                       [&](Section section, base::ByteReader& reader, std::string_view content) {
                         if (section == Section::kHistory && past == Past::kLeftOut)
                           return void(reader.raw(content.size()));
                         restore_section(parts, section, reader);
                       });
}

}  // namespace sweepd::match
