// SPDX-License-Identifier: MIT
//
// Protects: no bytes whatsoever make the verification of input logs do more than say what is wrong with them.
// Inputs are tried as a file, and as the records of one whose header is right: then they get further.
#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "verification/input_log.h"
#include "verification/input_log_verification.h"

namespace sweepd::verification {
namespace {

/// The library that reads logs would tell of each that is wrong.
const google::protobuf::LogSilencer kSilencer;

void verify_some(std::string_view bytes) {
  replay::VerificationOptions options;
  int ticks = 0;
  options.is_cancelled = [&ticks] { return ++ticks > 100; };
  const auto result = verify_any(bytes, options);
  SWEEPD_ASSERT((result.verdict == replay::ReplayVerdict::kVerified) == result.what.empty());
}

std::string record(const v1::InputLogRecord& message) {
  std::string bytes;
  for (std::uint64_t rest = message.ByteSizeLong();; rest >>= 7) {
    bytes += static_cast<char>((rest & 0x7f) | (rest >= 0x80 ? 0x80 : 0));
    if (rest < 0x80) break;
  }
  return bytes + message.SerializeAsString();
}

std::string start() {
  v1::InputLogRecord header;
  v1::MatchConfig& config = *header.mutable_header()->mutable_config();
  for (const char* layer : {"player", "shot", "enemy"}) config.add_layers(layer);
  for (const char* layer : {"player", "shot"}) {
    config.add_collides()->set_layer_a(layer);
    config.mutable_collides(config.collides_size() - 1)->set_layer_b("enemy");
  }
  config.add_scoring()->set_layer_a("shot");
  config.mutable_scoring(0)->set_layer_b("enemy");
  config.mutable_scoring(0)->set_points(10);
  v1::InputLogRecord opening;
  opening.mutable_tick()->set_tick(1);
  for (std::uint32_t i = 0; i < 2; ++i) {
    v1::InputLogInput& input = *opening.mutable_tick()->add_inputs();
    input.set_participant(i);
    input.mutable_join()->set_name("guest " + std::to_string(i));
    input.mutable_join()->set_role(i == 0 ? v1::ROLE_PLAYER : v1::ROLE_STAGE);
  }
  return std::string(kInputLogMagic) + std::string("\x01\0\0\0", 4) + record(header) + record(opening);
}

/// The rest of each input is a tick's worth of inputs.
void play(std::string_view bytes) {
  v1::InputLogRecord tick;
  if (!tick.mutable_tick()->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  tick.mutable_tick()->set_tick(2);
  v1::InputLogRecord end;
  end.mutable_end()->set_tick_count(30);
  static const std::string beginning = start();
  verify_some(beginning + record(tick) + record(end));
}

}  // namespace
}  // namespace sweepd::verification

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'T':
      sweepd::verification::play(bytes);
      break;
    case 'R': {
      static const std::string beginning = sweepd::verification::start();
      sweepd::verification::verify_some(beginning + std::string(bytes));
      break;
    }
    default:
      sweepd::verification::verify_some({reinterpret_cast<const char*>(data), size});
  }
  return 0;
}
