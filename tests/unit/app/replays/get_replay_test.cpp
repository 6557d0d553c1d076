// SPDX-License-Identifier: MIT
//
// Protects who fetches a replay from a server: every byte arrives in order, whatever is wrong has its name,
// and whoever goes away in the middle takes nothing with them and leaves nothing behind.
#include <thread>

#include "replay/reader.h"
#include "unit/app/replays/replay_server.h"

namespace sweepd::app::get_replay_test {
namespace {

/// What an id looks like.
constexpr const char* kEnded = "endedmatchendeda";

using runtime::ReplayErrorKind;

class GetReplay : public ReplayServerTest {
 protected:
  std::string create_match() {
    v1::CreateMatchRequest request;
    request.mutable_config()->add_layers("ship");
    request.mutable_config()->set_clock(v1::CLOCK_KIND_MANUAL);
    v1::CreateMatchResponse response;
    grpc::ClientContext context;
    EXPECT_TRUE(matches().CreateMatch(&context, request, &response).ok());
    return response.match().match_id();
  }

  static v1::GetReplayRequest request_of(const std::string& match_id) {
    v1::GetReplayRequest request;
    request.set_match_id(match_id);
    return request;
  }

  void step(const std::string& match_id, std::uint32_t ticks) {
    v1::StepMatchRequest request;
    request.set_match_id(match_id);
    request.set_ticks(ticks);
    v1::StepMatchResponse response;
    grpc::ClientContext context;
    EXPECT_TRUE(matches().StepMatch(&context, request, &response).ok());
  }

  void refuse(ReplayErrorKind kind) {
    library_.answer = [kind](const FakeLibrary::Done& done) {
      done(runtime::ReplayError{kind, "as the test says"});
    };
  }

