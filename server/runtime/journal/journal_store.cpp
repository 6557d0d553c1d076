// SPDX-License-Identifier: MIT
#include "runtime/journal/journal_store.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "replay/compression.h"
#include "replay/file_format.h"
#include "replay/stored.h"
#include "runtime/journal/seal.h"

namespace sweepd::runtime {
namespace {

constexpr int kKeyFrameCompressionLevel = 1;  // By the writer, between two groups: what is fast counts.

// As measured: pages larger than the default hold a group in fewer pieces, and the log is moved into the
// database every eight megabytes.
constexpr const char* kSettings =
    "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=1000; PRAGMA "
    "cache_size=-65536;";

constexpr const char* kTables =
    "CREATE TABLE IF NOT EXISTS matches("
    "  key INTEGER PRIMARY KEY, id BLOB UNIQUE NOT NULL, origin BLOB NOT NULL, extent BLOB NOT NULL,"
    "  state BLOB, ending BLOB);"
    "CREATE TABLE IF NOT EXISTS commits(id INTEGER PRIMARY KEY, directory BLOB NOT NULL, content BLOB NOT "
    "NULL);"
    "CREATE TABLE IF NOT EXISTS segments("
    "  row INTEGER PRIMARY KEY, match INTEGER NOT NULL, first_tick INTEGER NOT NULL, last_tick INTEGER NOT "
    "NULL,"
    "  content BLOB NOT NULL, UNIQUE(match, first_tick));"
    "CREATE TABLE IF NOT EXISTS key_frames("
    "  row INTEGER PRIMARY KEY, match INTEGER NOT NULL, tick INTEGER NOT NULL, content BLOB NOT NULL,"
    "  UNIQUE(match, tick));"
    "CREATE TABLE IF NOT EXISTS inventory(row INTEGER PRIMARY KEY, content BLOB NOT NULL);";

/// One that has to be there and is not is damage, too.
template <typename Value, typename Decode>
void read_part(const SealedPlace& place, std::string_view blob, bool has_to_be_there, Decode decode,
               std::optional<Value>& part, bool& is_damaged) {
  if (blob.empty() && !has_to_be_there) return;
  const auto content = unsealed(place, blob);
  if (content) part = decode(*content);
  if (!part) is_damaged = true;
}

SealedPlace place_of(JournalKey match, const replay::PackedTicks& ticks) {
  return {SealedKind::kSegment, match, ticks.first_tick, ticks.last_tick()};
}

SealedPlace place_of(const JournalRecord& record) {
  switch (record.kind) {
    case RecordKind::kCreated:
      return {SealedKind::kOrigin, record.match};
    case RecordKind::kState:
      return {SealedKind::kState, record.match};
    case RecordKind::kEnded:
      return {SealedKind::kEnding, record.match};
    case RecordKind::kKeyFrame:
    case RecordKind::kTick:
      break;
  }
  return {SealedKind::kKeyFrame, record.match, record.tick, record.tick};
}

std::string encode_segment(JournalKey match, const replay::PackedTicks& ticks) {
  base::ByteWriter writer;
  writer.number(ticks.tick_count);
  writer.word(ticks.last_digest);
  writer.raw(ticks.content);
  return sealed(place_of(match, ticks), writer.take());
}

std::optional<replay::PackedTicks> decode_segment(const SealedPlace& place, std::string_view blob) {
  const auto content = unsealed(place, blob);
  if (!content) return std::nullopt;
  base::ByteReader reader(*content);
  replay::PackedTicks ticks{.first_tick = place.first_tick, .tick_count = reader.number()};
  ticks.last_digest = reader.word();
  ticks.content = reader.raw(reader.remaining());
  if (!reader.ok() || ticks.tick_count == 0 || ticks.last_tick() != place.last_tick) return std::nullopt;
  return ticks;
}

}  // namespace

JournalStore::JournalStore(const std::filesystem::path& path, JournalSync sync)
    : database_(path, Database::Mode::kReadWrite) {
  database_.execute(kSettings);
  database_.execute(("PRAGMA journal_size_limit=" + std::to_string(kLogKeptBytes)).c_str());
  database_.execute(sync == JournalSync::kFull ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
  prepare_tables();
}

JournalStore::JournalStore(const std::filesystem::path& path) : database_(path, Database::Mode::kReadOnly) {}

JournalStore::JournalStore(const std::filesystem::path& path, Alone)
    : database_(path, Database::Mode::kReadWrite) {
  database_.keep_log();
  if (version() == 0) throw StorageFailure(0, "it has no tables yet");
}

std::uint64_t JournalStore::version() {
  Statement user_version(database_, "PRAGMA user_version");
  user_version.step();
  const std::uint64_t version = user_version.number(0);
  if (version <= kSchemaVersion) return version;
  throw StorageFailure(0, "it was written by a newer sweepd (version " + std::to_string(version) +
                              " of the journal; this one knows " + std::to_string(kSchemaVersion) + ")");
}

void JournalStore::prepare_tables() {
  if (const std::uint64_t before = version(); before < kSchemaVersion) {
    Transaction transaction(database_);
    if (before == 0) {
      database_.execute(kTables);
      save(Inventory{});
    }
    database_.execute("PRAGMA user_version=2");
    transaction.commit();
  }
  // Should it be damaged, recovery finds that out and takes stock.
  inventory_ = read_inventory().value_or(Inventory{});
}

std::optional<Inventory> JournalStore::read_inventory() {
  Statement select(database_, "SELECT content FROM inventory WHERE row = 1");
  if (!select.step()) return std::nullopt;
  const auto content = unsealed({SealedKind::kInventory}, select.blob(0));
  return content ? decode_inventory(*content) : std::nullopt;
}

void JournalStore::save(const Inventory& inventory) {
  const std::string blob = sealed({SealedKind::kInventory}, encode(inventory));
  Statement(database_, "INSERT OR REPLACE INTO inventory(row, content) VALUES(1, ?)").bind(1, blob).run();
}

std::string JournalStore::find_unsoundness() {
  try {
    Statement check(database_, "PRAGMA integrity_check(1)");
    if (!check.step()) return "it cannot be checked";
    const std::string said(check.blob(0));
    return said == "ok" ? "" : said;
  } catch (const StorageFailure& failure) {
    if (!failure.is_corruption()) throw;
    return failure.what();
  }
}

void JournalStore::take_stock() {
  Inventory inventory{.first_commit = inventory_.last_commit + 1, .last_commit = inventory_.last_commit};
  for (const JournalKey match : matches()) inventory.add_match(match);
  Transaction transaction(database_);
  database_.execute("DELETE FROM commits");
  save(inventory);
  transaction.commit();
  inventory_ = inventory;
}

std::optional<MatchExtent> JournalStore::read_extent(JournalKey match) {
  Statement select(database_, "SELECT extent FROM matches WHERE key = ?");
  select.bind(1, match);
  if (!select.step()) return std::nullopt;
  const auto content = unsealed({SealedKind::kExtent, match}, select.blob(0));
  return content ? decode_extent(*content) : std::nullopt;
}

void JournalStore::save(JournalKey match, const MatchExtent& extent) {
  const std::string blob = sealed({SealedKind::kExtent, match}, encode(extent));
  Statement(database_, "UPDATE matches SET extent = ?2 WHERE key = ?1").bind(1, match).bind(2, blob).run();
}

void JournalStore::write(const std::vector<JournalRecord>& records) {
  const GroupCommit commit = encode_ticks(records);
  Inventory inventory = inventory_;
  Transaction transaction(database_);
  for (const JournalRecord& record : records) {
    if (record.kind != RecordKind::kTick) write(record);
    if (record.kind == RecordKind::kCreated) inventory.add_match(record.match);
  }
  if (!commit.directory.empty()) {
    Statement insert(database_, "INSERT OR REPLACE INTO commits(id, directory, content) VALUES(?, ?, ?)");
    insert.bind(1, ++inventory.last_commit).bind(2, commit.directory).bind(3, commit.content).run();
  }
  if (inventory != inventory_) save(inventory);
  transaction.commit();
  inventory_ = inventory;
  if (witness_) witness_->note(records);
}

void JournalStore::write(const JournalRecord& record) {
  const bool is_key_frame = record.kind == RecordKind::kKeyFrame;
  const std::string blob =
      sealed(place_of(record),
             is_key_frame ? replay::compress(record.content, kKeyFrameCompressionLevel) : record.content);
  if (record.kind == RecordKind::kCreated) return insert_match(record, blob);
  MatchExtent extent = read_extent(record.match).value_or(MatchExtent{});
  const MatchExtent before = extent;
  if (is_key_frame) {
    Statement insert(database_, "INSERT OR REPLACE INTO key_frames(match, content, tick) VALUES(?, ?, ?)");
    insert.bind(1, record.match).bind(2, blob).bind(3, record.tick).run();
    extent.last_key_frame_tick = record.tick;
  } else {
    const bool is_state = record.kind == RecordKind::kState;
    Statement update(database_, is_state ? "UPDATE matches SET state = ?2 WHERE key = ?1"
                                         : "UPDATE matches SET ending = ?2 WHERE key = ?1");
    update.bind(1, record.match).bind(2, blob).run();
    (is_state ? extent.has_state : extent.has_ended) = true;
  }
  if (extent != before) save(record.match, extent);
}

void JournalStore::insert_match(const JournalRecord& record, const std::string& blob) {
  const auto origin = decode_origin(record.content);
  SWEEPD_ASSERT(origin.has_value());
  const std::string extent = sealed({SealedKind::kExtent, record.match}, encode(MatchExtent{}));
  Statement insert(database_, "INSERT INTO matches(key, origin, id, extent) VALUES(?, ?, ?, ?)");
  insert.bind(1, record.match).bind(2, blob).bind(3, origin->id).bind(4, extent).run();
}

std::vector<JournalKey> JournalStore::matches() {
  std::vector<JournalKey> keys;
  Statement select(database_, "SELECT key FROM matches");
  while (select.step()) keys.push_back(select.number(0));
  return keys;
}

std::optional<JournalStore::StoredMatch> JournalStore::read_match(JournalKey match) {
  Statement select(database_, "SELECT origin, extent, state, ending FROM matches WHERE key = ?");
  select.bind(1, match);
  if (!select.step()) return std::nullopt;
  StoredMatch stored{.key = match};
  bool& is_damaged = stored.is_damaged;
  read_part({SealedKind::kOrigin, match}, select.blob(0), true, decode_origin, stored.origin, is_damaged);
  read_part({SealedKind::kExtent, match}, select.blob(1), true, decode_extent, stored.extent, is_damaged);
  const MatchExtent extent = stored.extent.value_or(MatchExtent{});
  read_part({SealedKind::kState, match}, select.blob(2), extent.has_state, decode_state, stored.state,
            is_damaged);
  read_part({SealedKind::kEnding, match}, select.blob(3), extent.has_ended, replay::decode_ending,
            stored.ending, is_damaged);
  return stored;
}

std::optional<JournalKey> JournalStore::find_match(const MatchId& id) {
  Statement select(database_, "SELECT key FROM matches WHERE id = ?");
  select.bind(1, id);
  if (!select.step()) return std::nullopt;
  return select.number(0);
}

std::vector<match::Tick> JournalStore::key_frames(JournalKey match) {
  std::vector<match::Tick> ticks;
  Statement select(database_, "SELECT tick FROM key_frames WHERE match = ? ORDER BY tick");
  select.bind(1, match);
  while (select.step()) ticks.push_back(select.number(0));
  return ticks;
}

std::optional<MatchKeyFrame> JournalStore::read_key_frame(JournalKey match, match::Tick tick) {
  Statement select(database_, "SELECT content FROM key_frames WHERE match = ? AND tick = ?");
  select.bind(1, match).bind(2, tick);
  if (!select.step()) return std::nullopt;
  const auto frame = unsealed({SealedKind::kKeyFrame, match, tick, tick}, select.blob(0));
  const auto content = frame ? replay::decompress(*frame, replay::kRecordBytesMax) : std::nullopt;
  auto key_frame = content ? decode_key_frame(*content) : std::nullopt;
  if (key_frame && key_frame->tick != tick) return std::nullopt;
  return key_frame;
}

std::vector<JournalStore::SegmentPlace> JournalStore::segments(JournalKey match) {
  std::vector<SegmentPlace> places;
  Statement select(database_,
                   "SELECT first_tick, last_tick FROM segments WHERE match = ? ORDER BY first_tick");
  select.bind(1, match);
  while (select.step()) places.push_back({select.number(0), select.number(1)});
  return places;
}

std::optional<replay::PackedTicks> JournalStore::read_segment(JournalKey match, match::Tick first_tick) {
  Statement select(database_, "SELECT last_tick, content FROM segments WHERE match = ? AND first_tick = ?");
  select.bind(1, match).bind(2, first_tick);
  if (!select.step()) return std::nullopt;
  return decode_segment({SealedKind::kSegment, match, first_tick, select.number(0)}, select.blob(1));
}

std::optional<JournalStore::CommitRange> JournalStore::commits() {
  const auto inventory = read_inventory();
  if (!inventory) return std::nullopt;
  return CommitRange{inventory->first_commit, inventory->last_commit};
}

std::vector<std::uint64_t> JournalStore::commits_there() {
  std::vector<std::uint64_t> ids;
  Statement select(database_, "SELECT id FROM commits ORDER BY id");
  while (select.step()) ids.push_back(select.number(0));
  return ids;
}

std::optional<GroupCommit> JournalStore::read_commit(std::uint64_t id) {
  Statement select(database_, "SELECT directory, content FROM commits WHERE id = ?");
  select.bind(1, id);
  if (!select.step()) return std::nullopt;
  return GroupCommit{std::string(select.blob(0)), std::string(select.blob(1))};
}

void JournalStore::write_segments(JournalKey match, const std::vector<replay::PackedTicks>& segments) {
  Transaction transaction(database_);
  MatchExtent extent = read_extent(match).value_or(MatchExtent{});
  Statement insert(
      database_, "INSERT OR REPLACE INTO segments(match, first_tick, last_tick, content) VALUES(?, ?, ?, ?)");
  for (const replay::PackedTicks& ticks : segments) {
    const std::string blob = encode_segment(match, ticks);
    insert.bind(1, match).bind(2, ticks.first_tick).bind(3, ticks.last_tick()).bind(4, blob).run();
    extent.last_packed_tick = std::max(extent.last_packed_tick, ticks.last_tick());
  }
  save(match, extent);
  transaction.commit();
}

void JournalStore::remove_commits(const CommitRange& range) {
  Inventory inventory = inventory_;
  inventory.first_commit = range.last + 1;
  inventory.last_commit = std::max(inventory.last_commit, range.last);
  Transaction transaction(database_);
  Statement remove(database_, "DELETE FROM commits WHERE id <= ?");
  remove.bind(1, range.last).run();
  save(inventory);
  transaction.commit();
  inventory_ = inventory;
}

void JournalStore::remove_match(JournalKey match) {
  Inventory inventory = inventory_;
  inventory.remove_match(match);
  Transaction transaction(database_);
  for (const char* sql : {"DELETE FROM segments WHERE match = ?", "DELETE FROM key_frames WHERE match = ?",
                          "DELETE FROM matches WHERE key = ?"}) {
    Statement(database_, sql).bind(1, match).run();
  }
  save(inventory);
  transaction.commit();
  inventory_ = inventory;
  if (witness_) witness_->forget(match);
}

void JournalStore::truncate(JournalKey match, match::Tick last_tick) {
  Transaction transaction(database_);
  for (const char* sql : {"DELETE FROM segments WHERE match = ? AND last_tick > ?",
                          "DELETE FROM key_frames WHERE match = ? AND tick > ?"}) {
    Statement(database_, sql).bind(1, match).bind(2, last_tick).run();
  }
  MatchExtent extent = read_extent(match).value_or(MatchExtent{});
  extent.last_packed_tick = std::min(extent.last_packed_tick, last_tick);
  extent.last_key_frame_tick = std::min(extent.last_key_frame_tick, last_tick);
  save(match, extent);
  transaction.commit();
}

}  // namespace sweepd::runtime
