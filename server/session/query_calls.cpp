// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "session/methods.h"
#include "session/viewer.h"
#include "session/with_match.h"
#include "wire/page_token.h"
#include "wire/query_codec.h"

namespace sweepd::session {
namespace {

constexpr std::uint32_t kAnswersDefault = 1000;
// Of one question, of which plain shapes take one each and masks one for each run of pixels: some
// milliseconds.
constexpr std::uint32_t kTestsMax = 262'144;

/// What a question has cost, beside the one test that each costs at least.
template <typename Call>
void charge(const Call& call, std::uint64_t tests) {
  call.payers().charge(runtime::Resource::kQueryTests, tests, runtime::steady_now());
}

/// Runs `answer(match, tick, seen)` on the match's loop, where `tick` is the one asked about, or fails the
/// call for one that the match does not know, or the caller may not know yet. `seen`: what the caller may
/// know then; null: all. A question may take milliseconds, and a client may ask many at once: so each is a
/// slice of long work, and between two of them the ticks of all matches have their turn.
template <typename Call, typename Answer>
void ask_at_tick(Call& call, Answer answer) {
  const auto excess = call.home().backend().budgets.spend(call.payers(), runtime::Resource::kQueryTests, 1,
                                                          runtime::steady_now());
  if (excess) return call.fail(over_budget(*excess));
  with_match_in_slice(call, call.request().match_id(), [&call, answer](runtime::MatchHost& host, MatchLoop&) {
    const match::Tick at_tick = call.request().at_tick();
    const match::TickRange known = host.match().known_ticks();
    if (at_tick != 0 && !known.has(at_tick)) return call.fail(tick_not_known(at_tick, known));
    const match::Viewer viewer = viewer_of(call.principal(), host);
    const std::optional<match::Tick> last = last_tick_of(viewer, host);
    const match::Tick tick = at_tick == 0 ? last.value_or(0) : at_tick;
    const bool is_early = !viewer.sees_all && tick != host.match().tick() && !known.has(tick);
    if (!last || tick > *last || is_early) {
      const match::TickRange told =
          last && *last >= known.first ? match::TickRange{known.first, *last} : match::TickRange{};
      return call.fail(tick_not_known(tick, told));
    }
    call.response().set_tick(tick);
    std::optional<SeenWorld> seen;
    if (!viewer.sees_all) seen.emplace(viewer, host, tick, kTestsMax);
    const bool is_answered = answer(host.match(), tick, seen ? &*seen : nullptr);
    if (seen) charge(call, kTestsMax - seen->meter().left());
    if (!is_answered) return;
    if (seen && seen->meter().is_exceeded()) return call.fail(query_too_large(kTestsMax));
    call.reply();
  });
}

/// Runs `answer(queries, layers, meter)`, where `queries` are those of the tick asked about, or fails the
/// call for a layer that the match does not have, or as the question takes too much.
template <typename Call, typename Answer>
void ask(Call& call, Answer answer) {
  ask_at_tick(call, [&call, answer](const match::Match& match, match::Tick tick, SeenWorld* seen) {
    const auto layers = wire::decode_layers(call.request().layers(), match.config().layers.size());
    if (!layers) {
      call.fail(invalid_field("INVALID_QUERY", layers.error()));
      return false;
    }
    collision::TestMeter meter(kTestsMax);
    if (seen != nullptr) {
      answer(seen->objects(), layers.value(), &meter);
    } else if (tick == match.tick()) {
      answer(match.queries(), layers.value(), &meter);
    } else {
      answer(match.world_at(tick), layers.value(), &meter);
    }
    charge(call, kTestsMax - meter.left());
    if (meter.is_exceeded()) call.fail(query_too_large(kTestsMax));
    return !meter.is_exceeded();
  });
}

/// `encounters`: one more than the page has, if there is one.
void fill_page(std::span<const collision::Encounter> encounters, std::size_t page_size,
               v1::ListEncountersResponse& response) {
  const bool has_more = encounters.size() > page_size;
  if (has_more) encounters = encounters.first(page_size);
  for (const collision::Encounter& encounter : encounters)
    encode_encounter(encounter, *response.add_encounters());
  if (has_more) response.set_next_page_token(wire::encode_page_token(encounters.back().key));
}

}  // namespace

void list_encounters(ListEncountersCall& call) {
  const std::string& token = call.request().page_token();
  const auto after = wire::decode_page_token(token);
  if (!after && !token.empty()) {
    return call.fail(invalid_field("INVALID_PAGE_TOKEN", {"page_token", "not a token of this method"}));
  }
  ask_at_tick(call, [&call, after](const match::Match& match, match::Tick tick, SeenWorld* seen) {
    const v1::ListEncountersRequest& request = call.request();
    const std::uint32_t page_size =
        std::min(request.page_size() == 0 ? kAnswersDefault : request.page_size(), wire::kAnswersMax);
    // Of those that are not seen a page has none, however many there are.
    collision::EncounterPage page{after, request.object_id(), page_size + std::size_t{1}};
    if (seen != nullptr) page.count = ~std::size_t{0};
    std::vector<collision::Encounter> encounters = match.encounters_at(tick, page);
    if (seen != nullptr)
      std::erase_if(encounters, [seen](const auto& encounter) { return !seen->sees(encounter.key); });
    fill_page(encounters, page_size, call.response());
    charge(call, static_cast<std::uint64_t>(call.response().encounters_size()));
    return true;
  });
}

namespace {

void encode_name(const collision::PartName& name, v1::PartName& message) {
  message.set_object_id(name.object);
  message.set_part(name.part);
}

}  // namespace

void query_region(QueryRegionCall& call) {
  const auto limit =
      wire::decode_limit("parts_max", call.request().parts_max(), {kAnswersDefault, wire::kAnswersMax});
  if (!limit) return call.fail(invalid_field("INVALID_QUERY", limit.error()));
  const auto region = wire::decode_region(call.request());
  if (!region) return call.fail(invalid_field("INVALID_QUERY", region.error()));
  ask(call, [&call, limit = limit.value(), region = region.value()](const auto& queries, std::uint64_t layers,
                                                                    collision::TestMeter* meter) {
    const collision::PartName after{call.request().after().object_id(),
                                    static_cast<std::uint8_t>(std::min(call.request().after().part(), 255u))};
    v1::QueryRegionResponse& response = call.response();
    for (const collision::PartName& name : queries.in_region(region, layers, meter)) {
      if (call.request().has_after() && name <= after) continue;
      response.set_has_more(response.parts_size() == limit);
      if (response.has_more()) return;
      encode_name(name, *response.add_parts());
    }
  });
}

void cast_ray(CastRayCall& call) {
  const auto limit = wire::decode_limit("hits_max", call.request().hits_max(), {1, wire::kAnswersMax});
  if (!limit) return call.fail(invalid_field("INVALID_QUERY", limit.error()));
  ask(call,
      [&call, limit = limit.value()](const auto& queries, std::uint64_t layers, collision::TestMeter* meter) {
        const v1::CastRayRequest& request = call.request();
        const collision::Ray ray{{request.from_x(), request.from_y()}, {request.to_x(), request.to_y()}};
        v1::CastRayResponse& response = call.response();
        for (const collision::RayHit& hit : queries.all_hits(ray, layers, meter)) {
          response.set_has_more(response.hits_size() == limit);
          if (response.has_more()) return;
          v1::RayHit& message = *response.add_hits();
          encode_name(hit.part, *message.mutable_part());
          message.set_distance(hit.steps);
        }
      });
}

void find_nearest(FindNearestCall& call) {
  ask(call, [&call](const auto& queries, std::uint64_t layers, collision::TestMeter* meter) {
    const auto nearest = queries.nearest({call.request().x(), call.request().y()}, layers, meter);
    if (!nearest) return;
    encode_name(nearest->part, *call.response().mutable_part());
    call.response().set_distance(nearest->distance);
  });
}

void get_world(GetWorldCall& call) {
  const auto limit =
      wire::decode_limit("objects_max", call.request().objects_max(), {kAnswersDefault, wire::kObjectsMax});
  if (!limit) return call.fail(invalid_field("INVALID_QUERY", limit.error()));
  ask_at_tick(call,
              [&call, limit = limit.value()](const match::Match& match, match::Tick tick, SeenWorld* seen) {
                v1::GetWorldResponse& response = call.response();
                const match::ObjectId after = call.request().after_object_id();
                const match::PastWorld world =
                    seen != nullptr ? seen->objects()
                                    : match.world_at(tick, {after, static_cast<std::size_t>(limit) + 1});
                for (const match::PastObject& object : world.objects()) {
                  if (object.id <= after) continue;
                  response.set_has_more(response.objects_size() == limit);
                  if (response.has_more()) break;
                  wire::encode_object(object, *response.add_objects());
                }
                charge(call, static_cast<std::uint64_t>(response.objects_size()));
                return true;
              });
}

}  // namespace sweepd::session
