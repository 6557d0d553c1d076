// SPDX-License-Identifier: MIT
//
// Protects tickets from being bent: of all texts near a good token only itself is good, and what an issuer
// says is what a server reads.
#include <gtest/gtest.h>

#include "identity/ticket_issuer.h"
#include "identity/ticket_verifier.h"
#include "keys/sample_keys.h"
#include "property/random.h"

namespace sweepd::property::property_tickets {
namespace {

using namespace sweepd::identity;

constexpr std::int64_t kNow_s = 1'800'000'000;

TicketVerifier sample_verifier() { return TicketVerifier(*KeySet::parse(test::sample_key_set()), {}); }

std::string good_token(Algorithm algorithm) {
  Ticket ticket;
  ticket.subject = {"game", "", "ann"};
  ticket.audience = "sweepd";
  ticket.match_id = "m1";
  ticket.not_before_s = kNow_s;
  ticket.expires_s = kNow_s + 60;
  return *issue(ticket, test::sample_key(algorithm));
}

TEST(PropertyTickets, AnyOtherByteInAnyPlaceIsRefused) {
  const TicketVerifier verifier = sample_verifier();
  for (const Algorithm algorithm : test::kSampleAlgorithms) {
    const std::string good = good_token(algorithm);
    ASSERT_TRUE(verifier.verify(good, kNow_s).ok());
    std::string token = good;
    for (std::size_t at = 0; at < good.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        token[at] = static_cast<char>(byte);
        ASSERT_EQ(verifier.verify(token, kNow_s).ok(), token == good)
            << name_of(algorithm) << ": " << byte << " at " << at;
      }
      token[at] = good[at];
    }
  }
}

/// A token of which a piece is gone, doubled, moved, or of another one.
std::string bent(const std::string& good, const std::string& other, Random& random) {
  std::string token = good;
  const std::size_t at = random.index(token.size());
  const std::size_t size = 1 + random.index(std::min<std::size_t>(40, token.size() - at));
  switch (random.index(4)) {
    case 0:
      return token.erase(at, size);
    case 1:
      return token.insert(random.index(token.size()), token.substr(at, size));
    case 2:
      std::swap(token[at], token[random.index(token.size())]);
      return token;
    default:
      return token.replace(at, size, other.substr(std::min(at, other.size()), size));
  }
}

TEST(PropertyTickets, AllElseThatIsMadeOfGoodTokensIsRefused) {
  const TicketVerifier verifier = sample_verifier();
  Random random(17);
  std::vector<std::string> good;
  for (const Algorithm algorithm : test::kSampleAlgorithms) good.push_back(good_token(algorithm));
  for (int i = 0; i < 40'000; ++i) {
    const std::string& token = good[random.index(good.size())];
    const std::string changed = bent(token, good[random.index(good.size())], random);
    ASSERT_EQ(verifier.verify(changed, kNow_s).ok(), changed == token) << changed;
  }
}

std::string random_text(Random& random, std::size_t characters_max) {
  static const std::string kCharacters[] = {"a", "Z",  "0", "\"", "\\", "/", " ",
                                            "é", "漢", "🚀", "{",  ".",  "="};
  std::string text;
  const std::size_t count = 1 + random.index(characters_max);
  for (std::size_t i = 0; i < count; ++i) text += kCharacters[random.index(std::size(kCharacters))];
  return text;
}

Ticket random_ticket(Random& random) {
  Ticket ticket;
  ticket.role = kPrincipalKinds[random.index(6)];
  ticket.subject = {random_text(random, 32), random.chance(50) ? "arcade" : "", random_text(random, 32)};
  ticket.audience = "sweepd";
  const bool is_seated = is_participant(ticket.role);
  const bool may_create = ticket.role == PrincipalKind::kOperator || ticket.role == PrincipalKind::kBackend;
  ticket.may_create = may_create && random.chance(50);
  const bool needs_match = is_seated || (ticket.role == PrincipalKind::kBackend && !ticket.may_create);
  if (needs_match || (ticket.role != PrincipalKind::kOperator && random.chance(50))) {
    ticket.match_id = random_text(random, 16);
  }
  for (std::size_t i = random.index(4); is_seated && i > 0; --i)
    ticket.seat_names.push_back(random_text(random, 16));
  if (random.chance(50)) ticket.ticket_id = random_text(random, 32);
  ticket.not_before_s = kNow_s - random.between(0, 3600);
  ticket.expires_s = kNow_s + random.between(1, 3600);
  return ticket;
}

TEST(PropertyTickets, WhatIsIssuedIsWhatIsRead) {
  const TicketVerifier verifier = sample_verifier();
  Random random(18);
  for (int i = 0; i < 2'000; ++i) {
    const Ticket ticket = random_ticket(random);
    const auto read = verifier.verify(*issue(ticket, test::sample_key(Algorithm::kHs256)), kNow_s);
    ASSERT_TRUE(read.ok()) << text_of(read.error());
    EXPECT_EQ(read->subject, ticket.subject);
    EXPECT_EQ(read->role, ticket.role);
    EXPECT_EQ(read->match_id, ticket.match_id);
    EXPECT_EQ(read->may_create, ticket.may_create);
    EXPECT_EQ(read->seat_names, ticket.seat_names);
    EXPECT_EQ(read->ticket_id, ticket.ticket_id);
    EXPECT_EQ(read->not_before_s, ticket.not_before_s);
    EXPECT_EQ(read->expires_s, ticket.expires_s);
  }
}

}  // namespace
}  // namespace sweepd::property::property_tickets
