// SPDX-License-Identifier: MIT
#include "runtime/journal/witness.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash.h"
#include "runtime/journal/match_origin.h"
#include "runtime/journal/sqlite.h"
#include "runtime/replays/file_error.h"

namespace sweepd::runtime {
namespace {

constexpr std::string_view kWitnessMagic = "SWPWITN1";
// A divisor of every disk's sector: no slot is torn by a power cut.
constexpr std::size_t kSlotBytes = 64;
constexpr std::size_t kIdBytes = 32;
constexpr std::size_t kSlotsAllocated = 1024;

[[noreturn]] void fail(const char* action, const std::filesystem::path& path, int error_number) {
  throw StorageFailure(0, file_error(action, path, error_number), error_number);
}

std::string header() {
  std::string bytes(kWitnessMagic);
  bytes.resize(kSlotBytes, '\0');
  return bytes;
}

std::string encode(const Witness::Entry& entry) {
  base::ByteWriter writer;
  writer.word(entry.match);
  writer.word(entry.durable_tick);
  std::string id = entry.id;
  id.resize(kIdBytes, '\0');
  writer.raw(id);
  writer.word(base::hash_bytes(writer.bytes()));
  std::string bytes = writer.take();
  bytes.resize(kSlotBytes, '\0');
  return bytes;
}

std::optional<Witness::Entry> decode(std::string_view slot) {
  base::ByteReader reader(slot);
  Witness::Entry entry{.match = reader.word()};
  entry.durable_tick = reader.word();
  const std::string_view id = reader.raw(kIdBytes);
  entry.id = MatchId(id.substr(0, id.find('\0')));
  const std::size_t summed = slot.size() - reader.remaining();
  const bool is_whole = reader.word() == base::hash_bytes(slot.substr(0, summed));
  return is_whole ? std::optional(std::move(entry)) : std::nullopt;
}

bool is_free(std::string_view slot) { return slot.find_first_not_of('\0') == std::string_view::npos; }

/// 0, or an errno.
int write_all(int descriptor, std::string_view bytes, std::size_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::size_t>(written);
  }
  return 0;
}

/// False: there are fewer bytes.
bool read_all(int descriptor, std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t size = ::pread(descriptor, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    at += static_cast<std::size_t>(size);
  }
  return true;
}

}  // namespace

std::optional<Witness::Contents> Witness::read(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    if (error) fail("read", path, error.value());
    return std::nullopt;
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) fail("read", path, errno);
  Contents contents;
  const std::string_view all = bytes;
  if (!all.starts_with(kWitnessMagic)) ++contents.damaged_entries;
  for (std::size_t at = kSlotBytes; at + kSlotBytes <= all.size(); at += kSlotBytes) {
    const std::string_view slot = all.substr(at, kSlotBytes);
    if (is_free(slot)) continue;
    if (auto entry = decode(slot)) {
      contents.entries.push_back(*std::move(entry));
    } else {
      ++contents.damaged_entries;
    }
  }
  return contents;
}

Witness::Witness(const std::filesystem::path& path, const std::vector<Entry>& entries, OnTrouble on_trouble)
    : path_(path), on_trouble_(std::move(on_trouble)) {
  for (const Entry& entry : entries) put(entry);
  write_anew();
}

void Witness::write_anew() {
  const std::filesystem::path part = path_.string() + ".part";
  const int descriptor = ::open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) fail("create", part, errno);
  int error = allocate(descriptor, std::max(image_.size(), kSlotsAllocated * kSlotBytes)) ? 0 : errno;
  if (error == 0) error = write_all(descriptor, header() + image_, 0);
  if (error == 0 && ::fsync(descriptor) != 0) error = errno;
  if (error == 0 && ::rename(part.c_str(), path_.c_str()) != 0) error = errno;
  if (error != 0) {
    ::close(descriptor);
    ::unlink(part.c_str());
    fail("write", part, error);
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = descriptor;
  first_changed_ = end_changed_ = 0;
}

Witness::Finding Witness::mend() {
  Finding finding{.damage = find_damage()};
  if (finding.damage.empty()) return finding;
  try {
    write_anew();
  } catch (const StorageFailure& failure) {
    finding.failure = failure.what();
  }
  return finding;
}

