// SPDX-License-Identifier: MIT
#include "identity/ticket_verifier.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "identity/base64url.h"
#include "identity/strict_json.h"
#include "identity/ticket_claims.h"
#include "identity/token_parts.h"

namespace sweepd::identity {
namespace {

using Fault = TicketFault;

bool is_jwt(const Json& type) {
  if (!type.is_string()) return false;
  std::string text = type.get<std::string>();
  std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
  });
  return text == "JWT";
}

base::Result<const TicketKey*, TicketRefusal> key_of(const KeySet& keys, const std::string& header_text) {
  const auto header = parse_json_object(header_text);
  if (!header.ok()) return TicketRefusal{Fault::kHeader};
  if (find_member(*header, "crit") != nullptr) return TicketRefusal{Fault::kCritical};
  if (const Json* type = find_member(*header, "typ"); type != nullptr && !is_jwt(*type)) {
    return TicketRefusal{Fault::kHeader};
  }
  const Json* id = find_member(*header, "kid");
  const Json* algorithm = find_member(*header, "alg");
  if (id == nullptr || !id->is_string()) return TicketRefusal{Fault::kHeader};
  const TicketKey* key = keys.find(id->get_ref<const std::string&>());
  if (key == nullptr) return TicketRefusal{Fault::kUnknownKey};
  const bool is_the_keys = algorithm != nullptr && algorithm->is_string() &&
                           algorithm->get_ref<const std::string&>() == name_of(key->key.algorithm());
  if (!is_the_keys) return TicketRefusal{Fault::kAlgorithm};
  return key;
}

/// An empty list allows any text.
bool is_listed(const std::vector<std::string>& list, const std::string& text) {
  return list.empty() || std::find(list.begin(), list.end(), text) != list.end();
}

std::optional<TicketRefusal> find_foreign(const TicketClaims& claims, const TicketRules& rules) {
  if (!is_listed(rules.issuers, claims.ticket.subject.issuer)) return TicketRefusal{Fault::kIssuer};
  const auto& audiences = claims.audiences;
  if (std::find(audiences.begin(), audiences.end(), rules.audience) == audiences.end()) {
    return TicketRefusal{Fault::kAudience};
  }
  return std::nullopt;
}

std::optional<TicketRefusal> find_excess(const Ticket& ticket, const KeyScope& scope) {
  if (!is_listed(scope.issuers, ticket.subject.issuer)) return TicketRefusal{Fault::kScope, "iss"};
  if (std::find(scope.tenants.begin(), scope.tenants.end(), ticket.subject.tenant) == scope.tenants.end()) {
    return TicketRefusal{Fault::kScope, "tenant"};
  }
  if (std::find(scope.roles.begin(), scope.roles.end(), ticket.role) == scope.roles.end()) {
    return TicketRefusal{Fault::kScope, "role"};
  }
  return std::nullopt;
}

/// Times of tickets are bounded, so these sums cannot overflow.
std::optional<TicketRefusal> find_wrong_time(const Ticket& ticket, const TicketRules& rules,
                                             std::int64_t now_s) {
  if (ticket.expires_s - ticket.not_before_s > rules.lifetime_max_s) return TicketRefusal{Fault::kLifetime};
  if (now_s < ticket.not_before_s - rules.leeway_s) return TicketRefusal{Fault::kNotYetValid};
  if (now_s >= ticket.expires_s + rules.leeway_s) return TicketRefusal{Fault::kExpired};
  return std::nullopt;
}

}  // namespace

base::Result<Ticket, TicketRefusal> TicketVerifier::verify(std::string_view token, std::int64_t now_s) const {
  if (token.size() > kTicketBytesMax) return TicketRefusal{Fault::kTooLarge};
  const auto parts = split_token(token);
  if (!parts) return TicketRefusal{Fault::kNoToken};
  const auto key = key_of(keys_, parts->header);
  if (!key.ok()) return key.error();
  if (!(*key)->key.verifies(parts->signed_text, parts->signature)) return TicketRefusal{Fault::kSignature};
  const auto json = parse_json_object(parts->claims);
  if (!json.ok()) return TicketRefusal{Fault::kClaims};
  auto claims = read_claims(*json);
  if (!claims.ok()) return claims.error();
  Ticket ticket = claims->ticket;
  if (const auto refusal = find_foreign(*claims, rules_)) return *refusal;
  if (const auto refusal = find_excess(ticket, (*key)->scope)) return *refusal;
  if (const auto refusal = find_wrong_time(ticket, rules_, now_s)) return *refusal;
  if (keys_.revokes(ticket.subject, ticket.ticket_id)) return TicketRefusal{Fault::kRevoked};
  ticket.audience = rules_.audience;
  ticket.key_id = (*key)->id;
  return ticket;
}

}  // namespace sweepd::identity
