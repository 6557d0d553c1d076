// SPDX-License-Identifier: MIT
#include "session/match_loop.h"

#include <pthread.h>

#include <string>

#include "base/assert.h"

namespace sweepd::session {

MatchLoop::MatchLoop(Backend& backend, runtime::Poller& poller, const MatchLoopOptions& options)
    : backend_(backend),
      endpoint_(options.endpoint),
      loop_(poller, runtime::steady_now, options.loop),
      matches_(loop_, backend.registry, options.idle_match_timeout, options.journal) {
  matches_.on_end([this](const runtime::MatchHost& host) { backend_.ended_matches.add(host, endpoint_); });
  watch_load(options);
}

MatchLoop::~MatchLoop() { SWEEPD_ASSERT(!thread_.joinable()); }

void MatchLoop::watch_load(const MatchLoopOptions& options) {
  loop_.load().on_reading([this, on_load = options.on_load](const runtime::LoadReading& load) {
    if (on_load) on_load(load);
    moves_.loop_measured(load);
  });
  if (options.move_matches_every.count() > 0) moves_.move_always(options.move_matches_every);
}

void MatchLoop::serve() {
  if (backend_.health != nullptr) {
    health_watch_ = backend_.health->watch([this](const auto& /*component*/) { announce_health(); });
  }
  heartbeat_timer_.emplace(loop_);
  beat();
  thread_ = std::thread([this] { loop_.run(); });
  const std::string name = "loop-" + std::to_string(index());
  pthread_setname_np(thread_.native_handle(), name.c_str());
}

void MatchLoop::beat() {
  heartbeat_timer_->start(LiveStreams::kSlotTime, [this] { beat(); });
  streams_.beat_next_slot();
}

// From any thread. What is asked is how it is by then, so one announcement on its way is enough for any
// number of changes.
void MatchLoop::announce_health() {
  if (is_health_announced_.exchange(true)) return;
  loop_.post([this] {
    is_health_announced_ = false;
    for (LiveStream* stream : streams_.all()) stream->health_changed();
  });
}

void MatchLoop::expel_streams() {
  for (LiveStream* stream : streams_.all()) backend_.expulsions.count_ended(stream->expel());
}

void MatchLoop::end_streams() {
  SWEEPD_ASSERT(backend_.is_shutting_down);
  loop_.post([this] {
    matches_.fail_steps(runtime::StepError::kShuttingDown);
    for (LiveStream* stream : streams_.all()) stream->shut_down();
  });
}

void MatchLoop::join() {
  health_watch_ = {};
  loop_.stop();
  thread_.join();
  loop_.wait_for_posters();
}

}  // namespace sweepd::session
