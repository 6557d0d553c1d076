// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <sweepd/v1/match_service.pb.h>

#include <vector>

namespace sweepd::tools::load {

/// Reads what comes on a Play stream. Message objects are reused: nothing is allocated in the long run.
class ResponseReader {
 public:
  enum class Kind { kJoined, kJoinRefused, kUpdate, kEnded, kHeartbeat, kUnreadable };

  Kind read(const grpc::ByteBuffer& message);

  /// What was read last; only that of the kind.
  const v1::Joined& joined() const { return joined_; }
  const v1::JoinRefused& join_refused() const { return join_refused_; }
  const v1::TickUpdate& update() const { return update_; }

 private:
  bool flatten(const grpc::ByteBuffer& message);

  std::vector<grpc::Slice> slices_;
  std::string bytes_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  v1::Joined joined_;
  v1::JoinRefused join_refused_;
  v1::TickUpdate update_;
};

}  // namespace sweepd::tools::load
