// SPDX-License-Identifier: MIT
//
// Writes what a fuzzer begins with into a folder: small replays, and the ticks and configs in them.
#include <filesystem>
#include <fstream>
#include <string>

#include "recordings/forgery.h"
#include "recordings/random_match.h"
#include "recordings/replay_bytes.h"
#include "replay/config_codec.h"
#include "replay/tick_encoder.h"
#include "replay/varint.h"

namespace sweepd {
namespace {

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void write_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const replay::SigningKey key = replay::SigningKey::generate();
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::string name = std::to_string(seed);
    const auto ticks = static_cast<std::uint32_t>(seed * 3);
    std::string records = "R";
    const auto file =
        recordings::random_replay(seed, ticks, {.writer = {5}, .key = &key, .key_frame_ticks = 5});
    for (const auto& record : recordings::Forgery(file).records) {
      replay::append_varint(records, record.ByteSizeLong());
      records += record.SerializeAsString();
    }
    write(folder / ("file" + name), file);
    write(folder / ("records" + name), records);
    write(folder / ("config" + name), "C" + replay::encode_config(recordings::random_match_config(seed)));
    replay::TickEncoder encoder;
    for (const auto& record : recordings::record_random_match(seed, ticks)) encoder.add(record);
    write(folder / ("ticks" + name), "T" + encoder.take());
  }
}

}  // namespace
}  // namespace sweepd

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  sweepd::write_seeds(argv[1]);
  return 0;
}
