// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "session/update_codec.h"

namespace sweepd::session {

/// The next update of a stream, which is collected when the one before has been taken. Response has a field
/// `update`.
template <typename Response>
class Outbox final : public runtime::ReportSink {
 public:
  explicit Outbox(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  void add(const runtime::TickReport& report) override { builder_.add(report, *message_.mutable_update()); }
  bool is_full() const override { return builder_.bytes() >= bytes_max_; }

  /// There is no next update: this one takes all.
  void lift_bound() { bytes_max_ = std::numeric_limits<std::size_t>::max(); }

  /// Told with whatever else is told.
  void set_durable_tick(match::Tick tick) { message_.mutable_update()->set_durable_tick(tick); }

  /// For what is the stream's own.
  auto& update() { return *message_.mutable_update(); }

  bool is_empty() const { return builder_.empty(); }
  /// About as many as it takes on the wire.
  std::size_t bytes() const { return builder_.bytes(); }
  /// To be sent as it is.
  const Response& finished() {
    builder_.finish(*message_.mutable_update());
    return message_;
  }
  void clear() {
    const bool is_large = builder_.bytes() > kBytesKept;
    builder_.clear(*message_.mutable_update());
    if (is_large) Response().Swap(&message_);
  }

 private:
  /// The memory of a larger one is given back: of many streams that would be much, and for long.
  static constexpr std::size_t kBytesKept = std::size_t{512} << 10;

  std::size_t bytes_max_;
  UpdateBuilder builder_;
  Response message_;
};

}  // namespace sweepd::session
