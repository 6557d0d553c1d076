// SPDX-License-Identifier: MIT
//
// Protects a leaderboard that ranks a player's run: who must have played, and with whose ticket, is held
// against what came of the file and against its receipt.
#include "tools/sweepctl/player_expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "identity/strict_json.h"
#include "recordings/forgery.h"
#include "recordings/replay_bytes.h"
#include "replay/reader.h"
#include "replay/receipt.h"
#include "tools/sweepctl/file_verification.h"
#include "tools/sweepctl/replay_files.h"
#include "unit/tools/sweepctl/tool_files.h"

namespace sweepd::tools::player_expectations_test {
namespace {

using replay::v1::Footer;
using ::testing::HasSubstr;
using ::testing::Not;

class PlayerExpectations : public ToolFiles {
 protected:
  void SetUp() override {
    ToolFiles::SetUp();
    options_.limits.program = program_;
    options_.keys = *TrustedKeys::read_pem(write("key.pem", key_.public_key().to_pem()));
  }

  /// What a server with the key writes, whose match came to that footer.
  std::string signed_replay(const std::function<void(Footer&)>& change) {
    recordings::Forgery file(recordings::random_replay(7, 100));
    change(file.footer());
    const std::string bytes = file.bytes();
    const auto reader = replay::Reader::open(bytes);
    EXPECT_TRUE(reader->footer().has_value());
    const auto& footer = *reader->footer();
    const auto receipt = replay::sign_receipt(key_, {reader->head(), footer.ending, footer.records_digest});
    const auto text = [](const auto& array) { return std::string(array.begin(), array.end()); };
    file.footer().set_public_key(text(receipt.public_key.bytes));
    file.footer().set_signature(text(receipt.signature));
    file.footer().set_statement(receipt.statement);
    return file.bytes();
  }

  /// A player of the match, who has a row of scores.
  static const replay::v1::Participant& player_of(const Footer& footer) {
    for (const auto& participant : footer.participants()) {
      for (const auto& score : footer.scores())
        if (participant.role() == 1 && score.name() == participant.name()) return participant;
    }
    ADD_FAILURE() << "no one has played";
    return footer.participants(0);
  }

  static void add_holder(Footer& footer, const replay::v1::Participant& seat, const std::string& subject,
                         const std::string& tenant = "") {
    auto& holder = *footer.add_seat_holders();
    holder.set_number(seat.number());
    holder.set_name(seat.name());
    holder.mutable_subject()->set_name(subject);
    holder.mutable_subject()->set_tenant(tenant);
  }

  VerificationReport verify(const std::string& bytes, VerificationRequest request) {
    request.file = write("run.swpr", bytes);
    auto report = verify_file(options_, request);
    EXPECT_TRUE(identity::parse_json_object(report_json(report)).ok());
    return report;
  }

  std::string result_of(const std::string& bytes, const VerificationRequest& request) {
    const auto report = verify(bytes, request);
    const std::string what =
        report.obstacle == VerificationObstacle::kNone ? report.verification.what : report.what;
    return std::string(name_of_result(report)) + (what.empty() ? "" : ": " + what);
  }

