// SPDX-License-Identifier: MIT
#include "property/replay/mutation.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "match/snapshot_sections.h"
#include "replay/compression.h"
#include "replay/file_format.h"

namespace sweepd::replay {
namespace {

using property::Random;
using recordings::Forgery;

constexpr auto kMalformed = ReplayVerdict::kMalformed;
constexpr auto kUnsupported = ReplayVerdict::kUnsupportedVersion;
constexpr auto kDiverged = ReplayVerdict::kDiverged;

/// Of what is applied in its own tick, so that the tick is known.
match::Frame* any_frame(std::vector<TickRecord>& ticks, Random& random, Tick& tick, bool has_to_move) {
  std::vector<std::pair<match::Frame*, Tick>> frames;
  for (TickRecord& record : ticks) {
    for (Input& input : record.inputs) {
      Submission* submission = std::get_if<Submission>(&input);
      const bool is_now = submission != nullptr && submission->frame.tick <= record.tick;
      if (!is_now || record.ends_match || submission->frame.spawns.empty()) continue;
      if (!has_to_move || !submission->frame.moves.empty())
        frames.emplace_back(&submission->frame, record.tick);
    }
  }
  if (frames.empty()) return nullptr;
  const auto [frame, frame_tick] = frames[random.index(frames.size())];
  tick = frame_tick;
  return frame;
}

/// What follows the header of a snapshot, by section: number, length, content, hash.
std::string forge_section(std::string_view snapshot, match::Section victim, Random& random) {
  base::ByteReader reader(snapshot);
  base::ByteWriter writer;
  writer.raw(reader.raw(13));
  while (reader.remaining() > 0) {
    const auto section = static_cast<match::Section>(reader.byte());
    writer.byte(static_cast<std::uint8_t>(section));
    std::string content(reader.raw(reader.count()));
    reader.word();
    if (section == victim) content[random.index(content.size())] ^= static_cast<char>(1 << random.index(8));
    writer.text(content);
    writer.word(match::hash_of(section, content));
  }
  return writer.take();
}

}  // namespace

Expectation Mutation::flip_bit() {
  const std::size_t place = random_.index(bytes_.size());
  bytes_[place] = static_cast<char>(bytes_[place] ^ 1 << random_.index(8));
  const bool is_in_version = place >= 8 && place < 12;
  return {"a bit of byte " + std::to_string(place) + " is flipped",
          is_in_version ? std::vector{kUnsupported, kMalformed} : std::vector{kMalformed}};
}

Expectation Mutation::cut_off() {
  bytes_.resize(random_.index(bytes_.size()));
  return {"cut off after byte " + std::to_string(bytes_.size()), {kMalformed}};
}

Expectation Mutation::remove_bytes() {
  const std::size_t place = random_.index(bytes_.size());
  bytes_.erase(place, 1 + random_.index(20));
  return {"bytes removed from " + std::to_string(place) + " on", {kMalformed, kUnsupported}};
}

Expectation Mutation::insert_bytes() {
  const std::size_t place = random_.index(bytes_.size() + 1);
  bytes_.insert(place, std::string(1 + random_.index(20), static_cast<char>(random_.index(256))));
  return {"bytes inserted at " + std::to_string(place), {kMalformed, kUnsupported}};
}

Expectation Mutation::drop_chunk(bool is_relinked) {
  Forgery forgery(bytes_);
  const std::size_t chunk = any_chunk(forgery);
  const bool is_last = chunk == forgery.chunks().back();
  forgery.records.erase(forgery.records.begin() + static_cast<std::ptrdiff_t>(chunk));
  put(forgery, is_relinked);
  // The last one may be missing without a gap between the ticks; then the end is another.
  return {"record " + std::to_string(chunk) + " dropped", {is_relinked && is_last ? kDiverged : kMalformed}};
}

Expectation Mutation::splice_chunk() {
  Forgery forgery(bytes_);
  const Forgery other(other_);
  const std::size_t chunk = any_chunk(forgery);
  const Tick first_tick = forgery.records[chunk].chunk().first_tick();
  forgery.records[chunk] = other.records[chunk];
  const bool is_relinked = random_.chance(50);
  put(forgery, is_relinked);
  return {"record " + std::to_string(chunk) + " taken from another match",
          {is_relinked ? kDiverged : kMalformed},
          first_tick,
          first_tick};
}

Expectation Mutation::swap_chunks() {
  Forgery forgery(bytes_);
  const std::size_t chunk = random_.index(2) + 1;
  std::swap(forgery.records[chunk], forgery.records[chunk + 1]);
  put(forgery, random_.chance(50));
  return {"records swapped", {kMalformed}};
}

Expectation Mutation::edit_score() {
  Forgery forgery(bytes_);
  auto& scores = *forgery.footer().mutable_scores();
  auto& score = *scores.Mutable(static_cast<int>(random_.index(static_cast<std::size_t>(scores.size()))));
  score.set_score(score.score() + random_.between(1, 1'000));
  put(forgery, true);
  return {"a score edited", {ReplayVerdict::kScoreMismatch}};
}

Expectation Mutation::edit_signature() {
  Forgery forgery(bytes_);
  auto& signature = *forgery.footer().mutable_signature();
  signature[random_.index(signature.size())] ^= static_cast<char>(1 << random_.index(8));
  put(forgery, true);
  return {"the signature edited", {ReplayVerdict::kBadSignature}};
}

Expectation Mutation::edit_digest() {
  Forgery forgery(bytes_);
  const std::size_t chunk = any_chunk(forgery);
  auto ticks = forgery.ticks_of(chunk);
  TickRecord& tick = ticks[random_.index(ticks.size())];
  tick.digest ^= std::uint64_t{1} << random_.index(64);
  forgery.set_ticks(chunk, ticks);
  put(forgery, true);
  return {"a digest edited", {kDiverged}, tick.tick, tick.tick};
}

Expectation Mutation::edit_move() {
  Forgery forgery(bytes_);
  const std::size_t chunk = any_chunk(forgery);
  auto ticks = forgery.ticks_of(chunk);
  Tick tick = 0;
  match::Frame* frame = any_frame(ticks, random_, tick, true);
  if (frame == nullptr) return edit_score();
  frame->moves[random_.index(frame->moves.size())].position.x += random_.chance(50) ? 1 : -1;
  forgery.set_ticks(chunk, ticks);
  put(forgery, true);
  // The digest counts a refused move and not its words: then the receipt alone tells.
  return {
      "a move edited in tick " + std::to_string(tick), {kDiverged, ReplayVerdict::kBadSignature}, tick, tick};
}

Expectation Mutation::drop_frame() {
  Forgery forgery(bytes_);
  const std::size_t chunk = any_chunk(forgery);
  auto ticks = forgery.ticks_of(chunk);
  Tick tick = 0;
  match::Frame* frame = any_frame(ticks, random_, tick, false);
  if (frame == nullptr) return edit_score();
  for (TickRecord& record : ticks) {
    std::erase_if(record.inputs, [frame](const Input& input) {
      const Submission* submission = std::get_if<Submission>(&input);
      return submission != nullptr && &submission->frame == frame;
    });
  }
  forgery.set_ticks(chunk, ticks);
  put(forgery, true);
  return {"a frame dropped in tick " + std::to_string(tick), {kDiverged}, tick, tick};
}

/// All later ones are renumbered, so that nothing but the match itself can tell.
Expectation Mutation::drop_tick() {
  Forgery forgery(bytes_);
  const auto chunks = forgery.chunks();
  const std::size_t victim = random_.index(chunks.size() - 1);
  Tick tick = 0;
  for (std::size_t i = victim; i < chunks.size(); ++i) {
    auto ticks = forgery.ticks_of(chunks[i]);
    if (i == victim) {
      const std::size_t place = random_.index(ticks.size());
      tick = ticks[place].tick;
      ticks.erase(ticks.begin() + static_cast<std::ptrdiff_t>(place));
      for (std::size_t k = place; k < ticks.size(); ++k) --ticks[k].tick;
    } else {
      for (TickRecord& record : ticks) --record.tick;
    }
    forgery.set_ticks(chunks[i], ticks);
  }
  std::erase_if(forgery.records, [](const v1::Record& record) { return record.has_key_frame(); });
  put(forgery, true);
  return {"tick " + std::to_string(tick) + " dropped", {kDiverged}, tick, tick};
}

/// Of its packed content; and with right sums and links, so that nothing but the content can tell.
Expectation Mutation::flip_key_frame_bit(bool is_consistent) {
  Forgery forgery(bytes_);
  const std::size_t victim = any_key_frame(forgery);
  const std::string before = forgery.content_of_key_frame(victim);
  const std::string packed = forgery.records[victim].key_frame().content();
  std::string content;
  do {  // Some bits of what is packed mean nothing.
    content = packed;
    content[random_.index(content.size())] ^= static_cast<char>(1 << random_.index(8));
  } while (decompress(content, kContentBytesMax) == before);
  forgery.records[victim].mutable_key_frame()->set_content(content);
  put(forgery, is_consistent);
  return {"a bit of the key frame in record " + std::to_string(victim) + " flipped", {kMalformed}};
}

/// All of it or its content; or its content with that of another tick.
Expectation Mutation::swap_key_frame() {
  Forgery forgery(bytes_);
  const Forgery other(other_);
  const std::size_t victim = any_key_frame(forgery);
  const Tick tick = forgery.records[victim].key_frame().tick();
  const std::size_t way = random_.index(3);
  if (way == 0) {
    forgery.records[victim] = other.records[victim];
  } else if (way == 1) {
    forgery.set_content_of_key_frame(victim, other.content_of_key_frame(victim));
  } else {
    const auto key_frames = forgery.key_frames();
    const std::size_t source = key_frames[victim == key_frames[0] ? 1 : 0];
    forgery.set_content_of_key_frame(victim, forgery.content_of_key_frame(source));
  }
  const bool is_relinked = random_.chance(70);
  put(forgery, is_relinked);
  // A snapshot of a match of another config is none of this replay's.
  const auto verdict = is_relinked && way != 1 ? kDiverged : kMalformed;
  return {"the key frame in record " + std::to_string(victim) + " swapped", {verdict}, tick, tick};
}

/// A bit of what it says of the match, and everything that seals it is right.
Expectation Mutation::forge_key_frame() {
  Forgery forgery(bytes_);
  const std::size_t victim = any_key_frame(forgery);
  const Tick tick = forgery.records[victim].key_frame().tick();
  using match::Section;
  constexpr Section kSections[] = {Section::kWorld,  Section::kDigest, Section::kOwners,
                                   Section::kClaims, Section::kScores, Section::kHistory};
  const Section section = kSections[random_.index(std::size(kSections))];
  forgery.set_content_of_key_frame(victim,
                                   forge_section(forgery.content_of_key_frame(victim), section, random_));
  put(forgery, true);
  return {"section " + std::to_string(static_cast<int>(section)) + " of the key frame in record " +
              std::to_string(victim) + " forged",
          {kDiverged, kMalformed},
          tick,
          tick};
}

Expectation Mutation::mutate(std::size_t kind) {
  switch (kind) {
    case 0:
      return cut_off();
    case 1:
      return remove_bytes();
    case 2:
      return insert_bytes();
    case 3:
      return drop_chunk(false);
    case 4:
      return drop_chunk(true);
    case 5:
      return splice_chunk();
    case 6:
      return swap_chunks();
    case 7:
      return edit_score();
    case 8:
      return edit_signature();
    case 9:
      return edit_digest();
    case 10:
      return edit_move();
    case 11:
      return drop_frame();
    case 12:
      return drop_tick();
    case 13:
      return flip_key_frame_bit(false);
    case 14:
      return flip_key_frame_bit(true);
    case 15:
      return swap_key_frame();
    case 16:
    case 17:
      return forge_key_frame();
    default:
      return flip_bit();
  }
}

}  // namespace sweepd::replay
