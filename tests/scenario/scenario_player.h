// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "match/match.h"

namespace sweepd::scenario {

/// Plays the commands of a scenario against one match and writes its log. A command that makes no sense
/// throws std::runtime_error with the command.
///
/// Config, before `begin`:
///   layers NAME...                 playfield MIN_X MIN_Y MAX_X MAX_Y
///   collides NAME NAME [sensor] [every TICKS]
///   clearable NAME...              stage_handover lowest_number
///   slot NAME ROLE [FIRST LAST]    late_frames apply_next|drop|spread   max_lead_ticks N, max_late_ticks N,
///   ids_per_participant N, objects_per_participant_max N
///   mask PIXEL_SIZE ROW...         each row of . and #, from the top
///   begin                          makes the match, or tells what is wrong with its config
/// Then:
///   join NAME player|stage|observer
///   leave NAME
///   frame NAME [tick N] [acknowledged N], followed by its changes, indented:
///     spawn ID at X Y PARTS [motion VX VY AX AY] [live TICKS] [despawn_outside_playfield] [continuous]
///       [single_use] [hit_points N] [damage N]
///     reshape ID PARTS             with PARTS: one or more of  part LAYER MIN_X MIN_Y MAX_X MAX_Y,
///                                  circle LAYER X Y RADIUS,  capsule LAYER X Y X Y RADIUS,
///                                  mask LAYER NUMBER X Y (its corner)
///     layer ID all|PART LAYER      move ID X Y (absolute)
///     relative_move ID X Y (as the server has decoded it)
///     motion ID VX VY AX AY        disable ID [until TICK]     enable ID
///     despawn ID                   teleport ID X Y             scroll X Y
///     freeze|release|bomb [layer NAME]... [region MIN_X MIN_Y MAX_X MAX_Y]
///     transfer NAME [with_stage] [ID]...
///   tick [COUNT]                   end
///   participants                   encounters                  objects ID...             digest
class ScenarioPlayer {
 public:
  explicit ScenarioPlayer(collision::BroadphaseKind broadphase) { config_.broadphase = broadphase; }

  /// The log of one block of commands.
  std::vector<std::string> play(const std::vector<std::string>& commands);

  /// The digests after all ticks so far.
  const std::vector<std::uint64_t>& digests() const { return digests_; }

 private:
  using Words = std::vector<std::string>;

  void run(const Words& words);
  bool run_config(const Words& words);
  bool run_number(const Words& words);
  void begin();
  void join(const Words& words);
  void open_frame(const Words& words);
  void add_change(const Words& words);
  bool add_mass_change(const Words& words);
  match::Selection selection_of(const Words& words) const;
  void add_spawn(const Words& words);
  void submit_frame();
  void report(const match::TickOutput& output);
  void report_participants();
  void report_object(collision::ObjectId id);
  std::uint32_t layer_of(const std::string& name) const;
  void add_mask(const Words& words);
  std::vector<collision::Part> parts_of(const Words& words, std::size_t& next) const;
  collision::Part part_at(const Words& words, std::size_t& next) const;
  collision::Part mask_at(const Words& words, std::size_t index) const;
  match::Match& match() const;
  match::ParticipantNumber number_of(const std::string& name) const;

  match::MatchConfig config_;
  std::uint32_t digest_version_ = match::kDigestVersion;
  std::unique_ptr<match::Match> match_;
  std::map<std::string, match::ParticipantNumber> numbers_;
  std::unique_ptr<match::Frame> frame_;  ///< Being read; null: none.
  match::ParticipantNumber sender_ = 0;
  std::vector<std::string> log_;
  std::vector<std::uint64_t> digests_;
};

}  // namespace sweepd::scenario
