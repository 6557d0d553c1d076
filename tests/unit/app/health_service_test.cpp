// SPDX-License-Identifier: MIT
//
// Protects the standard health protocol: a part that fails is told by its own name, to who asks and to who
// watches, while the services go on.
#include "app/server.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "grpc/health/v1/health_service.grpc.pb.h"
#include "rpc/grpc_door.h"

namespace sweepd::app::health_service_test {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

HealthCheckRequest request_for(const std::string& service) {
  HealthCheckRequest request;
  request.set_service(service);
  return request;
}

/// A client that watches the health of one service.
class HealthWatcher {
 public:
  HealthWatcher(grpc::health::v1::Health::Stub& stub, const std::string& service,
                std::chrono::seconds time = std::chrono::seconds(60)) {
    context_.set_deadline(std::chrono::system_clock::now() + time);
    reader_ = stub.Watch(&context_, request_for(service));
  }
  ~HealthWatcher() {
    context_.TryCancel();
    reader_->Finish();
  }

  /// Waits for the next status; UNKNOWN: there is none.
  HealthCheckResponse::ServingStatus next() {
    HealthCheckResponse response;
    return reader_->Read(&response) ? response.status() : HealthCheckResponse::UNKNOWN;
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<HealthCheckResponse>> reader_;
};

class HealthService : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(server_.start(), std::nullopt);
    stub_ = grpc::health::v1::Health::NewStub(
        grpc::CreateChannel(server_.address().to_string(), grpc::InsecureChannelCredentials()));
  }

  void TearDown() override {
    if (is_serving_) server_.stop();
  }

  static ServerOptions options() {
    ServerOptions options;
    options.listen = {"127.0.0.1", 0};
    options.loops = 2;
    return options;
  }

  grpc::Status check(const std::string& service, HealthCheckResponse& response) {
    grpc::ClientContext context;
    return stub_->Check(&context, request_for(service), &response);
  }

  HealthCheckResponse::ServingStatus status_of(const std::string& service) {
    HealthCheckResponse response;
    EXPECT_TRUE(check(service, response).ok()) << service;
    return response.status();
  }

  runtime::Health health_;
  runtime::Metrics metrics_;
  rpc::GrpcDoor door_;
  Server server_{options(), door_, {.health = &health_, .metrics = &metrics_}};
  bool is_serving_ = true;
  std::unique_ptr<grpc::health::v1::Health::Stub> stub_;
};

TEST_F(HealthService, APartThatFailsIsNotServingWhileTheServicesAre) {
  health_.set_ok("journal");
  EXPECT_EQ(status_of("sweepd.journal"), HealthCheckResponse::SERVING);
  health_.set_failing("journal", "disk full");
  EXPECT_EQ(status_of("sweepd.journal"), HealthCheckResponse::NOT_SERVING);
  for (const char* service :
       {"", "sweepd.v1.MatchService", "sweepd.v1.QueryService", "sweepd.v1.ReplayService"})
    EXPECT_EQ(status_of(service), HealthCheckResponse::SERVING) << service;
  health_.set_ok("journal");
  EXPECT_EQ(status_of("sweepd.journal"), HealthCheckResponse::SERVING);
}

TEST_F(HealthService, NoServiceIsServingWhileALoopStandsStill) {
  HealthWatcher watcher(*stub_, "");
  EXPECT_EQ(watcher.next(), HealthCheckResponse::SERVING);
  health_.set_failing("another loop", "it stands still", runtime::Impact::kNotReady);
  EXPECT_EQ(watcher.next(), HealthCheckResponse::NOT_SERVING);
  EXPECT_EQ(status_of("sweepd.v1.MatchService"), HealthCheckResponse::NOT_SERVING);
  health_.set_ok("another loop");
  EXPECT_EQ(watcher.next(), HealthCheckResponse::SERVING);
}

TEST_F(HealthService, ANameThatNobodyHasIsNotFound) {
  health_.set_ok("journal");
  for (const char* service : {"journal", "sweepd.", "sweepd.journals", "sweepd.v1.Journal", "other"}) {
    HealthCheckResponse response;
    EXPECT_EQ(check(service, response).error_code(), grpc::StatusCode::NOT_FOUND) << service;
  }
}

