// SPDX-License-Identifier: MIT
//
// Protects subjects and tenants that share an address from each other: one that spends more than it may in a
// second is refused, with the limit, whose it is and when to try again, and its neighbour goes on.
#include <functional>
#include <map>

#include "integration/support/quota_fixture.h"
#include "sweepd/v1/query_service.grpc.pb.h"

namespace sweepd::test::quota_rate_test {
namespace {

/// Of calls: how some of it is spent, and how a refusal is worded.
struct Spending {
  std::string quota;  ///< "query_tests_per_s=1"
  const char* reason;
  std::string more_than;  ///< "asked for more than 1 tests of shapes a second"
  std::function<grpc::Status(const std::string& name, const std::string& tenant)> spend;  ///< A backend.

  std::string resource() const { return quota.substr(0, quota.find('=')); }
};

/// Of Play streams: what is refused once it has been sent.
struct Flood {
  std::string quota;
  v1::RejectionReason reason;
  std::string more_than;
  v1::PlayRequest within;  ///< A message of it is less than a second's worth.
  v1::PlayRequest most;
  int times = 1;
  v1::PlayRequest next = {};  ///< Sent after it. Some have been paid for with those before.

  std::string resource() const { return quota.substr(0, quota.find('=')); }
};

class RateQuotas : public QuotaServerTest {
 protected:
  std::string message_of(const std::string& kind, const std::string& quota, const std::string& more_than) {
    return "your " + kind + " has " + more_than + ", its limit (--" + kind + "-max " +
           quota.substr(0, quota.find('=')) + "=N)";
  }

  /// A backend, and then a tenant.
  void expect_bound(const Spending& spending, const std::vector<std::string>& options = {}) {
    for (const std::string kind : {"backend", "tenant"}) {
      std::vector<std::string> all = options;
      all.insert(all.end(), {"--" + kind + "-max", spending.quota});
      start_anew_with_quotas(all);
      matches_.clear();
      const std::string message = message_of(kind, spending.quota, spending.more_than);
      grpc::Status status = spending.spend("one", "arcade");
      EXPECT_TRUE(status.ok()) << status.error_message();
      for (int i = 0; i < 100 && status.ok(); ++i) status = spending.spend("one", "arcade");
      expect_refused(status, spending.reason, message);
      if (kind == "tenant") expect_refused(spending.spend("two", "arcade"), spending.reason, message);
      EXPECT_TRUE((kind == "tenant" ? spending.spend("rival", "") : spending.spend("two", "arcade")).ok());
      EXPECT_GE(refusals(kind, spending.resource()), 1);
      EXPECT_TRUE(
          is_logged("backend " + std::string(kind == "tenant" ? "two" : "one") + " of game for arcade"));
    }
  }

  /// A subject, and then a tenant.
  void expect_bound(const Flood& flood) {
    for (const std::string kind : {"subject", "tenant"}) {
      start_anew_with_quotas({"--" + kind + "-max", flood.quota});
      const auto realtime = bare_config(v1::CLOCK_KIND_REALTIME);
      const std::string of_arcade = created(backend("studio", "arcade"), realtime);
      const std::string of_rival = created(backend("rival"), realtime);
      const auto join = [&](const std::string& name, const std::string& tenant) {
        const std::string& match_id = tenant.empty() ? of_rival : of_arcade;
        return std::make_unique<SeatedPlayer>(*stub_, player(name, match_id, tenant), match_id, name);
      };
      const auto loud = join("ann", "arcade");
      const auto also = join("bob", "arcade");
      const auto other = join("cid", "");
      ASSERT_TRUE(loud->is_in() && also->is_in() && other->is_in());
      loud->send(flood.within);
      EXPECT_EQ(loud->rejections_in(5), 0) << "within";
      loud->send(flood.most, flood.times);
      loud->send(flood.next, 100);
      const v1::Rejection rejection = loud->rejection();
      EXPECT_EQ(rejection.reason(), flood.reason);
      EXPECT_EQ(rejection.message(), message_of(kind, flood.quota, flood.more_than));
      if (kind == "tenant") {
        also->send(flood.next, 100);
        EXPECT_EQ(also->rejection().message(), rejection.message());
      }
      SeatedPlayer& neighbour = kind == "tenant" ? *other : *also;
      neighbour.send(flood.within);
      EXPECT_EQ(neighbour.rejections_in(30), 0);
      EXPECT_GE(refusals(kind, flood.resource()), 1);
      EXPECT_TRUE(is_logged("player ann of game for arcade"));
    }
  }

  /// Of that backend, made when it is first asked for.
  const std::string& match_of(const std::string& name, const std::string& tenant) {
    std::string& match_id = matches_[name];
    if (match_id.empty()) {
      match_id = created(backend(name, tenant));
      EXPECT_TRUE(seat(player("ann", match_id, tenant), match_id, "ann").is_in());
    }
    return match_id;
  }
  std::unique_ptr<v1::QueryService::Stub> queries() const { return v1::QueryService::NewStub(channel_); }
  grpc::Status ask(const std::string& name, const std::string& tenant) {
    grpc::ClientContext context;
    show(backend(name, tenant), context);
    v1::QueryRegionRequest request;
    request.set_match_id(match_of(name, tenant));
    request.mutable_region()->set_max_x(100);
    request.mutable_region()->set_max_y(100);
    v1::QueryRegionResponse response;
    return queries()->QueryRegion(&context, request, &response);
  }
  /// Whether claims of that player would be confirmed.
  grpc::Status claim(const std::string& token, const std::string& match_id, std::uint32_t participant,
                     int claims) {
    grpc::ClientContext context;
    show(token, context);
    v1::ValidateHitsRequest request;
    request.set_match_id(match_id);
    request.set_participant(participant);
    for (int i = 0; i < claims; ++i) request.add_claims();
    v1::ValidateHitsResponse response;
    return queries()->ValidateHits(&context, request, &response);
  }

