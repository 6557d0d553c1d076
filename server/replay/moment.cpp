// SPDX-License-Identifier: MIT
#include "replay/moment.h"

#include "base/assert.h"
#include "replay/ending.h"
#include "replay/seeker.h"

namespace sweepd::replay {
namespace {

std::vector<MomentObject> objects_of(const match::Match& match) {
  std::vector<MomentObject> objects;
  const match::PastWorld world = match.world_at(match.tick());
  for (const match::PastObject& object : world.objects()) {
    objects.push_back({object.id,
                       object.owner,
                       object.trajectory,
                       object.is_disabled,
                       {object.parts.begin(), object.parts.end()}});
  }
  return objects;
}

}  // namespace

Moment moment_of(const match::Match& match, const match::TickOutput& output) {
  SWEEPD_ASSERT(match.tick() == output.tick);
  return {.tick = output.tick,
          .digest = output.digest,
          .playfield_origin = match.playfield_origin(),
          .objects = objects_of(match),
          .encounters = match.open_encounters(),
          .events = {output.events.begin(), output.events.end()},
          .claims = {output.claim_verdicts.begin(), output.claim_verdicts.end()},
          .rejections = {output.rejections.begin(), output.rejections.end()},
          .scores = scores_of(match),
          .participants = match.participants()};
}

std::optional<FileFault> visit_moments(const Reader& reader, Tick first, Tick last,
                                       const std::function<void(const Moment&)>& visit) {
  SWEEPD_ASSERT(first >= 1 && first <= last && last <= reader.tick_count());
  auto seeker = Seeker::open(reader, PlayedPast::kAsConfigured);
  if (!seeker) return seeker.error();
  if (auto fault = seeker->seek(first - 1)) return fault;
  while (seeker->match().tick() < last) {
    const auto output = seeker->next();
    if (!output) return output.error();
    visit(moment_of(seeker->match(), **output));
  }
  return std::nullopt;
}

}  // namespace sweepd::replay
