// SPDX-License-Identifier: MIT
#include "integration/support/raw_stream.h"

#include <gtest/gtest.h>

#include "google/rpc/error.pb.h"

namespace sweepd::test {

std::string describe(const grpc::Status& status) {
  google::rpc::Status details;
  details.ParseFromString(status.error_details());
  std::string text;
  for (const auto& detail : details.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest bad_request;
    if (detail.UnpackTo(&info)) text += info.reason();
    if (detail.UnpackTo(&bad_request)) {
      for (const auto& violation : bad_request.field_violations()) text += " " + violation.field();
    }
  }
  return text;
}

void RawStream::join(const v1::Join& join) {
  v1::PlayRequest request;
  *request.mutable_join() = join;
  stream_->Write(request);
}

v1::Joined RawStream::joined(const v1::Join& join_message) {
  join(join_message);
  const auto response = read();
  if (!response) {
    const grpc::Status status = stream_->Finish();
    ADD_FAILURE() << status.error_code() << " " << status.error_message() << " " << describe(status);
    return {};
  }
  EXPECT_TRUE(response->has_joined()) << response->ShortDebugString();
  return response->joined();
}

std::optional<v1::PlayResponse> RawStream::read() {
  v1::PlayResponse response;
  do {
    if (!stream_->Read(&response)) return std::nullopt;
  } while (response.has_heartbeat());  // It may come between any two others.
  return response;
}

void RawStream::join(const std::string& match_id, const std::string& name, v1::Role role) {
  v1::PlayRequest request;
  request.mutable_join()->set_match_id(match_id);
  request.mutable_join()->set_name(name);
  request.mutable_join()->set_role(role);
  stream_->Write(request);
}

v1::PlayResponse RawStream::joined(const std::string& match_id, const std::string& name) {
  join(match_id, name);
  v1::PlayResponse response;
  EXPECT_TRUE(stream_->Read(&response));
  EXPECT_TRUE(response.has_joined());
  return response;
}

void RawStream::send(const v1::Frame& frame) {
  v1::PlayRequest request;
  *request.mutable_frame() = frame;
  EXPECT_TRUE(stream_->Write(request));
}

v1::Rejection RawStream::rejection() {
  v1::PlayResponse response;
  while (stream_->Read(&response)) {
    if (response.update().rejections_size() > 0) return response.update().rejections(0);
  }
  ADD_FAILURE() << "the stream ended: " << stream_->Finish().error_message();
  return {};
}

grpc::Status RawStream::finish() {
  v1::PlayResponse response;
  while (stream_->Read(&response)) continue;
  return stream_->Finish();
}

}  // namespace sweepd::test
