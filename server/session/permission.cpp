// SPDX-License-Identifier: MIT
#include "session/permission.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "identity/rights_table.h"
#include "session/backend.h"
#include "session/subject_key.h"

namespace sweepd::session {
namespace {

using identity::MatchRelation;
using identity::Principal;
using identity::PrincipalKind;
using identity::Right;

constexpr std::string_view kPlay = "sweepd.v1.MatchService/Play";

/// In a match; nothing: none.
std::optional<match::Role> role_of(PrincipalKind kind) {
  switch (kind) {
    case PrincipalKind::kPlayer:
      return match::Role::kPlayer;
    case PrincipalKind::kStage:
      return match::Role::kStage;
    case PrincipalKind::kObserver:
      return match::Role::kObserver;
    default:
      return std::nullopt;
  }
}

PrincipalKind kind_of(v1::Role role) {
  switch (role) {
    case v1::ROLE_PLAYER:
      return PrincipalKind::kPlayer;
    case v1::ROLE_STAGE:
      return PrincipalKind::kStage;
    case v1::ROLE_OBSERVER:
      return PrincipalKind::kObserver;
    default:
      return PrincipalKind::kAnonymous;
  }
}

PrincipalKind kind_of(match::Role role) {
  switch (role) {
    case match::Role::kPlayer:
      return PrincipalKind::kPlayer;
    case match::Role::kStage:
      return PrincipalKind::kStage;
    case match::Role::kObserver:
      break;
  }
  return PrincipalKind::kObserver;
}

/// To come back to a seat it has to be one that the caller may take, of any role that the join names. Of a
/// seat that there is not, the match says so.
PrincipalKind kind_of_seat(const Principal& principal, const v1::Join& join, const runtime::MatchHost& host) {
  if (join.reconnect_token().empty()) return kind_of(join.role());
  for (const match::Participant& participant : host.match().participants())
    if (participant.name == join.name()) return kind_of(participant.role);
  return identity::is_participant(principal.kind) ? principal.kind : PrincipalKind::kPlayer;
}

/// Where a match's config says which roles may call an rpc.
struct RolesFor {
  std::string_view rpc;
  std::string_view field;  ///< Of the config; empty: nowhere.
  const match::RoleSet* roles = nullptr;
};

RolesFor roles_for(const match::MatchConfig& config, std::string_view rpc) {
  const match::Permissions& permissions = config.permissions;
  if (rpc.starts_with("sweepd.v1.QueryService/"))
    return {rpc, "permissions.query_roles", &permissions.query_roles};
  const std::array<RolesFor, 5> known{{
      {"sweepd.v1.MatchService/EndMatch", "permissions.end_roles", &permissions.end_roles},
      {"sweepd.v1.MatchService/StepMatch", "permissions.step_roles", &permissions.step_roles},
      {"sweepd.v1.MatchService/ControlClock", "clock_control_roles", &config.clock_control_roles},
      {"sweepd.v1.MatchService/Watch", "permissions.watch_roles", &permissions.watch_roles},
      {"sweepd.v1.ReplayService/GetReplay", "permissions.replay_roles", &permissions.replay_roles},
  }};
  const auto it = std::ranges::find(known, rpc, &RolesFor::rpc);
  return it == known.end() ? RolesFor{rpc, {}} : *it;
}

bool has_role(const match::RoleSet& roles, PrincipalKind kind) {
  const auto role = role_of(kind);
  return role && roles.contains(*role);
}

Right right_on(const Principal& principal, std::string_view rpc, const runtime::MatchHost& host) {
  const MatchRelation relation = identity::relation_of(principal, host.id(), subject_of(host.creator()));
  return identity::right_of(rpc, principal.kind, relation);
}

bool is_any(const Principal& principal, Right right) {
  if (right == Right::kIfTicketSays) return principal.may_create;
  if (right == Right::kAtAdminListener) return principal.is_at_admin_listener;
  return right != Right::kNo;
}

/// Whether there may be a match about which it may call this.
bool may_ever(const Principal& principal, std::string_view rpc) {
  const auto may = [&](std::string_view row, MatchRelation relation) {
    return is_any(principal, identity::right_of(row, principal.kind, relation));
  };
  const auto may_in_any = [&](std::string_view row) {
    return may(row, MatchRelation::kOwn) || may(row, MatchRelation::kOther);
  };
  if (rpc != kPlay) return may_in_any(rpc);
  return may_in_any(identity::play_as(PrincipalKind::kPlayer)) ||
         may_in_any(identity::play_as(PrincipalKind::kStage)) ||
         may_in_any(identity::play_as(PrincipalKind::kObserver));
}

/// What is known to be good costs no signature.
base::Result<Admission, Status> verify(Backend& backend, std::string_view token, const Caller& caller) {
  if (auto known = backend.gate.known(token)) return *std::move(known);
  constexpr auto kFailed = runtime::Resource::kFailedTickets;
  const runtime::Payers address(caller.payers.of(runtime::KeyKind::kAddress));
  const runtime::TimePoint now = runtime::steady_now();
  if (const auto excess = backend.budgets.spend(address, kFailed, 0, now)) return over_budget(*excess);
  auto admission = backend.gate.admit(token);
  if (!admission.ok()) address.charge(kFailed, 1, now);
  return admission;
}

/// What the caller is, but for what it may.
Status find_out(Backend& backend, std::string_view token, Caller& caller) {
  if (caller.entrance == Entrance::kAdminSocket) {
    caller.admission.principal = {.kind = PrincipalKind::kOperator, .is_at_admin_listener = true};
    return {};
  }
  auto admission = verify(backend, token, caller);
  if (!admission.ok()) return admission.error();
  caller.admission = std::move(*admission);  // Of a banned caller, too: the log names it.
  Principal& principal = caller.admission.principal;
  principal.is_at_admin_listener =
      caller.entrance == Entrance::kAdminNetwork && principal.kind == PrincipalKind::kOperator;
  return backend.expulsions.find_ban(principal.subject, ticket_time_s());
}

/// Without tickets, the certificate of its client is what the admin listener goes by.
bool may_enter(const Caller& caller) {
  if (caller.entrance != Entrance::kAdminNetwork) return true;
  const Principal& principal = caller.admission.principal;
  return principal.is_at_admin_listener && (!principal.subject.name.empty() || caller.certified != nullptr);
}

Status ticket_required(std::string_view rpc) {
  return make_status(Code::kUnauthenticated,
                     {.reason = "TICKET_REQUIRED",
                      .message = "the call has no ticket (metadata authorization: Bearer …)",
                      .metadata = {{"rpc", std::string(rpc)}}});
}

void leave_out_counters(v1::Participant& participant) {
  participant.clear_rejections();
  participant.clear_rejections_by_reason();
  participant.clear_template_refusals();
  participant.clear_late_frames();
  participant.clear_late_ticks_max();
  participant.clear_bunched_frames();
  participant.clear_acknowledged_tick();
  participant.clear_frames_missed();
  participant.clear_claims();
  participant.clear_delay_ms();
}

Status other_seat(const Principal& principal) {
  std::string names;
  for (const std::string& name : principal.seat_names) names += (names.empty() ? "\"" : ", \"") + name + "\"";
  return make_status(Code::kPermissionDenied,
                     {.reason = "OTHER_SEAT", .message = "the ticket is for " + clipped(names) + " only"});
}

Status seats_held(std::size_t held) {
  return make_status(Code::kPermissionDenied,
                     {.reason = "SEATS_HELD",
                      .message = "the ticket's subject has " + std::to_string(held) +
                                 " of the match's seats, as many as the ticket is for: it comes back to "
                                 "one by its reconnect token",
                      .metadata = {{"seats", std::to_string(held)}}});
}

}  // namespace

std::string rpc_of(const google::protobuf::Descriptor& message, bool is_stream) {
  const google::protobuf::FileDescriptor& file = *message.file();
  for (int i = 0; i < file.service_count(); ++i) {
    const google::protobuf::ServiceDescriptor& service = *file.service(i);
    for (int j = 0; j < service.method_count(); ++j) {
      const google::protobuf::MethodDescriptor& method = *service.method(j);
      const bool is_its = method.input_type() == &message || method.output_type() == &message;
      const bool streams = method.client_streaming() || method.server_streaming();
      if (is_its && streams == is_stream) return service.full_name() + "/" + method.name();
    }
  }
  return {};
}

Status let_in(Backend& backend, std::string_view rpc, std::string_view token, Caller& caller) {
  if (Status refusal = find_out(backend, token, caller); !refusal.ok()) return refusal;
  const Principal& principal = caller.admission.principal;
  if (!may_enter(caller) || !may_ever(principal, rpc))
    return principal.subject.name.empty() ? ticket_required(rpc) : not_allowed(principal, rpc);
  add_payers(backend.budgets, principal, caller.payers);
  return {};
}

base::Result<Admission, Status> admit(Backend& backend, std::string_view token, const Caller& caller) {
  auto admission = verify(backend, token, caller);
  if (!admission.ok()) return admission;
  if (Status ban = backend.expulsions.find_ban(admission->principal.subject, ticket_time_s()); !ban.ok())
    return ban;
  return admission;
}

std::string text_of(const Caller& caller) {
  const Principal& principal = caller.admission.principal;
  const identity::Subject& subject = principal.subject;
  if (caller.entrance == Entrance::kAdminSocket) return "operator " + caller.payers.own().key().text();
  if (principal.kind == PrincipalKind::kOperator && subject.name.empty() && !principal.is_at_admin_listener)
    return {};
  std::string text(identity::name_of(principal.kind));
  if (!subject.name.empty()) text += " " + subject.name + " of " + subject.issuer;
  if (!subject.tenant.empty()) text += " for " + subject.tenant;
  return text;
}

bool is_known_operator(const Principal& principal) {
  return principal.kind == PrincipalKind::kOperator &&
         (principal.is_at_admin_listener || !principal.subject.name.empty());
}

Status find_refusal(const Principal& principal, std::string_view rpc, const runtime::MatchHost& host) {
  const Right right = right_on(principal, rpc, host);
  if (right != Right::kIfMatchAllows)
    return is_any(principal, right) ? Status{} : not_allowed(principal, rpc);
  const RolesFor allowed = roles_for(host.match().config(), rpc);
  if (allowed.roles != nullptr && has_role(*allowed.roles, principal.kind)) return {};
  return not_allowed(principal, rpc, allowed.field);
}

Status find_refusal(const Principal& principal, std::string_view rpc, const runtime::MatchId& id,
                    const runtime::BudgetKey& creator) {
  const MatchRelation relation = identity::relation_of(principal, id, subject_of(creator));
  const Right right = identity::right_of(rpc, principal.kind, relation);
  // What its config allows is not known any more.
  const bool may = right != Right::kIfMatchAllows && is_any(principal, right);
  return may ? Status{} : not_allowed(principal, rpc);
}

Status find_refusal_of_seat(const Principal& principal, const v1::Join& join,
                            const runtime::MatchHost& host) {
  const std::string rpc = identity::play_as(kind_of_seat(principal, join, host));
  if (Status refusal = find_refusal(principal, rpc, host); !refusal.ok()) return refusal;
  if (!identity::is_participant(principal.kind)) return {};
  if (!principal.may_take(join.name())) return other_seat(principal);
  const bool is_back = !join.reconnect_token().empty();
  const std::size_t held = host.seats_of(key_of(principal.subject), *role_of(principal.kind));
  return is_back || held < principal.seats_max() ? Status{} : seats_held(held);
}

namespace {

bool may_know_secrets(const Principal& principal, const match::RoleSet& secret_roles) {
  if (principal.kind != PrincipalKind::kPlayer && principal.kind != PrincipalKind::kObserver) return true;
  return has_role(secret_roles, principal.kind);
}

template <typename OwnerOf>
void leave_out_secrets(const Principal& principal, match::RoleSet secret_roles, const OwnerOf& owner_of,
                       v1::Match& message) {
  if (may_know_secrets(principal, secret_roles)) return;
  message.mutable_config()->clear_seed();
  const runtime::BudgetKey own = key_of(principal.subject);
  for (v1::Participant& participant : *message.mutable_participants())
    if (owner_of(participant.number()) != own) leave_out_counters(participant);
  for (v1::Participant& participant : *message.mutable_former_participants()) leave_out_counters(participant);
}

}  // namespace

bool may_know_secrets(const Principal& principal, const runtime::MatchHost& host) {
  return may_know_secrets(principal, host.match().config().permissions.secret_roles);
}

void leave_out_secrets(const Principal& principal, const runtime::MatchHost& host, v1::Match& message) {
  leave_out_secrets(
      principal, host.match().config().permissions.secret_roles,
      [&](std::uint32_t number) { return host.owner_of(number); }, message);
}

void leave_out_secrets(const Principal& principal, const EndedMatches::Ended& ended, v1::Match& message) {
  const auto owner_of = [&](std::uint32_t number) {
    const auto owner = ended.owners.find(number);
    return owner == ended.owners.end() ? runtime::BudgetKey() : owner->second;
  };
  leave_out_secrets(principal, ended.secret_roles, owner_of, message);
}

Status not_allowed(const Principal& principal, std::string_view rpc, std::string_view permission) {
  const std::string kind(identity::name_of(principal.kind));
  const bool is_operator = principal.kind == PrincipalKind::kOperator;
  const std::string name(permission);
  std::string message = "the ticket's role, " + kind + ", may not call this about this match";
  if (is_operator) message += "; operators may on the admin listener";
  if (!name.empty()) message += ": its " + name + " do not have the role";
  return make_status(Code::kPermissionDenied,
                     {.reason = "NOT_ALLOWED",
                      .message = std::move(message),
                      .metadata = {{"rpc", std::string(rpc)}, {"role", kind}, {"permission", name}}});
}

Status foreign_ticket() {
  return make_status(
      Code::kPermissionDenied,
      {.reason = "NOT_ALLOWED", .message = "is of another subject, role or match than the stream's"});
}

Status ticket_expired() {
  return make_status(
      Code::kUnauthenticated,
      {.reason = "TICKET_EXPIRED", .message = "the stream's ticket has expired, or has been revoked"});
}

}  // namespace sweepd::session
