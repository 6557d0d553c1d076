// SPDX-License-Identifier: MIT
//
// Protects every match of a server: a ticket is good exactly if a known key signed exactly these bytes, it is
// for this server and this time, and its key may say so. All else is refused, each for its own
// reason, told without the token.
#include "identity/ticket_verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/visible_text.h"
#include "identity/base64url.h"
#include "identity/strict_json.h"
#include "identity/ticket_claims.h"
#include "identity/ticket_issuer.h"
#include "keys/sample_keys.h"

namespace sweepd::identity::ticket_verifier_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Fault = TicketFault;

constexpr std::int64_t kNow_s = 1'800'000'000;

Ticket player_ticket() {
  Ticket ticket;
  ticket.subject = {"game", "", "ann"};
  ticket.audience = "sweepd";
  ticket.match_id = "match-1";
  ticket.seat_names = {"ann"};
  ticket.ticket_id = "t1";
  ticket.not_before_s = kNow_s - 60;
  ticket.expires_s = kNow_s + 3600;
  return ticket;
}

TicketVerifier sample_verifier(const TicketRules& rules = {}) {
  return TicketVerifier(*KeySet::parse(test::sample_key_set()), rules);
}

/// Any header and claims, signed with a sample key.
std::string token_of(const std::string& header, const std::string& claims, Algorithm algorithm) {
  const std::string text = to_base64url(header) + "." + to_base64url(claims);
  return text + "." + to_base64url(*Key::from(algorithm, test::sample_key(algorithm).numbers)->sign(text));
}

std::string header_of(const std::string& alg, const std::string& kid) {
  return R"({"alg":")" + alg + R"(","kid":")" + kid + R"("})";
}

std::string token_with_claims(const std::string& claims) {
  return token_of(header_of("EdDSA", "EdDSA"), claims, Algorithm::kEdDsa);
}

Json sample_claims() { return claims_of(player_ticket()); }

/// The sample's claims, with one that is another, or missing where `value` is null.
std::string token_with(const char* claim, const Json& value) {
  Json claims = sample_claims();
  if (value.is_null()) {
    claims.erase(claim);
  } else {
    claims[claim] = value;
  }
  return token_with_claims(claims.dump());
}

/// "": accepted.
std::string verdict_of(const std::string& token, std::int64_t now_s = kNow_s) {
  const auto ticket = sample_verifier().verify(token, now_s);
  return ticket.ok() ? "" : text_of(ticket.error());
}

Fault fault_of(const std::string& token, std::int64_t now_s = kNow_s, const TicketRules& rules = {}) {
  const auto ticket = sample_verifier(rules).verify(token, now_s);
  EXPECT_FALSE(ticket.ok()) << token;
  return ticket.ok() ? Fault::kNoToken : ticket.error().fault;
}

TEST(TicketVerifierTest, AcceptsTicketsOfEachAlgorithmAndTellsWhatTheySay) {
  for (const Algorithm algorithm : test::kSampleAlgorithms) {
    const auto token = issue(player_ticket(), test::sample_key(algorithm));
    ASSERT_TRUE(token);
    const auto ticket = sample_verifier().verify(*token, kNow_s);
    ASSERT_TRUE(ticket.ok()) << text_of(ticket.error());
    EXPECT_EQ(ticket->subject, player_ticket().subject);
    EXPECT_EQ(ticket->audience, "sweepd");
    EXPECT_EQ(ticket->role, PrincipalKind::kPlayer);
    EXPECT_EQ(ticket->match_id, "match-1");
    EXPECT_FALSE(ticket->may_create);
    EXPECT_THAT(ticket->seat_names, ElementsAre("ann"));
    EXPECT_EQ(ticket->not_before_s, kNow_s - 60);
    EXPECT_EQ(ticket->expires_s, kNow_s + 3600);
    EXPECT_EQ(ticket->ticket_id, "t1");
    EXPECT_EQ(ticket->key_id, name_of(algorithm));
    const Principal principal = principal_of(*ticket);
    EXPECT_EQ(principal.kind, PrincipalKind::kPlayer);
    EXPECT_THAT(principal.seat_names, ElementsAre("ann"));
  }
}

