// SPDX-License-Identifier: MIT
#include "rpc/admin_server.h"

#include <pthread.h>

namespace sweepd::rpc {

void AdminServer::open(session::MatchLoop& home) {
  server_.open(home);
  thread_ = std::thread([this, &home] {
    void* tag = nullptr;
    bool ok = false;
    while (server_.queue().Next(&tag, &ok))
      home.loop().post([event = static_cast<Tag*>(tag), ok] { event->run(ok); });
  });
  pthread_setname_np(thread_.native_handle(), "admin");
}

// No call is left, so no event is.
void AdminServer::close() {
  server_.close();
  if (thread_.joinable()) thread_.join();
}

}  // namespace sweepd::rpc
