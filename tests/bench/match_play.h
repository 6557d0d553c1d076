// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "match/match.h"
#include "scenes/scene.h"

namespace sweepd::bench {

/// A scene in a match: one stage has all its objects and says in a frame a tick what becomes of them.
class MatchPlay {
 public:
  struct Options {
    std::uint32_t history_ticks = 0;
    /// Bullets are left to the motion with which they begin.
    bool bullets_move_themselves = false;
    /// All objects are of templates, as in the sample's strict profile: those of players have a speed, shots
    /// what they may hit by claims, and late frames are spread. Nothing is ever refused.
    bool has_rules = false;
  };

  MatchPlay(const scenes::Recording& recording, Options options);

  /// The frame of the next tick goes to the match.
  void submit_tick() { submit(recording_.ticks[next_tick_++]); }
  /// One that is not recorded.
  void submit(const collision::PartChanges& changes);
  void run_tick() { match_->step(); }

  const match::Match& match() const { return *match_; }
  match::ParticipantNumber stage() const { return stage_; }

 private:
  match::MatchConfig config_of_scene() const;
  bool is_left_alone(collision::LayerId layer) const;
  void append_spawn(const collision::PartChanges::Added& added, match::Frame& frame);

  const scenes::Recording& recording_;
  Options options_;
  std::size_t next_tick_ = 0;
  std::unique_ptr<match::Match> match_;
  match::ParticipantNumber stage_ = 0;
  std::vector<collision::ObjectId> object_of_;       // By part; 0 for those that no frame moves.
  std::vector<std::vector<collision::Part>> kinds_;  // By template, from 1 on.
};

}  // namespace sweepd::bench
