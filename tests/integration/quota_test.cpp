// SPDX-License-Identifier: MIT
//
// Protects subjects and tenants that share an address from each other: one that holds too much is refused,
// with the limit, whose it is and when to try again, and its neighbour goes on.
#include "integration/support/quota_fixture.h"
#include "sweepd/v1/replay_service.grpc.pb.h"

namespace sweepd::test::quota_test {
namespace {

using ::testing::HasSubstr;

class Quotas : public QuotaServerTest {
 protected:
  /// A call whose request is so much larger than it needs to be.
  grpc::Status get_match_padded(const std::string& token, const std::string& match_id, std::size_t bytes) {
    grpc::ClientContext context;
    show(token, context);
    v1::GetMatchRequest request;
    request.set_match_id(match_id);
    pad(request, bytes);
    v1::GetMatchResponse response;
    return stub_->GetMatch(&context, request, &response);
  }

  /// Begins to send a replay.
  std::unique_ptr<grpc::ClientWriter<v1::VerifyReplayRequest>> upload(const std::string& token,
                                                                      grpc::ClientContext& context,
                                                                      std::size_t bytes) {
    show(token, context);
    auto stream = replays()->VerifyReplay(&context, &verdict_);
    v1::VerifyReplayRequest request;
    request.set_chunk(std::string(bytes, 'x'));
    stream->Write(request);
    return stream;
  }
  grpc::Status uploaded(const std::string& token, std::size_t bytes) {
    grpc::ClientContext context;
    const auto stream = upload(token, context, bytes);
    stream->WritesDone();
    return stream->Finish();
  }
  std::unique_ptr<v1::ReplayService::Stub> replays() const { return v1::ReplayService::NewStub(channel_); }

