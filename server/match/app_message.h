// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "match/role.h"

namespace sweepd::match {

/// Bytes of the game's own, from a participant to others; without effect on the match. It is told with the
/// tick in which its frame applies.
struct AppMessage {
  static constexpr std::size_t kBytesMax = 1024;
  static constexpr std::size_t kPerFrameMax = 16;  ///< Of those that a frame may have.

  /// To whom. The sender is none of several.
  enum class To : std::uint8_t { kAll = 0, kParticipant = 1, kRole = 2 };

  To to = To::kAll;
  std::uint32_t number = 0;  ///< Of the participant, or of the role as in the public contract.
  std::string bytes = {};
  friend bool operator==(const AppMessage&, const AppMessage&) = default;
};

/// A message that has arrived.
struct ToldMessage {
  std::uint32_t from = 0;  ///< Number of the participant.
  AppMessage message = {};

  /// Whether it is for a participant of that number and role.
  bool is_for(std::uint32_t receiver, Role role) const {
    if (message.to == AppMessage::To::kParticipant) return receiver == message.number;
    return receiver != from && is_for(role);
  }
  /// Whether it is for those of that role.
  bool is_for(Role role) const {
    if (message.to == AppMessage::To::kRole) return static_cast<std::uint32_t>(role) == message.number;
    return message.to == AppMessage::To::kAll;
  }
};

}  // namespace sweepd::match
