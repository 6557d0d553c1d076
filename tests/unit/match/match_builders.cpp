// SPDX-License-Identifier: MIT
#include "unit/match/match_builders.h"

#include <gtest/gtest.h>

#include <utility>

namespace sweepd::match {

MatchConfig small_config() {
  MatchConfig config;
  config.layers = {"player", "enemy", "item"};
  config.collides = {{"player", "enemy"}};
  return config;
}

std::unique_ptr<Match> make_match(const MatchConfig& config, std::uint32_t digest_version) {
  auto match = Match::create(config, digest_version);
  if (!match) ADD_FAILURE() << match.error().field << " " << match.error().description;
  return std::move(match.value());
}

Participant join(Match& match, const std::string& name, Role role) {
  const auto joined = match.apply(Join{name, role});
  if (!joined) ADD_FAILURE() << name << " could not join: " << static_cast<int>(joined.error());
  return joined.value();
}

JoinError join_error(Match& match, const std::string& name, Role role) {
  const auto joined = match.apply(Join{name, role});
  if (joined) ADD_FAILURE() << name << " joined as " << joined.value().number;
  return joined.error();
}

collision::ObjectSpec object_at(ObjectId id, collision::Point position, collision::LayerId layer) {
  collision::ObjectSpec spec;
  spec.id = id;
  spec.position = position;
  spec.parts = {{{-10, -10, 10, 10}, layer}};
  return spec;
}

Frame spawn_frame(collision::ObjectSpec spec, Tick tick) {
  Frame frame;
  frame.tick = tick;
  frame.spawns.push_back(std::move(spec));
  return frame;
}

Frame move_frame(ObjectId object, collision::Point position) {
  Frame frame;
  frame.moves.push_back({object, position});
  frame.relative_moves = 1;
  return frame;
}

Frame despawn_frame(ObjectId object) {
  Frame frame;
  frame.despawns.push_back(object);
  return frame;
}

void submit(Match& match, const Participant& participant, Frame frame) {
  const auto rejection = match.apply(Submission{participant.number, std::move(frame)});
  if (rejection) ADD_FAILURE() << rejection->field << ": " << rejection->message;
}

std::vector<std::string> event_texts(std::span<const collision::Event> events) {
  std::vector<std::string> texts;
  for (const collision::Event& event : events) {
    const std::string kind = event.kind == collision::EventKind::kEnter
                                 ? "ENTER"
                                 : "EXIT(" + std::to_string(static_cast<int>(event.reason)) + ")";
    texts.push_back(std::to_string(event.tick) + " " + kind + " " + std::to_string(event.key.object_a) + " " +
                    std::to_string(event.key.object_b));
  }
  return texts;
}

}  // namespace sweepd::match