struct Refusal {
  const char* what;
  std::string token;
  Fault fault;
};

TEST(TicketVerifierTest, RefusesWhatIsNoTokenOfOurs) {
  const std::string good = *issue(player_ticket(), test::sample_key(Algorithm::kEdDsa));
  const std::string claims = sample_claims().dump();
  const std::size_t first = good.find('.');
  const std::size_t last = good.rfind('.');
  const Refusal kRefusals[] = {
      {"empty", "", Fault::kNoToken},
      {"no points", "abc", Fault::kNoToken},
      {"truncated before the signature", good.substr(0, last), Fault::kNoToken},
      {"no signature", good.substr(0, last + 1), Fault::kSignature},
      {"truncated in the signature", good.substr(0, good.size() - 2), Fault::kSignature},
      {"four parts", good + ".", Fault::kNoToken},
      {"five parts, as an encrypted token has", good + ".a.b", Fault::kNoToken},
      {"padded", good + "=", Fault::kNoToken},
      {"a line end behind it", good + "\n", Fault::kNoToken},
      {"a space before it", " " + good, Fault::kNoToken},
      {"a zero behind it", good + '\0', Fault::kNoToken},
      {"oversized", good + std::string(kTicketBytesMax, 'A'), Fault::kTooLarge},
      {"other claims", good.substr(0, first + 1) + to_base64url("{}") + good.substr(last), Fault::kSignature},
      {"header is no JSON", token_of("x", claims, Algorithm::kEdDsa), Fault::kHeader},
      {"header is a list", token_of("[]", claims, Algorithm::kEdDsa), Fault::kHeader},
      {"header without kid", token_of(R"({"alg":"EdDSA"})", claims, Algorithm::kEdDsa), Fault::kHeader},
      {"kid is a number", token_of(R"({"alg":"EdDSA","kid":1})", claims, Algorithm::kEdDsa), Fault::kHeader},
      {"kid twice", token_of(R"({"kid":"HS256","alg":"EdDSA","kid":"EdDSA"})", claims, Algorithm::kEdDsa),
       Fault::kHeader},
      {"alg twice", token_of(R"({"kid":"EdDSA","alg":"EdDSA","alg":"EdDSA"})", claims, Algorithm::kEdDsa),
       Fault::kHeader},
      {"typ of something else",
       token_of(R"({"typ":"at+jwt","kid":"EdDSA","alg":"EdDSA"})", claims, Algorithm::kEdDsa),
       Fault::kHeader},
      {"crit", token_of(R"({"crit":["exp"],"kid":"EdDSA","alg":"EdDSA"})", claims, Algorithm::kEdDsa),
       Fault::kCritical},
      {"empty crit", token_of(R"({"crit":[],"kid":"EdDSA","alg":"EdDSA"})", claims, Algorithm::kEdDsa),
       Fault::kCritical},
      {"unknown key", token_of(header_of("EdDSA", "eddsa"), claims, Algorithm::kEdDsa), Fault::kUnknownKey},
      {"signed by another key of ours", token_of(header_of("EdDSA", "EdDSA"), claims, Algorithm::kEs256),
       Fault::kSignature},
      {"claims are no JSON", token_with_claims("x"), Fault::kClaims},
      {"claims are a list", token_with_claims("[]"), Fault::kClaims},
      {"a claim twice", token_with_claims(R"({"role":"player",)" + claims.substr(1)), Fault::kClaims},
      {"claims nested deeply", token_with("other", *parse_json_object(R"({"a":[[[[[[[1]]]]]]]})")),
       Fault::kClaims},
  };
  for (const Refusal& refusal : kRefusals) EXPECT_EQ(fault_of(refusal.token), refusal.fault) << refusal.what;
  EXPECT_EQ(verdict_of(good), "");
}

