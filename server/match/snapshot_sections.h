// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/snapshot.h"

namespace sweepd::match {

/// What a snapshot is made of: see kSnapshotVersion.
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
  kTemplates = 10,
  kSelections = 11,
  kRecords = 12,
};

/// In this order: what comes later may ask what came before.
inline constexpr std::pair<Section, const char*> kSections[] = {
    {Section::kWorld, "world"},           {Section::kDigest, "digest"},
    {Section::kOwners, "owners"},         {Section::kSeats, "seats"},
    {Section::kHistory, "history"},       {Section::kRejections, "rejections"},
    {Section::kClaims, "claims"},         {Section::kScoring, "scoring"},
    {Section::kScores, "scores"},         {Section::kTemplates, "templates"},
    {Section::kSelections, "selections"}, {Section::kRecords, "records"},
};

/// Of what came later: matches that do not use it are saved as they have been.
bool has_section(const SnapshotParts& parts, Section section);

void save_section(const SnapshotParts& parts, Section section, base::ByteWriter& writer);
std::uint64_t hash_of(Section section, std::string_view content);

/// Before the first section: of this version, and of a match of this config.
void write_header(base::ByteWriter& writer, const SnapshotParts& parts);
std::optional<SnapshotError> check_header(base::ByteReader& reader, const SnapshotParts& parts);

/// The content of a section that is whole, or nothing, and a fault.
std::string_view read_content(base::ByteReader& reader, Section section);

SnapshotError error_at(std::string_view part, const base::ByteFault& fault);

/// Calls `visit(section, reader, content)` for each section of a snapshot, with a reader of its content that
/// has to read it to the end. The first fault, or nothing.
template <typename Visit>
std::optional<SnapshotError> read_sections(const SnapshotParts& parts, std::string_view snapshot,
                                           const Visit& visit) {
  base::ByteReader reader(snapshot);
  if (auto error = check_header(reader, parts)) return error;
  for (const auto& [section, name] : kSections) {
    if (!has_section(parts, section)) continue;
    const std::string_view content = read_content(reader, section);
    if (!reader.ok()) return error_at(name, *reader.fault());
    base::ByteReader part(content, static_cast<std::size_t>(content.data() - snapshot.data()));
    visit(section, part, content);
    part.finish();
    if (!part.ok()) return error_at(name, *part.fault());
  }
  reader.finish();
  if (!reader.ok()) return error_at("end", *reader.fault());
  return std::nullopt;
}

}  // namespace sweepd::match
