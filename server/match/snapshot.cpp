// SPDX-License-Identifier: MIT
#include "match/snapshot.h"

#include <utility>

#include "base/assert.h"
#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash.h"
#include "match/claims/claim_desk.h"
#include "match/digest.h"
#include "match/history/history.h"
#include "match/object_owners.h"
#include "match/rejection_log.h"
#include "match/scoreboard.h"
#include "match/scoring.h"
#include "match/seats.h"
#include "match/world_config.h"

namespace sweepd::match {
namespace {

constexpr std::string_view kMagic = "SWMK";

enum class Section : std::uint8_t {
  kWorld = 1,
  kDigest = 2,
  kOwners = 3,
  kSeats = 4,
  kHistory = 5,
  kRejections = 6,
  kClaims = 7,
  kScoring = 8,
  kScores = 9,
};

/// In this order: what comes later may ask what came before.
constexpr std::pair<Section, const char*> kSections[] = {
    {Section::kWorld, "world"},   {Section::kDigest, "digest"},   {Section::kOwners, "owners"},
    {Section::kSeats, "seats"},   {Section::kHistory, "history"}, {Section::kRejections, "rejections"},
    {Section::kClaims, "claims"}, {Section::kScoring, "scoring"}, {Section::kScores, "scores"},
};

std::uint64_t hash_of(Section section, std::string_view content) {
  return base::hash_bytes(content, static_cast<std::uint64_t>(section));
}

std::uint64_t digest_of(const MatchConfig& config) { return Digest(config, world_config_of(config)).value(); }

void save_section(const SnapshotParts& parts, Section section, base::ByteWriter& writer) {
  switch (section) {
    case Section::kWorld:
      return parts.world.save(writer);
    case Section::kDigest:
      return writer.word(parts.digest.value());
    case Section::kOwners:
      return parts.owners.save(writer, parts.world);
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
  }
}

void restore_section(const SnapshotParts& parts, Section section, base::ByteReader& reader) {
  const collision::World& world = parts.world;
  const auto layer_count = static_cast<std::uint32_t>(parts.config.layers.size());
  switch (section) {
    case Section::kWorld:
      return parts.world.restore(reader);
    case Section::kDigest:
      return parts.digest.continue_after(reader.word());
    case Section::kOwners:
      return parts.owners.restore(reader, world);
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
  }
}

SnapshotError error_at(std::string_view part, const base::ByteFault& fault) {
  return {std::string(part) + ", byte " + std::to_string(fault.offset), fault.description};
}

std::optional<SnapshotError> check_header(base::ByteReader& reader, const MatchConfig& config) {
  reader.require(reader.raw(kMagic.size()) == kMagic, "is no snapshot of a match");
  const std::uint8_t version = reader.byte();
  if (!reader.ok()) return error_at("header", *reader.fault());
  if (version != kSnapshotVersion) {
    return SnapshotError{"header", "is of version " + std::to_string(version) +
                                       "; this build reads version " + std::to_string(kSnapshotVersion)};
  }
  reader.require(reader.word() == digest_of(config), "is of a match of another config");
  if (!reader.ok()) return error_at("header", *reader.fault());
  return std::nullopt;
}

/// The content of a section that is whole, or nothing, and a fault.
std::string_view read_content(base::ByteReader& reader, Section section) {
  reader.require(reader.byte() == static_cast<std::uint8_t>(section), "is not the section that is due");
  const std::string_view content = reader.raw(reader.count());
  reader.require(reader.word() == hash_of(section, content), "has a section that is not as it was written");
  return content;
}

}  // namespace

std::string save(const SnapshotParts& parts) {
  base::ByteWriter writer;
  writer.raw(kMagic);
  writer.byte(kSnapshotVersion);
  writer.word(digest_of(parts.config));
  for (const auto& [section, name] : kSections) {
    base::ByteWriter content;
    save_section(parts, section, content);
    writer.byte(static_cast<std::uint8_t>(section));
    writer.text(content.bytes());
    writer.word(hash_of(section, content.bytes()));
  }
  return writer.take();
}

std::optional<SnapshotError> restore(const SnapshotParts& parts, std::string_view snapshot) {
  base::ByteReader reader(snapshot);
  if (auto error = check_header(reader, parts.config)) return error;
  for (const auto& [section, name] : kSections) {
    const std::string_view content = read_content(reader, section);
    if (!reader.ok()) return error_at(name, *reader.fault());
    base::ByteReader part(content, static_cast<std::size_t>(content.data() - snapshot.data()));
    restore_section(parts, section, part);
    part.finish();
    if (!part.ok()) return error_at(name, *part.fault());
  }
  reader.finish();
  if (!reader.ok()) return error_at("end", *reader.fault());
  return std::nullopt;
}

}  // namespace sweepd::match
