// SPDX-License-Identifier: MIT
#include "tools/sweepctl/picture_region.h"

#include "tools/sweepctl/picture_view.h"

namespace sweepd::tools {
namespace {

void add_object(const replay::MomentObject& object, Surround& surround) {
  for (const collision::Box& box : boxes_of(object)) surround.add(box);
}

void add_claims(const Scene& scene, Surround& surround) {
  for (const SceneClaim& claim : scene.claims) {
    if (claim.shot) add_object(*claim.shot, surround);
    if (claim.target) add_object(*claim.target, surround);
  }
}

void add_objects(const Scene& scene, const std::set<match::ObjectId>& only, Surround& surround) {
  for (const replay::MomentObject& object : scene.moment.objects) {
    if (only.empty() || only.contains(object.id)) add_object(object, surround);
  }
}

void add_touching(const Scene& scene, std::set<match::ObjectId>& objects) {
  for (const collision::Event& event : scene.moment.events) {
    objects.insert({event.key.object_a, event.key.object_b});
  }
  for (const collision::Encounter& encounter : scene.moment.encounters) {
    objects.insert({encounter.key.object_a, encounter.key.object_b});
  }
}

}  // namespace

std::set<match::ObjectId> objects_of_interest(const Scene& scene, const PictureOptions& options) {
  std::set<match::ObjectId> objects(options.objects.begin(), options.objects.end());
  if (!objects.empty()) return objects;
  for (const SceneClaim& claim : scene.claims) {
    objects.insert({claim.verdict.claim.shot, claim.verdict.claim.target});
  }
  if (objects.empty()) add_touching(scene, objects);
  return objects;
}

collision::Box region_of(const Scene& scene, const match::MatchConfig& config,
                         const PictureOptions& options) {
  constexpr double kShare = 0.6;
  constexpr double kUnitsMin = 4;
  if (options.region) return *options.region;
  Surround surround;
  const auto objects = objects_of_interest(scene, options);
  if (options.objects.empty()) add_claims(scene, surround);
  if (!objects.empty()) add_objects(scene, objects, surround);
  if (!surround.is_empty()) return surround.box(kShare, kUnitsMin);
  add_objects(scene, {}, surround);
  if (surround.is_empty()) surround.add(config.playfield);
  return surround.box(0.05, kUnitsMin);
}

}  // namespace sweepd::tools
