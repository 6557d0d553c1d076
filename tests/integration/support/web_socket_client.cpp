// SPDX-License-Identifier: MIT
#include "integration/support/web_socket_client.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <cstdlib>
#include <utility>

#include "integration/support/blocking_socket.h"

namespace sweepd::test {
namespace {

namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;

/// What each frame of a test is masked with.
constexpr std::array<char, 4> kMask{0x11, 0x22, 0x33, 0x44};

google::rpc::Status status_in(const std::string& base64) {
  std::string bytes(base64.size(), '\0');
  const int size =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(base64.data()), static_cast<int>(base64.size()));
  const auto padding = static_cast<std::size_t>(std::count(base64.begin(), base64.end(), '='));
  bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size) - padding);
  google::rpc::Status status;
  status.ParseFromString(bytes);
  return status;
}

}  // namespace

struct WebSocketClient::Connection {
  Connection(int port, int receive_bytes_max) : stream(port, receive_bytes_max) {}
  websocket::stream<BlockingSocket, false> stream;
  websocket::response_type answer;
};

std::string WebSocketClient::End::detail_reason() const {
  google::rpc::ErrorInfo info;
  for (const auto& detail : status.details())
    if (detail.UnpackTo(&info)) return info.reason();
  return {};
}

WebSocketClient::WebSocketClient(int port, const Options& options)
    : connection_(std::make_unique<Connection>(port, options.receive_bytes_max)) {
  auto& stream = connection_->stream;
  if (options.is_tls) stream.next_layer().shake_hands();
  stream.set_option(websocket::stream_base::decorator([options](websocket::request_type& request) {
    if (!options.subprotocols.empty())
      request.set(beast::http::field::sec_websocket_protocol, options.subprotocols);
    for (const auto& [name, value] : options.headers) request.set(name, value);
  }));
  stream.control_callback([this](websocket::frame_type kind, beast::string_view payload) {
    if (kind == websocket::frame_type::pong) pongs_.emplace_back(payload.data(), payload.size());
  });
  stream.read_message_max(0);
  beast::error_code error;
  stream.handshake(connection_->answer, "127.0.0.1:" + std::to_string(port), options.path, error);
  const std::string& line = stream.next_layer().first_bytes();
  if (line.starts_with("HTTP/1.1 ")) status_ = static_cast<unsigned>(std::atoi(line.c_str() + 9));
  if (!error) stream.binary(true);
}

WebSocketClient::~WebSocketClient() = default;

const std::string& WebSocketClient::answered(const std::string& header) {
  const auto value = connection_->answer[header];
  return answer_ = std::string(value.data(), value.size());
}

void WebSocketClient::send_binary(std::string_view message) {
  beast::error_code ignored;  // What has become of the stream `read` tells.
  connection_->stream.write(boost::asio::buffer(message.data(), message.size()), ignored);
}

void WebSocketClient::send_in_fragments(std::string_view message, std::size_t bytes) {
  std::uint8_t first_byte = 0x02;
  while (message.size() > bytes) {
    send_raw(frame(first_byte, message.substr(0, bytes)));
    message.remove_prefix(bytes);
    first_byte = 0x00;
  }
  send_raw(frame(first_byte | 0x80, message));
}

void WebSocketClient::send_ping(std::string_view payload) { send_raw(frame(0x89, payload)); }

bool WebSocketClient::send_raw(std::string_view bytes) {
  boost::system::error_code error;
  while (!bytes.empty() && !error) {
    bytes.remove_prefix(connection_->stream.next_layer().write_some(
        boost::asio::const_buffer(bytes.data(), bytes.size()), error));
  }
  return !error;
}

std::string WebSocketClient::frame(std::uint8_t first_byte, std::string_view payload,
                                   std::optional<std::uint64_t> length, bool is_masked) {
  const std::uint64_t said = length.value_or(payload.size());
  const int bytes_of_length = said < 126 ? 0 : said <= 0xffff ? 2 : 8;
  std::string text(1, static_cast<char>(first_byte));
  const auto short_length = static_cast<std::uint8_t>(bytes_of_length == 0   ? said
                                                      : bytes_of_length == 2 ? 126
                                                                             : 127);
  text += static_cast<char>(short_length | (is_masked ? 0x80 : 0));
  for (int byte = bytes_of_length - 1; byte >= 0; --byte)
    text += static_cast<char>(said >> (8 * byte) & 0xff);
  if (!is_masked) return text.append(payload);
  text.append(kMask.data(), kMask.size());
  for (std::size_t i = 0; i < payload.size(); ++i)
    text += static_cast<char>(payload[i] ^ kMask[i % kMask.size()]);
  return text;
}

std::optional<std::string> WebSocketClient::read() {
  while (!has_ended_) {
    beast::flat_buffer buffer;
    beast::error_code error;
    connection_->stream.read(buffer, error);
    if (error) {
      note_end();
      break;
    }
    std::string message(static_cast<const char*>(buffer.data().data()), buffer.size());
    if (!connection_->stream.got_text()) return message;
    end_.status = status_in(message);
  }
  return std::nullopt;
}

void WebSocketClient::note_end() {
  has_ended_ = true;
  const websocket::close_reason& reason = connection_->stream.reason();
  end_.code = reason.code;
  end_.reason = std::string(reason.reason.data(), reason.reason.size());
}

const WebSocketClient::End& WebSocketClient::end() {
  while (read()) continue;
  return end_;
}

void WebSocketClient::close(unsigned code) {
  send_raw(frame(0x88, std::string{static_cast<char>(code >> 8), static_cast<char>(code & 0xff)}));
}

void WebSocketClient::cut() { connection_->stream.next_layer().reset(); }

v1::PlayResponse WebSocketClient::join(const std::string& match_id, const std::string& name, v1::Role role) {
  v1::PlayRequest request;
  request.mutable_join()->set_match_id(match_id);
  request.mutable_join()->set_name(name);
  request.mutable_join()->set_role(role);
  send(request);
  return read_as<v1::PlayResponse>().value_or(v1::PlayResponse());
}

std::optional<v1::TickUpdate> WebSocketClient::update_with(bool (*wanted)(const v1::TickUpdate&)) {
  while (auto response = read_as<v1::PlayResponse>())
    if (response->has_update() && wanted(response->update())) return response->update();
  return std::nullopt;
}

}  // namespace sweepd::test
