// SPDX-License-Identifier: MIT
#include "identity/jwk_codec.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json_string.h"
#include "identity/base64url.h"

namespace sweepd::identity {
namespace {

constexpr std::size_t kScopeTextBytesMax = 128;

/// Members that a JWK of an algorithm has. Lists of members are texts with spaces around each.
struct KeyType {
  Algorithm algorithm;
  const char* kty;
  const char* crv;  ///< nullptr: none.
  std::string_view public_members;
  std::string_view private_members;
  const char* rule;
};

constexpr KeyType kKeyTypes[] = {
    {Algorithm::kHs256, "oct", nullptr, "", " k ", "k has 32 to 1024 bytes"},
    {Algorithm::kRs256, "RSA", nullptr, " n e ", " d p q dp dq qi ",
     "n has 2048 to 8192 bits, e is odd and has 2 to 64 bits"},
    {Algorithm::kEs256, "EC", "P-256", " x y ", " d ", "x and y are a point of P-256, of 32 bytes each"},
    {Algorithm::kEdDsa, "OKP", "Ed25519", " x ", " d ", "x has 32 bytes"},
};

const KeyType& type_of(Algorithm algorithm) {
  return *std::find_if(std::begin(kKeyTypes), std::end(kKeyTypes),
                       [algorithm](const KeyType& type) { return type.algorithm == algorithm; });
}

bool has_word(std::string_view words, const char* word) {
  std::string between_spaces(" ");
  between_spaces.append(word).append(" ");
  return words.find(between_spaces) != std::string_view::npos;
}

/// Reads one object; the first fault stays.
class JwkReader {
 public:
  JwkReader(const Json& object, KeyUse use) : object_(object), use_(use) {}

  base::Result<Jwk, KeyFault> read() {
    const bool is_read = read_id() && read_algorithm() && read_type() && read_use() && read_operations() &&
                         read_numbers() && read_scope();
    if (!is_read) return fault_;
    if (!Key::from(jwk_.algorithm, jwk_.numbers)) {
      refuse("alg", "these are no numbers of a key of " + std::string(name_of(jwk_.algorithm)) + ": " +
                        type_of(jwk_.algorithm).rule +
                        (use_ == KeyUse::kSign ? ", and private numbers belong to the public ones" : ""));
      return fault_;
    }
    return jwk_;
  }

 private:
  bool refuse(const std::string& field, const std::string& what) {
    fault_.text = (jwk_.id.empty() ? "" : "key " + quoted_name(jwk_.id) + ": ") + field + ": " + what;
    return false;
  }

  bool read_id() {
    const Json* id = find_member(object_, "kid");
    if (id == nullptr || !is_plain_text(*id, kKeyIdBytesMax)) {
      return refuse("kid", "must be there, a text of 1 to 64 bytes without control characters");
    }
    jwk_.id = id->get<std::string>();
    return true;
  }

  bool read_algorithm() {
    const Json* name = find_member(object_, "alg");
    const auto algorithm = name != nullptr && name->is_string()
                               ? algorithm_named(name->get_ref<const std::string&>())
                               : std::nullopt;
    if (!algorithm) return refuse("alg", "must be there, one of HS256, RS256, ES256, EdDSA");
    jwk_.algorithm = *algorithm;
    return true;
  }

  bool is_text(const char* field, const char* expected) {
    const Json* value = find_member(object_, field);
    if (value != nullptr && value->is_string() && value->get_ref<const std::string&>() == expected)
      return true;
    return refuse(field,
                  "must be \"" + std::string(expected) + "\" for " + std::string(name_of(jwk_.algorithm)));
  }

  bool read_type() {
    const KeyType& type = type_of(jwk_.algorithm);
    return is_text("kty", type.kty) && (type.crv == nullptr || is_text("crv", type.crv));
  }

  bool read_use() { return find_member(object_, "use") == nullptr || is_text("use", "sig"); }

  bool read_operations() {
    const Json* operations = find_member(object_, "key_ops");
    if (operations == nullptr) return true;
    const std::string needed = use_ == KeyUse::kSign ? "sign" : "verify";
    if (!operations->is_array()) return refuse("key_ops", "must be a list");
    for (std::size_t i = 0; i < operations->size(); ++i) {
      const Json& operation = (*operations)[i];
      if (!is_plain_text(operation, kScopeTextBytesMax)) return refuse("key_ops", "must be a list of texts");
      if (std::count(operations->begin(), operations->end(), operation) > 1) {
        return refuse("key_ops", "has an operation twice");
      }
    }
    const bool has_needed = std::find(operations->begin(), operations->end(), needed) != operations->end();
    return has_needed || refuse("key_ops", "does not have \"" + needed + "\"");
  }

