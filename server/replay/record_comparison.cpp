// SPDX-License-Identifier: MIT
#include "replay/record_comparison.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "replay/file_format.h"
#include "replay/little_endian.h"
#include "replay/tick_encoder.h"

namespace sweepd::replay {
namespace {

using RecordNames = std::vector<std::string>;
using RecordFault = std::optional<ComparisonFault>;

void note_unless(RecordNames& names, bool is_same, std::string name) {
  if (!is_same) names.push_back(std::move(name));
}

std::string tick_text(Tick tick) { return "tick " + std::to_string(tick); }

void compare_configs(const Reader& a, const Reader& b, RecordNames& names) {
  if (a.head().config_bytes == b.head().config_bytes) return;
  const std::size_t before = names.size();
  note_unless(names, a.config().name == b.config().name, "name of the config");
  note_unless(names, a.config().seed == b.config().seed, "seed of the config");
  note_unless(names, a.config().ruleset.name == b.config().ruleset.name, "name of the ruleset");
  note_unless(names, a.config().ruleset.version == b.config().ruleset.version, "version of the ruleset");
  note_unless(names, names.size() > before, "config");
}

void compare_heads(const Reader& a, const Reader& b, RecordNames& names) {
  note_unless(names, a.head().engine_version == b.head().engine_version, "engine version");
  note_unless(names, a.head().digest_version == b.head().digest_version, "version of digests");
  note_unless(names, a.head().rules_digest == b.head().rules_digest, "digest of the rules");
  note_unless(names, a.head().create_time_unix_ms == b.head().create_time_unix_ms, "time of creation");
  compare_configs(a, b, names);
}

/// What compare_statements does not look at.
void compare_footers(const Reader& a, const Reader& b, RecordNames& names) {
  if (!a.footer() || !b.footer()) return;
  note_unless(names, a.footer()->ending.reason == b.footer()->ending.reason, "end");
  note_unless(names, a.footer()->ending.final_digest == b.footer()->ending.final_digest, "final digest");
}

RecordFault compare_key_frame(const ReadReplay& first, const ReadReplay& second, std::size_t index,
                              RecordNames& names) {
  const auto a = first.reader.read_key_frame(index);
  if (!a) return ComparisonFault{1, a.error()};
  const auto b = second.reader.read_key_frame(index);
  if (!b) return ComparisonFault{2, b.error()};
  const std::string place = " of the key frame of " + tick_text(a->tick);
  note_unless(names, a->content == b->content, "content" + place);
  note_unless(names, a->unix_ms == b->unix_ms, "time" + place);
  note_unless(names, a->digest == b->digest, "digest" + place);
  note_unless(names, a->version == b->version, "version" + place);
  return std::nullopt;
}

/// Up to the first that differs.
RecordFault compare_key_frames(const ReadReplay& first, const ReadReplay& second, RecordNames& names) {
  const auto& a = first.reader.key_frames();
  const auto& b = second.reader.key_frames();
  const std::size_t before = names.size();
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const bool has_both = i < a.size() && i < b.size() && a[i].tick == b[i].tick;
    if (!has_both) {
      const bool is_in_first = i < a.size() && (i >= b.size() || a[i].tick < b[i].tick);
      const Tick tick = is_in_first ? a[i].tick : b[i].tick;
      names.push_back("key frame of " + tick_text(tick) + ", which is only in the " +
                      (is_in_first ? "first" : "second"));
      return std::nullopt;
    }
    if (auto fault = compare_key_frame(first, second, i, names)) return fault;
    if (names.size() > before) return std::nullopt;
  }
  return std::nullopt;
}

/// A replay's ticks, one after the other.
class TickSequence {
 public:
  explicit TickSequence(const Reader& reader) : reader_(reader) {}

  bool is_done() const { return (!ticks_ || ticks_->is_done()) && next_chunk_ == reader_.chunks().size(); }
  base::Result<TickRecord, FileFault> next() {
    if (!ticks_ || ticks_->is_done()) {
      auto opened = reader_.open_chunk(next_chunk_++);
      if (!opened) return opened.error();
      ticks_.emplace(std::move(*opened));
    }
    auto record = ticks_->next();
    if (!record) return reader_.place(next_chunk_ - 1, record.error());
    return std::move(*record);
  }

