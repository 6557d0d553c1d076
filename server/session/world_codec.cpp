// SPDX-License-Identifier: MIT
#include "session/world_codec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "wire/shape_codec.h"

namespace sweepd::session {
namespace {

using match::FieldError;
using match::Found;
using runtime::WorldInterest;
using runtime::WorldTick;

constexpr std::size_t kOwnersMax = 64;

Found decode_layers(const v1::WorldInterest& message, std::size_t layer_count, WorldInterest& interest) {
  if (message.layers().empty()) return std::nullopt;
  const auto count = static_cast<std::size_t>(message.layers_size());
  if (Found error = match::check_count("layers", count, {0, collision::kLayersMax})) return error;
  interest.layers = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t layer = message.layers(static_cast<int>(i));
    if (Found error = match::check_number(match::indexed("layers", i), layer,
                                          {0, static_cast<std::int64_t>(layer_count) - 1}))
      return error;
    interest.layers |= std::uint64_t{1} << layer;
  }
  return std::nullopt;
}

Found decode_region(const v1::WorldInterest& message, WorldInterest& interest) {
  if (!message.has_region()) return std::nullopt;
  const v1::Box& box = message.region();
  interest.region = collision::Box{box.min_x(), box.min_y(), box.max_x(), box.max_y()};
  if (!collision::is_inverted(*interest.region)) return std::nullopt;
  return FieldError{"region", "has a minimum that is greater than its maximum"};
}

Found decode_owners(const v1::WorldInterest& message, WorldInterest& interest) {
  const auto count = static_cast<std::size_t>(message.owners_size());
  if (Found error = match::check_count("owners", count, {0, kOwnersMax})) return error;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t owner = message.owners(static_cast<int>(i));
    if (Found error =
            match::check_number(match::indexed("owners", i), owner, {0, match::kParticipantsMax - 1}))
      return error;
    interest.owners.push_back(owner);
  }
  std::ranges::sort(interest.owners);
  interest.owners.erase(std::unique(interest.owners.begin(), interest.owners.end()), interest.owners.end());
  return std::nullopt;
}

Found decode_pace(const v1::WorldInterest& message, WorldInterest& interest) {
  interest.every_ticks = std::max(message.every_ticks(), 1u);
  interest.step = std::max(message.position_step(), 1u);
  if (Found error =
          match::check_number("every_ticks", interest.every_ticks, {0, WorldInterest::kEveryTicksMax}))
    return error;
  if (Found error = match::check_number("position_step", interest.step, {0, WorldInterest::kStepMax}))
    return error;
  interest.bytes_per_second = message.bytes_per_second();
  if (interest.bytes_per_second == 0) return std::nullopt;
  return match::check_number("bytes_per_second", interest.bytes_per_second,
                             {WorldInterest::kBytesPerSecondMin, WorldInterest::kBytesPerSecondMax});
}

Found decode_following(const v1::WorldInterest& message, WorldInterest& interest) {
  interest.follow = message.follow_object();
  interest.leave_margin = message.leave_margin();
  if (!interest.region && interest.follow != 0)
    return FieldError{"follow_object", "is for a region, which follows it; there is none"};
  if (!interest.region && interest.leave_margin != 0)
    return FieldError{"leave_margin", "is of a region, and there is none"};
  return match::check_number("leave_margin", interest.leave_margin, {0, collision::kSubunitsMax});
}

/// Columns of one message, in which ids ascend: one for each row, and others that may be empty.
template <typename Columns>
class Rows {
 public:
  explicit Rows(Columns& columns) : columns_(columns) {}

  void begin(match::ObjectId id) {
    columns_.add_id_delta(id - last_id_);
    last_id_ = id;
    ++rows_;
  }
  /// Empty as long as all values are 0.
  template <typename Column, typename Value>
  void add(Column& column, Value value) const {
    if (value == 0 && column.empty()) return;
    if (column.size() < rows_ - 1) column.Resize(rows_ - 1, 0);
    column.Add(value);
  }
  /// The same of a column with two values for each row.
  template <typename Column, typename Value>
  void add(Column& column, Value x, Value y) const {
    if (x == 0 && y == 0 && column.empty()) return;
    if (column.size() < 2 * (rows_ - 1)) column.Resize(2 * (rows_ - 1), 0);
    column.Add(x);
    column.Add(y);
  }

 private:
  Columns& columns_;
  match::ObjectId last_id_ = 0;
  int rows_ = 0;
};

