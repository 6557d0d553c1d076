// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "identity/ticket.h"
#include "runtime/match/match_id.h"
#include "runtime/telemetry/log.h"
#include "session/methods.h"

namespace sweepd::session {
namespace {

constexpr std::uint64_t kBanSecondsMax = 366 * 24 * 60 * 60;
constexpr std::size_t kBanReasonBytesMax = 256;

std::optional<Status> find_fault(const v1::Subject& subject) {
  const auto fault = [](const char* field, std::string_view text, bool is_required) -> std::optional<Status> {
    const bool is_long = text.size() > identity::kClaimBytesMax;
    if (!is_long && !(is_required && text.empty())) return std::nullopt;
    return invalid_field(
        "INVALID_SUBJECT",
        {field, std::to_string(text.size()) + " bytes; " + (is_required ? "1 to " : "at most ") +
                    std::to_string(identity::kClaimBytesMax) + " are allowed"});
  };
  if (auto wrong = fault("subject.issuer", subject.issuer(), true)) return wrong;
  if (auto wrong = fault("subject.tenant", subject.tenant(), false)) return wrong;
  return fault("subject.name", subject.name(), true);
}

identity::Subject decode(const v1::Subject& subject) {
  return {.issuer = subject.issuer(), .tenant = subject.tenant(), .name = subject.name()};
}

void encode(const Ban& ban, v1::Ban& message) {
  message.mutable_subject()->set_issuer(ban.subject.issuer);
  message.mutable_subject()->set_tenant(ban.subject.tenant);
  message.mutable_subject()->set_name(ban.subject.name);
  message.set_until(ban.until_s);
  message.set_reason(ban.reason);
}

/// Replies when the streams of all loops have looked at what is new of expulsions: how many have ended since
/// `ended_before`, some perhaps by a beat of their own.
template <typename Call>
void reply_when_expelled(Call& call, std::uint32_t ended_before) {
  Backend& backend = call.home().backend();
  const auto loops_left = std::make_shared<std::atomic<std::size_t>>(backend.loops.size());
  for (MatchLoop* const loop : backend.loops) {
    loop->loop().post([&call, &backend, loop, loops_left, ended_before] {
      loop->expel_streams();
      if (loops_left->fetch_sub(1, std::memory_order_acq_rel) > 1) return;
      call.response().set_streams(backend.expulsions.ended() - ended_before);
      call.reply();
    });
  }
}

}  // namespace

void kick(KickCall& call) {
  if (const auto fault = find_fault(call.request().subject())) return call.fail(*fault);
  const identity::Subject subject = decode(call.request().subject());
  call.name_object(text_of(subject));
  Expulsions& expulsions = call.home().backend().expulsions;
  const std::uint32_t ended_before = expulsions.ended();
  expulsions.kick(subject, call.request().match_id());
  reply_when_expelled(call, ended_before);
}

void ban(BanCall& call) {
  const v1::BanRequest& request = call.request();
  if (const auto fault = find_fault(request.subject())) return call.fail(*fault);
  if (request.seconds() == 0 || request.seconds() > kBanSecondsMax) {
    return call.fail(
        invalid_field("INVALID_BAN", {"seconds", std::to_string(request.seconds()) + "; 1 to " +
                                                     std::to_string(kBanSecondsMax) + " are allowed"}));
  }
  if (request.reason().size() > kBanReasonBytesMax) {
    return call.fail(
        invalid_field("INVALID_BAN", {"reason", std::to_string(request.reason().size()) + " bytes; at most " +
                                                    std::to_string(kBanReasonBytesMax) + " are allowed"}));
  }
  const std::int64_t now_s = ticket_time_s();
  const Ban ban{.subject = decode(request.subject()),
                .until_s = now_s + static_cast<std::int64_t>(request.seconds()),
                .reason = request.reason()};
  call.name_object(text_of(ban.subject) + " for " + std::to_string(request.seconds()) +
                   " s: " + clipped(ban.reason));
  Expulsions& expulsions = call.home().backend().expulsions;
  const std::uint32_t ended_before = expulsions.ended();
  if (!expulsions.ban(ban, now_s)) return call.fail(too_many_bans());
  encode(ban, *call.response().mutable_ban());
  reply_when_expelled(call, ended_before);
}

void unban(UnbanCall& call) {
  if (const auto fault = find_fault(call.request().subject())) return call.fail(*fault);
  const identity::Subject subject = decode(call.request().subject());
  call.name_object(text_of(subject));
  if (call.home().backend().expulsions.unban(subject, ticket_time_s())) return call.reply();
  call.fail(make_status(Code::kNotFound, {.reason = "NOT_BANNED",
                                          .message = "no ban of " + text_of(subject) + " is in force"}));
}

void list_bans(ListBansCall& call) {
  for (const Ban& ban : call.home().backend().expulsions.bans(ticket_time_s()))
    encode(ban, *call.response().add_bans());
  call.reply();
}

void get_log_level(GetLogLevelCall& call) {
  call.response().set_level(std::string(to_string(runtime::log_level())));
  call.reply();
}

void set_log_level(SetLogLevelCall& call) {
  const auto level = runtime::parse_log_level(call.request().level());
  if (!level) {
    return call.fail(invalid_field("INVALID_LOG_LEVEL",
                                   {"level", "\"" + clipped(call.request().level()) + "\" is none of " +
                                                 std::string(runtime::kLogLevelNames)}));
  }
  call.name_object(std::string(to_string(*level)));
  call.response().set_previous_level(std::string(to_string(runtime::log_level())));
  runtime::change_log_level(*level);
  call.reply();
}

// A file may be on a disk that is slow.
void reload_keys(ReloadKeysCall& call) {
  Backend& backend = call.home().backend();
  const auto reload = [&call, &backend] {
    const auto keys = backend.reload_keys();
    if (!keys.ok()) {
      return call.fail(
          make_status(Code::kFailedPrecondition, {.reason = "KEYS_UNUSABLE", .message = keys.error()}));
    }
    call.response().set_ticket_keys(static_cast<std::uint32_t>(*keys));
    call.reply();
  };
  const auto drop = [&call] { call.fail(server_shutting_down()); };
  if (!backend.file_readers.add({.run = reload, .drop = drop})) drop();
}

}  // namespace sweepd::session
