// SPDX-License-Identifier: MIT
//
// Protects what programs decide by: the code, the reason and the field of a server's error.
#include "server_status.h"

#include <gtest/gtest.h>

#include <limits>

#include "google/rpc/error.pb.h"

namespace sweepd::internal::server_status_test {
namespace {

TEST(ServerStatus, CarriesReasonAndFieldFromTheDetails) {
  google::rpc::Status rich;
  google::rpc::ErrorInfo info;
  info.set_reason("INVALID_CONFIG");
  info.set_domain("sweepd");
  rich.add_details()->PackFrom(info);
  google::rpc::BadRequest bad_request;
  bad_request.add_field_violations()->set_field("config.layers[3]");
  rich.add_details()->PackFrom(bad_request);
  const Status status =
      from_server({grpc::StatusCode::INVALID_ARGUMENT, "layer 3 has no name", rich.SerializeAsString()});
  EXPECT_EQ(status.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "layer 3 has no name");
  EXPECT_EQ(status.reason(), "INVALID_CONFIG");
  EXPECT_EQ(status.field(), "config.layers[3]");
}

TEST(ServerStatus, DoesWithoutDetailsAndWithStrangeOnes) {
  const Status none = from_server({grpc::StatusCode::UNAVAILABLE, "connection refused"});
  EXPECT_EQ(none.code(), ErrorCode::kUnavailable);
  EXPECT_EQ(none.reason(), "");
  const Status strange = from_server({grpc::StatusCode::NOT_FOUND, "gone", "\xff\xfe no protobuf"});
  EXPECT_EQ(strange.code(), ErrorCode::kNotFound);
  EXPECT_EQ(strange.reason(), "");
}

TEST(ServerStatus, ARefusalIsAnErrorUnderAnyNumber) {
  v1::JoinRefused refusal;
  for (const int code : {0, 77, -1, std::numeric_limits<int>::max()}) {
    refusal.set_code(code);
    EXPECT_EQ(from_server(refusal).code(), ErrorCode::kInternal) << code;
  }
}

TEST(ServerStatus, OkIsOk) { EXPECT_TRUE(from_server(grpc::Status::OK).ok()); }

}  // namespace
}  // namespace sweepd::internal::server_status_test
