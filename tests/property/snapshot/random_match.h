// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "match/match.h"
#include "property/random.h"

namespace sweepd::property {

/// A config in which everything occurs: shapes, rules, limits, claims, clocks. The same for the same seed.
match::MatchConfig random_config(std::uint64_t seed);
/// So small that some matches exceed them.
match::Budgets random_budgets(std::uint64_t seed);

/// Says what is done to a random match: people come and go, send frames of all that a frame can have, much of
/// it in vain, ask and claim. What it says depends on the seed, on what it has said and on the match that it
/// is shown, so that the same can be done to others.
class RandomMatch {
 public:
  explicit RandomMatch(std::uint64_t seed) : random_(seed) {}

  /// A call to a match; what came of it, as text.
  using Call = std::function<std::string(match::Match&)>;

  /// What is done before the next tick runs.
  std::vector<Call> next_calls(const match::Match& match);
  /// Questions about now and the past.
  std::vector<Call> questions(const match::Match& match);
  Random& random() { return random_; }

 private:
  Call come(const match::Match& match);
  Call go(const match::Match& match);
  match::Frame frame(const match::Match& match, const match::Participant& sender);
  void spawn(const match::Participant& sender, match::Frame& frame);
  void change(const match::PastObject& object, const match::Match& match, match::Frame& frame);
  void command(const match::Match& match, match::Frame& frame);
  match::HitClaim claim(const match::Match& match, match::ParticipantNumber claimant);
  match::Selection selection();
  collision::Part part();
  std::vector<collision::Part> parts();
  collision::Motion motion();
  collision::Point point();
  std::uint32_t layer() { return static_cast<std::uint32_t>(random_.index(6)); }

  Random random_;
};

/// All that a tick brought, as text.
std::string text_of(const match::TickOutput& output);

}  // namespace sweepd::property