TEST(TicketVerifierTest, TheTokenDoesNotChooseTheAlgorithm) {
  const std::string claims = sample_claims().dump();
  for (const Algorithm algorithm : test::kSampleAlgorithms) {
    for (const char* alg :
         {"none", "None", "NONE", "", "HS256", "RS256", "ES256", "EdDSA", "HS512", "hs256"}) {
      if (alg == name_of(algorithm)) continue;
      const std::string token = token_of(header_of(alg, std::string(name_of(algorithm))), claims, algorithm);
      EXPECT_EQ(fault_of(token), Fault::kAlgorithm) << name_of(algorithm) << " as " << alg;
      EXPECT_EQ(fault_of(token.substr(0, token.rfind('.') + 1)), Fault::kAlgorithm) << "and no signature";
    }
    for (const char* header :
         {R"({"kid":"ID"})", R"({"kid":"ID","alg":null})", R"({"kid":"ID","alg":["ID"]})"}) {
      std::string text = header;
      for (std::size_t at; (at = text.find("ID")) != std::string::npos;)
        text.replace(at, 2, name_of(algorithm));
      EXPECT_EQ(fault_of(token_of(text, claims, algorithm)), Fault::kAlgorithm) << text;
    }
  }
}

TEST(TicketVerifierTest, APublicKeyIsNoSecretOfHs256) {
  // What an attacker has of a server with the RSA key: n, and what can be made of it.
  const KeyNumbers rsa = test::sample_key(Algorithm::kRs256).numbers;
  const std::string pem = test::sample_rsa_public_pem();
  const std::string der =
      "\x30\x82\x01\x0a\x02\x82\x01\x01" + std::string(1, '\0') + rsa.n + "\x02\x03" + rsa.e;
  for (const std::string& secret : {rsa.n, pem, der, rsa.n + rsa.e}) {
    const auto key = Key::from(Algorithm::kHs256, {.k = secret});
    ASSERT_TRUE(key);
    for (const char* alg : {"HS256", "RS256"}) {
      const std::string text =
          to_base64url(header_of(alg, "RS256")) + "." + to_base64url(sample_claims().dump());
      const std::string token = text + "." + to_base64url(*key->sign(text));
      EXPECT_EQ(fault_of(token), alg == std::string("HS256") ? Fault::kAlgorithm : Fault::kSignature);
    }
  }
}

TEST(TicketVerifierTest, TimesCountWithTheLeewayAndNotASecondMore) {
  const std::string token = *issue(player_ticket(), test::sample_key(Algorithm::kEs256));
  const Ticket ticket = player_ticket();
  EXPECT_EQ(verdict_of(token, ticket.not_before_s - 5), "");
  EXPECT_EQ(fault_of(token, ticket.not_before_s - 6), Fault::kNotYetValid);
  EXPECT_EQ(verdict_of(token, ticket.expires_s + 4), "");
  EXPECT_EQ(fault_of(token, ticket.expires_s + 5), Fault::kExpired);
  EXPECT_EQ(fault_of(token, ticket.expires_s, {.leeway_s = 0}), Fault::kExpired);
  EXPECT_EQ(fault_of(token, 0), Fault::kNotYetValid);
}

TEST(TicketVerifierTest, LifetimeIsBounded) {
  Ticket ticket = player_ticket();
  ticket.expires_s = ticket.not_before_s + 24 * 60 * 60;
  EXPECT_EQ(verdict_of(*issue(ticket, test::sample_key(Algorithm::kEdDsa))), "");
  ticket.expires_s += 1;
  EXPECT_EQ(fault_of(*issue(ticket, test::sample_key(Algorithm::kEdDsa))), Fault::kLifetime);
  ticket.not_before_s = 0;
  ticket.expires_s = kTicketTimeMax_s;
  EXPECT_EQ(fault_of(*issue(ticket, test::sample_key(Algorithm::kEdDsa))), Fault::kLifetime);
}

