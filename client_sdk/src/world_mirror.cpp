// SPDX-License-Identifier: MIT
#include "world_mirror.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "clock_codec.h"
#include "shape_codec.h"

namespace sweepd::internal {
namespace {

std::int32_t clamped(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, std::numeric_limits<std::int32_t>::min(),
                                                            std::numeric_limits<std::int32_t>::max()));
}

/// In 128 bits: a server may say anything.
std::int32_t clamped_sum(std::int64_t from, std::int64_t velocity, std::int64_t acceleration, Tick ticks) {
  __extension__ using Wide = __int128;
  const Wide count = std::min<Tick>(ticks, Tick{1} << 40);
  const Wide sum = Wide{from} + count * velocity + count * (count + 1) / 2 * acceleration;
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
  return clamped(static_cast<std::int64_t>(std::clamp(sum, -kMost, kMost)));
}

DepartureReason reason_of(v1::DepartureReason reason) {
  switch (reason) {
    case v1::DEPARTURE_REASON_DESPAWNED:
      return DepartureReason::kDespawned;
    case v1::DEPARTURE_REASON_EXPIRED:
      return DepartureReason::kExpired;
    case v1::DEPARTURE_REASON_LEFT_PLAYFIELD:
      return DepartureReason::kLeftPlayfield;
    case v1::DEPARTURE_REASON_CONSUMED:
      return DepartureReason::kConsumed;
    case v1::DEPARTURE_REASON_DESTROYED:
      return DepartureReason::kDestroyed;
    case v1::DEPARTURE_REASON_OWNER_LEFT:
      return DepartureReason::kOwnerLeft;
    default:
      return DepartureReason::kLeftView;
  }
}

template <typename Value, typename Column>
Value cell(const Column& column, int row) {
  return row < column.size() ? static_cast<Value>(column.Get(row)) : Value{};
}

/// Of a column with two values for each row.
template <typename Value, typename Column>
std::pair<Value, Value> cells(const Column& column, int row) {
  return {cell<Value>(column, 2 * row), cell<Value>(column, 2 * row + 1)};
}

template <typename Columns>
Course course_of(const Columns& columns, int row) {
  const auto velocity = cells<std::int32_t>(columns.velocity(), row);
  const auto acceleration = cells<std::int32_t>(columns.acceleration(), row);
  return {{velocity.first, velocity.second}, {acceleration.first, acceleration.second}};
}

}  // namespace

Spot moved_on(Spot from, const Course& course, Tick ticks) {
  if (ticks == 0 || course.is_still()) return from;
  return {clamped_sum(from.x, course.velocity.x, course.acceleration.x, ticks),
          clamped_sum(from.y, course.velocity.y, course.acceleration.y, ticks)};
}

Course sped_up(const Course& course, Tick ticks) {
  const auto speed = [ticks](std::int64_t velocity, std::int64_t acceleration) {
    return clamped_sum(velocity, acceleration, 0, ticks);
  };
  return {{speed(course.velocity.x, course.acceleration.x), speed(course.velocity.y, course.acceleration.y)},
          course.acceleration};
}

/// One tick's way into the mirror.
class WorldMirror::Applier {
 public:
  Applier(WorldMirror& mirror, const v1::WorldTick& tick, MirrorWatch* watch)
      : mirror_(mirror),
        message_(tick),
        watch_(watch),
        tick_(tick_of(tick, mirror.tick_)),
        step_(std::clamp<std::uint32_t>(tick.step(), 1, kStepMax)) {}

  Status apply() {
    if (message_.is_snapshot()) {
      forget_all();
    } else if (tick_ <= mirror_.tick_) {
      fault_ = "comes after tick " + std::to_string(mirror_.tick_);
    }
    take_kinds();
    depart();
    appear();
    change();
    set_late(message_.late_id_delta(), true);
    set_late(message_.prompt_id_delta(), false);
    take_common();
    if (!fault_.empty())
      return {ErrorCode::kInternal,
              "the server sent a world of tick " + std::to_string(tick_) + " that " + fault_};
    mirror_.tick_ = tick_;
    return {};
  }

 private:
  void forget_all() {
    if (watch_ != nullptr) watch_->forgets_all();
    mirror_.objects_.clear();
    mirror_.kinds_.clear();
    mirror_.playfield_ = {};
    mirror_.late_ = 0;
  }

  void take_kinds() {
    if (message_.forget_kinds())
      mirror_.kinds_.erase(mirror_.kinds_.begin(), mirror_.kinds_.lower_bound(message_.first_kind()));
    std::uint32_t number = message_.first_kind();
    for (const v1::ObjectKind& told : message_.kinds()) {
      auto parts = std::make_shared<std::vector<Part>>();
      for (const v1::Part& part : told.parts()) parts->push_back(internal::decode(part));
      mirror_.kinds_[number++] = {told.owner(), told.template_number(), std::move(parts)};
    }
  }

  using Deltas = google::protobuf::RepeatedField<std::uint32_t>;

  /// Calls `visit(id, row)`, up to a row that is not of a higher id than that before.
  template <typename Visit>
  void for_each_id(const Deltas& deltas, const Visit& visit) {
    ObjectId last = 0;
    for (int row = 0; row < deltas.size(); ++row) {
      const ObjectId id = last + deltas.Get(row);  // A sum that is too large comes out lower.
      if (row > 0 && id <= last) {
        fault_ = "names object " + std::to_string(id) + " after object " + std::to_string(last);
        return;
      }
      visit(last = id, row);
    }
  }
  /// The same with objects that are in the mirror.
  template <typename Columns, typename Visit>
  void for_each_object(const Columns& columns, const Visit& visit) {
    for_each_id(columns.id_delta(), [&](ObjectId id, int row) {
      const auto found = mirror_.objects_.find(id);
      if (found != mirror_.objects_.end()) return visit(found->second, row);
      fault_ = "changes object " + std::to_string(id) + ", which has not appeared";
    });
  }