  v1::VerifyReplayResponse verdict_;
};

TEST_F(Quotas, OfMatchesRefuseABackendOrATenantAndNotItsNeighbour) {
  start_with_quotas({"--backend-max", "matches=2", "--tenant-max", "matches=3"});
  const std::string first = created(backend("one", "arcade"));
  created(backend("one", "arcade"));
  expect_refused(create(backend("one", "arcade")), "TOO_MANY_MATCHES",
                 "your backend has 2 matches, its limit (--backend-max matches=N)");
  created(backend("two", "arcade"));
  expect_refused(create(backend("two", "arcade")), "TOO_MANY_MATCHES",
                 "your tenant has 3 matches, its limit (--tenant-max matches=N)");
  created(backend("three"));
  created(backend("three"));
  EXPECT_EQ(refusals("backend", "matches"), 1);
  EXPECT_EQ(refusals("tenant", "matches"), 1);
  EXPECT_EQ(refusals("address", "matches"), 0);
  EXPECT_TRUE(is_logged("backend one of game for arcade"));
  EXPECT_TRUE(end(backend("one", "arcade"), first).ok());
  EXPECT_TRUE(create(backend("two", "arcade")).ok()) << "the tenant has room again";
}

TEST_F(Quotas, OfMatchesAreThoseOfTheAddressToo) {
  start_with_quotas({"--matches-per-client-max", "3"});
  for (const char* name : {"one", "two", "three"}) created(backend(name));
  expect_refused(create(backend("four")), "TOO_MANY_MATCHES",
                 "your address has 3 matches, its limit (--matches-per-client-max)");
}

TEST_F(Quotas, OfMatchesHoldAfterARestart) {
  const std::string data = (folder_.path() / "data").string();
  const std::vector<std::string> options{"--backend-max", "matches=2", "--data-dir", data};
  start_with_quotas(options);
  created(backend("one", "arcade"));
  created(backend("one", "arcade"));
  server().process().signal(SIGTERM);
  ASSERT_EQ(server().process().wait(), 0);
  start_with_quotas(options);
  expect_refused(create(backend("one", "arcade")), "TOO_MANY_MATCHES", "your backend has 2 matches");
  created(backend("two", "arcade"));
}

TEST_F(Quotas, OfStreamsAndSeatsRefuseASubjectAndNotItsNeighbour) {
  start_with_quotas({"--subject-max", "streams=2", "--tenant-max", "streams=3"});
  const std::string match_id = created(backend("studio", "arcade"));
  const std::string ann = player("ann", match_id, "arcade", {"a", "b", "c"});
  SeatedPlayer first(*stub_, ann, match_id, "a");
  SeatedPlayer second(*stub_, ann, match_id, "b");
  ASSERT_TRUE(first.is_in() && second.is_in());
  SeatedPlayer third(*stub_, ann, match_id, "c");
  EXPECT_FALSE(third.is_in());
  expect_refused(third.refusal(), "TOO_MANY_STREAMS",
                 "your subject has 2 streams, its limit (--subject-max streams=N)");
  SeatedPlayer neighbour(*stub_, player("bob", match_id, "arcade"), match_id, "d");
  EXPECT_TRUE(neighbour.is_in());
  SeatedPlayer fifth(*stub_, player("cid", match_id, "arcade"), match_id, "e");
  expect_refused(fifth.refusal(), "TOO_MANY_STREAMS", "your tenant has 3 streams");
}

TEST_F(Quotas, OfSeatsAreGivenBackWithTheSeat) {
  start_with_quotas({"--subject-max", "seats=1"});
  const std::string match_id = created(backend("studio"));
  const std::string ann = player("ann", match_id, "", {"a", "b"});
  SeatedPlayer first(*stub_, ann, match_id, "a");
  ASSERT_TRUE(first.is_in());
  SeatedPlayer second(*stub_, ann, match_id, "b");
  EXPECT_FALSE(second.is_in());
  expect_refused(second.refusal(), "TOO_MANY_SEATS",
                 "your subject has 1 seats in matches, its limit (--subject-max seats=N)");
  EXPECT_TRUE(SeatedPlayer(*stub_, player("bob", match_id), match_id, "c").is_in());
  first.leave();
  EXPECT_TRUE(SeatedPlayer(*stub_, ann, match_id, "b").is_in());
}

TEST_F(Quotas, OfSeatsAreThoseOfTheTenantToo) {
  start_with_quotas({"--tenant-max", "seats=2"});
  const std::string match_id = created(backend("studio", "arcade"));
  SeatedPlayer first(*stub_, player("ann", match_id, "arcade"), match_id, "a");
  SeatedPlayer second(*stub_, player("bob", match_id, "arcade"), match_id, "b");
  ASSERT_TRUE(first.is_in() && second.is_in());
  SeatedPlayer third(*stub_, player("cid", match_id, "arcade"), match_id, "c");
  EXPECT_FALSE(third.is_in());
  expect_refused(third.refusal(), "TOO_MANY_SEATS",
                 "your tenant has 2 seats in matches, its limit (--tenant-max seats=N)");
  EXPECT_EQ(refusals("tenant", "seats"), 1);
  EXPECT_TRUE(is_logged("player cid of game for arcade"));
  const std::string elsewhere = created(backend("rival"));
  EXPECT_TRUE(SeatedPlayer(*stub_, player("cid", elsewhere), elsewhere, "c").is_in());
}

TEST_F(Quotas, OfCallsRefuseABackendOrATenantAndNotItsNeighbour) {
  start_with_quotas({"--backend-max", "calls=2", "--tenant-max", "calls=3"});
  const std::string one = backend("one", "arcade");
  const std::string two = backend("two", "arcade");
  const v1::StepMatchRequest steps[] = {long_step("one", "arcade"), long_step("one", "arcade"),
                                        long_step("two", "arcade")};
  ASSERT_TRUE(has_calls(0));
  auto first = std::make_unique<HeldStep>(*stub_, one, steps[0]);
  ASSERT_TRUE(has_calls(1));
  const HeldStep second(*stub_, one, steps[1]);
  ASSERT_TRUE(has_calls(2)) << "as many as it may";
  expect_refused(create(one), "TOO_MANY_CALLS",
                 "your backend has 2 calls under way, its limit (--backend-max calls=N)");
  const HeldStep third(*stub_, two, steps[2]);
  ASSERT_TRUE(has_calls(3));
  expect_refused(create(backend("three", "arcade")), "TOO_MANY_CALLS",
                 "your tenant has 3 calls under way, its limit (--tenant-max calls=N)");
  EXPECT_TRUE(create(backend("rival")).ok());
  EXPECT_EQ(refusals("backend", "calls"), 1);
  EXPECT_EQ(refusals("tenant", "calls"), 1);
  EXPECT_TRUE(is_logged("backend one of game for arcade") && is_logged("backend three of game for arcade"));
  first.reset();
  EXPECT_TRUE(eventually([&] { return create(one).ok(); }));
}

TEST_F(Quotas, ACallWithATicketCountsOnceInAll) {
  start_with_quotas({"--calls-max", "4"});
  const std::string studio = backend("studio", "arcade");
  std::vector<v1::StepMatchRequest> steps;
  for (int i = 0; i < 4; ++i) steps.push_back(long_step("studio", "arcade"));
  std::vector<std::unique_ptr<HeldStep>> held;
  for (int calls = 1; calls <= 4; ++calls) {
    held.push_back(std::make_unique<HeldStep>(*stub_, studio, steps[held.size()]));
    ASSERT_TRUE(has_calls(calls));
  }
  expect_refused(create(backend("rival")), "TOO_MANY_CALLS", "has 4 calls under way");
  held.clear();
  EXPECT_TRUE(has_calls(0)) << "all of it comes back";
}

TEST_F(Quotas, OfBytesRefuseABackendOrATenantAndNotItsNeighbour) {
  start_with_quotas({"--backend-max", "bytes=65536", "--tenant-max", "bytes=100000"});
  const std::string one = backend("one", "arcade");
  const std::string two = backend("two", "arcade");
  const std::string three = backend("three", "arcade");
  const std::string match_id = created(one);
  const std::string of_three = created(three);
  const v1::StepMatchRequest steps[] = {long_step("one", "arcade", 40'000),
                                        long_step("two", "arcade", 40'000)};
  const HeldStep first(*stub_, one, steps[0]);
  ASSERT_TRUE(has_calls(1));
  EXPECT_TRUE(get_match_padded(one, match_id, 20'000).ok()) << "within";
  expect_refused(get_match_padded(one, match_id, 40'000), "TOO_MANY_BYTES",
                 "your backend has 65536 bytes of requests and of answers that are not taken, its limit "
                 "(--backend-max bytes=N)");
  const HeldStep second(*stub_, two, steps[1]);
  ASSERT_TRUE(has_calls(2));
  expect_refused(get_match_padded(three, of_three, 40'000), "TOO_MANY_BYTES",
                 "your tenant has 100000 bytes of requests");
  const std::string rival = backend("rival");
  EXPECT_TRUE(get_match_padded(rival, created(rival), 40'000).ok());
  EXPECT_EQ(refusals("backend", "bytes"), 1);
  EXPECT_EQ(refusals("tenant", "bytes"), 1);
  EXPECT_TRUE(is_logged("backend one of game for arcade") && is_logged("backend three of game for arcade"));
}

TEST_F(Quotas, OfVerificationsRefuseABackendOrATenantAndNotItsNeighbour) {
  start_with_quotas({"--backend-max", "verifications=1", "--tenant-max", "verifications=2"});
  grpc::ClientContext contexts[2];
  const auto first = upload(backend("one", "arcade"), contexts[0], 1);
  ASSERT_TRUE(eventually([&] { return shown("sweepd_verification_uploads") == 1; }));
  expect_refused(uploaded(backend("one", "arcade"), 1), "TOO_MANY_VERIFICATIONS",
                 "your backend has 1 verifications under way, its limit (--backend-max verifications=N)");
  const auto second = upload(backend("two", "arcade"), contexts[1], 1);
  ASSERT_TRUE(eventually([&] { return shown("sweepd_verification_uploads") == 2; }));
  expect_refused(uploaded(backend("three", "arcade"), 1), "TOO_MANY_VERIFICATIONS",
                 "your tenant has 2 verifications under way");
  EXPECT_TRUE(uploaded(backend("rival"), 1).ok());
  EXPECT_EQ(refusals("backend", "verifications"), 1);
  EXPECT_EQ(refusals("tenant", "verifications"), 1);
  EXPECT_TRUE(is_logged("backend one of game for arcade") && is_logged("backend three of game for arcade"));
  for (grpc::ClientContext& context : contexts) context.TryCancel();
}

TEST_F(Quotas, OfBytesOfReplaysRefuseABackendOrATenantAndNotItsNeighbour) {
  start_with_quotas({"--backend-max", "verification_bytes=1000", "--tenant-max", "verification_bytes=1500"});
  const auto is_refused = [&](const std::string& name, const std::string& tenant,
                              const std::string& message) {
    const grpc::Status status = uploaded(backend(name, tenant), 600);
    return describe(status) == "TOO_MANY_VERIFICATIONS" &&
           status.error_message().find(message) != std::string::npos && retry_seconds(status) >= 1;
  };
  grpc::ClientContext contexts[2];
  const auto first = upload(backend("one", "arcade"), contexts[0], 600);
  ASSERT_TRUE(eventually([&] { return shown("sweepd_verification_uploads") == 1; }));
  EXPECT_TRUE(uploaded(backend("one", "arcade"), 100).ok()) << "within";
  EXPECT_TRUE(eventually([&] {
    return is_refused("one", "arcade",
                      "your backend has 1000 bytes of replays that are verified, its limit (--backend-max "
                      "verification_bytes=N)");
  }));
  const auto second = upload(backend("two", "arcade"), contexts[1], 600);
  ASSERT_TRUE(eventually([&] { return shown("sweepd_verification_uploads") == 2; }));
  EXPECT_TRUE(
      eventually([&] { return is_refused("three", "arcade", "your tenant has 1500 bytes of replays"); }));
  EXPECT_TRUE(uploaded(backend("rival"), 600).ok());
  EXPECT_GE(refusals("backend", "verification_bytes"), 1);
  EXPECT_GE(refusals("tenant", "verification_bytes"), 1);
  EXPECT_TRUE(is_logged("backend one of game for arcade") && is_logged("backend three of game for arcade"));
  for (grpc::ClientContext& context : contexts) context.TryCancel();
}

TEST_F(Quotas, ThatNobodyKnowsKeepTheServerFromStarting) {
  for (const char* quota :
       {"matches", "matches=", "matches=0", "matches=2x", "others=2", "failed_tickets_per_s=1"}) {
    Process refused(
        {required_environment("SWEEPD_BINARY"), "--listen", "127.0.0.1:0", "--subject-max", quota},
        folder_.path() / "refused");
    EXPECT_EQ(refused.wait(), 2) << quota;
    EXPECT_THAT(refused.standard_error(), HasSubstr("is not NAME=N; NAME: streams, calls, matches")) << quota;
  }
  start(
      {"--subject-max", "matches=2", "--address-max", "frames_per_s=0", "--tenant-max", "replay_bytes=100"});
}

}  // namespace
}  // namespace sweepd::test::quota_test
