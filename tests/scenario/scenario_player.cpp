// SPDX-License-Identifier: MIT
#include "scenario/scenario_player.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "collision/shapes/shape_check.h"
#include "scenario/log_text.h"

namespace sweepd::scenario {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  Words words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

template <typename Number>
Number number_at(const Words& words, std::size_t index) {
  Number number{};
  const std::string& word = words.at(index);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size())
    throw std::runtime_error("no such number: " + word);
  return number;
}

collision::ObjectId id_at(const Words& words, std::size_t index) {
  return number_at<collision::ObjectId>(words, index);
}

collision::Point point_at(const Words& words, std::size_t index) {
  return {number_at<collision::Subunits>(words, index), number_at<collision::Subunits>(words, index + 1)};
}

collision::Box box_at(const Words& words, std::size_t index) {
  const collision::Point min = point_at(words, index);
  const collision::Point max = point_at(words, index + 2);
  return {min.x, min.y, max.x, max.y};
}

collision::Motion motion_at(const Words& words, std::size_t index) {
  return {point_at(words, index), point_at(words, index + 2)};
}

match::LateFramePolicy late_policy_at(const Words& words, std::size_t index) {
  if (words.at(index) == "apply_next") return match::LateFramePolicy::kApplyNext;
  if (words.at(index) == "drop") return match::LateFramePolicy::kDrop;
  if (words.at(index) == "spread") return match::LateFramePolicy::kSpread;
  throw std::runtime_error("no such policy: " + words.at(index));
}

match::Role role_at(const Words& words, std::size_t index) {
  if (words.at(index) == "player") return match::Role::kPlayer;
  if (words.at(index) == "stage") return match::Role::kStage;
  if (words.at(index) == "observer") return match::Role::kObserver;
  throw std::runtime_error("no such role: " + words.at(index));
}

/// The number after `key` among the words from `from` on; 0 where there is none.
std::uint64_t option(const Words& words, std::size_t from, const std::string& key) {
  for (std::size_t i = from; i + 1 < words.size(); ++i) {
    if (words[i] == key) return number_at<std::uint64_t>(words, i + 1);
  }
  return 0;
}

std::string point_text(collision::Point point) {
  return std::to_string(point.x) + " " + std::to_string(point.y);
}

// One for each kind of facts.
std::string fact_text(const match::Destruction& destruction) {
  return "destroyed " + std::to_string(destruction.what.object) + " of participant " +
         std::to_string(destruction.owner) + " by " + std::to_string(destruction.what.by) +
         " of participant " + std::to_string(destruction.by_owner);
}
std::string fact_text(const match::OwnerChange& change) {
  return "participant " + std::to_string(change.from) + " hands " + std::to_string(change.objects.size()) +
         " objects" + (change.with_stage ? " and the stage" : "") + " to " + std::to_string(change.to);
}
std::string fact_text(const match::ToldMessage& told) {
  return "message of " + std::to_string(told.from) + ": " + told.message.bytes;
}

std::string fact_text(match::ParticipantNumber late) {
  return "no frame of participant " + std::to_string(late);
}

}  // namespace

std::vector<std::string> ScenarioPlayer::play(const std::vector<std::string>& commands) {
  log_.clear();
  for (const std::string& command : commands) {
    try {
      const Words words = words_of(command);
      if (command.front() == ' ') {
        add_change(words);
        continue;
      }
      submit_frame();
      run(words);
    } catch (const std::exception& error) {
      throw std::runtime_error("\"" + command + "\": " + error.what());
    }
  }
  submit_frame();
  return log_;
}

void ScenarioPlayer::run(const Words& words) {
  const std::string& command = words.at(0);
  if (!match_ && run_config(words)) return;
  if (command == "join") return join(words);
  if (command == "leave") return match().apply(match::Leave{number_of(words.at(1))});
  if (command == "frame") return open_frame(words);
  if (command == "participants") return report_participants();
  if (command == "end") return report(match().end());
  if (command == "tick") {
    const int count = words.size() > 1 ? number_at<int>(words, 1) : 1;
    for (int i = 0; i < count; ++i) report(match().step());
  } else if (command == "objects") {
    for (std::size_t i = 1; i < words.size(); ++i) report_object(id_at(words, i));
  } else if (command == "encounters") {
    log_.push_back(std::to_string(match().encounter_count()) + " open encounters");
  } else if (command == "digest") {
    char text[32];
    std::snprintf(text, sizeof text, "digest %016llx", static_cast<unsigned long long>(match().digest()));
    log_.push_back(text);
  } else {
    throw std::runtime_error("no such command");
  }
}

