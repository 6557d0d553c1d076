// SPDX-License-Identifier: MIT
#include "runtime/match/resident_matches.h"

#include <utility>

#include "base/assert.h"
#include "runtime/wall_clock.h"

namespace sweepd::runtime {
ResidentMatches::ResidentMatches(Loop& loop, MatchRegistry& registry, Duration idle_timeout, Journal* journal)
    : loop_(loop), registry_(registry), idle_timeout_(idle_timeout), journal_(journal) {}

MatchHost& ResidentMatches::add(const MatchId& id, std::unique_ptr<match::Match> match, BudgetKey creator,
                                Payers payers, replay::MatchRules rules) {
  MatchHostOptions options{.id = id,
                           .create_time_unix_ms = unix_time_ms(),
                           .nonce = random_nonce(),
                           .rules = std::move(rules),
                           .budget_key = std::move(creator),
                           .creator = std::move(payers)};
  if (journal_ != nullptr) options.journal_key = random_journal_key();
  return host(std::move(match), std::move(options));
}

MatchHost& ResidentMatches::add(RecoveredMatch recovered, Payers payers) {
  MatchHostOptions options{.id = recovered.origin.id,
                           .create_time_unix_ms = recovered.origin.create_time_unix_ms,
                           .nonce = recovered.origin.head.nonce,
                           .rules = {recovered.origin.head.rules_digest, recovered.origin.head.rules_name},
                           .budget_key = recovered.origin.budget_key,
                           .creator = std::move(payers),
                           .journal_key = recovered.key};
  options.returned = {std::move(recovered.state), std::move(recovered.cast)};
  return host(std::move(recovered.match), std::move(options));
}

MatchHost& ResidentMatches::host(std::unique_ptr<match::Match> match, MatchHostOptions options) {
  const MatchId id = options.id;
  options.idle_timeout = idle_timeout_;
  options.on_ended = [this, id] { remove(id); };
  options.journal = journal_;
  const auto [it, is_new] =
      hosts_.emplace(id, MatchHost::create(loop_, std::move(match), std::move(options)));
  SWEEPD_ASSERT(is_new);
  return *it->second;
}

MatchHost* ResidentMatches::find(const MatchId& id) const {
  const auto it = hosts_.find(id);
  return it == hosts_.end() ? nullptr : it->second.get();
}

void ResidentMatches::remove(const MatchId& id) {
  // Before it cannot be found any more: a call finds it here, or where ended matches are kept.
  on_end_(*hosts_.at(id));
  registry_.remove(id);
  const auto node = hosts_.extract(id);
  SWEEPD_ASSERT(!node.empty());
  // It is in the middle of ending, and its caller may look at it once more.
  loop_.post([host = node.mapped()] {});
}

void ResidentMatches::move(const MatchId& id, ResidentMatches& target, std::size_t target_loop) {
  auto node = hosts_.extract(id);
  SWEEPD_ASSERT(!node.empty());
  MatchHost& host = *node.mapped();
  const auto [it, is_new, rest] = target.hosts_.insert(std::move(node));
  SWEEPD_ASSERT(is_new);
  host.move_to(target.loop_, target_loop, [&target, id] { target.remove(id); });
  // The last step: from now on calls look for the match there, and find it.
  registry_.move(id, target_loop);
}

std::vector<MatchCost> ResidentMatches::costs() const {
  std::vector<MatchCost> costs;
  costs.reserve(hosts_.size());
  for (const auto& [id, host] : hosts_) costs.push_back(host->cost());
  return costs;
}

std::optional<MatchId> ResidentMatches::next_after(const MatchId& id) const {
  if (hosts_.empty()) return std::nullopt;
  const auto it = hosts_.upper_bound(id);
  return (it == hosts_.end() ? hosts_.begin() : it)->first;
}

void ResidentMatches::fail_steps(StepError error) {
  for (const auto& [id, host] : hosts_) host->fail_steps(error);
}

}  // namespace sweepd::runtime