TEST_F(HealthService, WhoWatchesIsToldOfEveryChange) {
  health_.set_ok("journal");
  HealthWatcher watcher(*stub_, "sweepd.journal");
  EXPECT_EQ(watcher.next(), HealthCheckResponse::SERVING);
  for (int i = 0; i < 20; ++i) {
    health_.set_failing("journal", "disk full");
    EXPECT_EQ(watcher.next(), HealthCheckResponse::NOT_SERVING);
    health_.set_failing("journal", "another reason, which is no news to a watcher");
    health_.set_ok("journal");
    EXPECT_EQ(watcher.next(), HealthCheckResponse::SERVING);
  }
}

TEST_F(HealthService, WhoWatchesAPartBeforeItIsThereIsToldOnceItIs) {
  HealthWatcher watcher(*stub_, "sweepd.journal");
  EXPECT_EQ(watcher.next(), HealthCheckResponse::SERVICE_UNKNOWN);
  health_.set_failing("journal", "disk full");
  EXPECT_EQ(watcher.next(), HealthCheckResponse::NOT_SERVING);
}

TEST_F(HealthService, WhoReadsLateFindsHowItIsByNowAtTheEnd) {
  health_.set_ok("journal");
  HealthWatcher watcher(*stub_, "sweepd.journal", std::chrono::seconds(3));
  EXPECT_EQ(watcher.next(), HealthCheckResponse::SERVING);
  for (int i = 0; i < 1000; ++i) {
    health_.set_failing("journal", "disk full");
    health_.set_ok("journal");
  }
  health_.set_failing("journal", "disk full");
  // However many of the changes are told one by one: they alternate, and the last is the truth.
  auto last = HealthCheckResponse::SERVING;
  for (auto next = watcher.next(); next != HealthCheckResponse::UNKNOWN; next = watcher.next()) {
    EXPECT_NE(next, last);
    last = next;
  }
  EXPECT_EQ(last, HealthCheckResponse::NOT_SERVING);
}

TEST_F(HealthService, ManyWatchersOnAllLoopsAreToldAndGoAsTheyLike) {
  health_.set_ok("journal");
  std::vector<std::unique_ptr<HealthWatcher>> watchers;
  for (int i = 0; i < 50; ++i) watchers.push_back(std::make_unique<HealthWatcher>(*stub_, "sweepd.journal"));
  for (const auto& watcher : watchers) EXPECT_EQ(watcher->next(), HealthCheckResponse::SERVING);
  for (int i = 0; i < 25; ++i) {
    health_.set_failing("journal", "disk full");
    watchers.pop_back();
    health_.set_ok("journal");
    watchers.pop_back();
  }
  HealthWatcher last(*stub_, "sweepd.journal");
  EXPECT_EQ(last.next(), HealthCheckResponse::SERVING);
}

TEST_F(HealthService, AServerThatStopsWhileItsHealthChangesStops) {
  health_.set_ok("journal");
  HealthWatcher watcher(*stub_, "sweepd.journal");
  EXPECT_EQ(watcher.next(), HealthCheckResponse::SERVING);
  std::atomic<bool> is_over = false;
  std::thread journal([&] {
    while (!is_over) {
      health_.set_failing("journal", "disk full");
      health_.set_ok("journal");
    }
  });
  server_.stop();
  is_serving_ = false;
  is_over = true;
  journal.join();
}

TEST_F(HealthService, TheServersOwnNumbersAreAmongTheMetrics) {
  HealthWatcher watcher(*stub_, "");
  EXPECT_EQ(watcher.next(), HealthCheckResponse::SERVING);
  const std::string text = metrics_.to_text();
  EXPECT_THAT(text, ::testing::HasSubstr("\nsweepd_matches 0\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\nsweepd_matches_max 10000\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\nsweepd_streams 1\n"));
}

}  // namespace
}  // namespace sweepd::app::health_service_test