bool ScenarioPlayer::run_config(const Words& words) {
  const std::string& command = words.at(0);
  if (command == "begin") {
    begin();
  } else if (command == "layers") {
    config_.layers.assign(words.begin() + 1, words.end());
  } else if (command == "collides") {
    const bool is_sensor = std::ranges::find(words, "sensor") != words.end();
    config_.collides.push_back(
        {words.at(1), words.at(2), is_sensor, static_cast<std::uint32_t>(option(words, 3, "every"))});
  } else if (command == "clearable") {
    config_.clearable_layers.assign(words.begin() + 1, words.end());
  } else if (command == "stage_handover") {
    if (words.at(1) != "lowest_number") throw std::runtime_error("no such handover");
    config_.stage_handover = match::StageHandover::kLowestNumber;
  } else if (command == "playfield") {
    config_.playfield = box_at(words, 1);
  } else if (command == "mask") {
    add_mask(words);
  } else if (command == "late_frames") {
    config_.late_frames = late_policy_at(words, 1);
  } else if (command == "slot") {
    const bool has_block = words.size() > 3;
    config_.slots.push_back(
        {words.at(1), role_at(words, 2), has_block ? id_at(words, 3) : 0, has_block ? id_at(words, 4) : 0});
  } else if (command == "digest_version") {
    digest_version_ = number_at<std::uint32_t>(words, 1);
  } else {
    return run_number(words);
  }
  return true;
}

bool ScenarioPlayer::run_number(const Words& words) {
  static const std::map<std::string, std::uint32_t match::MatchConfig::*> kNumbers = {
      {"max_lead_ticks", &match::MatchConfig::max_lead_ticks},
      {"max_late_ticks", &match::MatchConfig::max_late_ticks},
      {"ids_per_participant", &match::MatchConfig::ids_per_participant},
      {"objects_per_participant_max", &match::MatchConfig::objects_per_participant_max},
  };
  const auto number = kNumbers.find(words.at(0));
  if (number == kNumbers.end()) return false;
  config_.*number->second = number_at<std::uint32_t>(words, 1);
  return true;
}

void ScenarioPlayer::begin() {
  auto made = match::Match::create(config_, digest_version_);
  if (made) {
    match_ = std::move(made.value());
  } else {
    log_.push_back("invalid config: " + made.error().field + " " + made.error().description);
  }
}

void ScenarioPlayer::join(const Words& words) {
  const auto joined = match().apply(match::Join{words.at(1), role_at(words, 2)});
  if (!joined) {
    log_.push_back(words.at(1) + " may not join: " + join_error_text(joined.error()));
    return;
  }
  numbers_[words.at(1)] = joined->number;
  log_.push_back(words.at(1) + " is participant " + std::to_string(joined->number) + " with ids " +
                 std::to_string(joined->first_id) + " to " + std::to_string(joined->last_id));
}

void ScenarioPlayer::open_frame(const Words& words) {
  sender_ = number_of(words.at(1));
  frame_ = std::make_unique<match::Frame>();
  frame_->tick = option(words, 2, "tick");
  frame_->acknowledged_tick = option(words, 2, "acknowledged");
}

void ScenarioPlayer::submit_frame() {
  if (!frame_) return;
  const auto rejection =
      match().apply(match::Submission{sender_, std::move(*std::exchange(frame_, nullptr))});
  if (rejection) log_.push_back("at once: " + rejection_text(*rejection));
}