 private:
  const Reader& reader_;
  std::size_t next_chunk_ = 0;
  std::optional<TickDecoder> ticks_;
};

/// All that a record says.
std::string bytes_of_tick(const TickRecord& record) {
  TickEncoder encoder;
  encoder.add(record);
  return encoder.take();
}

std::string bytes_without_delays(TickRecord record) {
  for (Input& input : record.inputs)
    if (auto* submission = std::get_if<Submission>(&input)) submission->frame.delay_ticks.reset();
  return bytes_of_tick(record);
}

RecordFault compare_ticks(const ReadReplay& first, const ReadReplay& second, RecordNames& names) {
  TickSequence a(first.reader);
  TickSequence b(second.reader);
  while (!a.is_done() && !b.is_done()) {
    const auto record = a.next();
    if (!record) return ComparisonFault{1, record.error()};
    const auto other = b.next();
    if (!other) return ComparisonFault{2, other.error()};
    if (bytes_of_tick(*record) == bytes_of_tick(*other)) continue;
    const bool is_delay = bytes_without_delays(*record) == bytes_without_delays(*other);
    names.push_back((is_delay ? "delay of a frame of " : "inputs of ") + tick_text(record->tick));
    return std::nullopt;
  }
  return std::nullopt;
}

/// What no field says that is known here: their bytes, without what comes of the packing.
std::string rest_of(v1::Record record) {
  if (record.has_chunk()) {
    record.mutable_chunk()->clear_first_tick();
    record.mutable_chunk()->clear_tick_count();
    record.mutable_chunk()->clear_content();
    record.mutable_chunk()->clear_link();
  }
  if (record.has_key_frame()) {
    record.mutable_key_frame()->clear_content();
    record.mutable_key_frame()->clear_link();
  }
  if (record.has_footer()) {
    record.mutable_footer()->clear_chunks();
    record.mutable_footer()->clear_key_frames();
    record.mutable_footer()->clear_link();
  }
  return record.SerializeAsString();
}

/// Of all records but chunks, whose number comes of the packing: of those, of the first that is not empty.
std::vector<std::string> rests_of(std::string_view bytes) {
  const std::string of_chunk = [] {
    v1::Record record;
    record.mutable_chunk();
    return record.SerializeAsString();
  }();
  std::vector<std::string> rests;
  std::string rest_of_chunks;
  RecordReader records(bytes, kMagic.size() + sizeof(kFormatVersion));
  for (bool is_over = false; !is_over;) {
    const auto item = records.next();
    if (!item) break;
    is_over = item->record.has_footer();
    std::string rest = rest_of(item->record);
    if (!item->record.has_chunk()) {
      rests.push_back(std::move(rest));
    } else if (rest_of_chunks.empty() && rest != of_chunk) {
      rest_of_chunks = std::move(rest);
    }
  }
  rests.push_back(std::move(rest_of_chunks));
  return rests;
}

/// For what nothing of the above has named.
void compare_rests(const ReadReplay& first, const ReadReplay& second, RecordNames& names) {
  if (!names.empty()) return;
  const auto version = [](std::string_view bytes) {
    return read_number<std::uint32_t>(bytes.substr(kMagic.size()));
  };
  note_unless(names, version(first.bytes) == version(second.bytes), "format version");
  note_unless(names, rests_of(first.bytes) == rests_of(second.bytes), "fields that this build does not know");
}

}  // namespace

base::Result<std::vector<std::string>, ComparisonFault> compare_records(const ReadReplay& first,
                                                                        const ReadReplay& second) {
  RecordNames names = compare_statements(first.reader, second.reader, false);
  const auto told = static_cast<std::ptrdiff_t>(names.size());
  if (first.bytes == second.bytes) return RecordNames();
  compare_heads(first.reader, second.reader, names);
  compare_footers(first.reader, second.reader, names);
  if (auto fault = compare_key_frames(first, second, names)) return *std::move(fault);
  if (auto fault = compare_ticks(first, second, names)) return *std::move(fault);
  compare_rests(first, second, names);
  names.erase(names.begin(), names.begin() + told);
  return names;
}

bool has_wrong_receipt(const Reader& reader) {
  const auto& footer = reader.footer();
  if (!footer || !footer->receipt) return false;
  return !check_receipt(*footer->receipt, footer->receipt->public_key,
                        {reader.head(), footer->ending, footer->records_digest});
}

}  // namespace sweepd::replay
