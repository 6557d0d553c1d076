// SPDX-License-Identifier: MIT
//
// Protects clients from errors that name nothing: a text that is not UTF-8 is refused by its field.
#include "session/parse_request.h"

#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>

#include "sweepd/v1/match_service.pb.h"
#include "unit/session/text_bytes.h"

namespace sweepd::session::parse_request_test {
namespace {

constexpr const char* kNoUtf8 = "stage \xff 1";

std::optional<match::FieldError> parse(const std::string& bytes, google::protobuf::Message& message) {
  const google::protobuf::LogSilencer silencer;
  TextBytes request;
  request.text = bytes;
  return parse_request(request, message);
}

template <typename Message>
std::string fault_of(const Message& message) {
  const google::protobuf::LogSilencer silencer;
  Message parsed;
  const auto fault = parse(message.SerializeAsString(), parsed);
  return fault ? fault->field + ": " + fault->description : "";
}

TEST(ParseRequest, ATextThatIsNotUtf8IsNamedByItsPath) {
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

TEST(ParseRequest, ATextInOneOfSeveralKindsOfMessagesIsNamed) {
  v1::PlayRequest play;
  play.mutable_join()->set_name(kNoUtf8);
  EXPECT_EQ(fault_of(play), "join.name: is not UTF-8");
}

TEST(ParseRequest, BytesThatAreNoMessageAreToldByItsType) {
  v1::GetMatchRequest parsed;
  const auto fault = parse("\x0a\x7f", parsed);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->field, "message");
  EXPECT_EQ(fault->description, "the bytes are no GetMatchRequest");
}

}  // namespace
}  // namespace sweepd::session::parse_request_test
