// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/message_lite.h>
#include <google/rpc/error.pb.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sweepd/v1/match_service.pb.h"

namespace sweepd::test {

inline constexpr const char* kPlayPath = "/sweepd.v1.MatchService/Play";
inline constexpr const char* kWatchPath = "/sweepd.v1.MatchService/Watch";
inline constexpr const char* kGetReplayPath = "/sweepd.v1.ReplayService/GetReplay";
inline constexpr const char* kVerifyReplayPath = "/sweepd.v1.ReplayService/VerifyReplay";

/// A client of the second door that has nothing in common with the server's code: Beast's. It sends what it
/// is told to, also what is no WebSocket. Nothing blocks for longer than 30 s.
class WebSocketClient {
 public:
  struct Options {
    std::string path = kPlayPath;
    std::string subprotocols = "sweepd.v1";
    std::vector<std::pair<std::string, std::string>> headers = {};
    bool is_tls = false;        ///< Any certificate will do.
    int receive_bytes_max = 0;  ///< That the kernel keeps of what is not read; 0: as it likes.
  };
  /// What became of a stream.
  struct End {
    unsigned code = 0;                  ///< 0: there was no close.
    std::string reason;                 ///< Of the close.
    google::rpc::Status status;         ///< That came before; empty: none.
    std::string detail_reason() const;  ///< ErrorInfo.reason of it.
  };

  /// Connects and shakes hands: `status` says with what success.
  WebSocketClient(int port, const Options& options);
  explicit WebSocketClient(int port) : WebSocketClient(port, Options()) {}
  ~WebSocketClient();

  unsigned status() const { return status_; }              ///< Of the answer by HTTP.
  const std::string& answered(const std::string& header);  ///< A field of it; empty: none.
  const std::string& subprotocol() { return answered("Sec-WebSocket-Protocol"); }

  void send(const google::protobuf::MessageLite& message) { send_binary(message.SerializeAsString()); }
  void send_binary(std::string_view message);
  /// In frames of at most so many bytes.
  void send_in_fragments(std::string_view message, std::size_t bytes);
  void send_ping(std::string_view payload);
  /// As they are. False: the other side has hung up.
  bool send_raw(std::string_view bytes);
  /// A masked frame, as the first byte of its header and its payload say; `length`: what it says of that.
  static std::string frame(std::uint8_t first_byte, std::string_view payload,
                           std::optional<std::uint64_t> length = std::nullopt, bool is_masked = true);

  /// The next message; nothing: the stream has ended.
  std::optional<std::string> read();
  template <typename Message>
  std::optional<Message> read_as() {
    const auto bytes = read();
    Message message;
    if (!bytes || !message.ParseFromString(*bytes)) return std::nullopt;
    return message;
  }
  /// Reads what is left; how the stream has ended.
  const End& end();
  /// The payloads of pongs that have come while it read.
  const std::vector<std::string>& pongs() const { return pongs_; }

  /// Says that it is done, without waiting for the other side.
  void close(unsigned code = 1000);
  /// As if the machine had gone.
  void cut();

  // Of Play.
  v1::PlayResponse join(const std::string& match_id, const std::string& name,
                        v1::Role role = v1::ROLE_PLAYER);
  /// The next update but those that say nothing of it; nothing: the stream has ended.
  std::optional<v1::TickUpdate> update_with(bool (*wanted)(const v1::TickUpdate&));

 private:
  struct Connection;
  void note_end();

  std::unique_ptr<Connection> connection_;
  unsigned status_ = 0;
  std::string answer_;
  End end_;
  bool has_ended_ = false;
  std::vector<std::string> pongs_;
};

}  // namespace sweepd::test