  /// Bytes that begin and end as a replay does, and have nothing of one in between.
  std::string long_replay() const {
    const std::string replay = signed_replay();
    const auto reader = replay::Reader::open(replay);
    const std::size_t footer = reader->footer_offset();
    std::string bytes = replay.substr(0, footer) + std::string(std::size_t{3} << 20, 'x');
    const std::uint64_t offset = bytes.size();
    bytes += replay.substr(footer, replay.size() - 16 - footer);
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(offset >> (8 * i) & 0xff);
    return bytes + "SWPR-END";
  }
};

TEST_F(GetReplay, GivesWhatItComesToAndThenEveryByte) {
  library_.file_bytes = signed_replay();
  const Fetched fetched = fetch(kEnded);
  EXPECT_EQ(reason_of(fetched.status), "OK");
  EXPECT_EQ(fetched.bytes, library_.file_bytes);
  const auto reader = replay::Reader::open(library_.file_bytes);
  const v1::Receipt& receipt = fetched.info->receipt();
  EXPECT_EQ(fetched.info->bytes(), library_.file_bytes.size());
  EXPECT_EQ(receipt.match_id(), reader->head().match_id);
  EXPECT_EQ(receipt.nonce(), reader->head().nonce);
  EXPECT_EQ(receipt.config_digest(), reader->head().config_digest);
  EXPECT_EQ(receipt.end(), v1::REPLAY_END_MATCH_ENDED);
  EXPECT_EQ(receipt.tick_count(), reader->tick_count());
  EXPECT_EQ(receipt.final_digest(), reader->footer()->ending.final_digest);
  EXPECT_EQ(static_cast<std::size_t>(receipt.participants_size()),
            reader->footer()->ending.cast.participants.size());
  EXPECT_EQ(static_cast<std::size_t>(receipt.scores_size()), reader->footer()->ending.scores.size());
  EXPECT_EQ(receipt.public_key().size(), 32u);
  EXPECT_EQ(receipt.signature().size(), 64u);
  ASSERT_EQ(library_.questions().size(), 1u);
  EXPECT_EQ(library_.questions()[0].id, kEnded);
  EXPECT_FALSE(library_.questions()[0].running.has_value());
}

TEST_F(GetReplay, ComesInPiecesOf64KiBAtMost) {
  library_.file_bytes = long_replay();
  const Fetched fetched = fetch(kEnded);
  EXPECT_EQ(reason_of(fetched.status), "OK");
  EXPECT_TRUE(fetched.bytes == library_.file_bytes);
  EXPECT_EQ(fetched.chunk_bytes_most, 65'536u);
}

TEST_F(GetReplay, GivesTheReceiptAlone) {
  library_.file_bytes = signed_replay();
  const Fetched fetched = fetch(kEnded, true);
  EXPECT_EQ(reason_of(fetched.status), "OK");
  EXPECT_EQ(fetched.bytes, "");
  EXPECT_EQ(fetched.info->bytes(), 0u);
  EXPECT_EQ(fetched.info->receipt().signature().size(), 64u);
}

TEST_F(GetReplay, OfARunningMatchEndsWhereTheMatchIsNow) {
  library_.file_bytes = recordings::random_replay(3, 50);
  start({.loops = 2});  // The call comes in on either; the match is on one of them.
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::string id = create_match();
    step(id, 5 + i);
    const Fetched fetched = fetch(id);
    EXPECT_EQ(reason_of(fetched.status), "OK");
    EXPECT_TRUE(fetched.info->receipt().signature().empty());
    const auto question = library_.questions().back();
    EXPECT_EQ(question.id, id);
    ASSERT_TRUE(question.running.has_value());
    EXPECT_EQ(question.running->ending.tick_count, 5u + i);
  }
}

TEST_F(GetReplay, SaysWhyThereIsNone) {
  refuse(ReplayErrorKind::kNotFound);
  EXPECT_EQ(reason_of(fetch(kEnded).status), "5 REPLAY_NOT_FOUND");
  refuse(ReplayErrorKind::kLost);
  EXPECT_EQ(reason_of(fetch(kEnded).status), "15 REPLAY_LOST");
  refuse(ReplayErrorKind::kFailing);
  EXPECT_EQ(reason_of(fetch(kEnded).status), "14 JOURNAL_FAILING");
  EXPECT_THAT(fetch(kEnded).status.error_message(), ::testing::HasSubstr("as the test says"));
}

TEST_F(GetReplay, LooksForNothingUnderWhatIsNoId) {
  for (const std::string& id : {std::string("x"), std::string(), std::string("../../etc/passwd"),
                                std::string(1'000'000, 'a'), std::string("ENDEDMATCHENDEDA")}) {
    const grpc::Status status = fetch(id).status;
    EXPECT_EQ(reason_of(status), "5 REPLAY_NOT_FOUND");
    EXPECT_LT(status.error_message().size() + status.error_details().size(), 1000u);
  }
  EXPECT_TRUE(library_.questions().empty());
}

TEST_F(GetReplay, SaysThatAFileIsDamagedRatherThanSendingIt) {
  library_.answer = {};
  const std::string whole = signed_replay();
  for (const std::string& bytes : {std::string("no replay"), whole.substr(0, whole.size() - 1),
                                   whole.substr(0, 20), std::string(200, 'x'), whole + "x"}) {
    library_.file_bytes = bytes;
    const Fetched fetched = fetch(kEnded);
    EXPECT_EQ(reason_of(fetched.status), "15 REPLAY_LOST") << bytes.size();
    EXPECT_FALSE(fetched.info.has_value());
  }
}

TEST_F(GetReplay, NeedsAServerThatKeepsReplays) {
  stop();
  rpc::GrpcDoor door;
  Server server({.listen = {"127.0.0.1", 0}}, door);
  ASSERT_EQ(server.start(), std::nullopt);
  const auto stub = v1::ReplayService::NewStub(
      grpc::CreateChannel(server.address().to_string(), grpc::InsecureChannelCredentials()));
  {
    grpc::ClientContext context;
    const auto stream = stub->GetReplay(&context, request_of(kEnded));
    EXPECT_EQ(reason_of(stream->Finish()), "9 NO_JOURNAL");
  }
  {
    grpc::ClientContext context;
    v1::GetPublicKeyResponse response;
    const auto status = stub->GetPublicKey(&context, v1::GetPublicKeyRequest(), &response);
    EXPECT_EQ(reason_of(status), "9 NO_JOURNAL");
  }
  server.stop();
}

TEST_F(GetReplay, TellsTheKeyOfItsReceipts) {
  grpc::ClientContext context;
  v1::GetPublicKeyResponse response;
  ASSERT_TRUE(replays().GetPublicKey(&context, v1::GetPublicKeyRequest(), &response).ok());
  EXPECT_EQ(response.pem(), library_.public_key().to_pem());
  EXPECT_EQ(replay::PublicKey::from_pem(response.pem()), library_.public_key());
  EXPECT_EQ(response.public_key(),
            std::string(library_.public_key().bytes.begin(), library_.public_key().bytes.end()));
}

TEST_F(GetReplay, CountsAsAStream) {
  library_.file_bytes = long_replay();
  start({.streams_max = 1});
  grpc::ClientContext context;
  v1::GetReplayResponse response;
  const auto stream = replays().GetReplay(&context, request_of(kEnded));
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(reason_of(fetch(kEnded).status), "8 TOO_MANY_STREAMS");
  // Given up in the middle, it is one no more; and goes on until then.
  context.TryCancel();
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
  std::string reason;
  for (int i = 0; i < 5000 && reason != "OK"; ++i) {
    reason = reason_of(fetch(kEnded).status);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(reason, "OK");
}

TEST_F(GetReplay, IsLeftWhileTheLibraryStillLooks) {
  FakeLibrary::Done done;
  std::mutex mutex;
  library_.answer = [&](const FakeLibrary::Done& given) {
    const std::lock_guard lock(mutex);
    done = given;
  };
  const auto is_asked = [&] {
    const std::lock_guard lock(mutex);
    return done != nullptr;
  };
  grpc::ClientContext context;
  const auto stream = replays().GetReplay(&context, request_of(kEnded));
  while (!is_asked()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  context.TryCancel();
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  done(FakeLibrary::open_bytes(signed_replay()));
  stop();
}

TEST_F(GetReplay, EndsWhenTheServerDoes) {
  library_.file_bytes = std::string();
  std::thread answering;
  library_.answer = [&](const FakeLibrary::Done& done) {
    answering = std::thread([done] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      done(runtime::ReplayError{ReplayErrorKind::kFailing, "too late"});
    });
  };
  grpc::ClientContext context;
  const auto stream = replays().GetReplay(&context, request_of(kEnded));
  while (library_.questions().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  stop();
  EXPECT_EQ(reason_of(stream->Finish()), "14 SERVER_SHUTTING_DOWN");
  answering.join();
}

TEST_F(GetReplay, EndsWithTheServerWhileNobodyTakesIt) {
  library_.file_bytes = long_replay();
  grpc::ClientContext context;
  const auto stream = replays().GetReplay(&context, request_of(kEnded));
  v1::GetReplayResponse response;
  ASSERT_TRUE(stream->Read(&response));
  stop();
  while (stream->Read(&response)) {
  }
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace sweepd::app::get_replay_test
