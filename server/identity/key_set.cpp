// SPDX-License-Identifier: MIT
#include "identity/key_set.h"

#include <algorithm>
#include <utility>

#include "identity/jwk_codec.h"

namespace sweepd::identity {
namespace {

constexpr std::size_t kRevokedTextBytesMax = 128;

struct RevocationField {
  const char* name;
  std::optional<std::string> Revocation::*text;
};

constexpr RevocationField kRevocationFields[] = {
    {"iss", &Revocation::issuer},
    {"tenant", &Revocation::tenant},
    {"sub", &Revocation::subject},
    {"jti", &Revocation::ticket_id},
};

std::string item_name(const char* list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

std::optional<KeyFault> read_keys(const Json& set, std::vector<TicketKey>& keys) {
  const Json* list = find_member(set, "keys");
  if (list == nullptr || !list->is_array()) return KeyFault{"keys: must be there, a list"};
  if (list->size() > kKeySetKeysMax) return KeyFault{"keys: has more than 64 keys"};
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (!(*list)[i].is_object()) return KeyFault{item_name("keys", i) + ": must be an object"};
    const auto jwk = read_jwk((*list)[i], KeyUse::kVerify);
    if (!jwk.ok()) return KeyFault{item_name("keys", i) + ": " + jwk.error().text};
    const bool is_known =
        std::any_of(keys.begin(), keys.end(), [&](const TicketKey& key) { return key.id == jwk->id; });
    if (is_known)
      return KeyFault{item_name("keys", i) + ": key " + quoted_name(jwk->id) + ": kid: is there twice"};
    const auto key = Key::from(jwk->algorithm, jwk->numbers);
    if (!key) return KeyFault{item_name("keys", i) + ": cannot be used"};
    keys.push_back({jwk->id, jwk->scope, *key});
  }
  return std::nullopt;
}

std::optional<KeyFault> read_revocation(const Json& row, const std::string& name, Revocation& revocation) {
  if (!row.is_object()) return KeyFault{name + ": must be an object"};
  for (const auto& [member, value] : row.items()) {
    const auto field = std::find_if(std::begin(kRevocationFields), std::end(kRevocationFields),
                                    [&member = member](const auto& known) { return known.name == member; });
    if (field == std::end(kRevocationFields)) {
      return KeyFault{name + ": has a member that is not known; there are iss, tenant, sub, jti"};
    }
    const bool is_first_tenant = member == "tenant" && value == "";
    if (!is_first_tenant && !is_plain_text(value, kRevokedTextBytesMax)) {
      return KeyFault{name + "." + member + ": must be a text of 1 to 128 bytes without control characters"};
    }
    revocation.*field->text = value.get<std::string>();
  }
  if (revocation.subject || revocation.ticket_id) return std::nullopt;
  return KeyFault{name + ": must name sub or jti; to revoke all tickets of a key, take the key out"};
}

std::optional<KeyFault> read_revocations(const Json& set, std::vector<Revocation>& revocations) {
  const Json* ours = find_member(set, "sweepd");
  if (ours == nullptr) return std::nullopt;
  const Json* list = ours->is_object() ? find_member(*ours, "revoked") : nullptr;
  if (list == nullptr || !list->is_array() || ours->size() != 1) {
    return KeyFault{"sweepd: must be an object with nothing but the list \"revoked\""};
  }
  if (list->size() > kRevocationsMax) return KeyFault{"sweepd.revoked: has more than 4096 rows"};
  revocations.resize(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (auto fault = read_revocation((*list)[i], item_name("sweepd.revoked", i), revocations[i]))
      return fault;
  }
  return std::nullopt;
}

bool covers(const std::optional<std::string>& revoked, std::string_view claim) {
  return !revoked || *revoked == claim;
}

}  // namespace

base::Result<KeySet, KeyFault> KeySet::parse(std::string_view text) {
  if (text.size() > kKeySetBytesMax) return KeyFault{"has more than 262144 bytes"};
  const auto json = parse_json_object(text);
  if (!json.ok()) return KeyFault{json.error().text};
  KeySet set;
  if (auto fault = read_keys(*json, set.keys_)) return *fault;
  if (auto fault = read_revocations(*json, set.revocations_)) return *fault;
  return set;
}

const TicketKey* KeySet::find(std::string_view key_id) const {
  const auto found =
      std::find_if(keys_.begin(), keys_.end(), [key_id](const TicketKey& key) { return key.id == key_id; });
  return found == keys_.end() ? nullptr : &*found;
}

bool KeySet::revokes(const Subject& subject, std::string_view ticket_id) const {
  return std::any_of(revocations_.begin(), revocations_.end(), [&](const Revocation& revocation) {
    return covers(revocation.issuer, subject.issuer) && covers(revocation.tenant, subject.tenant) &&
           covers(revocation.subject, subject.name) && covers(revocation.ticket_id, ticket_id);
  });
}

}  // namespace sweepd::identity
