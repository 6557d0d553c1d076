// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::rpc {

/// What travels through a completion queue: every tag of ours is one of these.
class Tag {
 public:
  virtual void run(bool ok) = 0;

 protected:
  ~Tag() = default;
};

/// As gRPC wants it. Always by way of Tag*: the poller casts it back to that.
inline void* to_void(Tag& tag) { return &tag; }

}  // namespace sweepd::rpc