/// `put(row, rows)` adds what a row has beside its id.
template <typename List, typename Columns, typename Put>
void encode_rows(const List& list, Columns& columns, const Put& put) {
  Rows rows(columns);
  for (const auto& row : list) {
    rows.begin(row.id);
    put(row, rows);
  }
}

template <typename Columns>
void put_motion(const collision::Motion& motion, const Rows<Columns>& rows, Columns& columns) {
  rows.add(*columns.mutable_velocity(), motion.velocity.x, motion.velocity.y);
  rows.add(*columns.mutable_acceleration(), motion.acceleration.x, motion.acceleration.y);
}

void encode_appearances(const std::vector<WorldTick::Appearance>& list, v1::AppearanceColumns& columns) {
  encode_rows(list, columns, [&](const WorldTick::Appearance& row, const auto& rows) {
    rows.add(*columns.mutable_kind(), row.kind);
    rows.add(*columns.mutable_position(), static_cast<collision::Subunits>(row.place.x),
             static_cast<collision::Subunits>(row.place.y));
    put_motion(row.motion, rows, columns);
    rows.add(*columns.mutable_tag(), row.tag);
    rows.add(*columns.mutable_hit_points(), row.hit_points);
    rows.add(*columns.mutable_state(), row.state);
  });
}

void encode_places(const std::vector<WorldTick::Move>& list, v1::PlaceColumns& columns) {
  encode_rows(list, columns, [&](const WorldTick::Move& row, const auto& rows) {
    rows.add(*columns.mutable_difference(), row.difference.x, row.difference.y);
  });
}

void encode_ids(const std::vector<match::ObjectId>& ids,
                google::protobuf::RepeatedField<std::uint32_t>& deltas) {
  match::ObjectId last = 0;
  for (const match::ObjectId id : ids) deltas.Add(id - std::exchange(last, id));
}

v1::DepartureReason reason_of(const WorldTick::Departure& departure) {
  using collision::ExitReason;
  switch (departure.reason.value_or(ExitReason::kNone)) {
    case ExitReason::kDespawned:
      return v1::DEPARTURE_REASON_DESPAWNED;
    case ExitReason::kExpired:
      return v1::DEPARTURE_REASON_EXPIRED;
    case ExitReason::kLeftPlayfield:
      return v1::DEPARTURE_REASON_LEFT_PLAYFIELD;
    case ExitReason::kConsumed:
      return v1::DEPARTURE_REASON_CONSUMED;
    case ExitReason::kDestroyed:
      return v1::DEPARTURE_REASON_DESTROYED;
    case ExitReason::kOwnerLeft:
      return v1::DEPARTURE_REASON_OWNER_LEFT;
    default:
      return v1::DEPARTURE_REASON_LEFT_VIEW;
  }
}

void encode_kinds(const WorldTick& tick, v1::WorldTick& message) {
  for (const runtime::WorldKind& kind : tick.kinds) {
    v1::ObjectKind& told = *message.add_kinds();
    told.set_owner(kind.owner);
    told.set_template_number(kind.template_number);
    for (const collision::Part& part : kind.parts) wire::encode_part(part, *told.add_parts());
  }
  message.set_first_kind(tick.first_kind);
  message.set_forget_kinds(tick.forgets_kinds);
}

void encode_changes(const WorldTick& tick, v1::WorldTick& message) {
  if (!tick.moves.empty()) encode_places(tick.moves, *message.mutable_moves());
  if (!tick.teleports.empty()) encode_places(tick.teleports, *message.mutable_teleports());
  if (!tick.motions.empty()) {
    v1::MotionColumns& columns = *message.mutable_motions();
    encode_rows(tick.motions, columns,
                [&](const auto& row, const auto& rows) { put_motion(row.motion, rows, columns); });
  }
  const auto encode_numbers = [](const auto& list, auto& columns, auto* column) {
    encode_rows(list, columns, [&](const auto& row, const auto& rows) { rows.add(*column, row.value); });
  };
  if (!tick.recasts.empty())
    encode_numbers(tick.recasts, *message.mutable_recasts(), message.mutable_recasts()->mutable_kind());
  if (!tick.hit_points.empty())
    encode_numbers(tick.hit_points, *message.mutable_hit_points(),
                   message.mutable_hit_points()->mutable_hit_points());
  if (!tick.states.empty())
    encode_numbers(tick.states, *message.mutable_states(), message.mutable_states()->mutable_state());
}