  const replay::SigningKey key_ = replay::SigningKey::generate();
  FileVerificationOptions options_;
};

TEST_F(PlayerExpectations, WhoIsNamedMustHavePlayedWhateverTheScore) {
  std::string name;
  std::uint32_t number = 0;
  const std::string bytes = signed_replay([&](Footer& footer) {
    name = player_of(footer).name();
    number = player_of(footer).number();
  });
  EXPECT_EQ(result_of(bytes, {.player = name}), "VERIFIED");
  EXPECT_EQ(result_of(bytes, {.participant = number}), "VERIFIED");
  EXPECT_EQ(result_of(bytes, {.player = name, .participant = number}), "VERIFIED");
  EXPECT_EQ(result_of(bytes, {.player = "a stranger"}),
            "SCORE_MISMATCH: nothing in it says that \"a stranger\" has played");
  EXPECT_EQ(result_of(bytes, {.participant = 999}),
            "SCORE_MISMATCH: nothing in it says that participant 999 has played");
  EXPECT_EQ(result_of(bytes, {.player = name, .participant = 999}),
            "SCORE_MISMATCH: nothing in it says that \"" + name + "\" (999) has played");
}

TEST_F(PlayerExpectations, TheSubjectMustHaveHeldAllSeatsOfThePlayer) {
  std::string name;
  const auto with = [&](const std::vector<std::pair<std::string, std::string>>& subjects) {
    return signed_replay([&](Footer& footer) {
      const replay::v1::Participant player = player_of(footer);
      name = player.name();
      for (const auto& [subject, tenant] : subjects) add_holder(footer, player, subject, tenant);
    });
  };
  const std::string anns = with({{"ann@game", ""}});
  const VerificationRequest asked{.player = name, .subject = {"ann@game", "", ""}};
  EXPECT_EQ(result_of(anns, asked), "VERIFIED");
  EXPECT_THAT(result_of(with({{"ann@game", ""}, {"eve", ""}}), asked),
              HasSubstr("BAD_SIGNATURE: \"eve\" has held the seat of \"" + name + "\" ("));
  EXPECT_THAT(result_of(with({{"ann@game", "eu"}}), asked), HasSubstr("\"ann@game\" of \"eu\" has held"));
  EXPECT_THAT(result_of(with({}), asked), HasSubstr("no receipt tells of a ticket that has held the seat"));
  EXPECT_THAT(result_of(anns, {.subject = asked.subject}), HasSubstr("BAD_SIGNATURE: no receipt tells of a"))
      << "all players are asked for, and the others have shown no ticket";
  options_.keys.reset();
  EXPECT_THAT(result_of(anns, asked), HasSubstr("BAD_REQUEST: a subject is asked for, and no key"));
}

TEST_F(PlayerExpectations, AClaimIsNotVerifiedWhereHoldersOfSeatsAreNotListed) {
  std::string name;
  const std::string bytes = signed_replay([&](Footer& footer) {
    name = player_of(footer).name();
    add_holder(footer, player_of(footer), "ann@game");
    footer.set_seat_holders_omitted(79);
  });
  EXPECT_EQ(result_of(bytes, {}), "VERIFIED") << "nothing is asked of a player";
  for (const VerificationRequest& asked :
       {VerificationRequest{.player = name}, VerificationRequest{.subject = {"ann@game", "", ""}}})
    EXPECT_THAT(result_of(bytes, asked), HasSubstr("BAD_SIGNATURE: the receipt leaves out 79 holders"));
  EXPECT_THAT(report_json(verify(bytes, {})), HasSubstr("\"seat_holders_not_listed\":79,"));
}

TEST(Expectations, AreNotVerifiedWhereRowsOfScoresAreNotListed) {
  VerificationReport report{.request = {.player = "ann", .claimed_score = 5}};
  report.verification.scores = {{.participant = 1, .name = "ann", .score = 5}};
  report.verification.scores_not_listed = 3;
  check_player(report);
  check_holders(report);
  EXPECT_THAT(report_text(report), HasSubstr("BAD_SIGNATURE: 3 further rows of players who left are not "
                                             "listed: it does not tell what a player has in all;"));
  EXPECT_THAT(report_json(report), HasSubstr("\"scores_not_listed\":3,"));
  VerificationReport unasked;
  unasked.verification.scores_not_listed = 1;
  check_holders(unasked);
  EXPECT_THAT(report_text(unasked), HasSubstr("VERIFIED, "));
  EXPECT_THAT(report_text(unasked), HasSubstr(", 1 further row of players who left is not listed, "));
}

TEST_F(PlayerExpectations, TheReportTellsWhatTheReceiptSays) {
  const auto slow = [this](std::uint64_t omitted) {
    return verify(signed_replay([omitted](Footer& footer) {
                    add_holder(footer, player_of(footer), "ann@game");
                    auto& slowed = *footer.add_clock_changes();
                    slowed.set_tick(3);
                    slowed.set_tick_rate_hz(5);
                    auto& paused = *footer.add_clock_changes();
                    paused.set_tick(4);
                    paused.set_is_paused(true);
                    paused.set_unix_ms(6500);
                    footer.set_clock_changes_omitted(omitted);
                    footer.set_start_unix_ms(1000);
                    footer.set_end_unix_ms(9000);
                  }),
                  {});
  };
  const auto report = slow(7);
  EXPECT_THAT(report_text(report),
              HasSubstr(", UNRANKED, clock set to 5 Hz (60 Hz at the beginning), paused 1 time, 7 further "
                        "changes of the clock (from 12.5 to 12.5 ticks a second between key frames)"));
  const std::string json = report_json(report);
  for (const char* part :
       {R"("kind":"replay")", R"("end":"match ended")", R"("rules_name":"","is_ranked":false,"creator":null)",
        R"("subject":{"name":"ann@game","issuer":"","tenant":""}}])", R"("seat_holders_not_listed":0)",
        R"("clock_changes":9,"clock_changes_not_listed":7,"pauses":1,"paused_ms":null)",
        R"("other_tick_rates_hz":[5],"lowest_tick_rate_hz":5,"highest_tick_rate_hz":60)",
        R"("slowest_ticks_per_second":12.5,"fastest_ticks_per_second":12.5)",
        R"("start_unix_ms":1000,"end_unix_ms":9000)"})
    EXPECT_THAT(json, HasSubstr(part));
  EXPECT_THAT(report_text(slow(0)), HasSubstr(", paused 1 time for 2.5 s"));
  EXPECT_THAT(report_json(slow(0)), HasSubstr(R"("paused_ms":2500)"));
  EXPECT_THAT(report_text(verify(signed_replay([](Footer&) {}), {})), Not(HasSubstr("clock")));
}

// Its writer has ranked it, and made up who created it.
TEST_F(PlayerExpectations, WhatNoTrustedKeyHasSignedIsNotRanked) {
  recordings::Forgery file(recordings::random_replay(7, 100));
  file.header().set_rules_name("official");
  file.make_consistent();
  options_.keys.reset();
  const auto made_up = verify(file.bytes(), {});
  EXPECT_THAT(report_text(made_up), HasSubstr("VERIFIED, "));
  EXPECT_THAT(report_text(made_up), HasSubstr(", not signed: rules, creator and holders are what the file"));
  EXPECT_THAT(report_json(made_up), HasSubstr(R"("rules_name":"official","is_ranked":false)"));
  const auto untrusted = verify(recordings::random_replay(7, 100, {.key = &key_}), {});
  EXPECT_THAT(report_text(untrusted), HasSubstr(", signed by a key that is not checked: rules, creator"));
}

TEST_F(PlayerExpectations, TheLineTellsHowTheReplayEnds) {
  options_.keys.reset();
  const auto with_end = [this](std::uint32_t end) {
    recordings::Forgery file(recordings::random_replay(7, 100));
    auto ticks = file.ticks_of(file.chunks().back());
    ticks.back().ends_match = false;
    file.set_ticks(file.chunks().back(), ticks);
    file.footer().set_end_reason(end);
    file.make_consistent();
    return report_text(verify(file.bytes(), {}));
  };
  EXPECT_THAT(with_end(2), HasSubstr(", the match was running"));
  EXPECT_THAT(with_end(3), HasSubstr(", cut"));
  EXPECT_THAT(report_text(verify(recordings::random_replay(7, 100), {})), Not(HasSubstr("running")));
}

// Else its verifier's answer is no message, and there is no verdict.
TEST_F(PlayerExpectations, ANameThatIsNotUtf8MakesAFileMalformed) {
  recordings::Forgery scores(recordings::random_replay(7, 100));
  ASSERT_GT(scores.footer().scores_size(), 0);
  scores.footer().mutable_scores(0)->set_name("\xff");
  EXPECT_THAT(result_of(scores.bytes(), {}), HasSubstr("MALFORMED: "));
  EXPECT_THAT(result_of(scores.bytes(), {}), HasSubstr("a name is not UTF-8"));
  recordings::Forgery id(recordings::random_replay(7, 100));
  id.header().set_match_id("\xff");
  id.make_consistent();
  EXPECT_THAT(result_of(id.bytes(), {}), HasSubstr("match_id is not UTF-8"));
  recordings::Forgery joins(recordings::random_replay(7, 100));
  auto ticks = joins.ticks_of(joins.chunks()[0]);
  for (auto& tick : ticks)
    for (auto& input : tick.inputs)
      if (auto* join = std::get_if<replay::Join>(&input)) join->name = "\xff";
  joins.set_ticks(joins.chunks()[0], ticks);
  joins.make_consistent();
  EXPECT_THAT(result_of(joins.bytes(), {}), HasSubstr("a participant's name is not UTF-8"));
}

}  // namespace
}  // namespace sweepd::tools::player_expectations_test
