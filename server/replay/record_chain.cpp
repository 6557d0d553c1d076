// SPDX-License-Identifier: MIT
#include "replay/record_chain.h"

#include "replay/file_format.h"
#include "replay/little_endian.h"
#include "replay/sha256.h"

namespace sweepd::replay {

RecordChain::RecordChain(std::string_view header, std::uint32_t digest_version)
    : has_times_(digest_version >= kDigestVersionWithStatements),
      link_(sha256({has_times_ ? "sweepd replay 2\n" : "sweepd replay 1\n", header})) {}

const std::string& RecordChain::add(const v1::Chunk& chunk) {
  std::string fields = "chunk";
  append_number(fields, std::uint64_t{chunk.first_tick()});
  append_number(fields, std::uint64_t{chunk.tick_count()});
  link_ = sha256({link_, fields, chunk.content()});
  return link_;
}

const std::string& RecordChain::add(const v1::KeyFrame& key_frame) {
  std::string fields = "key frame";
  append_number(fields, std::uint64_t{key_frame.tick()});
  append_number(fields, std::uint64_t{key_frame.digest()});
  append_number(fields, std::uint32_t{key_frame.version()});
  if (has_times_) append_number(fields, static_cast<std::uint64_t>(key_frame.unix_ms()));
  link_ = sha256({link_, fields, key_frame.content()});
  return link_;
}

}  // namespace sweepd::replay
