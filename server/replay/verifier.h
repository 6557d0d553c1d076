// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "replay/player.h"
#include "replay/player_score.h"
#include "replay/reader.h"
#include "replay/verification.h"

namespace sweepd::replay {

/// One run of a verification. Each step that finds something settles the verdict; the first one counts, but
/// that a file which cannot be read is MALFORMED wherever it DIVERGED before. Where the match diverges, what
/// came of it is noted, and it is played on, ignoring digests, to the next key frame that can be compared:
/// for the object that differs, and for nothing else, where one is near. What follows that is read, and not
/// played; no further where it unpacks to far more than its file has.
class Verifier {
 public:
  Verifier(const Reader& reader, std::unique_ptr<match::Match> match, Verification& result)
      : reader_(reader), player_(std::move(match)), result_(result) {}

  /// Once.
  void run(const VerificationOptions& options);

 private:
  void settle(ReplayVerdict verdict, std::string what);
  void settle_fault(const FileFault& fault);
  void take_back_divergence();
  bool is_settled() const { return result_.verdict != ReplayVerdict::kVerified; }
  void diverge(Tick tick, const std::string& what);
  void compare_nonce(const std::optional<std::string>& nonce);
  void play();
  bool play_chunk(std::size_t index);
  void read_rest();
  bool may_read(const std::string& record, std::uint64_t offset);
  bool read_chunk(std::size_t index);
  bool play_tick(TickRecord& record);
  bool compare_key_frames();
  bool has_near_key_frame();
  void compare_key_frame(std::size_t index);
  void compare_content(std::size_t index);
  bool find_object(std::size_t key_frame);
  void name_object(const match::Match& recorded);
  void note_outcome();
  void compare_ending(const Ending& ending);
  void compare_scores(const std::vector<match::Score>& recorded);
  void compare_rules_digest();
  void compare_creator(const TicketSubject& expected);
  void check_signature(const Footer& footer, const std::optional<PublicKey>& key);

  const match::Match& match() const { return player_.match(); }

  const Reader& reader_;
  Player player_;
  Cast cast_;
  ForgottenRows forgotten_rows_;
  Verification& result_;
  std::function<bool()> is_cancelled_;
  std::function<bool(std::uint64_t, std::uint64_t)> is_hopeless_;
  std::size_t next_chunk_ = 0;  ///< The first that has not been played to its end.
  std::size_t next_key_frame_ = 0;
  std::uint64_t recorded_digest_ = 0;  ///< Of the tick that was played last.
  bool has_ended_ = false;             ///< The match, when it was noted what came of it.
  std::size_t counted_chunks_ = 0;     ///< Of those that searched_bytes_ has, the end.
  std::uint64_t searched_bytes_ = 0;   ///< Unpacked, of what is played for the object.
  std::uint64_t bytes_to_read_ = 0;    ///< Unpacked, of what follows the tick that diverged.
  bool is_searching_ = false;          ///< It has diverged: from now on it is played for the object.
};

}  // namespace sweepd::replay
