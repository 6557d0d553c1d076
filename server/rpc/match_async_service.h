// SPDX-License-Identifier: MIT
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>

#include "rpc/tag.h"
#include "sweepd/v1/match_service.grpc.pb.h"

namespace sweepd::rpc {

/// Play with requests as bytes, which are parsed into memory of the loop (RequestMemory), and responses as
/// messages.
using PlayStream = grpc::ServerAsyncReaderWriter<v1::PlayResponse, grpc::ByteBuffer>;

/// The service as it is generated, and Play in the way above.
class MatchAsyncService final : public v1::MatchService::AsyncService {
 public:
  void request_play(grpc::ServerContext& context, PlayStream& stream, grpc::ServerCompletionQueue& queue,
                    Tag& tag) {
    RequestAsyncBidiStreaming(play_index(), &context, &stream, &queue, &queue, to_void(tag));
  }

 private:
  /// Generated services register their methods in the order in which the file has them.
  static int play_index() {
    static const int index = v1::PlayRequest::descriptor()
                                 ->file()
                                 ->FindServiceByName("MatchService")
                                 ->FindMethodByName("Play")
                                 ->index();
    return index;
  }
};

}  // namespace sweepd::rpc
