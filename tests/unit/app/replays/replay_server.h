// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/server.h"
#include "recordings/replay_bytes.h"
#include "rpc/grpc_door.h"
#include "runtime/replays/replay_library.h"
#include "runtime/telemetry/metrics.h"
#include "sweepd/v1/match_service.grpc.pb.h"
#include "sweepd/v1/replay_service.grpc.pb.h"

namespace sweepd::app {

/// A library that answers as a test says, and remembers what it was asked.
class FakeLibrary final : public runtime::ReplayLibrary {
 public:
  using Done = std::function<void(Opened)>;
  struct Question {
    runtime::MatchId id;
    std::optional<runtime::ReplayPoint> running;
  };

  void open(const runtime::MatchId& id, std::optional<runtime::ReplayPoint> running, Done done) override;
  void shut_down() override {}
  Changed hold(const runtime::MatchId&, bool) override { return runtime::ReplayError{}; }
  Changed remove(const runtime::MatchId&) override { return runtime::ReplayError{}; }
  const replay::PublicKey& public_key() const override { return public_key_; }

  std::vector<Question> questions() const;
  const replay::SigningKey& key() const { return key_; }

  /// Absent: with `file_bytes`, at once.
  std::function<void(Done)> answer;
  std::string file_bytes;
  /// Of bytes that no name leads to any more.
  static Opened open_bytes(const std::string& bytes);

 private:
  const replay::SigningKey key_ = replay::SigningKey::generate();
  const replay::PublicKey public_key_ = key_.public_key();
  mutable std::mutex mutex_;
  std::vector<Question> questions_;
};

/// A whole server in this process; its verifiers are not.
class ReplayServerTest : public ::testing::Test {
 protected:
  void SetUp() override { start(); }
  void TearDown() override { stop(); }

  void start(ServerOptions options = {});
  void stop();

  /// Returns when a verifier runs; false: none has begun to for long.
  static bool has_verifier();
  /// Returns when so many verifications wait for a verifier; false: they do not for long.
  bool are_waiting(int verifications) const;

  /// "OK", or the code and the reason of an error.
  static std::string reason_of(const grpc::Status& status);
  static std::string field_of(const grpc::Status& status);

  struct Fetched {
    grpc::Status status;
    std::optional<v1::ReplayInfo> info;
    std::string bytes;
    std::size_t chunk_bytes_most = 0;
  };
  Fetched fetch(const std::string& match_id, bool receipt_only = false);

  struct Verified {
    grpc::Status status;
    v1::VerifyReplayResponse response;
  };
  Verified verify(const std::string& bytes, const v1::VerificationOptions& options = {});

  std::string address() const { return server_->address().to_string(); }
  v1::MatchService::Stub& matches() { return *matches_; }
  v1::ReplayService::Stub& replays() { return *replays_; }

  /// Sends a replay and leaves the rest to be sent, and the answer to be read.
  struct Pending {
    grpc::ClientContext context;
    v1::VerifyReplayResponse response;
    std::unique_ptr<grpc::ClientWriter<v1::VerifyReplayRequest>> stream;

    /// False: the server wants no more.
    bool send(const std::string& bytes);
    grpc::Status finish();
  };
  std::unique_ptr<Pending> begin(const std::string& bytes) { return begin(*replays_, bytes); }
  static std::unique_ptr<Pending> begin(v1::ReplayService::Stub& stub, const std::string& bytes);

  /// A small replay that the library's key has signed.
  std::string signed_replay(std::uint64_t seed = 7, std::uint32_t ticks = 200) const;

  FakeLibrary library_;

 private:
  rpc::GrpcDoor door_;
  std::optional<runtime::Metrics> metrics_;
  std::unique_ptr<Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::MatchService::Stub> matches_;
  std::unique_ptr<v1::ReplayService::Stub> replays_;
};

}  // namespace sweepd::app