  bool read_numbers() {
    if (find_member(object_, "oth") != nullptr)
      return refuse("oth", "keys of more than two primes are not taken");
    return std::all_of(kKeyNumberRows.begin(), kKeyNumberRows.end(),
                       [this](const KeyNumberRow& row) { return read_number(row); });
  }

  bool read_number(const KeyNumberRow& row) {
    const KeyType& type = type_of(jwk_.algorithm);
    const bool is_shared_secret = jwk_.algorithm == Algorithm::kHs256;
    const bool is_of_type =
        has_word(type.public_members, row.name) || has_word(type.private_members, row.name);
    const Json* value = find_member(object_, row.name);
    if (value == nullptr) {
      const bool is_needed = is_of_type && (!row.is_private || is_shared_secret || use_ == KeyUse::kSign);
      return !is_needed || refuse(row.name, "is missing");
    }
    if (row.is_private && !is_shared_secret && use_ == KeyUse::kVerify) {
      return refuse(row.name,
                    "is private: this is a set of keys that verify, the private half stays with its issuer");
    }
    if (!is_of_type) return refuse(row.name, "does not belong to a key of type " + std::string(type.kty));
    const auto bytes =
        value->is_string() ? from_base64url(value->get_ref<const std::string&>()) : std::nullopt;
    if (!bytes || bytes->empty()) return refuse(row.name, "must be base64url without padding");
    jwk_.numbers.*row.bytes = *bytes;
    return true;
  }

  bool read_scope() {
    const Json* scope = find_member(object_, "sweepd");
    if (scope == nullptr) return true;
    if (!scope->is_object()) return refuse("sweepd", "must be an object");
    for (const auto& [name, value] : scope->items()) {
      if (name == "issuers") {
        if (!read_texts("sweepd.issuers", value, jwk_.scope.issuers)) return false;
      } else if (name == "tenants") {
        if (!read_texts("sweepd.tenants", value, jwk_.scope.tenants)) return false;
      } else if (name == "roles") {
        if (!read_roles(value)) return false;
      } else {
        // Ignoring a misspelt bound would remove it.
        return refuse("sweepd", "has a member that is not known; there are issuers, tenants, roles");
      }
    }
    return true;
  }

  /// The empty text is a tenant, too.
  bool read_texts(const std::string& field, const Json& list, std::vector<std::string>& texts) {
    const bool may_be_empty = field == "sweepd.tenants";
    texts.clear();
    if (!list.is_array() || list.empty()) return refuse(field, "must be a list of one or more texts");
    for (const Json& item : list) {
      const bool is_empty = item.is_string() && item.get_ref<const std::string&>().empty();
      if (!(is_empty && may_be_empty) && !is_plain_text(item, kScopeTextBytesMax)) {
        return refuse(field, "must have texts of at most 128 bytes without control characters");
      }
      texts.push_back(item.get<std::string>());
    }
    return true;
  }

  bool read_roles(const Json& list) {
    std::vector<std::string> names;
    if (!read_texts("sweepd.roles", list, names)) return false;
    jwk_.scope.roles.clear();
    for (const std::string& name : names) {
      const auto role = principal_named(name);
      if (!role) {
        return refuse("sweepd.roles",
                      "has a role that is none of operator, backend, moderator, stage, player, observer");
      }
      jwk_.scope.roles.push_back(*role);
    }
    return true;
  }

  const Json& object_;
  KeyUse use_;
  Jwk jwk_;
  KeyFault fault_;
};

}  // namespace

std::string quoted_name(const std::string& name) { return base::json_string(name); }

base::Result<Jwk, KeyFault> read_jwk(const Json& object, KeyUse use) { return JwkReader(object, use).read(); }

Json json_of(const Jwk& jwk) {
  const KeyType& type = type_of(jwk.algorithm);
  Json json = {{"kty", type.kty}, {"kid", jwk.id}, {"alg", name_of(jwk.algorithm)}, {"use", "sig"}};
  if (type.crv != nullptr) json["crv"] = type.crv;
  for (const KeyNumberRow& row : kKeyNumberRows) {
    const std::string& bytes = jwk.numbers.*row.bytes;
    if (!bytes.empty()) json[row.name] = to_base64url(bytes);
  }
  Json scope = Json::object();
  if (!jwk.scope.issuers.empty()) scope["issuers"] = jwk.scope.issuers;
  scope["tenants"] = jwk.scope.tenants;
  for (const PrincipalKind role : jwk.scope.roles) scope["roles"].push_back(name_of(role));
  json["sweepd"] = std::move(scope);
  return json;
}

}  // namespace sweepd::identity
