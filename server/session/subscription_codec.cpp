// SPDX-License-Identifier: MIT
#include "session/subscription_codec.h"

#include <algorithm>

#include "session/world_codec.h"

namespace sweepd::session {
namespace {

using match::FieldError;
using match::Found;
using runtime::EventFilter;
using runtime::SubscriptionOptions;
using runtime::WhenFull;

constexpr std::uint32_t kEveryTicksMax = 3600;
constexpr std::size_t kKindsMax = 2;

static_assert(static_cast<int>(WhenFull::kDisconnect) == v1::WHEN_FULL_DISCONNECT);
static_assert(static_cast<int>(WhenFull::kGap) == v1::WHEN_FULL_GAP);
static_assert(static_cast<int>(WhenFull::kCoalesce) == v1::WHEN_FULL_COALESCE);

Found decode_layers(const v1::EventFilter& message, std::size_t layer_count, EventFilter& filter) {
  if (message.layers().empty()) return std::nullopt;
  const auto count = static_cast<std::size_t>(message.layers_size());
  if (Found error = match::check_count("layers", count, {0, collision::kLayersMax})) return error;
  filter.layers = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t layer = message.layers(static_cast<int>(i));
    if (Found error = match::check_number(match::indexed("layers", i), layer,
                                          {0, static_cast<std::int64_t>(layer_count) - 1}))
      return error;
    filter.layers |= std::uint64_t{1} << layer;
  }
  return std::nullopt;
}

Found decode_objects(const v1::EventFilter& message, EventFilter& filter) {
  const auto count = static_cast<std::size_t>(message.object_ids_size());
  if (Found error = match::check_count("object_ids", count, {0, EventFilter::kObjectsMax})) return error;
  for (std::size_t i = 0; i < count; ++i) {
    const collision::ObjectId id = message.object_ids(static_cast<int>(i));
    if (id == 0) return FieldError{match::indexed("object_ids", i), "is 0, which names no object"};
    filter.objects.push_back(id);
  }
  std::ranges::sort(filter.objects);
  return std::nullopt;
}

Found decode_kinds(const v1::EventFilter& message, EventFilter& filter) {
  if (message.kinds().empty()) return std::nullopt;
  const auto count = static_cast<std::size_t>(message.kinds_size());
  if (Found error = match::check_count("kinds", count, {0, kKindsMax})) return error;
  filter.enters = filter.exits = false;
  for (std::size_t i = 0; i < count; ++i) {
    const int kind = message.kinds(static_cast<int>(i));
    if (kind != v1::EVENT_KIND_ENTER && kind != v1::EVENT_KIND_EXIT) {
      return FieldError{match::indexed("kinds", i), "ENTER or EXIT is required, not " + std::to_string(kind)};
    }
    (kind == v1::EVENT_KIND_ENTER ? filter.enters : filter.exits) = true;
  }
  return std::nullopt;
}

Found decode_filter(const v1::EventFilter& message, std::size_t layer_count, SubscriptionOptions& options) {
  if (Found error = decode_layers(message, layer_count, options.filter)) return error;
  if (Found error = decode_objects(message, options.filter)) return error;
  if (Found error = decode_kinds(message, options.filter)) return error;
  options.own_objects_only = message.own_objects();
  options.stay_every_ticks = message.stay_every_ticks();
  options.digest_every_ticks = message.digest_every_ticks();
  if (Found error = match::check_number("stay_every_ticks", options.stay_every_ticks, {0, kEveryTicksMax})) {
    return error;
  }
  return match::check_number("digest_every_ticks", options.digest_every_ticks, {0, kEveryTicksMax});
}

Found decode_policy(const v1::QueuePolicy& message, SubscriptionOptions& options) {
  const int when_full = message.when_full();
  if (when_full < 0 || when_full > v1::WHEN_FULL_COALESCE) {
    return FieldError{"when_full", "unknown value " + std::to_string(when_full)};
  }
  if (when_full != 0) options.when_full = static_cast<WhenFull>(when_full);
  if (message.events_max() == 0) return std::nullopt;
  options.events_max = message.events_max();
  return match::check_number("events_max", options.events_max, {1, SubscriptionOptions::kEventsMaxMax});
}

FieldError within(const char* field, FieldError error) {
  return {std::string(field) + "." + error.field, std::move(error.description)};
}

template <typename Message>
base::Result<SubscriptionOptions, FieldError> decode(const Message& message, const runtime::MatchHost& host) {
  SubscriptionOptions options;
  if (message.has_resume()) {
    const v1::ResumePoint& point = message.resume();
    options.resume = {point.epoch(),
                      point.last_sequence_number(),
                      point.last_tick(),
                      {point.world_feed_id(), point.world_tick()}};
    if (Found error = host.find_error(*options.resume)) return within("resume", *std::move(error));
  }
  if (Found error = decode_filter(message.filter(), host.match().config().layers.size(), options)) {
    return within("filter", *std::move(error));
  }
  if (Found error = decode_policy(message.queue_policy(), options)) {
    return within("queue_policy", *std::move(error));
  }
  if (message.has_world()) {
    if (Found error = decode_world(message.world(), host, options)) return within("world", *std::move(error));
  }
  return options;
}

}  // namespace

base::Result<SubscriptionOptions, FieldError> decode_subscription(const v1::Join& join,
                                                                  const runtime::MatchHost& host) {
  auto options = decode(join, host);
  if (options) options->is_shared = join.is_shared();
  return options;
}

base::Result<SubscriptionOptions, FieldError> decode_subscription(const v1::WatchRequest& request,
                                                                  const runtime::MatchHost& host) {
  if (request.filter().own_objects()) {
    return FieldError{"filter.own_objects", "is for participants: watchers have no objects"};
  }
  if (request.world().own_objects()) {
    return FieldError{"world.own_objects", "is for participants: watchers have no objects"};
  }
  return decode(request, host);
}

}  // namespace sweepd::session
