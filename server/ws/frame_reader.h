// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "ws/close_code.h"

struct wslay_frame_context;
struct wslay_frame_iocb;

namespace sweepd::ws {

/// Where a reader has its bytes from.
class FrameSource {
 public:
  /// Fills the beginning of `room` with what has come. How many bytes those are; 0: no more have come.
  virtual std::size_t take(std::span<std::uint8_t> room) = 0;
  /// Whether a message may become so large. Asked of each message that is not small, and again as it grows.
  virtual bool has_room(std::size_t bytes) = 0;

 protected:
  ~FrameSource() = default;
};

/// Reads what a client sends after its handshake: binary messages, whole or in fragments, and between them
/// pings and the close (RFC 6455). Everything else is a fault, and the end. What it keeps is one message and
/// 4 KiB.
class FrameReader {
 public:
  enum class Result : std::uint8_t { kNothing, kMessage, kClose, kFault };

  /// Why the connection must be closed.
  struct Fault {
    CloseCode code = CloseCode::kProtocolError;
    const char* what = "";
  };

  /// `bytes_max`: of a message. The source outlives the reader.
  FrameReader(FrameSource& source, std::size_t bytes_max);
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  /// Goes on until there is one of those. Nothing comes after kClose and kFault.
  Result next();

  /// The message after kMessage, until the next `next`. May be taken.
  std::string& message() { return message_; }
  /// What the peer has closed with, after kClose.
  CloseCode close_code() const { return close_code_; }
  const Fault& fault() const { return fault_; }
  /// What the last ping had that has not been answered.
  std::optional<std::string> take_ping() { return std::exchange(ping_, std::nullopt); }

 private:
  static std::ptrdiff_t take_bytes(std::uint8_t* room, std::size_t size, int flags, void* reader);
  std::optional<Fault> find_fault(const wslay_frame_iocb& frame) const;
  std::optional<Fault> begin_frame(const wslay_frame_iocb& frame);
  Result end_frame(const wslay_frame_iocb& frame);
  Result end_close();
  Result fail(Fault fault);

  FrameSource& source_;
  const std::size_t bytes_max_;
  wslay_frame_context* context_ = nullptr;
  std::string message_;
  std::string control_;            ///< Of the control frame that comes.
  std::uint64_t frame_bytes_ = 0;  ///< Of the frame that comes, so far.
  bool is_dry_ = false;            ///< The source had no more.
  bool is_in_frame_ = false;
  bool is_in_message_ = false;  ///< Its first frame has come, and not its last.
  bool is_message_over_ = true;
  std::optional<std::string> ping_;
  CloseCode close_code_ = CloseCode::kNone;
  std::optional<Result> end_;
  Fault fault_;
};

}  // namespace sweepd::ws