TEST(TicketVerifierTest, AudienceAndIssuerHaveToBeTheServers) {
  EXPECT_EQ(fault_of(token_with("aud", "other")), Fault::kAudience);
  EXPECT_EQ(fault_of(token_with("aud", {"other", "sweepd2"})), Fault::kAudience);
  EXPECT_EQ(verdict_of(token_with("aud", {"other", "sweepd"})), "");
  const TicketRules rules{.issuers = {"game", "lobby"}};
  const auto token = token_with("iss", "lobby");
  EXPECT_TRUE(sample_verifier(rules).verify(token, kNow_s).ok());
  EXPECT_EQ(fault_of(token_with("iss", "stranger"), kNow_s, rules), Fault::kIssuer);
}

struct WrongClaim {
  const char* claim;
  Json value;
};

TEST(TicketVerifierTest, AClaimThatIsMalformedIsNamed) {
  const std::string long_text(kClaimBytesMax + 1, 'x');
  const WrongClaim kWrong[] = {
      {"iss", nullptr},
      {"iss", ""},
      {"iss", 1},
      {"iss", long_text},
      {"iss", "a\nb"},
      {"iss", Json::array({"game"})},
      {"sub", nullptr},
      {"sub", ""},
      {"sub", true},
      {"sub", long_text},
      {"sub", "\x1b[31m"},
      {"sub", "a\u202eb"},
      {"aud", nullptr},
      {"aud", ""},
      {"aud", 1},
      {"aud", Json::array()},
      {"aud", Json::array({"sweepd", 1})},
      {"aud", std::vector<std::string>(17, "sweepd")},
      {"exp", nullptr},
      {"exp", "1800003600"},
      {"exp", 1800003600.0},
      {"exp", -1},
      {"exp", true},
      {"exp", kTicketTimeMax_s + 1},
      {"exp", std::uint64_t{1} << 63},
      {"exp", 1e300},
      {"exp", kNow_s - 60},
      {"nbf", nullptr},
      {"nbf", "0"},
      {"nbf", 0.5},
      {"nbf", std::numeric_limits<std::int64_t>::min()},
      {"iat", "now"},
      {"iat", kNow_s + 3601},
      {"iat", -1},
      {"jti", ""},
      {"jti", 7},
      {"jti", long_text},
      {"role", nullptr},
      {"role", ""},
      {"role", "anonymous"},
      {"role", "Player"},
      {"role", "root"},
      {"role", 1},
      {"tenant", ""},
      {"tenant", 1},
      {"match", nullptr},
      {"match", ""},
      {"match", 1},
      {"match", std::string(65, 'm')},
      {"create", true},
      {"create", "false"},
      {"create", 0},
      {"seat", ""},
      {"seat", std::string(65, 's')},
      {"seat", "a\x7f"},
      {"seat", 1},
      {"seat", Json::array()},
      {"seat", Json::array({"ann", ""})},
      {"seat", std::vector<std::string>(kTicketSeatsMax + 1, "ann")},
  };
  for (const WrongClaim& wrong : kWrong) {
    EXPECT_EQ(verdict_of(token_with(wrong.claim, wrong.value)),
              std::string("the ticket's claims are malformed: ") + wrong.claim)
        << wrong.value;
  }
}

TEST(TicketVerifierTest, ATicketIsForTheSeatsThatItListsOrForAnyOne) {
  const auto bearer_of = [](const Json& seat) {
    return principal_of(*sample_verifier().verify(token_with("seat", seat), kNow_s));
  };
  const Principal listed = bearer_of({"ann", "bob"});
  EXPECT_TRUE(listed.may_take("ann") && listed.may_take("bob"));
  EXPECT_FALSE(listed.may_take("carl"));
  EXPECT_EQ(listed.seats_max(), 2u);
  EXPECT_FALSE(bearer_of("ann").may_take("bob"));
  EXPECT_EQ(bearer_of("ann").seats_max(), 1u);
  EXPECT_TRUE(bearer_of(nullptr).may_take("bob"));
  EXPECT_EQ(bearer_of(nullptr).seats_max(), 1u);
}

