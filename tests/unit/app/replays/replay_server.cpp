// SPDX-License-Identifier: MIT
#include "unit/app/replays/replay_server.h"

#include <google/rpc/error.pb.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "unit/verification/verifier_program.h"

namespace sweepd::app {

void FakeLibrary::open(const runtime::MatchId& id, std::optional<runtime::ReplayPoint> running, Done done) {
  {
    const std::lock_guard lock(mutex_);
    questions_.push_back({id, std::move(running)});
  }
  if (answer) return answer(std::move(done));
  done(open_bytes(file_bytes));
}

std::vector<FakeLibrary::Question> FakeLibrary::questions() const {
  const std::lock_guard lock(mutex_);
  return questions_;
}

runtime::ReplayLibrary::Opened FakeLibrary::open_bytes(const std::string& bytes) {
  std::string path = (std::filesystem::temp_directory_path() / "replay_XXXXXX").string();
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) throw std::runtime_error("no temporary file");
  ::unlink(path.c_str());
  if (::write(descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("the temporary file cannot be written");
  }
  return std::shared_ptr<const runtime::ReplayFile>(
      std::make_shared<runtime::ReplayFile>(descriptor, bytes.size()));
}

void ReplayServerTest::start(ServerOptions options) {
  stop();
  options.listen = {"127.0.0.1", 0};
  options.loop.load_limits = {.busy_percent_max = 100, .lateness_max = {}};  // However slow the machine is.
  if (options.verifier.program.empty()) options.verifier.program = verification::verifier_program();
  server_ = std::make_unique<Server>(options, door_,
                                     ServerEnvironment{.metrics = &metrics_.emplace(), .replays = &library_});
  ASSERT_EQ(server_->start(), std::nullopt);
  // What nobody reads is not sent: gRPC would let ever more of it be on its way, as much as it finds the path
  // to take.
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  channel_ = grpc::CreateCustomChannel(server_->address().to_string(), grpc::InsecureChannelCredentials(),
                                       arguments);
  matches_ = v1::MatchService::NewStub(channel_);
  replays_ = v1::ReplayService::NewStub(channel_);
}

void ReplayServerTest::stop() {
  if (server_ != nullptr) server_->stop();
  server_.reset();
}

// This process has no other children.
bool ReplayServerTest::has_verifier() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  siginfo_t child{};
  while (::waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) != 0) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

bool ReplayServerTest::are_waiting(int verifications) const {
  const std::string line = "\nsweepd_verifications_waiting " + std::to_string(verifications) + "\n";
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (metrics_->to_text().find(line) == std::string::npos) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::string ReplayServerTest::reason_of(const grpc::Status& status) {
  if (status.ok()) return "OK";
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  if (!details.ParseFromString(status.error_details()) || details.details_size() == 0 ||
      !details.details(0).UnpackTo(&info)) {
    return std::to_string(status.error_code()) + " " + status.error_message();
  }
  return std::to_string(status.error_code()) + " " + info.reason();
}

std::string ReplayServerTest::field_of(const grpc::Status& status) {
  google::rpc::Status details;
  google::rpc::BadRequest bad_request;
  if (!details.ParseFromString(status.error_details()) || details.details_size() < 2 ||
      !details.details(1).UnpackTo(&bad_request)) {
    return "";
  }
  return bad_request.field_violations(0).field();
}

ReplayServerTest::Fetched ReplayServerTest::fetch(const std::string& match_id, bool receipt_only) {
  v1::GetReplayRequest request;
  request.set_match_id(match_id);
  request.set_receipt_only(receipt_only);
  grpc::ClientContext context;
  const auto stream = replays().GetReplay(&context, request);
  Fetched fetched;
  v1::GetReplayResponse response;
  while (stream->Read(&response)) {
    if (response.has_info()) {
      EXPECT_FALSE(fetched.info.has_value());
      fetched.info = response.info();
    } else {
      EXPECT_TRUE(fetched.info.has_value());
      fetched.chunk_bytes_most = std::max(fetched.chunk_bytes_most, response.chunk().size());
      fetched.bytes += response.chunk();
    }
  }
  fetched.status = stream->Finish();
  return fetched;
}

bool ReplayServerTest::Pending::send(const std::string& bytes) {
  v1::VerifyReplayRequest request;
  constexpr std::size_t kPiece = 500'000;
  for (std::size_t offset = 0; offset < bytes.size(); offset += kPiece) {
    request.set_chunk(bytes.substr(offset, kPiece));
    if (!stream->Write(request)) return false;
  }
  return true;
}

grpc::Status ReplayServerTest::Pending::finish() {
  stream->WritesDone();
  return stream->Finish();
}

std::unique_ptr<ReplayServerTest::Pending> ReplayServerTest::begin(v1::ReplayService::Stub& stub,
                                                                   const std::string& bytes) {
  auto pending = std::make_unique<Pending>();
  pending->stream = stub.VerifyReplay(&pending->context, &pending->response);
  pending->send(bytes);
  return pending;
}

ReplayServerTest::Verified ReplayServerTest::verify(const std::string& bytes,
                                                    const v1::VerificationOptions& options) {
  grpc::ClientContext context;
  Verified verified;
  const auto stream = replays().VerifyReplay(&context, &verified.response);
  v1::VerifyReplayRequest request;
  *request.mutable_options() = options;
  bool is_wanted = stream->Write(request);
  constexpr std::size_t kPiece = 100'000;
  for (std::size_t offset = 0; is_wanted && offset < bytes.size(); offset += kPiece) {
    request.set_chunk(bytes.substr(offset, kPiece));
    is_wanted = stream->Write(request);
  }
  stream->WritesDone();
  verified.status = stream->Finish();
  return verified;
}

std::string ReplayServerTest::signed_replay(std::uint64_t seed, std::uint32_t ticks) const {
  return recordings::random_replay(seed, ticks, {.key = &library_.key()});
}

}  // namespace sweepd::app
