// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sweepd::test {

/// A client of HTTP/2 that keeps to no rules: it sends the frames that it is told to, however many and
/// however wrong. Nothing blocks for longer than 10 s.
class RawHttp2 {
 public:
  struct Options {
    bool is_tls = false;                 ///< Any certificate will do.
    std::string from = "127.0.0.1";      ///< Address of this machine.
    std::uint32_t window_bytes = 65535;  ///< Of the answers of a stream that the server may send unasked.
    bool says_hello = true;              ///< What HTTP/2 begins with.
    std::string before_hello = {};       ///< A header of the PROXY protocol.
  };
  RawHttp2(int port, const Options& options);
  ~RawHttp2();
  RawHttp2(const RawHttp2&) = delete;
  RawHttp2& operator=(const RawHttp2&) = delete;

  /// False: the other side has hung up, or takes nothing.
  bool send(std::string_view bytes);
  /// The type of the next frame; -1 at the end, or if none comes.
  int read_frame();
  /// Throws away what has come. False: the other side has hung up.
  bool drain();
  /// Whether a server of HTTP/2 answers: it says its settings first.
  bool is_served() { return read_frame() == kSettings; }

  static constexpr int kData = 0;
  static constexpr int kHeaders = 1;
  static constexpr int kResetStream = 3;
  static constexpr int kSettings = 4;
  static constexpr int kPing = 6;
  static constexpr int kGoAway = 7;
  static constexpr int kContinuation = 9;
  static constexpr int kEndStream = 1;
  static constexpr int kAcknowledged = 1;  ///< Of settings.
  static constexpr int kEndHeaders = 4;

  static std::string frame(int type, int flags, std::uint32_t stream, std::string_view payload);
  /// A header block that calls `path`, "/sweepd.v1.MatchService/GetMatch".
  static std::string call_headers(std::string_view path);
  /// A call with one message, a whole one unless its stream is to stay open.
  static std::string call(std::uint32_t stream, std::string_view path, std::string_view message,
                          int flags = kEndStream);
  /// PROXY protocol, version 2: a TCP connection of that address of version 4.
  static std::string proxy_header(std::string_view client);

 private:
  struct Tls;
  bool read_exactly(char* to, std::size_t size);
  long read_some(char* to, std::size_t size, bool waits);

  int descriptor_ = -1;
  std::unique_ptr<Tls> tls_;
};

}  // namespace sweepd::test
