// SPDX-License-Identifier: MIT
//
// Protects clients from errors that name nothing, and the log from what clients send: a text that is not
// UTF-8 is refused by its field, and what Protobuf has to say of it is a few lines of the log.
#include "session/parse_request.h"

#include <gmock/gmock.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <gtest/gtest.h>

#include "rpc/library_log.h"
#include "rpc/request_bytes.h"
#include "runtime/telemetry/log.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::rpc::parse_request_test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr const char* kNoUtf8 = "stage \xff 1";

/// As a client would send it that does not look at its texts.
std::string bytes_of(const google::protobuf::Message& message) {
  const google::protobuf::LogSilencer silencer;
  return message.SerializeAsString();
}

std::optional<match::FieldError> parse(const std::string& bytes, google::protobuf::Message& message) {
  const grpc::Slice slice(bytes);
  RequestBytes request;
  request.buffer = grpc::ByteBuffer(&slice, 1);
  return session::parse_request(request, message);
}

template <typename Message>
std::string fault_of(const Message& message) {
  Message parsed;
  const auto fault = parse(bytes_of(message), parsed);
  return fault ? fault->field + ": " + fault->description : "";
}

class ParseRequest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    take_library_logs();
    gpr_set_log_verbosity(GPR_LOG_SEVERITY_ERROR);  // As gRPC does when it begins.
  }
};

TEST_F(ParseRequest, ATextThatIsNotUtf8IsNamedByItsPath) {
  v1::GetMatchRequest get;
  get.set_match_id(kNoUtf8);
  EXPECT_EQ(fault_of(get), "match_id: is not UTF-8");
  v1::CreateMatchRequest create;
  create.mutable_config()->set_name("Zoë 名 🚀");
  EXPECT_EQ(fault_of(create), "");
  create.mutable_config()->add_layers("player");
  create.mutable_config()->add_layers(kNoUtf8);
  EXPECT_EQ(fault_of(create), "config.layers[1]: is not UTF-8");
  create.mutable_config()->set_layers(1, "enemy");
  create.mutable_config()->mutable_ruleset()->set_version(kNoUtf8);
  EXPECT_EQ(fault_of(create), "config.ruleset.version: is not UTF-8");
}

TEST_F(ParseRequest, ATextInOneOfSeveralKindsOfMessagesIsNamed) {
  v1::PlayRequest play;
  play.mutable_join()->set_name(kNoUtf8);
  EXPECT_EQ(fault_of(play), "join.name: is not UTF-8");
}

TEST_F(ParseRequest, BytesThatAreNoMessageAreToldByItsType) {
  v1::GetMatchRequest parsed;
  const auto fault = parse("\x0a\x7f", parsed);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->field, "message");
  EXPECT_EQ(fault->description, "the bytes are no GetMatchRequest");
}

TEST_F(ParseRequest, WhatLibrariesSayIsAFewLinesOfTheLogHoweverOftenItIsCaused) {
  std::vector<std::string> lines;
  const std::uint64_t left_out_before = runtime::Log::lines_left_out();
  {
    const runtime::Log log({.write = [&lines](std::string_view line) { lines.emplace_back(line); }});
    v1::GetMatchRequest get;
    get.set_match_id(kNoUtf8);
    for (int i = 0; i < 10'000; ++i) fault_of(get);
    EXPECT_FALSE(lines.empty() && runtime::Log::lines_left_out() == left_out_before);
    gpr_log(GPR_ERROR, "accept failed: %d", 24);
  }
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines.back(), HasSubstr("[error] accept failed: 24 library=grpc file=parse_request_test.cpp"));
  lines.pop_back();
  EXPECT_THAT(lines, Each(HasSubstr("library=protobuf")));
  EXPECT_LT(lines.size(), 500u) << "20 a second";
  EXPECT_EQ(lines.size() + runtime::Log::lines_left_out() - left_out_before, 10'000u);
}

}  // namespace
}  // namespace sweepd::rpc::parse_request_test
