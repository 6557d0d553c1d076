// SPDX-License-Identifier: MIT
#include "simulation/far_client.h"

#include <utility>

namespace sweepd::simulation {
namespace {

constexpr std::chrono::microseconds kTickTime{16'667};

}  // namespace

FarClient::FarClient(const match::MatchConfig& config, Line line, std::uint64_t seed)
    : line_(line), random_(seed), match_(std::move(match::Match::create(config).value())) {
  stage_ = match_->apply(match::Join{"stage", match::Role::kStage}).value();
  player_ = match_->apply(match::Join{"player", match::Role::kPlayer}).value();
}

FarClient::TimePoint FarClient::arrival_after(TimePoint now, TimePoint& last) {
  const auto jitter_us = random_.between(-line_.jitter_ms * 1000, line_.jitter_ms * 1000);
  last = std::max(last, now + std::chrono::microseconds(line_.delay_ms * 1000 + jitter_us));
  return last;
}

/// The player's frames, from what it has been shown by then.
void FarClient::play_until(TimePoint now) {
  for (; next_player_frame_ <= now; next_player_frame_ += kTickTime) {
    for (; !down_.empty() && down_.front().arrival <= next_player_frame_; down_.pop_front()) {
      seen_ = down_.front().payload;
    }
    Frame frame;
    frame.acknowledged_tick = acknowledged(seen_);
    if (seen_ > 0) player(seen_, views_.at(seen_), frame);
    up_.push_back({arrival_after(next_player_frame_, last_up_), std::move(frame)});
  }
}

/// As the host of a match does.
void FarClient::deliver_until(TimePoint now) {
  for (; !up_.empty() && up_.front().arrival <= now; up_.pop_front()) {
    Frame& frame = up_.front().payload;
    meter_.acknowledged(frame.acknowledged_tick, up_.front().arrival);
    frame.delay_ticks = delay_ticks();
    for (const HitClaim& claim : frame.claims) arrivals_[claim.number] = {match_->tick(), delay_ticks()};
    match_->apply(match::Submission{player_.number, std::move(frame)});
  }
}

void FarClient::step(TimePoint now, std::vector<Judged>& judged) {
  Frame frame;
  stage(match_->tick() + 1, frame);
  match_->apply(match::Submission{stage_.number, std::move(frame)});
  const match::TickOutput& output = match_->step();
  for (const ClaimVerdict& verdict : output.claim_verdicts) {
    const auto& [arrival_tick, delay_ticks] = arrivals_.at(verdict.claim.number);
    judged.push_back({verdict, arrival_tick, delay_ticks});
  }
  View& view = views_[output.tick];
  const match::PastWorld world = match_->world_at(output.tick);
  for (const match::PastObject& object : world.objects()) {
    view[object.id] = object.trajectory.position;
  }
  meter_.sent(output.tick, now);
  down_.push_back({arrival_after(now, last_down_), output.tick});
}

std::vector<FarClient::Judged> FarClient::run(Tick ticks) {
  std::vector<Judged> judged;
  for (Tick i = 0; i < ticks; ++i) {
    const TimePoint now{kTickTime * (match_->tick() + 1)};
    play_until(now);
    deliver_until(now);
    step(now, judged);
  }
  return judged;
}

}  // namespace sweepd::simulation