TEST(TicketVerifierTest, NumbersThatAreOnlyAlmostTimesAreNone) {
  const std::string claims = sample_claims().dump();
  const std::string right = "\"exp\":1800003600";
  for (const char* number :
       {"1800003600.0", "18000036e2", "1.8000036e9", "18446744073709551617", "-0.0", "\"1800003600\""}) {
    std::string text = claims;
    text.replace(text.find(right), right.size(), std::string("\"exp\":") + number);
    EXPECT_THAT(verdict_of(token_with_claims(text)), HasSubstr("exp")) << number;
  }
}

TEST(TicketVerifierTest, WhatIsNotKnownIsNotLookedAt) {
  EXPECT_EQ(verdict_of(token_with("name", Json{{"first", "Ann"}})), "");
  EXPECT_EQ(verdict_of(token_of(R"({"typ":"jwt","kid":"EdDSA","alg":"EdDSA","jku":"https://evil.example"})",
                                sample_claims().dump(), Algorithm::kEdDsa)),
            "");
}

TEST(TicketVerifierTest, ClaimsGoWithTheRole) {
  const auto verdict = [](PrincipalKind role, std::optional<std::string> match_id, bool may_create,
                          const std::string& seat) {
    Ticket ticket = player_ticket();
    ticket.role = role;
    ticket.match_id = std::move(match_id);
    ticket.may_create = may_create;
    ticket.seat_names = seat.empty() ? std::vector<std::string>() : std::vector{seat};
    return verdict_of(*issue(ticket, test::sample_key(Algorithm::kEdDsa)));
  };
  EXPECT_EQ(verdict(PrincipalKind::kOperator, {}, false, ""), "");
  EXPECT_EQ(verdict(PrincipalKind::kOperator, {}, true, ""), "");
  EXPECT_THAT(verdict(PrincipalKind::kOperator, "m", false, ""), HasSubstr("match"));
  EXPECT_EQ(verdict(PrincipalKind::kBackend, {}, true, ""), "");
  EXPECT_EQ(verdict(PrincipalKind::kBackend, "m", false, ""), "");
  EXPECT_THAT(verdict(PrincipalKind::kBackend, {}, false, ""), HasSubstr("match"));
  EXPECT_THAT(verdict(PrincipalKind::kBackend, {}, true, "ann"), HasSubstr("seat"));
  EXPECT_EQ(verdict(PrincipalKind::kModerator, {}, false, ""), "");
  EXPECT_EQ(verdict(PrincipalKind::kModerator, "m", false, ""), "");
  EXPECT_THAT(verdict(PrincipalKind::kModerator, {}, true, ""), HasSubstr("create"));
  for (const PrincipalKind role : {PrincipalKind::kStage, PrincipalKind::kPlayer, PrincipalKind::kObserver}) {
    EXPECT_EQ(verdict(role, "m", false, "ann"), "") << name_of(role);
    EXPECT_EQ(verdict(role, "m", false, ""), "");
    EXPECT_THAT(verdict(role, {}, false, ""), HasSubstr("match"));
    EXPECT_THAT(verdict(role, "m", true, ""), HasSubstr("create"));
  }
}

