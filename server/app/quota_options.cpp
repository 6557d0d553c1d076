// SPDX-License-Identifier: MIT
#include "app/quota_options.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace sweepd::app {
namespace {

using runtime::KeyKind;
using runtime::Resource;

struct Quota {
  Resource resource = Resource::kStreams;
  std::uint64_t most = 0;
};

/// Those without tickets, and without anything that is told apart by them.
bool is_of(Resource resource, KeyKind kind) {
  const bool is_of_addresses_alone =
      resource == Resource::kConnections || resource == Resource::kFailedTickets;
  return kind == KeyKind::kAddress || !is_of_addresses_alone;
}

std::string names_for(KeyKind kind) {
  std::string names;
  for (std::size_t i = 0; i < runtime::kResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    if (is_of(resource, kind)) names += (names.empty() ? "" : ", ") + std::string(name_of(resource));
  }
  return names;
}

/// "matches=2500". 0 is no limit, but of what is held there has to be one.
std::optional<Quota> parse(std::string_view text, KeyKind kind) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
  const std::size_t equals = text.find('=');
  const auto resource = runtime::resource_named(text.substr(0, equals));
  if (equals == std::string_view::npos || !resource || !is_of(*resource, kind)) return std::nullopt;
  Quota quota{*resource};
  const char* const end = text.data() + text.size();
  const auto [next, failure] = std::from_chars(text.data() + equals + 1, end, quota.most);
  if (failure != std::errc{} || next != end || quota.most > kMost) return std::nullopt;
  if (quota.most == 0 && is_held(quota.resource)) return std::nullopt;
  return quota;
}

const char* help_of(KeyKind kind) {
  switch (kind) {
    case KeyKind::kSubject:
      return "What the bearer of a ticket may have, who is no backend: NAME=N; may be given again";
    case KeyKind::kBackend:
      return "The same of a backend or an operator, which creates matches and asks about them";
    case KeyKind::kTenant:
      return "The same of all bearers of a tenant's tickets together";
    case KeyKind::kAddress:
      break;
  }
  return "The same of a client's address, whatever tickets it shows";
}

}  // namespace

void describe_quotas(CLI::App& app, runtime::ClientLimits& limits) {
  for (const KeyKind kind : runtime::kAllKeyKinds) {
    const auto take = [&limits, kind](const std::string& text) {
      const auto quota = parse(text, kind);
      if (!quota) throw CLI::ValidationError("\"" + text + "\" is not NAME=N; NAME: " + names_for(kind));
      limits.quotas[runtime::index_of(quota->resource)][kind] = quota->most;
    };
    app.add_option_function<std::vector<std::string>>(
           "--" + std::string(name_of(kind)) + "-max",
           [take](const std::vector<std::string>& texts) { std::ranges::for_each(texts, take); },
           help_of(kind))
        ->type_name("NAME=N")
        ->group("Quotas");
  }
}

}  // namespace sweepd::app