/// Of the bytes at the path, not of those that the open file has: these outlive its removal.
std::string Witness::find_damage() const {
  const int there = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (there < 0) return errno == ENOENT ? "has been removed" : "cannot be read";
  struct stat now = {};
  struct stat ours = {};
  const bool is_ours = ::fstat(there, &now) == 0 && ::fstat(descriptor_, &ours) == 0 &&
                       now.st_dev == ours.st_dev && now.st_ino == ours.st_ino;
  std::string bytes(is_ours ? kSlotBytes + image_.size() : 0, '\0');
  const bool is_whole = is_ours && read_all(there, bytes);
  ::close(there);
  if (!is_ours) return "has been replaced";
  if (!is_whole) return "has been cut";
  return is_as_written(bytes) ? "" : "has been overwritten";
}

/// But for what waits to be written, as the disk takes nothing.
bool Witness::is_as_written(std::string_view bytes) const {
  const std::string_view image = image_;
  const std::size_t first = first_changed_ * kSlotBytes;
  const std::size_t end = end_changed_ * kSlotBytes;
  const std::string_view slots = bytes.substr(kSlotBytes);
  return bytes.substr(0, kSlotBytes) == header() && slots.substr(0, first) == image.substr(0, first) &&
         slots.substr(end) == image.substr(end);
}

Witness::~Witness() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Witness::note(const std::vector<JournalRecord>& records) {
  for (const JournalRecord& record : records) {
    if (record.kind == RecordKind::kCreated) {
      const auto origin = decode_origin(record.content);
      put({record.match, origin ? origin->id : MatchId(), 0});
    }
    const bool has_tick = record.kind == RecordKind::kTick || record.kind == RecordKind::kKeyFrame;
    const auto slot = has_tick ? slots_.find(record.match) : slots_.end();
    if (slot == slots_.end()) continue;
    match::Tick& tick = entries_[slot->second].durable_tick;
    tick = std::max(tick, record.tick);
    set_slot(slot->second);
  }
  write_changes();
}

void Witness::forget(JournalKey match) {
  const auto slot = slots_.find(match);
  if (slot == slots_.end()) return;
  image_.replace(slot->second * kSlotBytes, kSlotBytes, kSlotBytes, '\0');
  note_change(slot->second);
  free_slots_.push_back(slot->second);
  slots_.erase(slot);
  write_changes();
}

void Witness::put(Entry entry) {
  const auto [slot, is_new] = slots_.try_emplace(entry.match, entries_.size());
  if (is_new && !free_slots_.empty()) {
    slot->second = free_slots_.back();
    free_slots_.pop_back();
  }
  if (slot->second == entries_.size()) {
    entries_.emplace_back();
    image_.resize(image_.size() + kSlotBytes, '\0');
  }
  entries_[slot->second] = std::move(entry);
  set_slot(slot->second);
}

void Witness::set_slot(std::size_t slot) {
  image_.replace(slot * kSlotBytes, kSlotBytes, encode(entries_[slot]));
  note_change(slot);
}

void Witness::note_change(std::size_t slot) {
  const bool is_first = first_changed_ == end_changed_;
  first_changed_ = is_first ? slot : std::min(first_changed_, slot);
  end_changed_ = is_first ? slot + 1 : std::max(end_changed_, slot + 1);
}

/// One write, from the first slot that has changed to the last: cheaper than one for each.
void Witness::write_changes() {
  if (first_changed_ == end_changed_) return;
  const std::size_t first = first_changed_ * kSlotBytes;
  const std::size_t end = end_changed_ * kSlotBytes;
  int error =
      end <= allocated_bytes_ || allocate(descriptor_, std::max(end, allocated_bytes_ * 2)) ? 0 : errno;
  if (error == 0)
    error = write_all(descriptor_, std::string_view(image_).substr(first, end - first), kSlotBytes + first);
  if (error == 0) first_changed_ = end_changed_ = 0;
  if (!std::exchange(is_failing_, error != 0) && error != 0)
    on_trouble_("the journal's witness cannot be written: " + std::generic_category().message(error));
}

/// False: errno says why.
bool Witness::allocate(int descriptor, std::size_t bytes) {
  const int error = ::posix_fallocate(descriptor, 0, static_cast<off_t>(kSlotBytes + bytes));
  if (error != 0) {
    errno = error;
    return false;
  }
  allocated_bytes_ = bytes;
  return true;
}

}  // namespace sweepd::runtime
