// SPDX-License-Identifier: MIT
#include "tools/sweepctl/field_places.h"

namespace sweepd::tools {

void FieldPlaces::forget(std::string_view field) {
  std::erase_if(places_, [field](const auto& place) {
    const std::string_view name = place.first;
    if (!name.starts_with(field)) return false;
    return name.size() == field.size() || name[field.size()] == '.' || name[field.size()] == '[';
  });
}

std::optional<FieldPlace> FieldPlaces::find(std::string_view field) const {
  while (!field.empty()) {
    if (const auto found = places_.find(field); found != places_.end()) return found->second;
    const auto end = field.find_last_of(".[");
    if (end == std::string_view::npos) return std::nullopt;
    field = field.substr(0, end);
  }
  return std::nullopt;
}

}  // namespace sweepd::tools
