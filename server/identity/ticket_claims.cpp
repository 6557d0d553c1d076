// SPDX-License-Identifier: MIT
#include "identity/ticket_claims.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sweepd::identity {
namespace {

constexpr std::size_t kAudiencesMax = 16;

/// Reads the claims; the first fault stays.
class ClaimReader {
 public:
  explicit ClaimReader(const Json& claims) : claims_(claims) {}

  base::Result<TicketClaims, TicketRefusal> read() {
    Ticket& ticket = read_.ticket;
    const bool is_read =
        required("iss", ticket.subject.issuer) && read_audiences() && required("sub", ticket.subject.name) &&
        read_times() && optional("jti", kClaimBytesMax, ticket.ticket_id) &&
        optional("tenant", kClaimBytesMax, ticket.subject.tenant) && read_role() && read_match() &&
        read_create() && read_list("seat", kSeatNameBytesMax, kTicketSeatsMax, ticket.seat_names) &&
        belongs();
    if (!is_read) return refusal_;
    return std::move(read_);
  }

 private:
  bool refuse(const char* claim) {
    refusal_ = {TicketFault::kClaims, claim};
    return false;
  }

  bool optional(const char* claim, std::size_t bytes_max, std::string& text) {
    const Json* value = find_member(claims_, claim);
    if (value == nullptr) return true;
    if (!is_plain_text(*value, bytes_max)) return refuse(claim);
    text = value->get<std::string>();
    return true;
  }

  bool required(const char* claim, std::string& text) {
    return optional(claim, kClaimBytesMax, text) && (!text.empty() || refuse(claim));
  }

  /// A text, or a list of one or more.
  bool read_list(const char* claim, std::size_t bytes_max, std::size_t count_max,
                 std::vector<std::string>& texts) {
    const Json* value = find_member(claims_, claim);
    if (value == nullptr) return true;
    const Json list = value->is_array() ? *value : Json::array({*value});
    if (list.empty() || list.size() > count_max) return refuse(claim);
    for (const Json& text : list) {
      if (!is_plain_text(text, bytes_max)) return refuse(claim);
      texts.push_back(text.get<std::string>());
    }
    return true;
  }

  bool read_audiences() {
    return read_list("aud", kClaimBytesMax, kAudiencesMax, read_.audiences) &&
           (!read_.audiences.empty() || refuse("aud"));
  }

  bool read_time(const char* claim, std::int64_t& time_s) {
    const Json* value = find_member(claims_, claim);
    if (value == nullptr || !value->is_number_integer()) return refuse(claim);
    // The library makes integers beyond the signed range unsigned.
    if (value->is_number_unsigned() && value->get<std::uint64_t>() > std::uint64_t{kTicketTimeMax_s}) {
      return refuse(claim);
    }
    time_s = value->get<std::int64_t>();
    return time_s >= 0 || refuse(claim);
  }

  bool read_times() {
    Ticket& ticket = read_.ticket;
    if (!read_time("nbf", ticket.not_before_s) || !read_time("exp", ticket.expires_s)) return false;
    if (ticket.expires_s <= ticket.not_before_s) return refuse("exp");
    std::int64_t issued_s = 0;
    if (find_member(claims_, "iat") == nullptr) return true;
    return read_time("iat", issued_s) && (issued_s <= ticket.expires_s || refuse("iat"));
  }

  bool read_role() {
    std::string name;
    if (!required("role", name)) return false;
    const auto role = principal_named(name);
    if (!role) return refuse("role");
    read_.ticket.role = *role;
    return true;
  }

  bool read_match() {
    std::string match_id;
    if (!optional("match", kMatchIdBytesMax, match_id)) return false;
    if (!match_id.empty()) read_.ticket.match_id = std::move(match_id);
    return true;
  }

  bool read_create() {
    const Json* value = find_member(claims_, "create");
    if (value == nullptr) return true;
    if (!value->is_boolean()) return refuse("create");
    read_.ticket.may_create = value->get<bool>();
    return true;
  }

  /// Whether the claims fit the role.
  bool belongs() {
    const Ticket& ticket = read_.ticket;
    const bool is_seated = is_participant(ticket.role);
    const bool may_create = ticket.role == PrincipalKind::kOperator || ticket.role == PrincipalKind::kBackend;
    const bool needs_match = is_seated || (ticket.role == PrincipalKind::kBackend && !ticket.may_create);
    if (needs_match && !ticket.match_id) return refuse("match");
    if (ticket.role == PrincipalKind::kOperator && ticket.match_id) return refuse("match");
    if (ticket.may_create && !may_create) return refuse("create");
    return ticket.seat_names.empty() || is_seated || refuse("seat");
  }

  const Json& claims_;
  TicketClaims read_;
  TicketRefusal refusal_;
};

}  // namespace

base::Result<TicketClaims, TicketRefusal> read_claims(const Json& claims) {
  return ClaimReader(claims).read();
}

Json claims_of(const Ticket& ticket) {
  Json claims = {{"iss", ticket.subject.issuer}, {"aud", ticket.audience},     {"sub", ticket.subject.name},
                 {"iat", ticket.not_before_s},   {"nbf", ticket.not_before_s}, {"exp", ticket.expires_s},
                 {"role", name_of(ticket.role)}};
  const auto add = [&claims](const char* claim, const std::string& text) {
    if (!text.empty()) claims[claim] = text;
  };
  add("jti", ticket.ticket_id);
  add("tenant", ticket.subject.tenant);
  add("match", ticket.match_id.value_or(""));
  if (ticket.seat_names.size() == 1) claims["seat"] = ticket.seat_names.front();
  if (ticket.seat_names.size() > 1) claims["seat"] = ticket.seat_names;
  if (ticket.may_create) claims["create"] = true;
  return claims;
}

}  // namespace sweepd::identity
