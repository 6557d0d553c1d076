// SPDX-License-Identifier: MIT
#include <functional>
#include <optional>
#include <string>

#include "runtime/match/match_id.h"
#include "session/methods.h"
#include "session/replay_status.h"
#include "session/with_match.h"

namespace sweepd::session {

void get_public_key(GetPublicKeyCall& call) {
  const runtime::ReplayLibrary* replays = call.home().backend().replays;
  if (replays == nullptr) return call.fail(no_journal());
  const replay::PublicKey& key = replays->public_key();
  call.response().set_public_key(std::string(key.bytes.begin(), key.bytes.end()));
  call.response().set_pem(key.to_pem());
  call.reply();
}

namespace {

using Change = std::function<runtime::ReplayLibrary::Changed(runtime::ReplayLibrary&)>;

/// Of a replay that is on the disk; the disk may be slow.
template <typename Call>
void change_off_loop(Call& call, const Change& change) {
  Backend& backend = call.home().backend();
  const auto work = [&call, &backend, change] {
    const auto changed = change(*backend.replays);
    if (!changed) return call.fail(replay_unavailable(changed.error(), call.request().match_id()));
    call.response().set_bytes(*changed);
    call.reply();
  };
  const auto drop = [&call] { call.fail(server_shutting_down()); };
  if (!backend.file_readers.add({.run = work, .drop = drop})) drop();
}

/// Changes the replay of a match that is over, once its end is on the disk.
template <typename Call>
void change_replay(Call& call, const Change& change) {
  Backend& backend = call.home().backend();
  const runtime::MatchId& id = call.request().match_id();
  const auto refuse = [&call](const std::string& what) {
    call.fail(replay_unavailable({runtime::ReplayErrorKind::kNotFound, what}, call.request().match_id()));
  };
  if (backend.replays == nullptr) return call.fail(no_journal());
  if (!runtime::is_match_id(id)) return refuse("");
  call.name_match(id);
  const auto on_opened = [&call, change](const runtime::ReplayLibrary::Opened& opened) {
    if (!opened) return call.fail(replay_unavailable(opened.error(), call.request().match_id()));
    change_off_loop(call, change);
  };
  const auto on_running = [refuse](const runtime::MatchHost&, MatchLoop&) { refuse("the match still runs"); };
  const auto on_ended = [&call, &backend, on_opened](const Status& loss) {
    if (loss.code() != Code::kNotFound) return call.fail(loss);
    backend.replays->open(call.request().match_id(), std::nullopt, on_opened);
  };
  with_match(backend, id, on_running, on_ended);
}

}  // namespace

void hold_replay(HoldReplayCall& call) {
  call.name_object(call.request().release() ? "release" : "hold");
  change_replay(call, [&call](runtime::ReplayLibrary& replays) {
    return replays.hold(call.request().match_id(), !call.request().release());
  });
}

void delete_replay(DeleteReplayCall& call) {
  change_replay(
      call, [&call](runtime::ReplayLibrary& replays) { return replays.remove(call.request().match_id()); });
}

}  // namespace sweepd::session
