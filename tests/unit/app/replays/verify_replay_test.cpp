// SPDX-License-Identifier: MIT
//
// Protects a server that plays replays again for anybody: each gets its verdict, nobody takes more of it than
// there is, and who goes away, or a server that stops, ends what is being played.
#include <chrono>
#include <thread>

#include "base/sanitizers.h"
#include "unit/app/replays/replay_server.h"

namespace sweepd::app::verify_replay_test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Playing it takes so long that what ends sooner has not waited for it, on a busy machine, too.
constexpr milliseconds kSlow{base::kHasSanitizer ? 6'000 : 3'000};

class VerifyReplay : public ReplayServerTest {};

/// For who comes from one address alone.
ServerOptions with_places_for(std::size_t calls) { return {.verifier = {.calls_per_peer = calls}}; }

TEST_F(VerifyReplay, SaysThatOneIsWhatItSays) {
  const Verified verified = verify(signed_replay());
  ASSERT_EQ(reason_of(verified.status), "OK");
  EXPECT_EQ(verified.response.verdict(), v1::REPLAY_VERDICT_VERIFIED) << verified.response.what();
  EXPECT_EQ(verified.response.ticks_played(), 201u);
  EXPECT_TRUE(verified.response.is_signed());
  EXPECT_EQ(verified.response.receipt().tick_count(), 201u);
  EXPECT_EQ(verified.response.final_digest(), verified.response.receipt().final_digest());
  ASSERT_GT(verified.response.scores_size(), 0);
  EXPECT_EQ(verified.response.scores(0).score(), verified.response.receipt().scores(0).score());
}

TEST_F(VerifyReplay, SaysWhatIsWrongWithOne) {
  std::string bytes = signed_replay();
  bytes[bytes.size() / 2] ^= 1;
  const Verified broken = verify(bytes);
  ASSERT_EQ(reason_of(broken.status), "OK");
  EXPECT_EQ(broken.response.verdict(), v1::REPLAY_VERDICT_MALFORMED);
  EXPECT_NE(broken.response.fault_offset(), 0u);
  EXPECT_FALSE(broken.response.what().empty());
  EXPECT_EQ(verify("").response.verdict(), v1::REPLAY_VERDICT_MALFORMED);
  bytes = signed_replay();
  bytes[8] = 99;
  EXPECT_EQ(verify(bytes).response.verdict(), v1::REPLAY_VERDICT_UNSUPPORTED_VERSION);
}

TEST_F(VerifyReplay, ChecksWhatItIsAskedFor) {
  const std::string bytes = signed_replay();
  v1::VerificationOptions options;
  options.set_public_key(std::string(library_.public_key().bytes.begin(), library_.public_key().bytes.end()));
  EXPECT_EQ(verify(bytes, options).response.verdict(), v1::REPLAY_VERDICT_VERIFIED);
  const replay::PublicKey other = replay::SigningKey::generate().public_key();
  options.set_public_key(std::string(other.bytes.begin(), other.bytes.end()));
  EXPECT_EQ(verify(bytes, options).response.verdict(), v1::REPLAY_VERDICT_BAD_SIGNATURE);
  const auto honest = verify(bytes).response.scores(0);
  options.Clear();
  *options.add_claimed_scores() = honest;
  EXPECT_EQ(verify(bytes, options).response.verdict(), v1::REPLAY_VERDICT_VERIFIED);
  options.mutable_claimed_scores(0)->set_score(honest.score() + 1);
  const Verified boasted = verify(bytes, options);
  EXPECT_EQ(boasted.response.verdict(), v1::REPLAY_VERDICT_SCORE_MISMATCH);
  EXPECT_EQ(boasted.response.scores(0).score(), honest.score());
}

TEST_F(VerifyReplay, NamesTheOptionThatIsWrong) {
  v1::VerificationOptions options;
  options.set_public_key("short");
  EXPECT_EQ(reason_of(verify("", options).status), "3 INVALID_VERIFICATION");
  EXPECT_EQ(field_of(verify("", options).status), "options.public_key");
  options.Clear();
  options.set_nonce(std::string(65, 'n'));
  EXPECT_EQ(field_of(verify("", options).status), "options.nonce");
  options.Clear();
  options.add_claimed_scores()->set_name("ann");
  options.add_claimed_scores()->set_name("");
  EXPECT_EQ(field_of(verify("", options).status), "options.claimed_scores[1].name");
  options.Clear();
  for (int i = 0; i < 4097; ++i) options.add_claimed_scores()->set_name("ann");
  EXPECT_EQ(field_of(verify("", options).status), "options.claimed_scores");
  options.Clear();
  options.mutable_creator()->set_name("studio");  // Which proves nothing without a key.
  EXPECT_EQ(field_of(verify("", options).status), "options.creator");
  options.mutable_creator()->clear_name();
  EXPECT_EQ(field_of(verify("", options).status), "options.creator.name");
  options.Clear();
  options.add_approved_rules();  // No match can have so few layers.
  const std::string field = field_of(verify("", options).status);
  EXPECT_TRUE(field.starts_with("options.approved_rules[0].config.")) << field;
  options.Clear();
  for (int i = 0; i < 65; ++i) options.add_approved_rules();
  EXPECT_EQ(field_of(verify("", options).status), "options.approved_rules");
}