TEST(TicketVerifierTest, AKeySaysNoMoreThanItsScope) {
  Jwk key = test::sample_key(Algorithm::kEdDsa);
  key.scope = {{"game"}, {"arcade"}, {PrincipalKind::kPlayer}};
  const TicketVerifier verifier(*KeySet::parse(key_set_text(key)), {});
  const auto verdict = [&](const Subject& subject, PrincipalKind role) {
    Ticket ticket = player_ticket();
    ticket.subject = subject;
    ticket.role = role;
    if (!is_participant(role)) ticket.seat_names.clear();
    if (role == PrincipalKind::kOperator) ticket.match_id.reset();
    const auto verified = verifier.verify(*issue(ticket, key), kNow_s);
    return verified.ok() ? "" : text_of(verified.error());
  };
  const std::string beyond = "the ticket says more than its key may: ";
  EXPECT_EQ(verdict({"game", "arcade", "ann"}, PrincipalKind::kPlayer), "");
  EXPECT_EQ(verdict({"lobby", "arcade", "ann"}, PrincipalKind::kPlayer), beyond + "iss");
  EXPECT_EQ(verdict({"game", "", "ann"}, PrincipalKind::kPlayer), beyond + "tenant");
  EXPECT_EQ(verdict({"game", "console", "ann"}, PrincipalKind::kPlayer), beyond + "tenant");
  EXPECT_EQ(verdict({"game", "arcade", "ann"}, PrincipalKind::kOperator), beyond + "role");
  EXPECT_EQ(verdict({"game", "arcade", "ann"}, PrincipalKind::kBackend), beyond + "role");
  EXPECT_EQ(verdict({"game", "arcade", "ann"}, PrincipalKind::kStage), beyond + "role");
}

TEST(TicketVerifierTest, RevokedTicketsAndSubjectsAreRefusedAndAKeyThatIsGoneIsUnknown) {
  const Jwk key = test::sample_key(Algorithm::kEdDsa);
  const std::string token = *issue(player_ticket(), key);
  const auto fault_by = [&](const std::string& set) {
    const auto ticket = TicketVerifier(*KeySet::parse(set), {}).verify(token, kNow_s);
    return ticket.ok() ? std::string_view() : reason_of(ticket.error().fault);
  };
  Json set = *parse_json_object(key_set_text(key));
  EXPECT_EQ(fault_by(set.dump()), "");
  set["sweepd"]["revoked"] = Json::array({Json{{"jti", "t1"}}});
  EXPECT_EQ(fault_by(set.dump()), "TICKET_REVOKED");
  set["sweepd"]["revoked"] = Json::array({Json{{"sub", "ann"}}});
  EXPECT_EQ(fault_by(set.dump()), "TICKET_REVOKED");
  set["sweepd"]["revoked"] = Json::array({Json{{"sub", "bob"}}});
  EXPECT_EQ(fault_by(set.dump()), "");
  set["keys"] = Json::array();
  EXPECT_EQ(fault_by(set.dump()), "TICKET_KEY_UNKNOWN");
}

TEST(TicketVerifierTest, NoRefusalSaysAnythingOfTheToken) {
  const std::string secret = "hunter2-hunter2";
  const std::string tokens[] = {
      secret,
      token_with("sub", secret + "\n"),
      token_with("role", secret),
      token_with("aud", secret),
      token_of(header_of(secret, "EdDSA"), "{}", Algorithm::kEdDsa),
      token_of(header_of("EdDSA", secret), "{}", Algorithm::kEdDsa),
      token_with_claims("{\"" + secret + "\":1,\"" + secret + "\":2}"),
  };
  for (const std::string& token : tokens) {
    const std::string verdict = verdict_of(token);
    EXPECT_NE(verdict, "");
    EXPECT_THAT(verdict, Not(HasSubstr(secret)));
    EXPECT_EQ(base::visible(verdict), verdict);
  }
}

TEST(TicketIssuerTest, DoesNotSignATextThatIsNoUtf8) {
  Ticket ticket = player_ticket();
  ticket.subject.name = "\xff";
  EXPECT_EQ(issue(ticket, test::sample_key(Algorithm::kEdDsa)), std::nullopt);
}

}  // namespace
}  // namespace sweepd::identity::ticket_verifier_test
