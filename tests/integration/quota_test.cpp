// SPDX-License-Identifier: MIT
//
// Protects subjects and tenants that share an address from each other: one that takes too much is refused,
// with the limit, whose it is and when to try again, and its neighbour goes on.
#include <google/rpc/error.pb.h>

#include "integration/support/ticketed_server.h"
#include "sweepd/v1/query_service.grpc.pb.h"
#include "sweepd/v1/replay_service.grpc.pb.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::quota_test {
namespace {

using identity::PrincipalKind;
using ::testing::HasSubstr;

std::int64_t retry_seconds(const grpc::Status& status) {
  google::rpc::Status details;
  details.ParseFromString(status.error_details());
  google::rpc::RetryInfo retry;
  for (const auto& detail : details.details()) {
    if (detail.UnpackTo(&retry)) return retry.retry_delay().seconds();
  }
  return -1;
}

void expect_refused(const grpc::Status& status, const std::string& reason, const std::string& message) {
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
  EXPECT_EQ(describe(status), reason);
  EXPECT_THAT(status.error_message(), HasSubstr(message));
  EXPECT_GE(retry_seconds(status), 1);
}

class Quotas : public TicketedServer {
 protected:
  void start_with_quotas(std::vector<std::string> options) {
    const auto port_file = folder_.path() / "http-port";
    options.insert(options.end(), {"--http-listen", "127.0.0.1:0", "--http-port-file", port_file.string()});
    start_with_tickets(options);
    http_port_ = static_cast<std::uint16_t>(std::stoi(read_file(port_file)));
  }

  double refusals(const std::string& key, const std::string& resource) const {
    const std::string metrics = get(http_port_, "/metrics");
    const std::string name =
        "sweepd_budget_refusals_total{key=\"" + key + "\",resource=\"" + resource + "\",scope=\"client\"} ";
    const std::size_t at = metrics.find(name);
    return at == std::string::npos ? -1 : std::stod(metrics.substr(at + name.size()));
  }
  bool is_logged(const std::string& text) {
    return eventually([&] { return server().process().standard_error().find(text) != std::string::npos; });
  }

  std::uint32_t participant_of(const std::string& token, const std::string& match_id,
                               const std::string& name) {
    grpc::ClientContext context;
    show(token, context);
    v1::GetMatchRequest request;
    request.set_match_id(match_id);
    v1::GetMatchResponse response;
    EXPECT_TRUE(v1::MatchService::NewStub(channel_)->GetMatch(&context, request, &response).ok());
    for (const v1::Participant& participant : response.match().participants())
      if (participant.name() == name) return participant.number();
    ADD_FAILURE() << name << " is not there";
    return 0;
  }

  /// A seat, and what its stream is told.
  class Player {
   public:
    Player(v1::MatchService::Stub& stub, const std::string& token, const std::string& match_id,
           const std::string& name) {
      show(token, context_);
      stream_ = stub.Play(&context_);
      v1::PlayRequest request;
      request.mutable_join()->set_match_id(match_id);
      request.mutable_join()->set_name(name);
      request.mutable_join()->set_role(v1::ROLE_PLAYER);
      stream_->Write(request);
      v1::PlayResponse response;
      is_in_ = stream_->Read(&response) && response.has_joined();
    }
    ~Player() {
      if (is_in_) context_.TryCancel();
    }
    bool is_in() const { return is_in_; }
    grpc::Status refusal() {
      v1::PlayResponse response;
      while (stream_->Read(&response)) continue;
      return stream_->Finish();
    }
    void leave() {
      v1::PlayRequest request;
      request.mutable_leave();
      stream_->Write(request);
      EXPECT_TRUE(refusal().ok());
      is_in_ = false;
    }
    void send(const v1::PlayRequest& request, int count) {
      for (int i = 0; i < count; ++i) stream_->Write(request);
    }
    /// The first that is a quota's, of frames that were refused.
    v1::Rejection rejection() {
      v1::PlayResponse response;
      while (stream_->Read(&response)) {
        for (const v1::Rejection& rejection : response.update().rejections())
          if (rejection.message().find("a second") != std::string::npos) return rejection;
      }
      ADD_FAILURE() << "no rejection";
      return {};
    }
    /// Up to the end of so many ticks.
    int rejections_in(int ticks) {
      v1::PlayResponse response;
      int rejections = 0;
      std::uint64_t last = 0;
      while (stream_->Read(&response)) {
        rejections += response.update().rejections_size();
        if (last == 0) last = response.update().tick() + static_cast<std::uint64_t>(ticks);
        if (response.update().tick() >= last) break;
      }
      return rejections;
    }

