// SPDX-License-Identifier: MIT
//
// Protects the server from its own answers: a refusal of any change, with any numbers, at every extreme of
// the coordinates, is told in words that name a field of the frame. Describing one never fails, and no
// refusal goes without words of its own.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "match/match.h"
#include "match/refusal.h"
#include "property/random.h"
#include "property/random_message.h"
#include "wire/frame_codec.h"

namespace sweepd::property::property_refusals {
namespace {

using match::RejectionReason;

constexpr std::int32_t kMin = collision::kSubunitsMin;
constexpr std::int32_t kMax = collision::kSubunitsMax;

match::MatchConfig open_config() {
  match::MatchConfig config;
  config.layers = {"player", "enemy", "item"};
  config.collides = {{"player", "enemy"}};
  config.ids_per_participant = 16;
  config.masks.resize(1);
  config.masks[0].width = 8;
  config.masks[0].height = 1;
  config.masks[0].rows = std::string(1, '\x7f');
  return config;
}

/// With every limit that a layer or a role can have.
match::MatchConfig strict_config() {
  match::MatchConfig config = open_config();
  config.objects_per_participant_max = 6;
  config.playfield = {-256, -256, 256, 256};
  config.layer_limits = {{.layer = "player", .speed_max = 256, .stay_in_playfield = true},
                         {.layer = "item", .speed_max = 7}};
  config.limits = {{.role = match::Role::kPlayer}};
  config.limits[0].spawn_layers = std::vector<std::string>{"player", "item"};
  config.limits[0].parts_max = 9;
  return config;
}

/// A match with a player and a stage that send frames as they come over the wire.
class Refusals {
 public:
  explicit Refusals(const match::MatchConfig& config)
      : match_(std::move(match::Match::create(config).value())) {
    for (const match::Role role : {match::Role::kPlayer, match::Role::kStage}) {
      const auto joined = match_->apply(match::Join{role == match::Role::kPlayer ? "player" : "stage", role});
      seats_.push_back({joined->number, joined->first_id, {}});
    }
  }

  std::size_t seats() const { return seats_.size(); }
  std::uint32_t first_id(std::size_t seat) const { return seats_[seat].first_id; }

  /// Whether the frame was understood.
  bool send(std::size_t seat, const v1::Frame& message) {
    auto frame = seats_[seat].decoder.decode(message, undo_);
    if (!frame.ok()) {
      EXPECT_NE(frame.error().field, "") << message.ShortDebugString();
      EXPECT_NE(frame.error().description, "") << message.ShortDebugString();
      return false;
    }
    match_->apply(match::Submission{seats_[seat].number, std::move(frame.value())});
    return true;
  }

  void step() {
    for (const match::Rejection& rejection : match_->step().rejections) {
      reasons_.insert(rejection.reason);
      const std::string field = rejection.field.substr(0, rejection.field.find_first_of("[."));
      EXPECT_NE(v1::Frame::descriptor()->FindFieldByName(field), nullptr)
          << rejection.field << ": " << rejection.message;
      EXPECT_NE(rejection.message, match::kUndescribed) << rejection.field;
      EXPECT_NE(rejection.message, "") << rejection.field;
    }
  }

  const std::set<RejectionReason>& reasons() const { return reasons_; }

 private:
  struct Seat {
    match::ParticipantNumber number;
    std::uint32_t first_id;
    wire::FrameDecoder decoder;
  };
  std::unique_ptr<match::Match> match_;
  std::vector<Seat> seats_;
  wire::FrameDecoder::Undo undo_;
  std::set<RejectionReason> reasons_;
};

std::vector<v1::Part> extreme_parts() {
  std::vector<v1::Part> parts;
  const auto edges = {kMin, kMin + 1, 0, kMax};
  for (const std::int32_t a : edges) {
    for (const std::int32_t b : edges) {
      for (const std::int32_t c : edges) {
        for (const std::int32_t d : edges) {
          auto& box = *parts.emplace_back().mutable_box();
          box.set_min_x(a), box.set_min_y(b), box.set_max_x(c), box.set_max_y(d);
          auto& capsule = *parts.emplace_back().mutable_capsule();
          capsule.set_a_x(a), capsule.set_a_y(b), capsule.set_b_x(c), capsule.set_b_y(d);
        }
        auto& circle = *parts.emplace_back().mutable_circle();
        circle.set_center_x(a), circle.set_center_y(b), circle.set_radius(c);
        auto& mask = *parts.emplace_back().mutable_mask();
        mask.set_x(a), mask.set_y(b), mask.set_mask(static_cast<std::uint32_t>(c));
      }
    }
  }
  return parts;
}

/// Each in a tick of its own, so that none goes unlisted: as a spawn, and as a new shape for what exists.
void send_as_spawn_and_reshape(const v1::Part& part, std::int32_t x, std::int32_t y, Refusals& refusals) {
  const std::uint32_t id = refusals.first_id(0);
  v1::Frame frame;
  v1::Spawn& other = *frame.add_spawns();
  other.set_object_id(id + 1), other.set_x(x), other.set_y(y);
  other.add_parts()->mutable_box();
  v1::Spawn& spawn = *frame.add_spawns();
  spawn.set_object_id(id), spawn.set_x(x), spawn.set_y(y);
  *spawn.add_parts() = part;
  v1::Reshape& reshape = *frame.add_reshapes();
  reshape.set_object_id(id + 1);
  *reshape.add_parts() = part;
  for (const std::int32_t to : {kMin, 0, kMax}) {
    for (auto* columns : {frame.mutable_absolute_moves(), frame.mutable_teleports()}) {
      columns->add_object_id(id), columns->add_x(to), columns->add_y(-1 - to);
    }
  }
  EXPECT_TRUE(refusals.send(0, frame));
  refusals.step();
  v1::Frame despawns;
  despawns.add_despawns(id), despawns.add_despawns(id + 1);
  EXPECT_TRUE(refusals.send(0, despawns));
  refusals.step();
}

TEST(PropertyRefusals, EveryPartAtEveryExtremeIsTakenOrRefusedInWords) {
  for (const auto& config : {open_config(), strict_config()}) {
    Refusals refusals(config);
    for (const v1::Part& part : extreme_parts()) {
      for (const std::int32_t x : {kMin, 0, kMax}) {
        for (const std::int32_t y : {kMin, 0, kMax}) send_as_spawn_and_reshape(part, x, y, refusals);
      }
    }
    EXPECT_TRUE(refusals.reasons().contains(RejectionReason::kOutOfRange));
  }
}

TEST(PropertyRefusals, EveryChangeWithAnyNumbersIsTakenOrRefusedInWords) {
  std::set<RejectionReason> reasons;
  std::size_t understood = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Refusals refusals(seed % 2 == 0 ? open_config() : strict_config());
    for (int tick = 0; tick < 100; ++tick) {
      for (std::size_t seat = 0; seat < refusals.seats(); ++seat) {
        v1::Frame frame;
        fill_randomly(frame, refusals.first_id(seat),
                      [&](std::uint64_t count) { return random.index(count); });
        frame.clear_tick();
        understood += refusals.send(seat, frame) ? 1 : 0;
      }
      refusals.step();
      ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", tick " << tick;
    }
    reasons.insert(refusals.reasons().begin(), refusals.reasons().end());
  }
  EXPECT_GT(understood, 1000u) << "most frames must reach the match";
  EXPECT_GT(reasons.size(), 14u) << "most reasons must have occurred";
}

}  // namespace
}  // namespace sweepd::property::property_refusals
