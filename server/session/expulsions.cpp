// SPDX-License-Identifier: MIT
#include "session/expulsions.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "session/subject_key.h"

namespace sweepd::session {
namespace {

Status banned(const Ban& ban, std::int64_t now_s) {
  const std::string reason = ban.reason.empty() ? "" : ": " + ban.reason;
  return make_status(Code::kPermissionDenied, {.reason = "BANNED",
                                               .message = text_of(ban.subject) + " is banned for another " +
                                                          std::to_string(ban.until_s - now_s) + " s" + reason,
                                               .metadata = {{"until", std::to_string(ban.until_s)}}});
}

Status kicked(const identity::Subject& subject) {
  return make_status(
      Code::kPermissionDenied,
      {.reason = "KICKED", .message = "an operator has removed " + text_of(subject) + " from the match"});
}

bool is_before(const Ban& a, const Ban& b) {
  const auto order = [](const identity::Subject& subject) {
    return std::tie(subject.issuer, subject.tenant, subject.name);
  };
  return order(a.subject) < order(b.subject);
}

}  // namespace

std::string text_of(const identity::Subject& subject) {
  const std::string text = "\"" + clipped(subject.name) + "\" of \"" + clipped(subject.issuer) + "\"";
  return subject.tenant.empty() ? text : text + " for \"" + clipped(subject.tenant) + "\"";
}

void Expulsions::remove_expired(std::int64_t now_s) {
  std::erase_if(bans_, [now_s](const auto& entry) { return entry.second.until_s <= now_s; });
  ban_count_ = bans_.size();
}

bool Expulsions::ban(const Ban& ban, std::int64_t now_s) {
  const runtime::BudgetKey key = key_of(ban.subject);
  const std::lock_guard lock(mutex_);
  remove_expired(now_s);
  if (bans_.size() >= kBansMax && !bans_.contains(key)) return false;
  bans_.insert_or_assign(key, ban);
  ban_count_ = bans_.size();
  version_.fetch_add(1, std::memory_order_release);
  return true;
}

bool Expulsions::unban(const identity::Subject& subject, std::int64_t now_s) {
  const std::lock_guard lock(mutex_);
  remove_expired(now_s);
  const bool was_banned = bans_.erase(key_of(subject)) > 0;
  ban_count_ = bans_.size();
  return was_banned;
}

std::vector<Ban> Expulsions::bans(std::int64_t now_s) const {
  std::vector<Ban> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, ban] : bans_)
      if (ban.until_s > now_s) all.push_back(ban);
  }
  std::ranges::sort(all, is_before);
  return all;
}

void Expulsions::kick(const identity::Subject& subject, std::string match_id) {
  const std::lock_guard lock(mutex_);
  if (kicks_.size() >= kKicksMax) kicks_.pop_front();
  kicks_.push_back({key_of(subject), std::move(match_id), version_.load(std::memory_order_relaxed) + 1});
  version_.fetch_add(1, std::memory_order_release);
}

Status Expulsions::find_ban(const identity::Subject& subject, std::int64_t now_s) const {
  if (ban_count_.load(std::memory_order_acquire) == 0 || subject.name.empty()) return {};
  const std::lock_guard lock(mutex_);
  const auto it = bans_.find(key_of(subject));
  return it == bans_.end() || it->second.until_s <= now_s ? Status{} : banned(it->second, now_s);
}

Status Expulsions::find(const identity::Subject& subject, std::string_view match_id,
                        std::uint64_t since_version, std::int64_t now_s) const {
  if (Status ban = find_ban(subject, now_s); !ban.ok() || subject.name.empty()) return ban;
  const runtime::BudgetKey key = key_of(subject);
  const std::lock_guard lock(mutex_);
  const bool is_kicked = std::ranges::any_of(kicks_, [&](const Kick& kick) {
    return kick.version > since_version && kick.subject == key &&
           (kick.match_id.empty() || kick.match_id == match_id);
  });
  return is_kicked ? kicked(subject) : Status{};
}

Status too_many_bans() {
  const std::string limit = std::to_string(Expulsions::kBansMax);
  return make_status(Code::kResourceExhausted,
                     {.reason = "TOO_MANY_BANS",
                      .message = limit + " bans are in force, the limit; end one, or revoke in the key set",
                      .metadata = {{"limit", limit}}});
}

}  // namespace sweepd::session
