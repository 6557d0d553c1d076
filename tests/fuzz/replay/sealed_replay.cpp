// SPDX-License-Identifier: MIT
#include "fuzz/replay/sealed_replay.h"

#include <cstdint>
#include <optional>

#include "base/hash.h"
#include "replay/file_format.h"
#include "replay/footer_codec.h"
#include "replay/head.h"
#include "replay/little_endian.h"
#include "replay/record_chain.h"
#include "replay/sha256.h"
#include "replay/varint.h"

namespace sweepd::replay {

std::string sealed_replay(std::string_view records) {
  std::string file(kMagic);
  append_number(file, kFormatVersionOfAnyConfig);
  std::uint64_t footer = 0;
  std::optional<RecordChain> chain;
  while (!records.empty()) {
    VarintReader reader(records);
    const auto length = reader.next();
    if (!length || *length > reader.bytes_left()) break;
    const std::string_view content = records.substr(records.size() - reader.bytes_left(), *length);
    records = records.substr(records.size() - reader.bytes_left() + *length);
    v1::Record record;
    if (!record.ParseFromArray(content.data(), static_cast<int>(content.size()))) continue;
    if (record.has_header()) {
      std::string version;
      Head head;
      static_cast<void>(decode(record.header(), head));
      append_number(version, format_version_of(head));
      file.replace(kMagic.size(), version.size(), version);
      record.mutable_header()->set_config_digest(sha256({record.header().config()}));
      chain.emplace(record.SerializeAsString(), record.header().digest_version());
    }
    if (chain && record.has_chunk()) record.mutable_chunk()->set_link(chain->add(record.chunk()));
    if (chain && record.has_key_frame()) record.mutable_key_frame()->set_link(chain->add(record.key_frame()));
    if (chain && record.has_footer()) record.mutable_footer()->set_link(chain->last());
    if (record.has_footer()) footer = file.size();
    const std::string sealed = record.SerializeAsString();
    append_varint(file, sealed.size());
    file += sealed;
    append_number(file, base::hash_bytes(sealed));
  }
  append_number(file, footer);
  return file + std::string(kEndMagic);
}

}  // namespace sweepd::replay
