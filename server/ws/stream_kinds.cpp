// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "session/play_stream.h"
#include "session/replay_download.h"
#include "session/replay_upload.h"
#include "session/watch_stream.h"
#include "ws/connection.h"
#include "ws/stream_end.h"

namespace sweepd::ws {
namespace {

/// A stream of the session, on a connection.
template <typename Session>
class WebSocketStream final : public StreamEnd, private session::StreamPipe<typename Session::Response> {
 public:
  using Response = typename Session::Response;

  WebSocketStream(Connection& connection, session::MatchLoop& home)
      : connection_(connection), session_(home, *this) {}

  void arrive(session::CallOrigin origin) override { session_.arrive(std::move(origin)); }
  void tell(session::StreamEvent event, bool ok) override { session_.ended(event, ok); }

 private:
  void read() override { connection_.read(); }
  session::MessageBytes& incoming() override { return connection_.incoming(); }
  void write(const Response& message) override { connection_.write(message); }
  void answer(const Response& message) override { connection_.answer(message); }
  void finish(const session::Status& status) override { connection_.finish(status); }
  void cancel() override { connection_.cancel(); }
  void close() override { connection_.end_stream(); }
  void read_at_ticks() override { connection_.read_at_ticks(); }
  void look() override { connection_.look(); }
  runtime::Duration waited() const override { return connection_.waited(); }
  void depart() override { connection_.depart(); }
  void settle(session::MatchLoop& home) override { connection_.settle(home); }

  Connection& connection_;
  Session session_;
};

template <typename Session>
std::unique_ptr<StreamEnd> make(Connection& connection, session::MatchLoop& home) {
  return std::make_unique<WebSocketStream<Session>>(connection, home);
}

constexpr std::array<StreamKind, 4> kKinds{{
    {.path = "/sweepd.v1.MatchService/Play", .make = make<session::PlayStream>},
    {.path = "/sweepd.v1.MatchService/Watch", .make = make<session::WatchStream>, .has_one_request = true},
    {.path = "/sweepd.v1.ReplayService/GetReplay",
     .make = make<session::ReplayDownload>,
     .has_one_request = true},
    {.path = "/sweepd.v1.ReplayService/VerifyReplay",
     .make = make<session::ReplayUpload>,
     .ends_with_empty_message = true},
}};

}  // namespace

const StreamKind* find_stream_kind(std::string_view path) {
  const auto* const it = std::ranges::find(kKinds, path, &StreamKind::path);
  return it == kKinds.end() ? nullptr : it;
}

}  // namespace sweepd::ws
