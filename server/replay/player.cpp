// SPDX-License-Identifier: MIT
#include "replay/player.h"

#include <utility>

#include "base/assert.h"

namespace sweepd::replay {
namespace {

std::string name_of(ParticipantNumber number) { return "participant " + std::to_string(number); }

}  // namespace

std::string digest_text(std::uint64_t digest) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, digest >>= 4) {
    *digit = "0123456789abcdef"[digest & 15];
  }
  return text;
}

std::optional<Divergence> Player::play(TickRecord&& record) {
  const Tick tick = match_->tick() + 1;
  if (match_->ended()) return Divergence{record.tick, "the match has ended with the tick before"};
  if (record.tick != tick) {
    return Divergence{tick, "the record is of tick " + std::to_string(record.tick)};
  }
  Fault first_fault;
  for (Input& input : record.inputs) {
    Fault fault = apply(input);
    if (fault && !first_fault) first_fault = std::move(fault);
  }
  output_ = record.ends_match ? &match_->end() : &match_->step();
  const std::uint64_t digest = output_->digest;
  if (first_fault) return Divergence{tick, *std::move(first_fault)};
  if (digest == record.digest) return std::nullopt;
  return Divergence{
      tick, "the digest is " + digest_text(digest) + ", the record says " + digest_text(record.digest)};
}

Player::Fault Player::apply(Input& input) {
  if (const Join* join = std::get_if<Join>(&input)) return apply_join(*join);
  if (Submission* submission = std::get_if<Submission>(&input)) return apply_frame(*submission);
  const auto number = std::visit([](const auto& any) { return any.number; }, input);
  if (!match_->find_participant(number)) return name_of(number) + " comes or goes, and has no seat";
  std::visit([this](auto& any) { static_cast<void>(match_->apply(std::move(any))); }, input);
  return std::nullopt;
}

Player::Fault Player::apply_join(const Join& join) {
  const auto joined = match_->apply(join);
  if (!joined) return name_of(join.number) + " could not join";
  if (joined->number == join.number) return std::nullopt;
  return "a seat was taken as " + name_of(joined->number) + ", the record says " + name_of(join.number);
}

Player::Fault Player::apply_frame(Submission& submission) {
  const ParticipantNumber number = submission.number;
  const auto rejection = match_->apply(std::move(submission));
  if (!rejection) return std::nullopt;
  return "a frame of " + name_of(number) + " was refused: " + rejection->field + " " + rejection->message;
}

}  // namespace sweepd::replay
