// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "base/growth.h"
#include "collision/part_pool.h"
#include "collision/shapes/shape_check.h"
#include "collision/value_codec.h"
#include "match/history/history.h"
#include "match/history/history_traits.h"
#include "match/history/track_codec.h"
#include "match/templates/template_objects.h"

namespace sweepd::match {
namespace {

constexpr std::size_t kDeadBytesMin = 9;
constexpr std::size_t kEndedBytesMin = 6;

/// A state of a life, with parts of its own.
struct ReadVersion {
  Tick since = 0;
  OwnerId owner = 0;
  bool is_disabled = false;
  std::vector<collision::Part> parts = {};
};

struct ReadTracks {
  std::vector<TrackPoint> positions = {};
  std::vector<TrackPoint> velocities = {};
  std::vector<TrackPoint> accelerations = {};
  LifetimeTracks view() const { return {positions, velocities, accelerations}; }
  void clear() {
    positions.clear();
    velocities.clear();
    accelerations.clear();
  }
};

}  // namespace

/// Reads what History::Writer wrote. Whatever the history can be asked for is followed through before it is
/// taken in: that everything stayed within the range of coordinates, and that the living are where the world
/// has them.
class History::Reader {
 public:
  Reader(History& history, base::ByteReader& reader, const collision::World& world, std::uint32_t layer_count)
      : history_(history),
        reader_(reader),
        world_(world),
        layer_count_(layer_count),
        trajectories_(history.trajectories_, history.tick_) {}

  void read_lives();
  void read_ended();

 private:
  struct ReadLifetime {
    std::uint32_t traits = 0;
    LifetimeTable::Lifetime life = {};
    Tick teleported = 0;
    std::uint32_t template_number = 0;
    std::vector<ReadVersion> versions = {};
    Tick start = 0;
    Trajectory trajectory = {};
    bool has(LifeTrait trait) const { return (traits & trait) != 0; }
    bool is_dead() const { return life.died != collision::kForever; }
    /// The last tick in which anything can have been set about it.
    Tick last(Tick tick) const { return std::min<Tick>(life.died, tick); }
  };

  Tick tick() const { return history_.tick_; }
  void read_dead();
  void read_living(const collision::ObjectView& object);
  void read_birth(ReadLifetime& read);
  void read_death(ReadLifetime& read);
  void read_teleport(ReadLifetime& read);
  void read_template(ReadLifetime& read);
  void read_versions(ReadLifetime& read, const collision::ObjectView* object);
  ReadVersion read_version();
  void read_tracks(const ReadLifetime& read);
  bool are_possible(std::span<const collision::Part> parts) const;
  std::optional<Trajectory> follow(const ReadLifetime& read) const;
  static bool follow(TrajectoryWalk& walk, Tick last, const collision::Box& bounds);
  LifetimeIndex add(const ReadLifetime& read);

