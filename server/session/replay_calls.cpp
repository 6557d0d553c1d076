// SPDX-License-Identifier: MIT
#include "session/methods.h"
#include "session/replay_status.h"

namespace sweepd::session {

void get_public_key(GetPublicKeyCall& call) {
  const runtime::ReplayLibrary* replays = call.home().backend().replays;
  if (replays == nullptr) return call.fail(no_journal());
  const replay::PublicKey& key = replays->public_key();
  call.response().set_public_key(std::string(key.bytes.begin(), key.bytes.end()));
  call.response().set_pem(key.to_pem());
  call.reply();
}

}  // namespace sweepd::session
