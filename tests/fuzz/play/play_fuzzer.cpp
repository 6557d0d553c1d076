// SPDX-License-Identifier: MIT
//
// Protects a match from everything that its participants can send, in every order: several of them join,
// leave, break off and come back, send frames of every change with extremes for numbers, and ticks run. All
// broadphases must come to the same match, so must a replay of the same inputs, and so must a match that is
// saved and restored on the way. An input is a program: its bytes are the choices.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "fuzz/choices.h"
#include "match/match.h"
#include "match/refusal.h"
#include "property/random_message.h"
#include "recordings/recorded_tick.h"
#include "replay/player.h"
#include "replay/tick_decoder.h"
#include "replay/tick_encoder.h"
#include "wire/frame_codec.h"

namespace sweepd::fuzz {
namespace {

using collision::BroadphaseKind;
using match::Match;
using match::ParticipantNumber;

constexpr std::size_t kTicksMax = 40;
constexpr std::size_t kSeatsMax = 4;

match::MatchConfig config_of(Choices& choices) {
  match::MatchConfig config;
  config.layers = {"player", "enemy", "item"};
  config.collides = {{"player", "enemy"}, {"enemy", "enemy", false, 2}, {"player", "item", true}};
  config.ids_per_participant = 16;
  config.history_ticks = 8;
  config.reconnect_ticks = 3;
  config.masks.push_back({3, 2, 100, "\x05\x03"});
  config.clearable_layers = {"item"};
  config.scoring.push_back({.name = "hit", .layer_a = "player", .layer_b = "enemy", .points = 10});
  const std::uint64_t traits = choices.choose(64);
  if ((traits & 1) != 0) config.playfield = {-512, -512, 512, 512};
  if ((traits & 2) != 0)
    config.layer_limits = {{.layer = "player", .speed_max = 300, .stay_in_playfield = true}};
  if ((traits & 4) != 0) config.objects_per_participant_max = 3;
  if ((traits & 8) != 0) config.claims.policy = match::ClaimPolicy::kEnforce;
  if ((traits & 16) != 0) config.stage_handover = match::StageHandover::kLowestNumber;
  config.late_frames = (traits & 32) != 0 ? match::LateFramePolicy::kDrop : match::LateFramePolicy::kSpread;
  return config;
}

std::unique_ptr<Match> new_match(match::MatchConfig config, BroadphaseKind kind) {
  config.broadphase = kind;
  return std::move(Match::create(std::move(config)).value());
}

/// The match under test, recorded, and others that must do the same.
class Twins {
 public:
  explicit Twins(const match::MatchConfig& config)
      : config_(config), recorder_(new_match(config, BroadphaseKind::kSweepAndPrune)) {
    for (const auto kind : collision::kBroadphaseKinds) {
      if (kind != BroadphaseKind::kSweepAndPrune) others_.push_back(new_match(config, kind));
    }
  }

  void join(const match::Join& request) {
    const auto joined = recorder_.apply(request);
    for (const auto& other : others_) SWEEPD_ASSERT(other->apply(request).ok() == joined.ok());
  }
  void leave(ParticipantNumber number) {
    recorder_.apply(match::Leave{number});
    for (const auto& other : others_) other->apply(match::Leave{number});
  }
  void set_away(ParticipantNumber number) {
    recorder_.apply(match::Away{number});
    for (const auto& other : others_) other->apply(match::Away{number});
  }
  void set_back(ParticipantNumber number) {
    const bool is_back = recorder_.apply(match::Back{number});
    for (const auto& other : others_) SWEEPD_ASSERT(other->apply(match::Back{number}) == is_back);
  }
  void submit(ParticipantNumber number, const match::Frame& frame) {
    const bool is_refused = recorder_.apply(match::Submission{number, frame}).has_value();
    for (const auto& other : others_)
      SWEEPD_ASSERT(other->apply(match::Submission{number, frame}).has_value() == is_refused);
  }

