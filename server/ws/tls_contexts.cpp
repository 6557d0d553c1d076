// SPDX-License-Identifier: MIT
#include "ws/tls_contexts.h"

#include <utility>

namespace sweepd::ws {

std::shared_ptr<ssl_ctx_st> TlsContexts::current() {
  if (certificates_ == nullptr) return nullptr;
  auto set = certificates_->current();
  const std::lock_guard lock(mutex_);
  if (set == made_of_) return context_;
  made_of_ = std::move(set);
  if (auto made = runtime::make_server_context(*made_of_)) context_ = std::move(made);
  return context_;
}

}  // namespace sweepd::ws
