// SPDX-License-Identifier: MIT
#pragma once

#include "rpc/tag.h"

namespace sweepd::rpc {

/// A tag that calls a member of what it is a member of. The method may destroy both.
template <typename Owner>
class MemberTag : public Tag {
 public:
  using Method = void (Owner::*)(bool ok);
  MemberTag(Owner& owner, Method method) : owner_(owner), method_(method) {}
  void complete(bool ok) override { (owner_.*method_)(ok); }

 private:
  Owner& owner_;
  Method method_;
};

}  // namespace sweepd::rpc
