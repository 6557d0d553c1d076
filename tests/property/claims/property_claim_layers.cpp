// SPDX-License-Identifier: MIT
//
// Protects claims against shots that their templates do not let hit so: in random matches, in which ids pass
// from one template to another and which are saved and restored, every verdict is the one of a match without
// such rules, less what the template that the shot had in the tick judged may not hit.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "match/match.h"
#include "property/random.h"

namespace sweepd::property::property_claim_layers {
namespace {

using collision::LayerId;
using collision::ObjectId;
using collision::Part;
using collision::Tick;
using match::ClaimVerdict;
using match::Frame;
using match::Role;
using match::Verdict;

constexpr ObjectId kIds = 6;  // Few, so that each has many lives.
constexpr Tick kTicks = 120;
constexpr std::uint32_t kTemplates = 3;

Part box(LayerId layer) { return {.box = {-20, -20, 20, 20}, .layer = layer}; }

/// Each template has another damage: by that objects show which they are of.
match::MatchConfig random_config(Random& random) {
  match::MatchConfig config;
  config.layers = {"shot", "enemy", "boss"};
  config.collides = {{"shot", "enemy"}, {"shot", "boss"}};
  config.ids_per_participant = 16;
  config.history_ticks = 30;
  config.claims = {.rewind_ticks_max = 20, .hits_per_shot_max = 0};
  const std::optional<std::vector<std::string>> choices[] = {
      std::nullopt, {{}}, {{"enemy"}}, {{"boss"}}, {{"boss", "enemy"}}};
  for (std::uint32_t i = 1; i <= kTemplates; ++i)
    config.templates.push_back({.name = "kind " + std::to_string(i),
                                .shapes = {{{box(0)}}},
                                .damage = i,
                                .claim_layers = choices[random.index(5)]});
  return config;
}

match::MatchConfig without_rules(match::MatchConfig config) {
  for (match::ObjectTemplate& kind : config.templates) kind.claim_layers.reset();
  return config;
}

/// What an object was at a tick's end.
struct Seen {
  std::uint32_t template_number = 0;
  std::vector<LayerId> layers;
};

class Play {
 public:
  explicit Play(std::uint64_t seed)
      : random_(seed),
        config_(random_config(random_)),
        limited_(std::move(match::Match::create(config_).value())),
        free_(std::move(match::Match::create(without_rules(config_)).value())) {
    for (const Role role : {Role::kPlayer, Role::kStage}) {
      const match::Join join{role == Role::kPlayer ? "ann" : "stage", role};
      who_.push_back(limited_->apply(join).value());
      free_->apply(join).value();
    }
  }

  void run(std::map<Verdict, int>& verdicts) {
    for (Tick tick = 1; tick <= kTicks && !::testing::Test::HasFailure(); ++tick) {
      for (const match::Participant& who : who_) send(who, frame_of(who));
      limited_->step();
      free_->step();
      look();
      if (random_.chance(5)) restart();
      for (int i = 0; i < 10; ++i) claim(verdicts);
    }
  }

 private:
  ObjectId id_of(const match::Participant& who) {
    return who.first_id + static_cast<ObjectId>(random_.index(kIds));
  }

  Frame frame_of(const match::Participant& who) {
    Frame frame;
    const ObjectId id = id_of(who);
    if (limited_->find_object(id)) {
      if (random_.chance(40)) frame.despawns.push_back(id);
      return frame;
    }
    collision::ObjectSpec spec;
    spec.id = id;
    spec.position = {static_cast<int>(random_.between(-60, 60)), 0};
    if (who.role == Role::kPlayer) {
      spec.kind = 1 + static_cast<std::uint32_t>(random_.index(kTemplates));
    } else {
      spec.parts = {box(static_cast<LayerId>(1 + random_.index(2)))};
      if (random_.chance(50)) spec.parts.push_back(box(static_cast<LayerId>(1 + random_.index(2))));
    }
    frame.spawns.push_back(spec);
    return frame;
  }

  void send(const match::Participant& who, const Frame& frame) {
    limited_->apply(match::Submission{who.number, frame});
    free_->apply(match::Submission{who.number, frame});
  }

  void restart() { limited_ = std::move(match::Match::restore(config_, limited_->save()).value()); }

  void look() {
    std::map<ObjectId, Seen>& seen = seen_[limited_->tick()];
    for (const match::Participant& who : who_) {
      for (ObjectId id = who.first_id; id < who.first_id + kIds; ++id) {
        const auto object = limited_->find_object(id);
        if (!object) continue;
        seen[id].template_number = who.role == Role::kPlayer ? object->damage : 0;
        for (const Part& part : object->parts) seen[id].layers.push_back(part.layer);
      }
    }
  }

  bool may_hit(std::uint32_t template_number, LayerId layer) const {
    if (template_number == 0) return true;
    const auto& layers = config_.templates[template_number - 1].claim_layers;
    return !layers || std::ranges::find(*layers, config_.layers[layer]) != layers->end();
  }

  void claim(std::map<Verdict, int>& verdicts) {
    const Tick now = limited_->tick();
    const match::HitClaim claim{.shot = id_of(who_[0]),
                                .target = id_of(who_[1]),
                                .tick_seen = now - std::min<Tick>(now - 1, random_.index(24)),
                                .tolerance = static_cast<std::uint32_t>(random_.index(40))};
    const match::Claimant claimant{.number = who_[0].number, .arrival_tick = now};
    const ClaimVerdict found = limited_->judge(claimant, claim);
    const ClaimVerdict otherwise = free_->judge(claimant, claim);
    ++verdicts[found.verdict];
    EXPECT_EQ(found.tick_judged, otherwise.tick_judged);
    if (!otherwise.evidence) {
      EXPECT_EQ(found.verdict, otherwise.verdict) << "it does not come to what it may hit";
      return;
    }
    const auto& seen = seen_.at(found.tick_judged);
    const std::uint32_t number = seen.at(claim.shot).template_number;
    const auto is_allowed = [&](LayerId layer) { return may_hit(number, layer); };
    const bool may_hit_any = std::ranges::any_of(seen.at(claim.target).layers, is_allowed);
    ASSERT_EQ(found.evidence.has_value(), may_hit_any) << "template " << number;
    if (!may_hit_any) {
      EXPECT_EQ(found.verdict, Verdict::kLayersDoNotCollide);
      return;
    }
    EXPECT_TRUE(is_allowed(found.evidence->target_layer));
    EXPECT_GE(found.evidence->margin, otherwise.evidence->margin);
    if (is_allowed(otherwise.evidence->target_layer)) {
      EXPECT_EQ(found.verdict, otherwise.verdict);
    }
  }

  Random random_;
  match::MatchConfig config_;
  std::unique_ptr<match::Match> limited_;
  std::unique_ptr<match::Match> free_;
  std::vector<match::Participant> who_;
  std::map<Tick, std::map<ObjectId, Seen>> seen_;
};

TEST(PropertyClaimLayers, LetAClaimHitWhatTheTemplateOfItsShotMayAndNothingElse) {
  std::map<Verdict, int> verdicts;
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Play(seed).run(verdicts);
  }
  for (const Verdict verdict : {Verdict::kConfirmed, Verdict::kNotOverlapping, Verdict::kUnknownObject,
                                Verdict::kTooOld, Verdict::kLayersDoNotCollide})
    EXPECT_GT(verdicts[verdict], 100) << static_cast<int>(verdict);
}

}  // namespace
}  // namespace sweepd::property::property_claim_layers