  /// Of about so many bytes: its tick is too far ahead, so it changes nothing.
  static v1::PlayRequest frame_of(int bytes) {
    v1::PlayRequest request;
    request.mutable_frame()->set_tick(1'000'000'000);
    for (int i = 0; i < bytes; ++i) request.mutable_frame()->add_despawns(1);
    return request;
  }
  static v1::PlayRequest frame_with_claims(int claims) {
    v1::PlayRequest request;
    request.mutable_frame();
    for (int i = 0; i < claims; ++i) request.mutable_frame()->add_claims();
    return request;
  }

  std::map<std::string, std::string> matches_;  ///< By the name of their creator.
};

TEST_F(RateQuotas, OfFramesRefuseThoseOfASubjectOrATenantAndNotItsNeighbours) {
  expect_bound(Flood{.quota = "frames_per_s=100",
                     .reason = v1::REJECTION_REASON_TOO_MANY_FRAMES,
                     .more_than = "sent more than 100 frames a second",
                     .within = frame_with_claims(0),
                     .most = frame_with_claims(0),
                     .times = 2'000,
                     .next = frame_with_claims(0)});
}

TEST_F(RateQuotas, OfBytesRefuseThoseOfASubjectOrATenantAndNotItsNeighbours) {
  expect_bound(Flood{.quota = "frame_bytes_per_s=10000",
                     .reason = v1::REJECTION_REASON_TOO_MANY_BYTES,
                     .more_than = "sent more than 10000 bytes a second on Play streams",
                     .within = frame_of(5'000),
                     .most = frame_of(500'000),
                     .next = frame_with_claims(0)});
}

TEST_F(RateQuotas, OfClaimsInFramesRefuseThoseOfASubjectOrATenantAndNotItsNeighbours) {
  expect_bound(Flood{.quota = "claims_per_s=1",
                     .reason = v1::REJECTION_REASON_TOO_MANY_CLAIMS,
                     .more_than = "made more than 1 claims a second",
                     .within = frame_with_claims(1),
                     .most = frame_with_claims(100),
                     .next = frame_with_claims(1)});
}

TEST_F(RateQuotas, OfQueriesRefuseABackendOrATenantAndNotItsNeighbour) {
  expect_bound(Spending{.quota = "query_tests_per_s=1",
                        .reason = "QUERIES_TOO_COSTLY",
                        .more_than = "asked for more than 1 tests of shapes a second",
                        .spend = [this](const auto& name, const auto& tenant) { return ask(name, tenant); }});
}

TEST_F(RateQuotas, OfClaimsThatAreValidatedRefuseABackendOrATenantAndNotItsNeighbour) {
  expect_bound(Spending{.quota = "claims_per_s=1",
                        .reason = "TOO_MANY_CLAIMS",
                        .more_than = "made more than 1 claims a second",
                        .spend = [this](const auto& name, const auto& tenant) {
                          const std::string& match_id = match_of(name, tenant);
                          const std::string token = backend(name, tenant);
                          return claim(token, match_id, participant(match_id, "ann", token).number(), 10);
                        }});
}

TEST_F(RateQuotas, OfClaimsThatAPlayerAsksAbout) {
  start_with_quotas({});
  v1::MatchConfig config = bare_config();
  config.mutable_permissions()->mutable_query_roles()->add_roles(v1::ROLE_PLAYER);
  const std::string studio = backend("studio");
  const std::string match_id = created(studio, config);
  const std::string ann = player("ann", match_id);
  SeatedPlayer seat(*stub_, ann, match_id, "ann");
  ASSERT_TRUE(seat.is_in());
  const std::uint32_t number = participant(match_id, "ann", studio).number();
  const auto ask = [&](const std::string& token, int claims) {
    return claim(token, match_id, number, claims);
  };
  EXPECT_EQ(describe(ask(ann, 241)), "INVALID_QUERY claims") << "no time would let it pass";
  EXPECT_TRUE(ask(ann, 240).ok());
  expect_refused(ask(ann, 240), "TOO_MANY_CLAIMS", "more than 240 times a second");
  EXPECT_TRUE(ask(studio, 600).ok()) << "a backend has its quota alone";
}

TEST_F(RateQuotas, OfTheJournalRefuseABackendOrATenantAndNotItsNeighbour) {
  expect_bound(Spending{.quota = "journal_bytes_per_s=10",
                        .reason = "TOO_MANY_BYTES_WRITTEN",
                        .more_than = "written more than 10 bytes a second to the journal",
                        .spend = [this](const auto& name,
                                        const auto& tenant) { return create(backend(name, tenant)); }},
               {"--data-dir", path("data")});
}

TEST_F(RateQuotas, OfCallsThatFailToSayWhoCallsSpareThoseWhoAreKnown) {
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

}  // namespace
}  // namespace sweepd::test::quota_rate_test
