// SPDX-License-Identifier: MIT
#include "runtime/journal/group_commit.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash.h"

namespace sweepd::runtime {
namespace {

using Rows = std::vector<const JournalRecord*>;

Rows sorted_ticks(const std::vector<JournalRecord>& records) {
  Rows rows;
  for (const JournalRecord& record : records) {
    if (record.kind == RecordKind::kTick) rows.push_back(&record);
  }
  // Of one match they came in order, and stay so.
  std::ranges::stable_sort(rows, {}, [](const JournalRecord* record) { return record->match; });
  return rows;
}

/// The end of the run of consecutive ticks of one match: a match that has lost some goes on later.
Rows::const_iterator end_of_run(Rows::const_iterator first, Rows::const_iterator end) {
  auto next = first + 1;
  while (next != end && (*next)->match == (*first)->match && (*next)->tick == (*(next - 1))->tick + 1) ++next;
  return next;
}

void append_entry(std::string& directory, const LoggedTicks& ticks, std::uint64_t offset) {
  base::ByteWriter writer;
  writer.word(ticks.match);
  writer.word(ticks.first_tick);
  writer.word(ticks.last_tick);
  writer.word(offset);
  writer.word(ticks.content.size());
  writer.word(base::hash_bytes(ticks.content));
  const std::uint64_t sum = base::hash_bytes(writer.bytes());
  writer.word(sum);
  SWEEPD_ASSERT(writer.size() == kDirectoryEntryBytes);
  directory += writer.bytes();
}

/// Nothing: damaged.
std::optional<LoggedTicks> read_entry(std::string_view entry, std::string_view content,
                                      CommitDamage& damage) {
  base::ByteReader reader(entry);
  LoggedTicks ticks{.match = reader.word(), .first_tick = reader.word(), .last_tick = reader.word()};
  const std::uint64_t offset = reader.word();
  const std::uint64_t size = reader.word();
  const std::uint64_t content_sum = reader.word();
  if (reader.word() != base::hash_bytes(entry.substr(0, entry.size() - sizeof(std::uint64_t)))) {
    damage = {0, "an entry of its directory is damaged"};
    return std::nullopt;
  }
  damage.match = ticks.match;
  damage.what =
      "ticks " + std::to_string(ticks.first_tick) + " to " + std::to_string(ticks.last_tick) + " are damaged";
  if (offset > content.size() || size > content.size() - offset) return std::nullopt;
  ticks.content = content.substr(offset, size);
  if (base::hash_bytes(ticks.content) != content_sum) return std::nullopt;
  return ticks;
}

}  // namespace

GroupCommit encode_ticks(const std::vector<JournalRecord>& records) {
  const Rows rows = sorted_ticks(records);
  GroupCommit commit;
  base::ByteWriter part;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto end = end_of_run(first, rows.end());
    for (auto row = first; row != end; ++row) part.text((*row)->content);
    const std::string bytes = part.take();
    append_entry(commit.directory, {(*first)->match, (*first)->tick, (*(end - 1))->tick, bytes},
                 commit.content.size());
    commit.content += bytes;
    first = end;
  }
  if (rows.empty()) return commit;
  base::ByteWriter sum;
  sum.word(base::hash_bytes(commit.directory));
  commit.directory += sum.bytes();
  return commit;
}

std::vector<LoggedTicks> decode_ticks(const GroupCommit& commit, std::vector<CommitDamage>& damage) {
  std::vector<LoggedTicks> all;
  const std::size_t sum_at = commit.directory.size() - std::min(commit.directory.size(), kDirectorySumBytes);
  const std::string_view directory = std::string_view(commit.directory).substr(0, sum_at);
  const std::size_t damage_before = damage.size();
  for (std::size_t at = 0; at + kDirectoryEntryBytes <= directory.size(); at += kDirectoryEntryBytes) {
    CommitDamage found;
    const auto ticks = read_entry(directory.substr(at, kDirectoryEntryBytes), commit.content, found);
    if (ticks) {
      all.push_back(*ticks);
    } else {
      damage.push_back(std::move(found));
    }
  }
  // Each entry has a sum of its own, too; this is for those that are not there any more.
  base::ByteReader sum(std::string_view(commit.directory).substr(sum_at));
  const bool is_whole =
      sum.word() == base::hash_bytes(directory) && directory.size() % kDirectoryEntryBytes == 0;
  if (!is_whole && damage.size() == damage_before) damage.push_back({0, "its directory is not whole"});
  return all;
}

std::vector<std::string_view> split_ticks(const LoggedTicks& ticks) {
  std::vector<std::string_view> all;
  base::ByteReader reader(ticks.content);
  while (reader.ok() && reader.remaining() > 0) all.push_back(reader.text(ticks.content.size()));
  if (!reader.ok()) all.pop_back();
  return all;
}

}  // namespace sweepd::runtime
