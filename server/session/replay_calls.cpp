// SPDX-License-Identifier: MIT
#include "session/replay_calls.h"

#include "session/replay_status.h"
#include "session/unary_call.h"

namespace sweepd::session {
namespace {

using KeyCall = UnaryCall<v1::GetPublicKeyRequest, v1::GetPublicKeyResponse>;

}  // namespace

void get_public_key(KeyCall& call) {
  const runtime::ReplayLibrary* replays = call.home().backend().replays;
  if (replays == nullptr) return call.fail(no_journal());
  const replay::PublicKey& key = replays->public_key();
  call.response().set_public_key(std::string(key.bytes.begin(), key.bytes.end()));
  call.response().set_pem(key.to_pem());
  call.reply();
}

}  // namespace sweepd::session