   private:
    grpc::ClientContext context_;
    std::unique_ptr<grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>> stream_;
    bool is_in_ = false;
  };

  /// Of about so many bytes: its tick is too far ahead, so it changes nothing.
  static v1::PlayRequest frame_of(std::size_t bytes) {
    v1::PlayRequest request;
    request.mutable_frame()->set_tick(1'000'000'000);
    for (std::size_t i = 0; i < bytes; ++i) request.mutable_frame()->add_despawns(1);
    return request;
  }

  std::uint16_t http_port_ = 0;
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
  std::filesystem::remove(keys_);
  start_with_quotas(options);
  expect_refused(create(backend("one", "arcade")), "TOO_MANY_MATCHES", "your backend has 2 matches");
  created(backend("two", "arcade"));
}

TEST_F(Quotas, OfStreamsAndSeatsRefuseASubjectAndNotItsNeighbour) {
  start_with_quotas({"--subject-max", "streams=2", "--tenant-max", "streams=3"});
  const std::string match_id = created(backend("studio", "arcade"));
  const auto stub = this->stub();
  const std::string ann = player("ann", match_id, "arcade", {"a", "b", "c"});
  Player first(*stub, ann, match_id, "a");
  Player second(*stub, ann, match_id, "b");
  ASSERT_TRUE(first.is_in() && second.is_in());
  Player third(*stub, ann, match_id, "c");
  EXPECT_FALSE(third.is_in());
  expect_refused(third.refusal(), "TOO_MANY_STREAMS",
                 "your subject has 2 streams, its limit (--subject-max streams=N)");
  Player neighbour(*stub, player("bob", match_id, "arcade"), match_id, "d");
  EXPECT_TRUE(neighbour.is_in());
  Player fifth(*stub, player("cid", match_id, "arcade"), match_id, "e");
  expect_refused(fifth.refusal(), "TOO_MANY_STREAMS", "your tenant has 3 streams");
}

TEST_F(Quotas, OfSeatsAreGivenBackWithTheSeat) {
  start_with_quotas({"--subject-max", "seats=1"});
  const std::string match_id = created(backend("studio"));
  const auto stub = this->stub();
  const std::string ann = player("ann", match_id, "", {"a", "b"});
  Player first(*stub, ann, match_id, "a");
  ASSERT_TRUE(first.is_in());
  Player second(*stub, ann, match_id, "b");
  EXPECT_FALSE(second.is_in());
  expect_refused(second.refusal(), "TOO_MANY_SEATS",
                 "your subject has 1 seats in matches, its limit (--subject-max seats=N)");
  EXPECT_TRUE(Player(*stub, player("bob", match_id), match_id, "c").is_in());
  first.leave();
  EXPECT_TRUE(Player(*stub, ann, match_id, "b").is_in());
}

TEST_F(Quotas, OfFramesRefuseThoseOfASubjectAndNotItsNeighbours) {
  start_with_quotas({"--subject-max", "frames_per_s=100"});
  const std::string match_id = created(backend("studio"), config(v1::CLOCK_KIND_REALTIME));
  const auto stub = this->stub();
  Player loud(*stub, player("ann", match_id), match_id, "loud");
  Player quiet(*stub, player("bob", match_id), match_id, "quiet");
  ASSERT_TRUE(loud.is_in() && quiet.is_in());
  v1::PlayRequest next;
  next.mutable_frame();
  loud.send(next, 2'000);
  const v1::Rejection rejection = loud.rejection();
  EXPECT_EQ(rejection.reason(), v1::REJECTION_REASON_TOO_MANY_FRAMES);
  EXPECT_EQ(rejection.message(),
            "your subject has sent more than 100 frames a second, its limit (--subject-max frames_per_s=N)");
  quiet.send(next, 1);
  EXPECT_EQ(quiet.rejections_in(30), 0);
  EXPECT_GT(refusals("subject", "frames_per_s"), 0);
  EXPECT_TRUE(is_logged("player ann of game"));
}

TEST_F(Quotas, OfBytesRefuseThoseOfATenantAndNotItsNeighbours) {
  start_with_quotas({"--tenant-max", "frame_bytes_per_s=10000"});
  const std::string of_arcade = created(backend("studio", "arcade"), config(v1::CLOCK_KIND_REALTIME));
  const std::string of_other = created(backend("rival"), config(v1::CLOCK_KIND_REALTIME));
  const auto stub = this->stub();
  Player loud(*stub, player("ann", of_arcade, "arcade"), of_arcade, "loud");
  Player also(*stub, player("bob", of_arcade, "arcade"), of_arcade, "also");
  Player other(*stub, player("ann", of_other), of_other, "other");
  ASSERT_TRUE(loud.is_in() && also.is_in() && other.is_in());
  v1::PlayRequest next;
  next.mutable_frame();
  loud.send(frame_of(500'000), 1);
  loud.send(next, 100);  // The first few have been paid for with those before.
  EXPECT_THAT(loud.rejection().message(), HasSubstr("your tenant has sent"));
  also.send(next, 100);
  EXPECT_EQ(also.rejection().message(),
            "your tenant has sent more than 10000 bytes a second on Play streams, its limit (--tenant-max "
            "frame_bytes_per_s=N)");
  other.send(next, 1);
  EXPECT_EQ(other.rejections_in(30), 0);
}

TEST_F(Quotas, OfQueriesAndClaimsRefuseABackendAndNotItsNeighbour) {
  start_with_quotas({"--backend-max", "query_tests_per_s=1", "--backend-max", "claims_per_s=1"});
  const auto queries = v1::QueryService::NewStub(channel_);
  const auto ask = [&](const std::string& token, const std::string& match_id) {
    grpc::ClientContext context;
    show(token, context);
    v1::QueryRegionRequest request;
    request.set_match_id(match_id);
    request.mutable_region()->set_max_x(100);
    request.mutable_region()->set_max_y(100);
    v1::QueryRegionResponse response;
    return queries->QueryRegion(&context, request, &response);
  };
  const auto claim = [&](const std::string& token, const std::string& match_id) {
    grpc::ClientContext context;
    show(token, context);
    v1::ValidateHitsRequest request;
    request.set_match_id(match_id);
    for (int i = 0; i < 10; ++i) request.add_claims();
    v1::ValidateHitsResponse response;
    return queries->ValidateHits(&context, request, &response);
  };
  const std::string token = backend("studio");
  const std::string match_id = created(token);
  grpc::Status status;
  for (int i = 0; i < 100 && status.ok(); ++i) status = ask(token, match_id);
  expect_refused(status, "QUERIES_TOO_COSTLY",
                 "your backend has asked for more than 1 tests of shapes a second, its limit (--backend-max "
                 "query_tests_per_s=N)");
  EXPECT_NE(describe(claim(token, match_id)), "TOO_MANY_CLAIMS");
  expect_refused(claim(token, match_id), "TOO_MANY_CLAIMS",
                 "your backend has made more than 1 claims a second");
  const std::string rival = backend("rival");
  const std::string of_rival = created(rival);
  EXPECT_TRUE(ask(rival, of_rival).ok());
  EXPECT_NE(describe(claim(rival, of_rival)), "TOO_MANY_CLAIMS");
}

TEST_F(Quotas, OfClaimsThatAPlayerAsksAbout) {
  start_with_quotas({});
  v1::MatchConfig config = TicketedServer::config();
  config.mutable_permissions()->mutable_query_roles()->add_roles(v1::ROLE_PLAYER);
  const std::string studio = backend("studio");
  const std::string match_id = created(studio, config);
  const std::string ann = player("ann", match_id);
  const auto stub = v1::MatchService::NewStub(channel_);
  Player seat(*stub, ann, match_id, "ann");
  ASSERT_TRUE(seat.is_in());
  const auto queries = v1::QueryService::NewStub(channel_);
  const auto ask = [&](const std::string& token, int claims) {
    grpc::ClientContext context;
    show(token, context);
    v1::ValidateHitsRequest request;
    request.set_match_id(match_id);
    request.set_participant(participant_of(studio, match_id, "ann"));
    for (int i = 0; i < claims; ++i) request.add_claims();
    v1::ValidateHitsResponse response;
    return queries->ValidateHits(&context, request, &response);
  };
  EXPECT_EQ(describe(ask(ann, 241)), "INVALID_QUERY claims") << "no time would let it pass";
  EXPECT_TRUE(ask(ann, 240).ok());
  expect_refused(ask(ann, 240), "TOO_MANY_CLAIMS", "more than 240 times a second");
  EXPECT_TRUE(ask(studio, 600).ok()) << "a backend has its quota alone";
}

TEST_F(Quotas, OfTheJournalRefuseABackendAndNotItsNeighbour) {
  start_with_quotas(
      {"--backend-max", "journal_bytes_per_s=10", "--data-dir", (folder_.path() / "data").string()});
  grpc::Status status;
  for (int i = 0; i < 100 && status.ok(); ++i) status = create(backend("studio"));
  expect_refused(
      status, "TOO_MANY_BYTES_WRITTEN",
      "your backend has written more than 10 bytes a second to the journal, its limit (--backend-max "
      "journal_bytes_per_s=N)");
  EXPECT_TRUE(create(backend("rival")).ok());
}

TEST_F(Quotas, OfVerificationsRefuseABackendAndNotItsNeighbour) {
  start_with_quotas({"--backend-max", "verifications=1"});
  const auto replays = v1::ReplayService::NewStub(channel_);
  const auto open = [&](const std::string& token, grpc::ClientContext& context) {
    show(token, context);
    auto stream = replays->VerifyReplay(&context, &verdict_);
    v1::VerifyReplayRequest request;
    request.set_chunk("x");
    stream->Write(request);
    return stream;
  };
  grpc::ClientContext first_context;
  const auto first = open(backend("studio"), first_context);
  ASSERT_TRUE(eventually([&] {
    grpc::ClientContext context;
    const auto second = open(backend("studio"), context);
    second->WritesDone();
    const grpc::Status status = second->Finish();
    return describe(status) == "TOO_MANY_VERIFICATIONS" &&
           status.error_message().find("--backend-max verifications=N") != std::string::npos;
  }));
  grpc::ClientContext context;
  const auto neighbour = open(backend("rival"), context);
  neighbour->WritesDone();
  EXPECT_TRUE(neighbour->Finish().ok());
  first_context.TryCancel();
}

TEST_F(Quotas, OfCallsThatFailToSayWhoCallsSpareThoseWhoAreKnown) {
  start_with_quotas({"--address-max", "failed_tickets_per_s=2"});
  const std::string known = backend("studio");
  created(known);
  const std::string good = backend("rival");
  const std::string forged = good.substr(0, good.rfind('.')) + ".AAAA";
  grpc::Status status;
  int failed = 0;
  for (; failed < 100 && describe(status = create(forged)) == "TICKET_SIGNATURE_WRONG"; ++failed) continue;
  EXPECT_GE(failed, 8);
  EXPECT_LE(failed, 40);
  expect_refused(
      status, "TOO_MANY_FAILED_TICKETS",
      "your address has shown more than 2 tickets a second that are no good, its limit (--address-max "
      "failed_tickets_per_s=N)");
  EXPECT_TRUE(create(known).ok()) << "nothing has to be verified";
  EXPECT_TRUE(eventually([&] { return create(good).ok(); })) << "after a while all are let in again";
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
