// SPDX-License-Identifier: MIT
#include "runtime/budgets/resource.h"

namespace sweepd::runtime {
namespace {

struct ResourceRow {
  std::string_view name;
  /// Of addresses; empty: that of the other kinds.
  std::string_view flag_of_address = {};
};

constexpr std::array<ResourceRow, kResources> kRows{{
    {"connections", "--connections-per-client-max"},
    {"streams", "--streams-per-client-max"},
    {"calls", "--calls-per-client-max"},
    {"matches", "--matches-per-client-max"},
    {"seats"},
    {"bytes", "--message-mib-per-client-max"},
    {"verifications"},
    {"verification_bytes"},
    {"frames_per_s"},
    {"frame_bytes_per_s"},
    {"query_tests_per_s"},
    {"claims_per_s"},
    {"journal_bytes_per_s", "--journal-address-kib-per-s"},
    {"failed_tickets_per_s"},
    {"replay_bytes"},
}};

}  // namespace

std::string_view name_of(Resource resource) { return kRows.at(index_of(resource)).name; }

std::optional<Resource> resource_named(std::string_view name) {
  for (std::size_t i = 0; i < kResources; ++i) {
    if (kRows[i].name == name) return static_cast<Resource>(i);
  }
  return std::nullopt;
}

std::string flag_of(Resource resource, KeyKind kind) {
  const ResourceRow& row = kRows.at(index_of(resource));
  if (kind == KeyKind::kAddress && !row.flag_of_address.empty()) return std::string(row.flag_of_address);
  return "--" + std::string(name_of(kind)) + "-max " + std::string(row.name) + "=N";
}

}  // namespace sweepd::runtime
