// SPDX-License-Identifier: MIT
//
// Protects matches from callers that they do not belong to: which match is a caller's own.
#include "identity/principal.h"

#include <gtest/gtest.h>

namespace sweepd::identity::principal_test {
namespace {

const Subject kCreator{"game", "arcade", "lobby-1"};

bool owns(PrincipalKind kind, const Subject& subject, std::optional<std::string> match_id = {}) {
  const Principal principal{.kind = kind, .subject = subject, .match_id = std::move(match_id)};
  return relation_of(principal, "m1", kCreator) == MatchRelation::kOwn;
}

TEST(PrincipalTest, ABackendOwnsWhatItCreatedOrItsTicketNames) {
  EXPECT_TRUE(owns(PrincipalKind::kBackend, kCreator));
  EXPECT_FALSE(owns(PrincipalKind::kBackend, {"game", "arcade", "lobby-2"}));
  EXPECT_FALSE(owns(PrincipalKind::kBackend, {"other", "arcade", "lobby-1"}));
  EXPECT_FALSE(owns(PrincipalKind::kBackend, {"game", "", "lobby-1"}));
  EXPECT_TRUE(owns(PrincipalKind::kBackend, {"game", "arcade", "lobby-2"}, "m1"));
  EXPECT_FALSE(owns(PrincipalKind::kBackend, kCreator, "m2")) << "a ticket for one match is for no other";
}

TEST(PrincipalTest, ParticipantsOwnTheMatchThatTheirTicketNames) {
  for (const PrincipalKind kind : {PrincipalKind::kStage, PrincipalKind::kPlayer, PrincipalKind::kObserver}) {
    EXPECT_TRUE(owns(kind, {"game", "arcade", "ann"}, "m1"));
    EXPECT_FALSE(owns(kind, {"game", "arcade", "ann"}, "m2"));
    EXPECT_FALSE(owns(kind, {"game", "console", "ann"}, "m1")) << "no tenant's key reaches another's match";
    EXPECT_FALSE(owns(kind, kCreator));
  }
}

TEST(PrincipalTest, AModeratorHasTheMatchesOfItsTenant) {
  EXPECT_TRUE(owns(PrincipalKind::kModerator, {"moderation", "arcade", "mod"}));
  EXPECT_FALSE(owns(PrincipalKind::kModerator, {"moderation", "", "mod"}));
  EXPECT_FALSE(owns(PrincipalKind::kModerator, {"moderation", "arcade", "mod"}, "m2"));
}

TEST(PrincipalTest, AnOperatorHasWhatItCreatedWithoutTicketsAllAndAnonymousNone) {
  EXPECT_FALSE(owns(PrincipalKind::kOperator, {"ops", "", "root"}));
  EXPECT_TRUE(owns(PrincipalKind::kOperator, kCreator));
  EXPECT_TRUE(owns(PrincipalKind::kOperator, {}));
  EXPECT_FALSE(owns(PrincipalKind::kAnonymous, kCreator));
  EXPECT_EQ(relation_of({}, "m1", {}), MatchRelation::kOther);
}

TEST(PrincipalTest, NamesAreThoseOfTicketsAndAnonymousIsNone) {
  for (const PrincipalKind kind : kPrincipalKinds) {
    const auto named = principal_named(name_of(kind));
    EXPECT_EQ(named.has_value(), kind != PrincipalKind::kAnonymous) << name_of(kind);
    if (named) {
      EXPECT_EQ(*named, kind);
    }
  }
  EXPECT_EQ(principal_named(""), std::nullopt);
}

}  // namespace
}  // namespace sweepd::identity::principal_test
