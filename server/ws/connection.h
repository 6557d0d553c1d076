// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/message.h>

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/clock.h"
#include "session/client_budget.h"
#include "session/message_bytes.h"
#include "session/status.h"
#include "session/stream_pipe.h"
#include "ws/frame_reader.h"
#include "ws/http_head.h"
#include "ws/socket.h"
#include "ws/stream_end.h"

namespace sweepd::ws {

class LoopPart;
struct DoorShare;

/// A client's connection, which is one stream: it shakes hands, asks for the stream by its path, and then has
/// a message in each frame that both sides send. It is one loop's at a time, that of its stream's home, and
/// touched by that loop's thread alone.
///
/// Its socket is read while the session waits for a message, in a REALTIME match when a tick is due, and else
/// when the part's look at all sockets finds it ready; one message of the client is held at most. What is
/// written goes out at once; what the kernel does not take waits here, and the session hears of it when it
/// has gone: so that is one message, too, beside a close and a pong.
class Connection final : private FrameSource {
 public:
  /// `tls`: null for plain text.
  Connection(LoopPart& part, int descriptor, ssl_ctx_st* tls);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int descriptor() const { return socket_.descriptor(); }
  bool has_stream() const { return stream_ != nullptr; }

  // Of its part, on its thread.

  /// Whether it was listed to go on.
  bool set_listed(bool listed) { return std::exchange(is_listed_, listed); }
  /// Its socket is as `events` of epoll say.
  void on_ready(std::uint32_t events);
  /// Tells what is due to be told, and reads if that is wanted.
  void go_on();
  /// What is overdue: to be called again and again.
  void look_after(runtime::TimePoint now);
  /// Ends it where no stream is: the server shuts down.
  void leave_idle();

  // Of its stream: see session::Pipe.
  void read();
  session::MessageBytes& incoming() { return incoming_; }
  void write(const google::protobuf::MessageLite& message);
  void answer(const google::protobuf::MessageLite& message);
  void finish(const session::Status& status);
  void cancel();
  void end_stream();
  void read_at_ticks();
  void look();
  runtime::Duration waited() const;
  void depart();
  void settle(session::MatchLoop& home);

 private:
  /// kClosing: what is left goes out, and the client's end is waited for. kOver: the socket is of no use.
  enum class Phase : std::uint8_t { kTls, kRequest, kOpen, kClosing, kOver };

  /// The message that has come.
  class Incoming final : public session::MessageBytes {
   public:
    explicit Incoming(Connection& owner) : owner_(owner) {}
    std::size_t size() const override;
    void drop() override;
    bool read_into(google::protobuf::Message& message) override;
    std::unique_ptr<session::MessageBytes> release() override;

   private:
    Connection& owner_;
  };

  // Where a function tells whether it went on: false, the connection is another thread's by now.

  // Handshakes.
  void shake_hands();
  bool read_head();
  bool take_head(const ParsedHead& parsed);
  bool refuse(const HttpRefusal& refusal);
  session::CallOrigin origin_of(std::string token, std::string_view given_request_id);

  // What comes.
  std::size_t take(std::span<std::uint8_t> room) override;
  bool has_room(std::size_t bytes) override;
  bool takes_more() const { return phase_ == Phase::kOpen && !holds_message_ && !has_input_ended_; }
  void begin_turn();
  void ask_for_turn();
  bool receive();
  bool end_turn();
  bool hand_over();
  bool on_close();
  bool end_input();
  void discard_input();
  bool tell(session::StreamEvent event, bool ok);
  bool arrive(session::CallOrigin origin);

  // What goes.
  void flush();
  void send_close(CloseCode code, std::string_view reason);
  void send_pong();
  void on_flushed();

  // The end.
  void break_off(CloseCode code, std::string_view reason);
  void lose();
  void fail_stream();
  void wait_for_end();

  void raise(session::StreamEvent event, bool ok);
  void watch();
  std::uint32_t wanted_events() const;
  void set_deadline(runtime::Duration time);

  DoorShare& share_;
  LoopPart* part_;  ///< Null: it is on its way from one to another.
  Socket socket_;
  boost::asio::ip::tcp::endpoint peer_;
  Phase phase_;
  std::string in_;                     ///< The head; then what came behind it.
  std::string out_;                    ///< What the kernel has yet to take.
  std::optional<FrameReader> reader_;  ///< Once it speaks WebSocket.
  std::optional<runtime::TimePoint> deadline_;
  runtime::TimePoint last_look_{};
  std::uint32_t watched_ = 0;  ///< Events of epoll.

  const StreamKind* kind_ = nullptr;
  std::unique_ptr<StreamEnd> stream_;
  std::optional<session::CallOrigin> origin_;  ///< Of a stream that has yet to arrive.
  runtime::Payers payers_;
  session::BudgetShare memory_;  ///< Of the message that comes, where it is large.
  Incoming incoming_{*this};
  std::array<std::optional<bool>, 4> due_{};     ///< By StreamEvent: what is yet to be told.
  std::optional<session::StreamEvent> writing_;  ///< Told when all has gone out.
  bool is_listed_ = false;
  bool is_done_ = false;  ///< kDone has been raised.
  bool is_reading_ = false;
  bool is_turn_due_ = false;  ///< It reads when it goes on.
  bool holds_message_ = false;
  bool has_input_ended_ = false;
  bool has_peer_closed_ = false;
  bool is_broken_off_ = false;
  bool reads_at_ticks_ = false;

  // While it reads.
  std::size_t turn_bytes_left_ = 0;
  std::size_t thrown_away_bytes_ = 0;  ///< While it closes.
  bool is_in_turn_ = false;
  bool is_drained_ = false;
  bool is_cut_ = false;               ///< The client sends no more, or the connection is gone.
  bool* departed_ = nullptr;          ///< Set when it departs from within what it tells.
  std::unique_ptr<Connection> self_;  ///< While it is no part's.
};

}  // namespace sweepd::ws
