// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

namespace sweepd::runtime {

/// Lets the owner of callbacks revoke them: what was bound before `revoke`, or before the guard was
/// destroyed, does nothing when it is called. So a callback may refer to its owner, who may go or move to
/// another loop first. Bound callbacks are called on the owner's thread, and may be copied and destroyed on
/// any.
class CallbackGuard {
 public:
  template <typename Work>
  auto bind(Work work) const {
    return [token = std::weak_ptr(token_), work = std::move(work)] {
      if (!token.expired()) work();
    };
  }

  void revoke() { token_ = std::make_shared<Token>(); }

 private:
  struct Token {};

  std::shared_ptr<Token> token_ = std::make_shared<Token>();
};

}  // namespace sweepd::runtime
