// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "property/random.h"
#include "replay/recorder.h"

namespace sweepd::recordings {

/// A small match in which everything happens that can be recorded: people come, go and come back, frames hold
/// every kind of change, for the next tick, late and early; and some of it is refused.
class RandomMatch {
 public:
  explicit RandomMatch(std::uint64_t seed);

  /// What comes in before a tick, and the tick.
  replay::TickRecord play_tick();
  replay::TickRecord end();

  const match::Match& match() const { return match_; }

 private:
  struct Guest {
    match::Participant participant;
    std::vector<collision::ObjectId> objects;
    collision::ObjectId next_id = 0;
    bool is_away = false;
  };

  void come_and_go();
  void join();
  void send(Guest& guest);
  match::Frame random_frame(Guest& guest);
  void add_spawns(Guest& guest, match::Frame& frame);
  void add_small_changes(Guest& guest, match::Frame& frame);
  void add_mass_changes(Guest& guest, match::Frame& frame);
  void add_claims(Guest& guest, match::Frame& frame);
  collision::ObjectId any_object(const Guest& guest);
  match::Tick any_tick();
  match::Selection any_selection();
  collision::Part any_part();
  std::vector<collision::Part> any_parts();
  collision::Motion any_motion();
  collision::Point any_point();
  std::int32_t number(std::int32_t low, std::int32_t high);

  property::Random random_;
  replay::Recorder recorder_;
  const match::Match& match_;
  std::map<match::ParticipantNumber, Guest> guests_;
  std::uint32_t names_ = 0;
};

/// Layers that meet, scoring, limits, masks, hit claims that strike: all that makes a difference.
match::MatchConfig random_match_config(std::uint64_t seed);

/// A whole match of so many ticks and its end.
std::vector<replay::TickRecord> record_random_match(std::uint64_t seed, std::uint32_t ticks);

}  // namespace sweepd::recordings
