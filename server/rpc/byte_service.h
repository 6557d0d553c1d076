// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/descriptor.h>

#include "base/assert.h"

namespace sweepd::rpc {

/// A generated service whose requests come as bytes, and whose responses are messages. gRPC would answer
/// bytes that are no request with INTERNAL and no word of the field; the calls here parse by themselves
/// (parse_request.h).
template <typename AsyncService>
class ByteService : public AsyncService {
 public:
  using AsyncService::RequestAsyncBidiStreaming;
  using AsyncService::RequestAsyncClientStreaming;
  using AsyncService::RequestAsyncServerStreaming;
  using AsyncService::RequestAsyncUnary;
};

/// The number of the method that takes a `Request` and, where `is_streaming`, answers with a stream.
/// Generated services register their methods in the order in which the file has them.
template <typename Request>
int method_index(bool is_streaming) {
  const auto* const file = Request::descriptor()->file();
  for (int service = 0; service < file->service_count(); ++service) {
    for (int index = 0; index < file->service(service)->method_count(); ++index) {
      const auto* const method = file->service(service)->method(index);
      if (method->input_type() == Request::descriptor() && method->server_streaming() == is_streaming)
        return index;
    }
  }
  base::fail_assertion("a service takes the request", __FILE__, __LINE__);
}

}  // namespace sweepd::rpc
