// SPDX-License-Identifier: MIT
//
// Protects scores from a player that would be the stage of the sample's match, too: the stage decides what
// there is to score by, so its seat is for a ticket that the backend gives to the game's own process.
#include "integration/support/ticket_fixture.h"

namespace sweepd::test::cheat_stage_test {
namespace {

class CheatsWithTickets : public SecureTicketServerTest {
 protected:
  std::string create_sample() {
    write_private_file(path("token"), studio_);
    const auto sample =
        std::filesystem::path(required_environment("SWEEPD_SOURCE_DIR")) / "deploy/samples/coop_shmup.toml";
    const auto run = run_sweepctl({"create", "--config", sample.string(), "--clock", "manual", "--ca",
                                   path("ca.pem"), "--token-file", path("token")});
    EXPECT_EQ(run->wait(), 0) << run->standard_error();
    std::string id = run->standard_output();
    while (!id.empty() && id.back() == '\n') id.pop_back();
    return id;
  }
};

TEST_F(CheatsWithTickets, APlayersTicketIsNoneForTheStage) {
  const std::string match_id = create_sample();
  const v1::Join as_stage = join_as(match_id, "stage", v1::ROLE_STAGE);
  const std::string ann = token_of(player_ticket("ann", match_id));
  const auto stream = play(ann);
  stream->joined(join_as(match_id, "ann"));
  EXPECT_EQ(refusal_of(ann, as_stage), "NOT_ALLOWED") << "beside her own seat";
  EXPECT_EQ(refusal_of(token_of(player_ticket("stage", match_id, {"stage"})), as_stage), "NOT_ALLOWED");
  const auto stage = play(token_of(seat_ticket(identity::PrincipalKind::kStage, "game", match_id)));
  EXPECT_EQ(stage->joined(as_stage).participant().name(), "stage");
}

}  // namespace
}  // namespace sweepd::test::cheat_stage_test