/// Of one reason in one row of columns: most of a tick have the same.
void encode_departures(const std::vector<WorldTick::Departure>& list, v1::WorldTick& message) {
  struct Group {
    v1::DepartureColumns* columns = nullptr;
    match::ObjectId last_id = 0;
  };
  std::array<Group, v1::DepartureReason_ARRAYSIZE> groups;
  for (const WorldTick::Departure& departure : list) {
    const v1::DepartureReason reason = reason_of(departure);
    Group& group = groups.at(static_cast<std::size_t>(reason));
    if (group.columns == nullptr) {
      group.columns = message.add_departures();
      group.columns->set_reason(reason);
    }
    group.columns->add_id_delta(departure.id - std::exchange(group.last_id, departure.id));
  }
}

}  // namespace

Found decode_world(const v1::WorldInterest& message, const runtime::MatchHost& host,
                   runtime::SubscriptionOptions& options) {
  runtime::SubscriptionOptions::World world{.has_own_objects = message.own_objects(),
                                            .encode = encode_world_tick};
  if (Found error = decode_layers(message, host.match().config().layers.size(), world.interest)) return error;
  if (Found error = decode_region(message, world.interest)) return error;
  if (Found error = decode_owners(message, world.interest)) return error;
  if (Found error = decode_pace(message, world.interest)) return error;
  if (Found error = decode_following(message, world.interest)) return error;
  world.interest.has_owners = !world.interest.owners.empty() || world.has_own_objects;
  options.world = std::move(world);
  return std::nullopt;
}

bool has_room_for_world(const runtime::MatchHost& host, const runtime::WorldInterest& interest,
                        match::Viewer viewer, std::uint64_t own_id) {
  match::Tick delay = 0;
  if (const runtime::SightLog* sight = host.sight()) {
    viewer.sees_all = viewer.sees_all || !sight->rules().is_limited(viewer.role);
    if (!viewer.sees_all) delay = sight->rules().delay_ticks(viewer.role);
  } else {
    viewer = {};
  }
  return host.world().has_room_for({interest, viewer, false, delay}, own_id);
}

base::Result<runtime::SubscriptionOptions::World, FieldError> decode_further_world(
    const v1::WorldInterest& message, const runtime::MatchHost& host) {
  runtime::SubscriptionOptions options;
  const Found error = decode_world(message, host, options);
  if (!error) return *std::move(options.world);
  return FieldError{"world." + error->field, error->description};
}

Found find_tag_error(const match::Frame& frame, const match::MatchConfig& config) {
  if (config.object_tags) return std::nullopt;
  const auto tagged = std::ranges::find_if(frame.spawns, [](const auto& spec) { return spec.tag != 0; });
  if (tagged == frame.spawns.end()) return std::nullopt;
  const auto index = static_cast<std::size_t>(tagged - frame.spawns.begin());
  return FieldError{
      match::indexed("spawns", index) + ".tag",
      "is " + std::to_string(tagged->tag) + "; this match keeps no tags (MatchConfig.object_tags)"};
}

std::string encode_world_tick(const WorldTick& tick) {
  static thread_local v1::WorldTick message;  // Kept for its memory only.
  message.Clear();
  if (!tick.is_next) message.set_tick(tick.tick);
  message.set_is_snapshot(tick.feed_id != 0);
  message.set_feed_id(tick.feed_id);
  if (tick.step != 1) message.set_step(tick.step);
  encode_kinds(tick, message);
  if (!tick.appearances.empty()) encode_appearances(tick.appearances, *message.mutable_appearances());
  encode_changes(tick, message);
  encode_departures(tick.departures, message);
  if (tick.participants) {
    for (const WorldTick::Participant& one : *tick.participants) {
      v1::WorldParticipant& told = *message.mutable_participants()->add_participants();
      told.set_number(one.number);
      told.set_name(one.name);
      told.set_role(static_cast<v1::Role>(one.role));
    }
    message.mutable_participants();
  }
  encode_ids(tick.late, *message.mutable_late_id_delta());
  encode_ids(tick.prompt, *message.mutable_prompt_id_delta());
  message.set_waiting(tick.waiting);
  if (tick.playfield) {
    message.mutable_playfield()->set_x(tick.playfield->x);
    message.mutable_playfield()->set_y(tick.playfield->y);
  }
  return message.SerializeAsString();
}

}  // namespace sweepd::session