  History& history_;
  base::ByteReader& reader_;
  const collision::World& world_;
  std::uint32_t layer_count_;
  TrajectoryLog::Builder trajectories_;
  collision::PartListReader parts_;
  ReadTracks tracks_;  ///< Of the life that is read now.
  Tick last_death_ = 0;
};

void History::Reader::read_lives() {
  for (std::size_t i = reader_.count(kDeadBytesMin); i > 0 && reader_.ok(); --i) read_dead();
  for (const ObjectId id : world_.ids()) {
    if (reader_.ok()) read_living(*world_.find(id));
  }
  if (!reader_.ok()) return;
  history_.lives_.sort_alterations();
  trajectories_.finish(history_.lives_.size());
}

void History::Reader::read_dead() {
  ReadLifetime read;
  read_birth(read);
  read_death(read);
  read_teleport(read);
  read_template(read);
  read_versions(read, nullptr);
  read.trajectory.position = collision::read_point(reader_);
  read.trajectory.motion = collision::read_motion(reader_);
  reader_.require(read.has(kHasCourse), "is a life that is over, and nothing of where it was");
  read_tracks(read);
  if (reader_.require(follow(read).has_value(), "is a trajectory out of the range of coordinates")) add(read);
}

void History::Reader::read_living(const collision::ObjectView& object) {
  ReadLifetime read;
  read_birth(read);
  read.life.id = object.id;
  read.life.is_single_use = object.is_single_use;
  read_teleport(read);
  read_template(read);
  read_versions(read, &object);
  if (!reader_.ok()) return;
  const Trajectory present{object.position, object.is_frozen ? collision::Motion{} : object.motion};
  read.trajectory = rewound(present, tick() - read.start);
  if (read.has(kHasCourse)) {
    read.trajectory.position = collision::read_point(reader_);
    read.trajectory.motion = collision::read_motion(reader_);
  }
  read_tracks(read);
  if (!reader_.require(follow(read) == present, "is a trajectory that does not lead to where the object is"))
    return;
  LifetimeIndex& life = history_.life_by_slot_[world_.slot_of(object.id)];
  life = add(read);
}

void History::Reader::read_birth(ReadLifetime& read) {
  read.traits = static_cast<std::uint32_t>(reader_.number(kLifeTraitsEnd - 1));
  read.life.born = tick() - reader_.number(tick());
  reader_.require(read.life.born > 0, "is a life from before the first tick");
  read.start = std::max<Tick>(read.life.born, history_.oldest());
}

void History::Reader::read_death(ReadLifetime& read) {
  LifetimeTable::Lifetime& life = read.life;
  life.died = tick() - reader_.number(tick());
  life.id = reader_.number32();
  life.is_single_use = read.has(kIsSingleUse);
  life.is_used_up = read.has(kIsUsedUp);
  const bool is_kept = life.died > read.start && life.died >= last_death_ && life.id != 0;
  reader_.require(is_kept, "is a life that is not kept");
  last_death_ = life.died;
}

void History::Reader::read_teleport(ReadLifetime& read) {
  if (!read.has(kWasTeleported)) return;
  read.teleported = tick() - reader_.number(tick());
  reader_.require(read.teleported > read.life.born, "is a teleport of what was not there");
}

void History::Reader::read_template(ReadLifetime& read) {
  if (!read.has(kHasTemplate)) return;
  read.template_number = reader_.number32();
  const TemplateObjects* templates = history_.templates_;
  reader_.require(templates != nullptr && templates->does_bound_claims(read.template_number),
                  "is no template that bounds claims");
}

/// `object`: of a living one, its last version; else null.
void History::Reader::read_versions(ReadLifetime& read, const collision::ObjectView* object) {
  const std::size_t count = read.has(kWasAltered) ? reader_.count(2) : 1;
  if (!reader_.require(count >= 1, "is a life of no kind")) return;
  Tick since = read.life.born;
  for (std::size_t i = 0; i + 1 < count && reader_.ok(); ++i) {
    ReadVersion version = read_version();
    version.since = std::exchange(since, tick() - reader_.number(tick()));
    const bool is_later = since > std::max(read.start, version.since) && since <= read.last(tick());
    reader_.require(is_later, "is a change out of its order");
    read.versions.push_back(std::move(version));
  }
  if (object == nullptr) {
    read.versions.push_back(read_version());
  } else {
    read.versions.push_back({.owner = object->owner,
                             .is_disabled = object->disabled_until != 0,
                             .parts = {object->parts.begin(), object->parts.end()}});
  }
  read.versions.back().since = since;
}

ReadVersion History::Reader::read_version() {
  const std::uint64_t bits = reader_.number(2 * kParticipantsMax - 1);
  ReadVersion version{.owner = static_cast<OwnerId>(bits >> 1), .is_disabled = (bits & 1) != 0};
  version.parts = parts_.read(reader_);
  reader_.require(are_possible(version.parts), "is an object that cannot have been");
  return version;
}

bool History::Reader::are_possible(std::span<const collision::Part> parts) const {
  return !parts.empty() && std::ranges::all_of(parts, [this](const collision::Part& part) {
    return part.layer < layer_count_ && check_shape(part, world_.masks()) == collision::ShapeError::kNone;
  });
}

void History::Reader::read_tracks(const ReadLifetime& read) {
  const auto& [position, motion] = read.trajectory;
  const Tick last = read.last(tick());
  tracks_.clear();
  if (read.has(kHasPositions)) read_track(reader_, {read.start, last, position}, tracks_.positions);
  if (!read.has(kHasMotions)) return;
  read_track(reader_, {read.start, last, motion.velocity}, tracks_.velocities);
  read_track(reader_, {read.start, last, motion.acceleration}, tracks_.accelerations);
  reader_.require(std::ranges::includes(tracks_.velocities, tracks_.accelerations, {}, &TrackPoint::tick,
                                        &TrackPoint::tick),
                  "is an acceleration without a velocity");
}

/// Where it was last; nothing if a part of it was ever out of the range of coordinates.
std::optional<Trajectory> History::Reader::follow(const ReadLifetime& read) const {
  if (!reader_.ok()) return std::nullopt;
  const Tick last = read.is_dead() ? read.life.died - 1 : tick();
  TrajectoryWalk walk(read.start, read.trajectory, tracks_.view());
  for (std::size_t i = 0; i < read.versions.size(); ++i) {
    const Tick end = i + 1 < read.versions.size() ? read.versions[i + 1].since - 1 : last;
    if (end < walk.tick()) continue;
    if (!follow(walk, std::min(end, last), collision::bounds_of(read.versions[i].parts))) return std::nullopt;
    if (walk.tick() == last) break;
    walk.next();
  }
  return walk.trajectory();
}

/// The same until `last`, with these bounds.
bool History::Reader::follow(TrajectoryWalk& walk, Tick last, const collision::Box& bounds) {
  while (true) {
    if (!translate(bounds, walk.trajectory().position)) return false;
    if (walk.tick() == last) return true;
    // Between its ends a straight way is within the range if they are.
    const Tick alone = walk.trajectory().motion.acceleration == collision::Point{}
                           ? std::min(walk.next_set() - 1, last) - walk.tick()
                           : 0;
    if (alone == 0) {
      walk.next();
    } else if (!walk.go_straight_on(alone)) {
      return false;
    }
  }
}

LifetimeIndex History::Reader::add(const ReadLifetime& read) {
  LifetimeTable& lives = history_.lives_;
  const auto& [id, next, parts, born, died, owner, is_disabled, is_single_use, is_used_up, has_changes] =
      read.life;
  const LifetimeIndex before = lives.find_last(id);
  reader_.require(before == LifetimeTable::kNone || lives[before].died <= born,
                  "is a life during another of its id");
  const auto state_of = [](const ReadVersion& version) {
    return LifetimeTable::State{version.owner, version.is_disabled, version.parts};
  };
  const LifetimeIndex life = lives.begin(id, born, state_of(read.versions.front()), is_single_use);
  for (const ReadVersion& version : std::span(read.versions).subspan(1)) {
    lives.alter(life, version.since, state_of(version));
  }
  if (read.teleported != 0) lives.teleport(life, read.teleported);
  if (read.template_number != 0) lives.set_template(life, read.template_number);
  if (is_used_up) lives.use_up(life);
  if (read.is_dead()) lives.end(life, died);
  trajectories_.add(life, read.start, read.trajectory, tracks_.view());
  return life;
}

void History::Reader::read_ended() {
  Tick last = 0;
  for (std::size_t i = reader_.count(kEndedBytesMin); i > 0 && reader_.ok(); --i) {
    const Tick end = tick() - reader_.number(tick());
    const Tick since = end - reader_.number(end);
    collision::EncounterKey key{.object_a = reader_.number32()};
    key.object_b = reader_.number32();
    key.layer_a = reader_.byte();
    key.layer_b = reader_.byte();
    const bool is_kept = end >= last && end > history_.oldest() && since > 0 && since <= end;
    reader_.require(is_kept && key.object_a < key.object_b, "is an encounter that is not kept");
    history_.note_ended({key, since}, end);
    last = end;
  }
}

void History::restore(base::ByteReader& reader, const collision::World& world, std::uint32_t layer_count) {
  reader.require(reader.number() == ticks_, "is a history of another length");
  tick_ = world.tick();
  life_by_slot_.assign(world.object_count(), LifetimeTable::kNone);
  Reader parts(*this, reader, world, layer_count);
  parts.read_lives();
  parts.read_ended();
}

}  // namespace sweepd::match
