// SPDX-License-Identifier: MIT
#pragma once

#include <google/rpc/error.pb.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "integration/support/ticket_fixture.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test {

inline std::int64_t retry_seconds(const grpc::Status& status) {
  google::rpc::Status details;
  details.ParseFromString(status.error_details());
  google::rpc::RetryInfo retry;
  for (const auto& detail : details.details()) {
    if (detail.UnpackTo(&retry)) return retry.retry_delay().seconds();
  }
  return -1;
}

/// By a budget: with its limit, and when to try again.
inline void expect_refused(const grpc::Status& status, const std::string& reason,
                           const std::string& message) {
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
  EXPECT_EQ(describe(status), reason);
  EXPECT_THAT(status.error_message(), ::testing::HasSubstr(message));
  EXPECT_GE(retry_seconds(status), 1);
}

/// A step that waits for a frame that does not come: a call that is under way until this goes. A match has
/// one at once.
class HeldStep {
 public:
  HeldStep(v1::MatchService::Stub& stub, const std::string& token, const v1::StepMatchRequest& request) {
    show(token, context_);
    thread_ = std::thread([this, &stub, request] { stub.StepMatch(&context_, request, &response_); });
  }
  ~HeldStep() {
    context_.TryCancel();
    thread_.join();
  }
  HeldStep(const HeldStep&) = delete;
  HeldStep& operator=(const HeldStep&) = delete;

 private:
  grpc::ClientContext context_;
  v1::StepMatchResponse response_;
  std::thread thread_;
};

/// A seat, and what its stream is told.
class SeatedPlayer {
 public:
  SeatedPlayer(v1::MatchService::Stub& stub, const std::string& token, const std::string& match_id,
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
  ~SeatedPlayer() {
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
  void send(const v1::PlayRequest& request, int count = 1) {
    for (int i = 0; i < count; ++i) stream_->Write(request);
  }
  /// The first that is a quota's, of frames that were refused.
  v1::Rejection rejection() {
    v1::PlayResponse response;
    while (stream_->Read(&response)) {
      for (const v1::Rejection& rejection : response.update().rejections())
        if (is_of_quota(rejection)) return rejection;
    }
    ADD_FAILURE() << "no rejection";
    return {};
  }
  /// By quotas, up to the end of so many ticks.
  int rejections_in(int ticks) {
    v1::PlayResponse response;
    int rejections = 0;
    std::uint64_t last = 0;
    while (stream_->Read(&response)) {
      for (const v1::Rejection& rejection : response.update().rejections())
        rejections += is_of_quota(rejection) ? 1 : 0;
      if (last == 0) last = response.update().tick() + static_cast<std::uint64_t>(ticks);
      if (response.update().tick() >= last) break;
    }
    return rejections;
  }

 private:
  static bool is_of_quota(const v1::Rejection& rejection) {
    return rejection.message().find("a second") != std::string::npos;
  }

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>> stream_;
  bool is_in_ = false;
};

/// A server with quotas, and what its metrics say of them.
class QuotaServerTest : public TicketServerTest {
 protected:
  void start_with_quotas(std::vector<std::string> options) {
    options.insert(options.end(), {"--http-listen", "127.0.0.1:0", "--http-port-file", path("http")});
    start_with_tickets(options);
    http_port_ = std::stoi(read_file(path("http")));
  }
  void start_anew_with_quotas(std::vector<std::string> options) {
    if (http_port_ != 0) {
      server().process().signal(SIGTERM);
      ASSERT_EQ(server().process().wait(), 0) << log();
    }
    start_with_quotas(std::move(options));
  }

  double shown(const std::string& name) const {
    const std::string metrics = get(static_cast<std::uint16_t>(http_port_), "/metrics");
    const std::size_t at = metrics.find("\n" + name + " ");
    return at == std::string::npos ? -1 : std::stod(metrics.substr(at + name.size() + 2));
  }
  double refusals(const std::string& key, const std::string& resource) const {
    return shown("sweepd_budget_refusals_total{key=\"" + key + "\",resource=\"" + resource +
                 "\",scope=\"client\"}");
  }
  bool has_calls(int calls) {
    return eventually([&] { return shown("sweepd_calls") == calls; });
  }

  SeatedPlayer& seat(const std::string& token, const std::string& match_id, const std::string& name) {
    players_.push_back(std::make_unique<SeatedPlayer>(*stub_, token, match_id, name));
    return *players_.back();
  }

  /// Steps of a match in which a player sends no frame. `padding`: bytes by which the request is larger, in a
  /// field that no server knows.
  v1::StepMatchRequest long_step(const std::string& creator, const std::string& tenant,
                                 std::size_t padding = 0) {
    v1::StepMatchRequest request;
    request.set_match_id(created(backend(creator, tenant)));
    EXPECT_TRUE(seat(player("idle", request.match_id(), tenant), request.match_id(), "idle").is_in());
    request.set_wait_for_frames(true);
    pad(request, padding);
    return request;
  }
  static void pad(google::protobuf::Message& message, std::size_t bytes) {
    if (bytes == 0) return;
    message.GetReflection()->MutableUnknownFields(&message)->AddLengthDelimited(1000,
                                                                                std::string(bytes, 'x'));
  }

 private:
  std::vector<std::unique_ptr<SeatedPlayer>> players_;
};

}  // namespace sweepd::test
