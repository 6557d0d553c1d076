// SPDX-License-Identifier: MIT
//
// Protects how a load tells apart what comes on its streams.
#include "tools/load/update_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace sweepd::tools::load::update_reader_test {
namespace {

grpc::ByteBuffer buffer_of(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

TEST(LoadResponseReader, ReadsWhoHasJoinedAndWhoMayNot) {
  ResponseReader reader;
  v1::PlayResponse response;
  response.mutable_joined()->mutable_participant()->set_number(3);
  ASSERT_EQ(reader.read(buffer_of(response.SerializeAsString())), ResponseReader::Kind::kJoined);
  EXPECT_EQ(reader.joined().participant().number(), 3u);
  response.mutable_join_refused()->set_reason("NAME_TAKEN");
  ASSERT_EQ(reader.read(buffer_of(response.SerializeAsString())), ResponseReader::Kind::kJoinRefused);
  EXPECT_EQ(reader.join_refused().reason(), "NAME_TAKEN");
}

TEST(LoadResponseReader, ReadsUpdatesAndTheEnd) {
  ResponseReader reader;
  v1::PlayResponse response;
  response.mutable_update()->set_tick(77);
  ASSERT_EQ(reader.read(buffer_of(response.SerializeAsString())), ResponseReader::Kind::kUpdate);
  EXPECT_EQ(reader.update().tick(), 77u);
  response.mutable_ended();
  EXPECT_EQ(reader.read(buffer_of(response.SerializeAsString())), ResponseReader::Kind::kEnded);
}

TEST(LoadResponseReader, BytesThatAreNoResponseAreUnreadable) {
  ResponseReader reader;
  for (const std::string& bytes : {std::string(), std::string("\x12"), std::string("\x12\x7F")}) {
    EXPECT_EQ(reader.read(buffer_of(bytes)), ResponseReader::Kind::kUnreadable);
  }
}

TEST(LoadResponseReader, ColumnsThatEndBeforeTheirRowsAreUnreadable) {
  ResponseReader reader;
  v1::PlayResponse response;
  v1::EventColumns& events = *response.mutable_update()->mutable_events();
  for (const std::uint32_t id : {1, 2}) {
    events.add_object_a(id);
    events.add_object_b(id + 10);
  }
  EXPECT_EQ(reader.read(buffer_of(response.SerializeAsString())), ResponseReader::Kind::kUpdate);
  for (auto* column : {events.mutable_object_b(), events.mutable_tick_delta()}) {
    const google::protobuf::RepeatedField<std::uint32_t> whole = *column;
    column->Resize(1, 0);
    EXPECT_EQ(reader.read(buffer_of(response.SerializeAsString())), ResponseReader::Kind::kUnreadable);
    *column = whole;
  }
  events.add_reason(v1::EXIT_REASON_MOVED);
  EXPECT_EQ(reader.read(buffer_of(response.SerializeAsString())), ResponseReader::Kind::kUnreadable);
}

}  // namespace
}  // namespace sweepd::tools::load::update_reader_test
