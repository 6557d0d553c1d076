// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>

#include "match/object_owners.h"
#include "match/rejection_log.h"
#include "match/seats.h"
#include "match/snapshot.h"
#include "match/snapshot_sections.h"

namespace sweepd::match {
namespace {

/// One run over the sections of a snapshot. What equal matches save is equal bytes, so most of it need not be
/// understood.
class SnapshotComparison {
 public:
  explicit SnapshotComparison(const SnapshotParts& parts) : parts_(parts) {}

  void compare(Section section, base::ByteReader& reader, std::string_view content);

 private:
  void compare_bytes(Section section, base::ByteReader& reader, std::string_view content);
  void compare_seats(base::ByteReader& reader);

  const SnapshotParts& parts_;
  bool has_other_past_ = false;  ///< It has one, and this match none.
};

void SnapshotComparison::compare(Section section, base::ByteReader& reader, std::string_view content) {
  switch (section) {
    case Section::kSeats:
      return compare_seats(reader);
    case Section::kRejections:
      return std::make_unique<RejectionLog>()->restore(reader);
    case Section::kRecords:  // Counts.
      reader.raw(content.size());
      return;
    case Section::kHistory:
      has_other_past_ = parts_.history == nullptr && !content.empty();
      break;
    default:
      break;
  }
  const bool is_of_past = section == Section::kHistory || section == Section::kClaims;
  if (!has_other_past_ || !is_of_past) return compare_bytes(section, reader, content);
  reader.raw(content.size());
}

void SnapshotComparison::compare_bytes(Section section, base::ByteReader& reader, std::string_view content) {
  base::ByteWriter writer;
  save_section(parts_, section, writer);
  const std::string_view own = writer.bytes();
  const auto place = std::mismatch(content.begin(), content.end(), own.begin(), own.end());
  reader.raw(static_cast<std::size_t>(place.first - content.begin()));
  reader.require(content == own, "is not what the match has");
}

void SnapshotComparison::compare_seats(base::ByteReader& reader) {
  const auto bytes_of = [](const Seats& seats) {
    base::ByteWriter writer;
    seats.without_counts().save(writer);
    return writer.take();
  };
  Seats seats(parts_.config);
  seats.restore(reader, parts_.world.tick(),
                [&](ParticipantNumber number) { return parts_.owners.count_of(number) > 0; });
  reader.require(bytes_of(seats) == bytes_of(parts_.seats), "are not those that the match has");
}

}  // namespace

std::optional<SnapshotError> compare(const SnapshotParts& parts, std::string_view snapshot) {
  SnapshotComparison comparison(parts);
  return read_sections(parts, snapshot,
                       [&](Section section, base::ByteReader& reader, std::string_view content) {
                         comparison.compare(section, reader, content);
                       });
}

}  // namespace sweepd::match
