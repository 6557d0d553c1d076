// SPDX-License-Identifier: MIT
//
// Protects loops from verifying one ticket again and again, and the server from tickets that are good no
// more: what is remembered ends with the ticket and with the keys.
#include "session/gate.h"

#include <gtest/gtest.h>

#include "identity/ticket_issuer.h"
#include "keys/sample_keys.h"

namespace sweepd::session::gate_test {
namespace {

constexpr std::int64_t kNow = 1'800'000'000;

Admission admission_until(std::int64_t expires_s) { return {.expires_s = expires_s, .key_id = "a"}; }

/// As long as a digest is.
std::string digest(int number) {
  std::string text(32, '\0');
  text[0] = static_cast<char>(number);
  text[1] = static_cast<char>(number >> 8);
  return text;
}

TEST(TicketCache, EndsATicketWithItsTime) {
  TicketCache cache;
  cache.put(digest(1), admission_until(kNow + 1));
  ASSERT_TRUE(cache.find(digest(1), kNow));
  EXPECT_EQ(cache.find(digest(1), kNow)->key_id, "a");
  EXPECT_FALSE(cache.find(digest(2), kNow));
  EXPECT_FALSE(cache.find(digest(1), kNow + 1));
  EXPECT_EQ(cache.size(), 0u);
}

TEST(TicketCache, IsBoundedAndKeepsWhatIsShownAgain) {
  constexpr std::size_t kMost = 320;
  TicketCache cache(kMost);
  cache.put(digest(0), admission_until(kNow));
  for (int i = 1; i < 20'000; ++i) {
    cache.put(digest(i), admission_until(kNow));
    EXPECT_TRUE(cache.find(digest(0), kNow - 1)) << i;
    ASSERT_LE(cache.size(), kMost);
  }
  EXPECT_FALSE(cache.find(digest(1), kNow - 1));
  EXPECT_TRUE(cache.find(digest(19'999), kNow - 1));
}

class GateTest : public ::testing::Test {
 protected:
  GateTest() { gate_.use(verifier(test::sample_key_set())); }

  static Gate::Verifier verifier(const std::string& keys) {
    return std::make_shared<const identity::TicketVerifier>(*identity::KeySet::parse(keys),
                                                            identity::TicketRules{});
  }
  static std::string token(std::int64_t seconds_left, std::string name = "ann") {
    const std::int64_t now_s = ticket_time_s();
    const identity::Ticket ticket{.subject = {.issuer = "game", .tenant = "", .name = std::move(name)},
                                  .audience = "sweepd",
                                  .role = identity::PrincipalKind::kBackend,
                                  .may_create = true,
                                  .not_before_s = now_s - 100,
                                  .expires_s = now_s + seconds_left};
    return *identity::issue(ticket, test::sample_key(identity::Algorithm::kEdDsa));
  }

  Gate gate_;
};

TEST_F(GateTest, RemembersTicketsThatWereFoundGood) {
  const std::string shown = token(100);
  EXPECT_FALSE(gate_.known(shown));
  const auto first = gate_.admit(shown);
  ASSERT_TRUE(first.ok());
  const auto known = gate_.known(shown);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->principal.subject.name, "ann");
  EXPECT_EQ(known->expires_s, first->expires_s);
  EXPECT_FALSE(gate_.known(token(100, "bob")));
}

TEST_F(GateTest, RemembersNoneThatIsRefused) {
  const std::string expired = token(-30);
  EXPECT_EQ(reason_of(gate_.admit(expired).error()), "TICKET_EXPIRED");
  EXPECT_FALSE(gate_.known(expired));
  const std::string good = token(100);
  const std::string forged = good.substr(0, good.rfind('.')) + ".AAAA";
  ASSERT_TRUE(gate_.admit(good).ok());
  EXPECT_EQ(reason_of(gate_.admit(forged).error()), "TICKET_SIGNATURE_WRONG");
  EXPECT_EQ(reason_of(gate_.admit(std::string(100'000, 'a')).error()), "TICKET_TOO_LARGE");
}

TEST_F(GateTest, ForgetsAllWhenItsKeysChange) {
  const std::string shown = token(100);
  ASSERT_TRUE(gate_.admit(shown).ok());
  gate_.use(verifier(test::sample_key_set()));
  EXPECT_FALSE(gate_.known(shown)) << "these keys have not judged it yet";
  ASSERT_TRUE(gate_.admit(shown).ok());
  std::string revoking = test::sample_key_set();
  revoking.insert(revoking.rfind('}'), R"(, "sweepd": {"revoked": [{"sub": "ann"}]})");
  gate_.use(verifier(revoking));
  EXPECT_EQ(reason_of(gate_.admit(shown).error()), "TICKET_REVOKED");
  EXPECT_TRUE(gate_.admit(token(100, "bob")).ok());
}

TEST(Gate, WithoutKeysOrTokensHasNothingToVerify) {
  Gate gate;
  ASSERT_TRUE(gate.known("anything"));
  EXPECT_EQ(gate.known("anything")->principal.kind, identity::PrincipalKind::kOperator);
}

}  // namespace
}  // namespace sweepd::session::gate_test
