// SPDX-License-Identifier: MIT
#include "identity/ticket_issuer.h"

#include <utility>

#include "identity/base64url.h"
#include "identity/jwk_codec.h"
#include "identity/key_set.h"
#include "identity/ticket_claims.h"

namespace sweepd::identity {
namespace {

constexpr int kIndent = 2;
constexpr std::size_t kPrivateKeyBytesMax = 64 * 1024;

/// The key as part of a server's set.
Json verifying_json(const Jwk& key) {
  Jwk half = key;
  if (key.algorithm != Algorithm::kHs256) half.numbers = public_half(key.numbers);
  return json_of(half);
}

}  // namespace

base::Result<Jwk, KeyFault> parse_private_key(std::string_view text) {
  if (text.size() > kPrivateKeyBytesMax) return KeyFault{"has more than 65536 bytes"};
  const auto json = parse_json_object(text);
  if (!json.ok()) return KeyFault{json.error().text};
  return read_jwk(*json, KeyUse::kSign);
}

std::string private_key_text(const Jwk& key) { return json_of(key).dump(kIndent) + "\n"; }

std::string key_set_text(const Jwk& key) {
  return Json({{"keys", Json::array({verifying_json(key)})}}).dump(kIndent) + "\n";
}

base::Result<std::string, KeyFault> with_key(std::string_view key_set, const Jwk& key) {
  if (const auto before = KeySet::parse(key_set); !before.ok()) return before.error();
  auto json = parse_json_object(key_set);
  (*json)["keys"].push_back(verifying_json(key));
  std::string text = json->dump(kIndent) + "\n";
  if (const auto after = KeySet::parse(text); !after.ok()) return after.error();
  return text;
}

std::optional<std::string> issue(const Ticket& ticket, const Jwk& key) {
  const auto signing_key = Key::from(key.algorithm, key.numbers);
  if (!signing_key) return std::nullopt;
  const Json header = {{"alg", name_of(key.algorithm)}, {"kid", key.id}, {"typ", "JWT"}};
  std::string token;
  try {
    token = to_base64url(header.dump()) + "." + to_base64url(claims_of(ticket).dump());
  } catch (const Json::exception&) {  // A text is not UTF-8.
    return std::nullopt;
  }
  const auto signature = signing_key->sign(token);
  if (!signature) return std::nullopt;
  return token + "." + to_base64url(*signature);
}

}  // namespace sweepd::identity
