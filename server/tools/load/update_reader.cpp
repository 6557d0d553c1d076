// SPDX-License-Identifier: MIT
#include "tools/load/update_reader.h"

#include <google/protobuf/io/coded_stream.h>

namespace sweepd::tools::load {
namespace {

bool has_rows_or_none(int size, int rows) { return size == 0 || size == rows; }

/// Whether the columns that the load looks at have a value for each row.
bool is_whole(const v1::EventColumns& events) {
  const int rows = events.object_a_size();
  return events.object_b_size() == rows && has_rows_or_none(events.tick_delta_size(), rows) &&
         has_rows_or_none(events.reason_size(), rows);
}

}  // namespace

bool ResponseReader::flatten(const grpc::ByteBuffer& message) {
  slices_.clear();
  if (!message.Dump(&slices_).ok()) return false;
  if (slices_.size() == 1) {
    data_ = reinterpret_cast<const char*>(slices_[0].begin());
    size_ = slices_[0].size();
    return true;
  }
  bytes_.clear();
  for (const grpc::Slice& slice : slices_) {
    bytes_.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  data_ = bytes_.data();
  size_ = bytes_.size();
  return true;
}

// A PlayResponse is one field, a message. Read as a whole it would free the update before, with all its
// columns.
ResponseReader::Kind ResponseReader::read(const grpc::ByteBuffer& message) {
  if (!flatten(message)) return Kind::kUnreadable;
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(data_),
                                                static_cast<int>(size_));
  const std::uint32_t tag = stream.ReadTag();
  std::uint32_t size = 0;
  if (!stream.ReadVarint32(&size)) return Kind::kUnreadable;
  const auto begin = static_cast<std::size_t>(stream.CurrentPosition());
  if (begin + size != size_) return Kind::kUnreadable;
  const auto parse = [&](auto& part) { return part.ParseFromArray(data_ + begin, static_cast<int>(size)); };
  switch (tag >> 3) {
    case v1::PlayResponse::kJoinedFieldNumber:
      return parse(joined_) ? Kind::kJoined : Kind::kUnreadable;
    case v1::PlayResponse::kJoinRefusedFieldNumber:
      return parse(join_refused_) ? Kind::kJoinRefused : Kind::kUnreadable;
    case v1::PlayResponse::kUpdateFieldNumber:
      return parse(update_) && is_whole(update_.events()) ? Kind::kUpdate : Kind::kUnreadable;
    case v1::PlayResponse::kEndedFieldNumber:
      return Kind::kEnded;
    case v1::PlayResponse::kHeartbeatFieldNumber:
      return Kind::kHeartbeat;
    default:
      return Kind::kUnreadable;
  }
}

}  // namespace sweepd::tools::load
