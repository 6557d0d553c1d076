// SPDX-License-Identifier: MIT
#include "match/rejection_log.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.h"
#include "base/byte_list.h"

namespace sweepd::match {
namespace {

constexpr std::size_t kRejectionBytesMin = 6;
constexpr std::size_t kTextBytesMax = 1u
                                      << 16;  // Of a field or a message; those that we write are far shorter.

/// Whose it is is known; which rule it broke the message tells, too.
void write(base::ByteWriter& writer, const Rejection& rejection) {
  const auto& [participant, tick, frame_tick, reason, field, object, message, broken_rule] = rejection;
  writer.number(tick);
  writer.number(frame_tick);
  writer.byte(static_cast<std::uint8_t>(reason));
  writer.text(field);
  writer.number(object);
  writer.text(message);
}

Rejection read_rejection(base::ByteReader& reader, ParticipantNumber number) {
  Rejection rejection{.participant = number, .field = {}, .message = {}};
  rejection.tick = reader.number();
  rejection.frame_tick = reader.number();
  rejection.reason = static_cast<RejectionReason>(reader.number(kRejectionReasonsEnd - 1));
  rejection.field = reader.text(kTextBytesMax);
  rejection.object = reader.number32();
  rejection.message = reader.text(kTextBytesMax);
  return rejection;
}

}  // namespace

void RejectionLog::close_tick() {
  listed_.clear();
  not_listed_.clear();
  if (!std::exchange(has_any_, false)) return;
  for (ParticipantNumber number = 0; number < entries_.size(); ++number) {
    Entry& entry = entries_[number];
    SWEEPD_ASSERT(entry.not_listed == 0 || entry.listed.size() == kRejectionsListedMax);
    listed_.insert(listed_.end(), std::move_iterator(entry.listed.begin()),
                   std::move_iterator(entry.listed.end()));
    if (entry.not_listed > 0) not_listed_.push_back({number, entry.not_listed});
    entry.listed.clear();
    entry.not_listed = 0;
  }
}

void RejectionLog::save(base::ByteWriter& writer) const {
  const auto is_empty = [](const Entry& entry) { return entry.listed.empty(); };
  writer.number(entries_.size() - static_cast<std::size_t>(std::ranges::count_if(entries_, is_empty)));
  for (ParticipantNumber number = 0; number < entries_.size(); ++number) {
    const auto& [listed, not_listed] = entries_[number];
    if (listed.empty()) continue;
    writer.number(number);
    writer.number(not_listed);
    base::write_list(writer, listed, [&](const Rejection& rejection) { write(writer, rejection); });
  }
}

void RejectionLog::restore(base::ByteReader& reader) {
  for (std::size_t i = reader.count(3); i > 0 && reader.ok(); --i) {
    const auto number = static_cast<ParticipantNumber>(reader.number(kEntriesMax - 1));
    Entry& entry = entry_of(number);
    has_any_ = true;
    entry.not_listed = reader.number();
    entry.listed = base::read_list<Rejection>(reader, kRejectionBytesMin,
                                              [&] { return read_rejection(reader, number); });
    const bool is_full = entry.listed.size() == kRejectionsListedMax;
    reader.require(entry.listed.size() <= kRejectionsListedMax && (is_full || entry.not_listed == 0),
                   "are not the rejections of a tick");
  }
}

}  // namespace sweepd::match
