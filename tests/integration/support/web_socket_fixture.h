// SPDX-License-Identifier: MIT
#pragma once

#include "integration/support/server_fixture.h"
#include "integration/support/web_socket_client.h"

namespace sweepd::test {

/// A server with both doors, and a match of it.
class WebSocketTest : public ServerTest {
 protected:
  void SetUp() override { serve({}); }

  void serve(std::vector<std::string> options) {
    const std::string port_file = (folder_.path() / "ws-port").string();
    options.insert(options.end(),
                   {"--log-level", "debug", "--ws-listen", "127.0.0.1:0", "--ws-port-file", port_file});
    start(options);
    port_ = std::stoi(read_file(port_file));
  }

  int port() const { return port_; }

  std::string create(ClockKind clock) { return create(shooter_config(clock)); }
  std::string create(const MatchConfig& config) {
    auto sdk = client();
    return sdk.create_match(config)->match_id;
  }

  /// A stream of that path, open.
  std::unique_ptr<WebSocketClient> open(const WebSocketClient::Options& options = {}) {
    auto stream = std::make_unique<WebSocketClient>(port_, options);
    EXPECT_EQ(stream->status(), 101u);
    return stream;
  }
  std::unique_ptr<WebSocketClient> open(const char* path) {
    return open(WebSocketClient::Options{.path = path});
  }

  /// A match in which nothing else happens takes part in: the server is well, and so are its streams.
  void expect_served() {
    const auto stream = open();
    EXPECT_TRUE(stream->join(create(ClockKind::kManual), "someone").has_joined());
  }

  /// A frame with one object of 8 × 8 units in the middle.
  static v1::PlayRequest spawn(std::uint32_t id, std::uint32_t layer) {
    v1::PlayRequest request;
    v1::Spawn& spawned = *request.mutable_frame()->add_spawns();
    spawned.set_object_id(id);
    v1::Part& part = *spawned.add_parts();
    part.set_layer(layer);
    part.mutable_box()->set_max_x(8 * 256);
    part.mutable_box()->set_max_y(8 * 256);
    return request;
  }

 private:
  TemporaryFolder folder_;
  int port_ = 0;
};

}  // namespace sweepd::test