  void depart() {
    for (const v1::DepartureColumns& departures : message_.departures()) {
      const DepartureReason reason = reason_of(departures.reason());
      for_each_object(departures, [&](MirrorObject& known, int) {
        if (watch_ != nullptr) watch_->departs(known, reason);
        if (known.object.is_late) --mirror_.late_;
        mirror_.objects_.erase(ObjectId{known.object.id});
      });
    }
  }

  void appear() {
    const v1::AppearanceColumns& columns = message_.appearances();
    for_each_id(columns.id_delta(), [&](ObjectId id, int row) {
      const auto [x, y] = cells<std::int64_t>(columns.position(), row);
      MirrorObject object{.object = {.id = id,
                                     .tag = cell<std::uint64_t>(columns.tag(), row),
                                     .hit_points = cell<std::uint32_t>(columns.hit_points(), row)},
                          .since = tick_,
                          .spot = {clamped(x * step_), clamped(y * step_)},
                          .course = course_of(columns, row)};
      set_kind(object.object, cell<std::uint32_t>(columns.kind(), row));
      set_state(object.object, cell<std::uint32_t>(columns.state(), row));
      if (watch_ != nullptr) watch_->appears(object);
      if (!mirror_.objects_.try_emplace(id, std::move(object)).second)
        fault_ = "has object " + std::to_string(id) + " appear, which has appeared";
    });
  }

  void change() {
    place(message_.moves(), false);
    place(message_.teleports(), true);
    for_each_object(message_.motions(), [&](MirrorObject& known, int row) {
      if (watch_ != nullptr) watch_->steers(known);
      move_up(known);
      known.course = course_of(message_.motions(), row);
    });
    for_each_object(message_.recasts(), [&](MirrorObject& known, int row) {
      set_kind(known.object, cell<std::uint32_t>(message_.recasts().kind(), row));
    });
    for_each_object(message_.hit_points(), [&](MirrorObject& known, int row) {
      known.object.hit_points = cell<std::uint32_t>(message_.hit_points().hit_points(), row);
    });
    for_each_object(message_.states(), [&](MirrorObject& known, int row) {
      set_state(known.object, cell<std::uint32_t>(message_.states().state(), row));
    });
  }

  void place(const v1::PlaceColumns& columns, bool is_teleport) {
    for_each_object(columns, [&](MirrorObject& known, int row) {
      const Spot expected = known.at(tick_);
      const auto shifted = [&](std::int32_t from, std::int64_t steps) {
        constexpr std::int64_t kMost = std::int64_t{1} << 33;  // Beyond all differences.
        return clamped(from + std::clamp(steps, -kMost, kMost) * step_);
      };
      const auto [dx, dy] = cells<std::int64_t>(columns.difference(), row);
      const Spot to{shifted(expected.x, dx), shifted(expected.y, dy)};
      if (watch_ != nullptr) watch_->moves(known, to, is_teleport, tick_);
      move_up(known);
      known.spot = to;
    });
  }

  void move_up(MirrorObject& known) const {
    if (tick_ <= known.since) return;
    known.spot = known.at(tick_);
    known.course = sped_up(known.course, tick_ - known.since);
    known.since = tick_;
  }

  void set_kind(WorldObject& object, std::uint32_t number) {
    const auto kind = mirror_.kinds_.find(number);
    if (kind == mirror_.kinds_.end()) {
      fault_ = "names kind " + std::to_string(number) + ", which has not been told";
      object.parts = std::make_shared<const std::vector<Part>>();
      return;
    }
    object.owner = kind->second.owner;
    object.template_number = kind->second.template_number;
    object.parts = kind->second.parts;
  }

  static void set_state(WorldObject& object, std::uint32_t state) {
    object.is_disabled = (state & 1) != 0;
    object.is_frozen = (state & 2) != 0;
  }

  void set_late(const Deltas& deltas, bool is_late) {
    for_each_id(deltas, [&](ObjectId id, int) {
      const auto found = mirror_.objects_.find(id);
      if (found == mirror_.objects_.end() || found->second.object.is_late == is_late) {
        fault_ = "says that object " + std::to_string(id) + " is late or not, which it cannot be";
        return;
      }
      found->second.object.is_late = is_late;
      is_late ? ++mirror_.late_ : --mirror_.late_;
    });
  }

  void take_common() {
    mirror_.waiting_ = message_.waiting();
    if (message_.has_participants()) {
      mirror_.participants_.clear();
      for (const v1::WorldParticipant& one : message_.participants().participants())
        mirror_.participants_.push_back({one.number(), one.name(), internal::decode(one.role())});
    }
    if (message_.has_playfield()) mirror_.playfield_ = {message_.playfield().x(), message_.playfield().y()};
  }

  static constexpr std::uint32_t kStepMax = 1u << 16;  // No server has more; so nothing overflows.

  WorldMirror& mirror_;
  const v1::WorldTick& message_;
  MirrorWatch* const watch_;
  const Tick tick_;
  const std::int64_t step_;
  std::string fault_;
};

Status WorldMirror::apply(const v1::WorldTick& tick, MirrorWatch* watch) {
  return Applier(*this, tick, watch).apply();
}

}  // namespace sweepd::internal