TEST_F(VerifyReplay, TakesOptionsFirstOrNotAtAll) {
  auto pending = begin("bytes");
  v1::VerifyReplayRequest request;
  request.mutable_options();
  pending->stream->Write(request);
  pending->stream->WritesDone();
  const grpc::Status status = pending->stream->Finish();
  EXPECT_EQ(reason_of(status), "3 INVALID_VERIFICATION");
  EXPECT_EQ(field_of(status), "options");
}

TEST_F(VerifyReplay, Takes64MiBAndNotAByteMore) {
  std::string bytes(std::size_t{64} << 20, 'x');
  EXPECT_EQ(verify(bytes).response.verdict(), v1::REPLAY_VERDICT_MALFORMED);
  bytes += 'x';
  EXPECT_EQ(reason_of(verify(bytes).status), "8 REPLAY_TOO_LARGE");
}

TEST_F(VerifyReplay, TakesNoMoreUploadsThanItHasMemoryFor) {
  start(with_places_for(100));
  std::vector<std::unique_ptr<Pending>> uploads;
  for (int i = 0; i < 16; ++i) uploads.push_back(begin("x"));
  // The others may still be on their way here.
  const auto refused = [this] { return reason_of(verify("x").status) == "8 TOO_MANY_VERIFICATIONS"; };
  bool is_refused = false;
  for (int i = 0; i < 5000 && !is_refused; ++i) is_refused = refused();
  EXPECT_TRUE(is_refused);
  for (const auto& upload : uploads) {
    upload->context.TryCancel();
    upload->stream->Finish();
  }
  bool is_taken = false;
  for (int i = 0; i < 5000 && !is_taken; ++i) is_taken = !refused();
  EXPECT_TRUE(is_taken);
}

TEST_F(VerifyReplay, HoldsABoundedNumberOfBytes) {
  start(with_places_for(100));
  const std::string bytes(std::size_t{63} << 20, 'x');
  std::vector<std::unique_ptr<Pending>> uploads;
  for (int i = 0; i < 5; ++i) uploads.push_back(begin(bytes));
  int refusals = 0;
  for (const auto& upload : uploads) {
    upload->stream->WritesDone();
    const std::string reason = reason_of(upload->stream->Finish());
    EXPECT_TRUE(reason == "OK" || reason == "8 TOO_MANY_VERIFICATIONS") << reason;
    refusals += reason == "OK" ? 0 : 1;
  }
  // 5 of 63 MiB are more than 256. What the first refused held is free only a moment later.
  EXPECT_GE(refusals, 1);
  EXPECT_LE(refusals, 3);
}

TEST_F(VerifyReplay, RefusesWhatNoVerifierIsFreeFor) {
  start({.verifier = {.waiting = 8, .calls_per_peer = 100}});
  const std::string slow = recordings::slow_replay(std::chrono::milliseconds(500));
  std::vector<std::unique_ptr<Pending>> uploads;
  for (int i = 0; i < 14; ++i) {
    uploads.push_back(begin(slow));
    uploads.back()->stream->WritesDone();
  }
  int verified = 0;
  int refused = 0;
  for (const auto& upload : uploads) {
    const std::string reason = reason_of(upload->stream->Finish());
    verified += reason == "OK" && upload->response.verdict() == v1::REPLAY_VERDICT_VERIFIED ? 1 : 0;
    refused += reason == "8 TOO_MANY_VERIFICATIONS" ? 1 : 0;
  }
  // One runs and eight wait; on a machine that is slow today one or two may have been done before the last
  // came.
  EXPECT_EQ(verified + refused, 14);
  EXPECT_GE(verified, 9);
  EXPECT_GE(refused, 2);
}

TEST_F(VerifyReplay, FailsWhereTheVerifierCannotBeStarted) {
  start({.verifier = {.program = "/nowhere/at/all"}});
  EXPECT_EQ(reason_of(verify("x").status), "13 VERIFIER_FAILING");
}

TEST_F(VerifyReplay, IsGivenUpByWhoNoLongerWaits) {
  const std::string slow = recordings::slow_replay(kSlow);
  auto pending = begin(slow);
  pending->stream->WritesDone();
  ASSERT_TRUE(has_verifier());
  const auto before = Clock::now();
  pending->context.TryCancel();
  EXPECT_EQ(pending->stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
  // There is one verifier: it is free again long before it could have been done.
  EXPECT_EQ(verify(signed_replay()).response.verdict(), v1::REPLAY_VERDICT_VERIFIED);
  EXPECT_LT(Clock::now() - before, kSlow - milliseconds(1000));
}

TEST_F(VerifyReplay, EndsWhenTheServerDoes) {
  const std::string slow = recordings::slow_replay(kSlow);
  std::vector<std::unique_ptr<Pending>> uploads;
  for (int i = 0; i < 4; ++i) {  // One runs, two wait, one is not here yet.
    uploads.push_back(begin(slow));
    if (i < 3) uploads.back()->stream->WritesDone();
  }
  ASSERT_TRUE(has_verifier());
  ASSERT_TRUE(are_waiting(2));
  const auto before = Clock::now();
  stop();
  EXPECT_LT(Clock::now() - before, kSlow - milliseconds(500));
  for (const auto& upload : uploads) {
    EXPECT_EQ(reason_of(upload->stream->Finish()), "14 SERVER_SHUTTING_DOWN");
  }
}

}  // namespace
}  // namespace sweepd::app::verify_replay_test