void ScenarioPlayer::add_change(const Words& words) {
  if (!frame_) throw std::runtime_error("a change outside a frame");
  const std::string& kind = words.at(0);
  if (add_mass_change(words)) return;
  const collision::ObjectId id = id_at(words, 1);
  if (kind == "spawn") {
    add_spawn(words);
  } else if (kind == "reshape") {
    std::size_t next = 2;
    frame_->reshapes.push_back({id, parts_of(words, next)});
  } else if (kind == "layer") {
    const auto part = words.at(2) == "all" ? std::nullopt : std::optional(number_at<std::uint32_t>(words, 2));
    frame_->layer_changes.push_back({id, part, layer_of(words.at(3))});
  } else if (kind == "relative_move") {
    frame_->moves.insert(frame_->moves.begin() + static_cast<std::ptrdiff_t>(frame_->relative_moves++),
                         {id, point_at(words, 2)});
  } else if (kind == "move") {
    frame_->moves.push_back({id, point_at(words, 2)});
  } else if (kind == "teleport") {
    frame_->teleports.push_back({id, point_at(words, 2)});
  } else if (kind == "motion") {
    frame_->motions.push_back({id, motion_at(words, 2)});
  } else if (kind == "disable") {
    frame_->disables.push_back({id, option(words, 2, "until")});
  } else if (kind == "enable") {
    frame_->enables.push_back(id);
  } else if (kind == "despawn") {
    frame_->despawns.push_back(id);
  } else {
    throw std::runtime_error("no such change");
  }
}

bool ScenarioPlayer::add_mass_change(const Words& words) {
  const std::string& kind = words.at(0);
  if (kind == "freeze") {
    frame_->freezes.push_back(selection_of(words));
  } else if (kind == "release") {
    frame_->releases.push_back(selection_of(words));
  } else if (kind == "bomb") {
    frame_->mass_despawns.push_back(selection_of(words));
  } else if (kind == "scroll") {
    frame_->scroll = point_at(words, 1);
  } else if (kind == "transfer") {
    const bool with_stage = words.size() > 2 && words[2] == "with_stage";
    match::Transfer transfer{.objects = {}, .to = number_of(words.at(1)), .with_stage = with_stage};
    for (std::size_t i = with_stage ? 3 : 2; i < words.size(); ++i)
      transfer.objects.push_back(id_at(words, i));
    frame_->transfers.push_back(std::move(transfer));
  } else {
    return false;
  }
  return true;
}

match::Selection ScenarioPlayer::selection_of(const Words& words) const {
  match::Selection selection;
  for (std::size_t i = 1; i < words.size();) {
    if (words[i] == "layer") {
      selection.layers.push_back(layer_of(words.at(i + 1)));
      i += 2;
    } else if (words[i] == "region") {
      selection.region = box_at(words, i + 1);
      i += 5;
    } else {
      throw std::runtime_error("no such selection: " + words[i]);
    }
  }
  return selection;
}

void ScenarioPlayer::add_spawn(const Words& words) {
  if (words.at(2) != "at") throw std::runtime_error("spawn ID at X Y");
  collision::ObjectSpec spec;
  spec.id = id_at(words, 1);
  spec.position = point_at(words, 3);
  std::size_t next = 5;
  spec.parts = parts_of(words, next);
  while (next < words.size()) {
    if (words[next] == "motion") {
      spec.motion = motion_at(words, next + 1);
      next += 5;
    } else if (words[next] == "live") {
      spec.time_to_live_ticks = number_at<std::uint32_t>(words, next + 1);
      next += 2;
    } else if (words[next] == "hit_points") {
      spec.hit_points = number_at<std::uint32_t>(words, next + 1);
      next += 2;
    } else if (words[next] == "damage") {
      spec.damage = number_at<std::uint32_t>(words, next + 1);
      next += 2;
    } else if (words[next] == "single_use") {
      spec.single_use = true;
      ++next;
    } else if (words[next] == "continuous") {
      spec.continuous = true;
      ++next;
    } else if (words[next] == "despawn_outside_playfield") {
      spec.despawn_outside_playfield = true;
      ++next;
    } else {
      throw std::runtime_error("no such property: " + words[next]);
    }
  }
  frame_->spawns.push_back(std::move(spec));
}

void ScenarioPlayer::report(const match::TickOutput& output) {
  digests_.push_back(output.digest);
  const bool is_quiet = output.events.empty() && output.rejections.empty() && !match::has_facts(output);
  log_.push_back("tick " + std::to_string(output.tick) + (is_quiet ? ": nothing" : ""));
  for (const collision::Event& event : output.events)
    log_.push_back("  " + event_text(event, config_.layers));
  match::for_each_fact(
      [this](const auto& facts) {
        for (const auto& fact : facts) log_.push_back("  " + fact_text(fact));
      },
      output);
  for (const match::Rejection& rejection : output.rejections)
    log_.push_back("  " + rejection_text(rejection));
  for (const match::UnlistedRejections& unlisted : output.rejections_not_listed) {
    log_.push_back("  and " + std::to_string(unlisted.count) + " more of participant " +
                   std::to_string(unlisted.participant));
  }
}

