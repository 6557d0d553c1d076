// SPDX-License-Identifier: MIT
#include "runtime/feed/world/world_kinds.h"

#include <algorithm>
#include <utility>

#include "base/byte_writer.h"
#include "collision/value_codec.h"

namespace sweepd::runtime {

std::string WorldKinds::key_of(const WorldKind& kind) {
  base::ByteWriter writer;
  writer.number(kind.owner);
  writer.number(kind.template_number);
  collision::write(writer, std::span<const collision::Part>(kind.parts));
  return writer.take();
}

std::uint32_t WorldKinds::number_of(match::ParticipantNumber owner, match::TemplateNumber template_number,
                                    std::span<const collision::Part> parts, WorldTick& tick) {
  WorldKind kind{owner, template_number, {parts.begin(), parts.end()}};
  const auto next = static_cast<std::uint32_t>(first_ + kinds_.size());
  const auto [known, is_new] = numbers_.try_emplace(key_of(kind), next);
  if (!is_new) return known->second;
  if (tick.kinds.empty()) tick.first_kind = next;
  tick.kinds.push_back(kind);
  parts_ += kind.parts.size();
  kinds_.push_back(std::move(kind));
  return next;
}

void WorldKinds::forget(WorldTick& tick) {
  first_ += static_cast<std::uint32_t>(kinds_.size());
  kinds_.clear();
  numbers_.clear();
  parts_ = 0;
  tick.forgets_kinds = true;
  tick.first_kind = first_;
}

void WorldKinds::tell(std::vector<std::uint32_t> used, WorldTick& tick) {
  std::ranges::sort(used);
  std::uint32_t number = first_;
  for (WorldKind& kind : kinds_) {
    if (std::ranges::binary_search(used, number++) || kind.parts.empty()) continue;
    numbers_.erase(key_of(kind));
    parts_ -= kind.parts.size();
    kind = {};
  }
  tick.first_kind = first_;
  tick.kinds = kinds_;
}

}  // namespace sweepd::runtime
