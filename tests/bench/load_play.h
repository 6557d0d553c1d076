// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "match/match.h"
#include "runtime/feed/event_log.h"
#include "tools/load/scene.h"

namespace sweepd::bench {

/// Who moves what flies: clients, in every tick, or the server.
enum class Flying : std::uint8_t { kByFrames, kByMotion };

/// Who has what of a scene; all plays of it share it, so that it does not count as memory of theirs.
class LoadScript {
 public:
  struct Seat {
    const tools::load::Actor* actor = nullptr;
    collision::ObjectId first_id = 0;  ///< Of its flights, where the server moves it; else its only one.
    bool is_moved_by_server = false;
  };

  LoadScript(const tools::load::Scene& scene, Flying flying);

  const tools::load::Scene& scene() const { return scene_; }
  match::MatchConfig config() const;
  /// What a client says in a tick of the loop; in the first of all, `is_opening`, it spawns what it has.
  match::Frame frame(std::size_t client, std::uint32_t tick, bool is_opening) const;

 private:
  void add_opening(const Seat& seat, match::Frame& frame) const;
  void add_tick(const Seat& seat, std::uint32_t tick, match::Frame& frame) const;

  const tools::load::Scene& scene_;
  std::vector<std::vector<Seat>> clients_;
};

/// A match as `sweepctl load` plays it, without the network: four clients share a scene, and the match's
/// events are kept for who comes back.
class LoadPlay {
 public:
  explicit LoadPlay(const LoadScript& script);

  /// The frames of the next tick go to the match.
  void submit_tick();
  void run_tick();
  void play_tick() {
    submit_tick();
    run_tick();
  }

  const match::Match& match() const { return *match_; }
  match::Match& match() { return *match_; }
  const runtime::EventLog& log() const { return log_; }

 private:
  const LoadScript& script_;
  std::unique_ptr<match::Match> match_;
  runtime::EventLog log_;
};

}  // namespace sweepd::bench
