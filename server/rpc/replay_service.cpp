// SPDX-License-Identifier: MIT
#include "rpc/replay_service.h"

#include "rpc/get_replay_call.h"
#include "rpc/replay_status.h"
#include "rpc/unary_call.h"
#include "rpc/verify_replay_call.h"

namespace sweepd::rpc {
namespace {

using KeyCall = UnaryCall<v1::GetPublicKeyRequest, v1::GetPublicKeyResponse>;

void get_public_key(KeyCall& call) {
  const runtime::ReplayLibrary* replays = call.server().backend().replays;
  if (replays == nullptr) return call.fail(no_journal());
  const replay::PublicKey& key = replays->public_key();
  call.response().set_public_key(std::string(key.bytes.begin(), key.bytes.end()));
  call.response().set_pem(key.to_pem());
  call.reply();
}

}  // namespace

void accept_replay_calls(LoopServer& server) {
  static const KeyCall::Method public_key{next_of<v1::GetPublicKeyRequest>(&LoopServer::replay_service),
                                          get_public_key};
  KeyCall::accept(server, public_key);
  GetReplayCall::accept(server);
  VerifyReplayCall::accept(server);
}

}  // namespace sweepd::rpc
