// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "match/match.h"
#include "property/random.h"

namespace sweepd::property::property_world {

/// An object after a tick, by the match itself.
struct TrueObject {
  match::ParticipantNumber owner = 0;
  collision::Point position;
  collision::Motion motion;
  std::vector<collision::Part> parts;
  std::uint32_t template_number = 0;
  std::uint64_t tag = 0;
  std::uint32_t hit_points = 0;
  bool is_disabled = false;
  bool is_frozen = false;
};
using TrueWorld = std::map<match::ObjectId, TrueObject>;

/// A match in which anything happens to objects that may: players have a few of three templates, the stage
/// what it likes. Rules of visibility are random, too.
class RandomMatch {
 public:
  static constexpr collision::LayerId kShip = 0;
  static constexpr match::ObjectId kIdsMax = 14;

  explicit RandomMatch(std::uint64_t seed);

  /// Submits frames for the next tick.
  void play();
  match::Match& match() { return *match_; }
  const std::vector<match::ParticipantNumber>& players() const { return players_; }
  match::ParticipantNumber stage() const { return stage_; }
  bool has_left(match::ParticipantNumber player) const { return player == left_; }
  TrueWorld world() const;

 private:
  match::Frame player_frame(match::ParticipantNumber number);
  match::Frame stage_frame();
  void change(match::ObjectId id, match::Frame& frame);
  collision::Motion motion();
  collision::Point place(int most = 2000);
  std::vector<collision::Part> parts();

  Random random_;
  std::unique_ptr<match::Match> match_;
  std::vector<match::ParticipantNumber> players_;
  match::ParticipantNumber stage_ = 0;
  std::optional<match::ParticipantNumber> left_;
  bool has_stage_left_ = false;  ///< Then a player may act as the stage, and see all.
};

}  // namespace sweepd::property::property_world