  void step(bool ends) {
    const match::TickOutput& output = ends ? recorder_.end() : recorder_.step();
    for (const match::Rejection& rejection : output.rejections) {
      SWEEPD_ASSERT(!rejection.message.empty() && rejection.message != match::kUndescribed);
    }
    for (const auto& other : others_) {
      SWEEPD_ASSERT((ends ? other->end() : other->step()).digest == output.digest);
    }
    records_.push_back(recordings::take_record(recorder_));
  }

  void save_and_restore() {
    const std::string saved = match().save();
    auto restored = Match::restore(config_, saved);
    SWEEPD_ASSERT(restored.ok() && restored.value()->save() == saved);
    others_.back() = std::move(restored.value());
  }

  /// Encoded, decoded, and played on a new match.
  void replay() const {
    if (records_.empty()) return;
    replay::TickEncoder encoder;
    for (const replay::TickRecord& record : records_) encoder.add(record);
    auto decoded = replay::decode_ticks(encoder.take());
    SWEEPD_ASSERT(decoded.ok() && decoded->size() == records_.size());
    replay::Player player(new_match(config_, BroadphaseKind::kSweepAndPrune));
    for (replay::TickRecord& record : *decoded) {
      const auto divergence = player.play(std::move(record));
      SWEEPD_ASSERT(!divergence.has_value());
    }
  }

  const Match& match() const { return recorder_.match(); }

 private:
  match::MatchConfig config_;
  replay::Recorder recorder_;
  std::vector<std::unique_ptr<Match>> others_;
  std::vector<replay::TickRecord> records_;
};

class Play {
 public:
  explicit Play(std::span<const std::uint8_t> bytes)
      : choices_(bytes), twins_(config_of(choices_)), decoders_(match::kParticipantsMax) {}

  void run() {
    twins_.join({"stage", match::Role::kStage});
    twins_.join({"player", match::Role::kPlayer});
    std::size_t ticks = 0;
    while (choices_.has_any() && ticks < kTicksMax) ticks += act();
    twins_.step(true);
    twins_.replay();
  }

 private:
  /// How many ticks ran.
  std::size_t act() {
    switch (choices_.choose(12)) {
      case 0:
        return come();
      case 1:
        twins_.leave(any_number());
        return 0;
      case 2:
        twins_.set_away(any_number());
        return 0;
      case 3:
        twins_.set_back(any_number());
        return 0;
      case 4:
        twins_.save_and_restore();
        return 0;
      case 5:
      case 6:
      case 7:
        twins_.step(false);
        return 1;
      default:
        send();
        return 0;
    }
  }

  ParticipantNumber any_number() { return static_cast<ParticipantNumber>(choices_.choose(kSeatsMax)); }

  std::size_t come() {
    static constexpr match::Role kRoles[] = {match::Role::kPlayer, match::Role::kStage,
                                             match::Role::kObserver};
    if (twins_.match().participants().size() < kSeatsMax) {
      twins_.join({"guest" + std::to_string(choices_.choose(kSeatsMax)), kRoles[choices_.choose(3)]});
    }
    return 0;
  }

  void send() {
    const ParticipantNumber number = any_number();
    const auto participant = twins_.match().find_participant(number);
    if (!participant) return;
    v1::Frame message;
    property::fill_randomly(message, participant->first_id,
                            [this](std::uint64_t count) { return choices_.choose(count); });
    // As the service: near ticks, so that what is sent mostly applies.
    if (message.tick() != 0) message.set_tick(twins_.match().tick() + message.tick() % 4);
    auto frame = decoders_[number].decode(message, undo_);
    if (!frame.ok()) {
      SWEEPD_ASSERT(!frame.error().field.empty() && !frame.error().description.empty());
      return;
    }
    frame->delay_ticks = static_cast<std::uint32_t>(choices_.choose(4));
    twins_.submit(number, *frame);
  }

  Choices choices_;
  Twins twins_;
  std::vector<wire::FrameDecoder> decoders_;
  wire::FrameDecoder::Undo undo_;
};

}  // namespace
}  // namespace sweepd::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sweepd::fuzz::Play({data, size}).run();
  return 0;
}
