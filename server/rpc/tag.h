// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::rpc {

/// What a completion queue hands back when an operation is over: every tag of ours is one of these.
class Tag {
 public:
  virtual ~Tag() = default;
  virtual void complete(bool ok) = 0;
};

}  // namespace sweepd::rpc
