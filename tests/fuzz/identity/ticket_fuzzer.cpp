// SPDX-License-Identifier: MIT
//
// Protects every door that asks for a ticket, and the tools that make them: for any bytes, a token is
// good only if it is one that was issued, a set of keys is one that can be written again, and a file of
// contexts is what it says.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/visible_text.h"
#include "fuzz/decoders/decoder_table.h"
#include "identity/base64url.h"
#include "identity/ticket_issuer.h"
#include "identity/ticket_verifier.h"
#include "identity/token_parts.h"
#include "keys/sample_keys.h"
#include "tools/sweepctl/contexts.h"

namespace sweepd::fuzz {
namespace {

using namespace sweepd::identity;

constexpr std::int64_t kNow_s = 1'800'000'000;

/// Issued with the sample keys, good for a minute from kNow_s on.
constexpr std::string_view kGoodTokens[] = {
    "eyJhbGciOiJIUzI1NiIsImtpZCI6IkhTMjU2IiwidHlwIjoiSldUIn0.eyJpc3MiOiJnYW1lIiwiYXVkIjoic3dlZXBkIiwi"
    "c3ViIjoiYW5uIiwiaWF0IjoxODAwMDAwMDAwLCJuYmYiOjE4MDAwMDAwMDAsImV4cCI6MTgwMDAwMDA2MCwicm9sZSI6InBs"
    "YXllciIsIm1hdGNoIjoibTEifQ.I598Ei-xvEw_JpvgPEQXuP1PwlcUceFYcXDgQCoK20c",
    "eyJhbGciOiJSUzI1NiIsImtpZCI6IlJTMjU2IiwidHlwIjoiSldUIn0.eyJpc3MiOiJnYW1lIiwiYXVkIjoic3dlZXBkIiwi"
    "c3ViIjoiYW5uIiwiaWF0IjoxODAwMDAwMDAwLCJuYmYiOjE4MDAwMDAwMDAsImV4cCI6MTgwMDAwMDA2MCwicm9sZSI6InBs"
    "YXllciIsIm1hdGNoIjoibTEifQ.ev-C5BA77u8inmUreF9kffR6VNLhcz-CcjEVUNnSh-wtOmQpgdkySC18bG3OA7f7K5WwV"
    "3Fcn7Cn99lEJ1W5726otHj4QS69PeTw1RmgUmPve3RB_ZSURP6pEm-SWdC22YVs7HuzfC0YNOYWmpEWlst9h0-wv2FF2gA6p"
    "hHNI3IbZ5MFxvZpKenHuPzk-ZQempLtwj2YITlMSC-IvCzuJKqtEtJ1q8cLm9-VzqOY-ZrLsJOu8JvhmmuwyKpSIbnRRXJSh"
    "pvjFcme5zBkQytj9GqhITv0ddkgy_tgtlzYh6cAVLp8lmD35ngnCTGNFBmtcn4NWibcoN7TEz6RsRjsOA",
    "eyJhbGciOiJFUzI1NiIsImtpZCI6IkVTMjU2IiwidHlwIjoiSldUIn0.eyJpc3MiOiJnYW1lIiwiYXVkIjoic3dlZXBkIiwi"
    "c3ViIjoiYW5uIiwiaWF0IjoxODAwMDAwMDAwLCJuYmYiOjE4MDAwMDAwMDAsImV4cCI6MTgwMDAwMDA2MCwicm9sZSI6InBs"
    "YXllciIsIm1hdGNoIjoibTEifQ.atyb3x6iUDhD4_GEY_KkhPv648sCEcE4AKON9_Cq0EErzQUkJXT-Tzh_hDgwD9pw3g_aI"
    "Ks4qI3ntxsrZFcyQg",
    "eyJhbGciOiJFZERTQSIsImtpZCI6IkVkRFNBIiwidHlwIjoiSldUIn0.eyJpc3MiOiJnYW1lIiwiYXVkIjoic3dlZXBkIiwi"
    "c3ViIjoiYW5uIiwiaWF0IjoxODAwMDAwMDAwLCJuYmYiOjE4MDAwMDAwMDAsImV4cCI6MTgwMDAwMDA2MCwicm9sZSI6InBs"
    "YXllciIsIm1hdGNoIjoibTEifQ.w1KH1WZjY3BUgCTSpLDJyE_kax3oQhYw9r_MXUtXi_r2w_TcOMylTAnH4100jQxtdchT5"
    "A1YsCBhS3jG5ZuZDQ",
};

const TicketVerifier& sample_verifier() {
  static const TicketVerifier verifier(*KeySet::parse(test::sample_key_set()), {});
  return verifier;
}

void check_line(std::string_view text) { SWEEPD_ASSERT(!text.empty() && base::visible(text) == text); }

/// The ticket of a token that is good at kNow_s; what is refused is told in one line.
std::optional<Ticket> verified(std::string_view token) {
  const auto ticket = sample_verifier().verify(token, kNow_s);
  if (ticket.ok()) return *ticket;
  check_line(text_of(ticket.error()));
  check_line(reason_of(ticket.error().fault));
  return std::nullopt;
}

void read_token(std::string_view bytes) {
  static const bool are_good =
      std::all_of(std::begin(kGoodTokens), std::end(kGoodTokens),
                  [](std::string_view token) { return verified(token).has_value(); });
  SWEEPD_ASSERT(are_good);
  const bool is_good =
      std::find(std::begin(kGoodTokens), std::end(kGoodTokens), bytes) != std::end(kGoodTokens);
  SWEEPD_ASSERT(verified(bytes).has_value() == is_good);
  const auto text = token_text(bytes, "");
  if (text) SWEEPD_ASSERT(base::is_utf8(*text));
}

/// Signed with the key of HS256, with any header.
std::string signed_token(std::string_view header, std::string_view claims) {
  static const Key key = *Key::from(Algorithm::kHs256, test::sample_key(Algorithm::kHs256).numbers);
  const std::string text = to_base64url(header) + "." + to_base64url(claims);
  return text + "." + to_base64url(*key.sign(text));
}

constexpr std::string_view kHeader = R"({"alg":"HS256","kid":"HS256"})";
constexpr std::string_view kClaims =
    R"({"iss":"game","aud":"sweepd","sub":"a","nbf":1800000000,"exp":1800000060,"role":"player","match":"m"})";

void read_header(std::string_view bytes) {
  const auto ticket = verified(signed_token(bytes, kClaims));
  if (ticket) SWEEPD_ASSERT(ticket->key_id == "HS256");
}

/// What is read can be issued again, and is the same then.
void read_signed_claims(std::string_view bytes) {
  const auto ticket = verified(signed_token(kHeader, bytes));
  if (!ticket) return;
  check_line(ticket->subject.name);
  const auto again = issue(*ticket, test::sample_key(Algorithm::kHs256));
  SWEEPD_ASSERT(again.has_value());
  const auto read = verified(*again);
  SWEEPD_ASSERT(read && read->subject == ticket->subject && read->role == ticket->role);
  SWEEPD_ASSERT(read->match_id == ticket->match_id && read->may_create == ticket->may_create);
  SWEEPD_ASSERT(read->seat_names == ticket->seat_names && read->ticket_id == ticket->ticket_id);
  SWEEPD_ASSERT(read->not_before_s == ticket->not_before_s && read->expires_s == ticket->expires_s);
  SWEEPD_ASSERT(ticket->role != PrincipalKind::kAnonymous);
}

/// No key of a set signs, but for that of HS256; another key can be added to it.
void read_key_set(std::string_view bytes) {
  const auto set = KeySet::parse(bytes);
  if (!set.ok()) return check_line(set.error().text);
  for (const TicketKey& key : set->keys()) {
    SWEEPD_ASSERT(set->find(key.id) == &key && !key.scope.roles.empty() && !key.scope.tenants.empty());
    SWEEPD_ASSERT(key.key.sign("x").has_value() == (key.key.algorithm() == Algorithm::kHs256));
  }
  const auto more = with_key(bytes, test::sample_key(Algorithm::kEdDsa));
  if (more.ok()) SWEEPD_ASSERT(KeySet::parse(*more)->keys().size() == set->keys().size() + 1);
}

/// What signs is verified by its public half.
void read_private_key(std::string_view bytes) {
  const auto jwk = parse_private_key(bytes);
  if (!jwk.ok()) return check_line(jwk.error().text);
  const auto set = KeySet::parse(key_set_text(*jwk));
  SWEEPD_ASSERT(set.ok() && parse_private_key(private_key_text(*jwk)).ok());
  const auto signature = Key::from(jwk->algorithm, jwk->numbers)->sign("x");
  SWEEPD_ASSERT(signature && set->find(jwk->id)->key.verifies("x", *signature));
}

void read_contexts_file(std::string_view bytes) {
  const auto contexts = tools::parse_contexts(bytes, "c.toml");
  if (!contexts.ok()) return SWEEPD_ASSERT(contexts.status().message().starts_with("c.toml:"));
  const std::string text = tools::contexts_text(*contexts);
  const auto again = tools::parse_contexts(text, "c.toml");
  SWEEPD_ASSERT(again.ok() && tools::contexts_text(*again) == text);
  SWEEPD_ASSERT(again->all.size() == contexts->all.size() && again->current == contexts->current);
}

constexpr Decoder kDecoders[] = {
    {"token", read_token},     {"header", read_header},           {"claims", read_signed_claims},
    {"key_set", read_key_set}, {"private_key", read_private_key}, {"contexts", read_contexts_file},
};

}  // namespace
}  // namespace sweepd::fuzz

SWEEPD_FUZZ_DECODERS(sweepd::fuzz::kDecoders)
