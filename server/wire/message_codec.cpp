// SPDX-License-Identifier: MIT
#include "wire/message_codec.h"

namespace sweepd::wire {

match::AppMessage decode_message(const v1::AppMessage& message) {
  using To = match::AppMessage::To;
  match::AppMessage decoded{.bytes = message.content().substr(0, match::AppMessage::kBytesMax + 1)};
  if (message.has_to_participant()) {
    decoded.to = To::kParticipant;
    decoded.number = message.to_participant();
  } else if (message.to_role() != v1::ROLE_UNSPECIFIED) {
    decoded.to = To::kRole;
    decoded.number = static_cast<std::uint32_t>(message.to_role());
  }
  return decoded;
}

void encode_message(const match::AppMessage& message, v1::AppMessage& out) {
  using To = match::AppMessage::To;
  out.set_content(message.bytes);
  if (message.to == To::kParticipant) out.set_to_participant(message.number);
  if (message.to == To::kRole) out.set_to_role(static_cast<v1::Role>(message.number));
}

}  // namespace sweepd::wire
