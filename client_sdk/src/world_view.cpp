// SPDX-License-Identifier: MIT
#include "sweepd/world_view.h"

#include <algorithm>
#include <utility>

#include "lead_estimate.h"
#include "object_tracks.h"
#include "subscription.h"
#include "subunits.h"
#include "tick_clock.h"
#include "world_mirror.h"

namespace sweepd {
namespace {

Vec2 units(internal::Spot spot) { return {internal::to_units(spot.x), internal::to_units(spot.y)}; }

}  // namespace

class WorldView::Impl final : private internal::MirrorWatch {
 public:
  Impl(std::shared_ptr<internal::Subscription> subscription, const WorldViewOptions& options)
      : subscription_(std::move(subscription)), tracks_(mirror_, options) {}

  WorldNews update(TimePoint now);
  const internal::WorldMirror& mirror() const { return mirror_; }
  const internal::ObjectTracks& tracks() const { return tracks_; }
  const internal::TickClock& clock() const { return clock_; }
  Tick recommended_lead() const;
  const Status& error() const { return error_; }

 private:
  void forgets_all() override;
  void appears(const internal::MirrorObject& object) override { news_.appeared.push_back(object.object.id); }
  void departs(const internal::MirrorObject& object, DepartureReason reason) override;
  void moves(const internal::MirrorObject& object, internal::Spot to, bool is_teleport, Tick tick) override;
  void steers(const internal::MirrorObject& object) override {
    tracks_.begin_correction(object, clock_.tick());
  }

  std::shared_ptr<internal::Subscription> subscription_;
  internal::WorldMirror mirror_;
  internal::ObjectTracks tracks_;
  internal::TickClock clock_;
  internal::LeadEstimate lead_;
  WorldNews news_;
  std::uint32_t delay_ms_ = 0;
  double rate_hz_ = 0;
  Status error_;
};

WorldNews WorldView::Impl::update(TimePoint now) {
  internal::WorldInbox::News news = subscription_->world().take();
  const ClockState clock = subscription_->clock();
  rate_hz_ = clock.tick_rate_hz;
  clock_.set_rate(clock.paused ? 0 : rate_hz_, now);
  for (const internal::UpdateArrival& arrival : news.arrivals) clock_.note(arrival.tick, arrival.at);
  clock_.advance(now);
  if (news.delay_ms != 0) delay_ms_ = news.delay_ms;
  for (const FrameArrival& frame : news.frames) lead_.note(frame.lag_ticks);
  for (const auto& tick : news.ticks) {
    if (error_.ok() || tick.is_snapshot()) error_ = mirror_.apply(tick, this);
  }
  tracks_.finish_corrections(clock_.tick());
  news_.frames = std::move(news.frames);
  return std::exchange(news_, {});
}

void WorldView::Impl::forgets_all() {
  news_ = {.begins_anew = true};
  tracks_.forget_all();
}

void WorldView::Impl::departs(const internal::MirrorObject& object, DepartureReason reason) {
  const double tick = tracks_.drawn_tick(object, clock_.tick());
  news_.departed.push_back({object.object, tracks_.drawn(object, tick), reason});
  std::erase(news_.appeared, object.object.id);
  tracks_.forget(object.object.id);
}

void WorldView::Impl::moves(const internal::MirrorObject& object, internal::Spot to, bool is_teleport,
                            Tick tick) {
  if (!is_teleport) tracks_.begin_correction(object, clock_.tick());
  tracks_.note_move(object, to, is_teleport, tick, subscription_->world_every_ticks());
}

/// What a frame takes to the server, and the update to here, is about what the server measures; and a tick
/// for what comes unevenly.
Tick WorldView::Impl::recommended_lead() const { return lead_.lead(delay_ms_ * rate_hz_ / 1000); }

WorldView::WorldView(const MatchFeed& feed, const WorldViewOptions& options)
    : impl_(std::make_unique<Impl>(feed.subscription_, options)) {}
WorldView::WorldView(WorldView&&) noexcept = default;
WorldView& WorldView::operator=(WorldView&&) noexcept = default;
WorldView::~WorldView() = default;

WorldNews WorldView::update(TimePoint now) { return impl_->update(now); }
Tick WorldView::tick() const { return impl_->mirror().tick(); }

std::uint32_t WorldView::waiting() const { return impl_->mirror().waiting(); }

std::vector<const WorldObject*> WorldView::objects() const {
  std::vector<const WorldObject*> objects;
  objects.reserve(impl_->mirror().objects().size());
  for (const auto& [id, object] : impl_->mirror().objects()) objects.push_back(&object.object);
  return objects;
}

const WorldObject* WorldView::find(ObjectId id) const {
  const internal::MirrorObject* object = impl_->mirror().find(id);
  return object == nullptr ? nullptr : &object->object;
}

std::optional<Vec2> WorldView::position_at(ObjectId id, Tick tick) const {
  const internal::MirrorObject* object = impl_->mirror().find(id);
  if (object == nullptr) return std::nullopt;
  if (tick < object->since) {
    if (const auto past = impl_->tracks().past_position(*object, tick)) return past;
  }
  return units(object->at(tick));
}

std::optional<Motion> WorldView::motion_at(ObjectId id, Tick tick) const {
  const internal::MirrorObject* object = impl_->mirror().find(id);
  if (object == nullptr) return std::nullopt;
  const Tick ticks = tick > object->since ? tick - object->since : 0;
  const internal::Course course = internal::sped_up(object->course, ticks);
  return Motion{units(course.velocity), units(course.acceleration)};
}

std::optional<Vec2> WorldView::drawn_position(ObjectId id) const {
  const internal::MirrorObject* object = impl_->mirror().find(id);
  if (object == nullptr) return std::nullopt;
  return impl_->tracks().drawn(*object, impl_->tracks().drawn_tick(*object, estimated_tick()));
}

std::optional<Vec2> WorldView::drawn_position(ObjectId id, double tick) const {
  const internal::MirrorObject* object = impl_->mirror().find(id);
  return object == nullptr ? std::nullopt : std::optional(impl_->tracks().drawn(*object, tick));
}

double WorldView::estimated_tick() const { return impl_->clock().tick(); }
Tick WorldView::recommended_lead() const { return impl_->recommended_lead(); }

const std::vector<WorldParticipant>& WorldView::participants() const {
  return impl_->mirror().participants();
}

Vec2 WorldView::playfield_origin() const { return units(impl_->mirror().playfield()); }
Status WorldView::error() const { return impl_->error(); }

}  // namespace sweepd