void ScenarioPlayer::report_participants() {
  for (const match::Participant& participant : match().participants()) {
    log_.push_back(participant.name + ": " + std::to_string(participant.objects) + " objects, " +
                   std::to_string(participant.rejections) + " rejections, " +
                   std::to_string(participant.late_frames) + " late frames, acknowledged tick " +
                   std::to_string(participant.acknowledged_tick));
  }
}

void ScenarioPlayer::report_object(collision::ObjectId id) {
  const auto object = match().find_object(id);
  const std::string name = "object " + std::to_string(id);
  if (!object) {
    log_.push_back(name + " does not exist");
    return;
  }
  log_.push_back(name + " of participant " + std::to_string(object->owner) + " at " +
                 point_text(object->position) + ", velocity " + point_text(object->motion.velocity) + ", " +
                 std::to_string(object->parts.size()) + " parts");
}

std::uint32_t ScenarioPlayer::layer_of(const std::string& name) const {
  const auto layer = std::ranges::find(config_.layers, name);
  if (layer != config_.layers.end()) return static_cast<std::uint32_t>(layer - config_.layers.begin());
  return number_at<std::uint32_t>({name}, 0);
}

std::vector<collision::Part> ScenarioPlayer::parts_of(const Words& words, std::size_t& next) const {
  static const std::set<std::string> kKinds{"part", "circle", "capsule", "mask"};
  std::vector<collision::Part> parts;
  while (next < words.size() && kKinds.contains(words[next])) parts.push_back(part_at(words, next));
  return parts;
}

/// Sets `next` to the word after it.
collision::Part ScenarioPlayer::part_at(const Words& words, std::size_t& next) const {
  const std::string kind = words.at(next);
  const collision::LayerId layer = collision::saturate_layer(layer_of(words.at(next + 1)));
  const std::size_t numbers = next + 2;
  if (kind == "circle") {
    next += 5;
    return collision::make_circle(point_at(words, numbers),
                                  number_at<collision::Subunits>(words, numbers + 2), layer)
        .value();
  }
  if (kind == "capsule") {
    next += 7;
    const auto radius = number_at<collision::Subunits>(words, numbers + 4);
    return collision::make_capsule(point_at(words, numbers), point_at(words, numbers + 2), radius, layer)
        .value();
  }
  collision::Part part =
      kind == "mask" ? mask_at(words, numbers) : collision::Part{.box = box_at(words, numbers)};
  part.layer = layer;
  next += kind == "mask" ? 5 : 6;
  return part;
}

collision::Part ScenarioPlayer::mask_at(const Words& words, std::size_t index) const {
  const auto number = number_at<std::uint8_t>(words, index);
  const match::MaskConfig& mask = config_.masks.at(number);
  const collision::Point corner = point_at(words, index + 1);
  const auto width = static_cast<collision::Subunits>(mask.width * mask.pixel_size);
  const auto height = static_cast<collision::Subunits>(mask.height * mask.pixel_size);
  collision::Part part{.box = {corner.x, corner.y, corner.x + width, corner.y + height}};
  part.kind = collision::ShapeKind::kMask;
  part.mask = number;
  return part;
}

void ScenarioPlayer::add_mask(const Words& words) {
  match::MaskConfig mask;
  mask.pixel_size = number_at<std::uint32_t>(words, 1);
  mask.width = static_cast<std::uint32_t>(words.at(2).size());
  mask.height = static_cast<std::uint32_t>(words.size() - 2);
  mask.rows.assign(mask.row_bytes() * mask.height, 0);
  for (std::uint32_t y = 0; y < mask.height; ++y) {
    for (std::uint32_t x = 0; x < mask.width; ++x) {
      char& byte = mask.rows[y * mask.row_bytes() + x / 8];
      if (words[y + 2].at(x) == '#') byte = static_cast<char>(byte | 1 << x % 8);
    }
  }
  config_.masks.push_back(mask);
}

match::Match& ScenarioPlayer::match() const {
  if (!match_) throw std::runtime_error("no match has begun");
  return *match_;
}

match::ParticipantNumber ScenarioPlayer::number_of(const std::string& name) const {
  const auto number = numbers_.find(name);
  if (number == numbers_.end()) throw std::runtime_error(name + " never joined");
  return number->second;
}

}  // namespace sweepd::scenario
