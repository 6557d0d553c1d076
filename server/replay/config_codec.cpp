// SPDX-License-Identifier: MIT
#include "replay/config_codec.h"

#include <concepts>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/assert.h"
#include "codec/field_codec.h"
#include "match/field_walk.h"
#include "replay/file_format.h"
#include "replay/part_codec.h"
#include "sweepd/replay/v1/config.pb.h"

namespace sweepd::replay {
namespace {

using codec::Path;
using match::FieldError;
using match::MatchConfig;
using Names = std::optional<std::vector<std::string>>;

/// What came when there were replays already. It is left out where it is as by default.
template <typename Value, typename Access, typename Message>
constexpr bool is_later() {
  if (std::is_same_v<Value, match::Budgets> || std::is_same_v<Value, match::ClockWaits> ||
      std::is_same_v<Value, match::Permissions>)
    return true;
  constexpr bool kMayBeAbsent = requires(const Access& access, const Message& message) {
    access.has(message);
  };
  return kMayBeAbsent && !codec::Structure<Value> && !codec::kIsOptional<Value>;
}

struct Dialect {
  codec::FirstFault<FieldError> fault{{"broadphase", "sector_scheme", "clock", "late_frames",
                                       "required_roles", "clock_control_roles", "waits", "slots", "claims"}};

  template <typename Struct, typename Row, typename Message>
  static bool is_left_out(const Row& row, const Struct& from, const Message&) {
    constexpr bool kMayBe = is_later<codec::ValueOf<Struct, Row>, decltype(row.access), Message>();
    return kMayBe && match::is_as_by_default(row, from);
  }
  template <typename Value, typename Access, typename Message>
  static bool is_given(const Access& access, const Message& message) {
    if constexpr (is_later<Value, Access, Message>()) return access.has(message);
    return true;
  }

  static std::uint32_t number_of(auto kind) { return static_cast<std::uint32_t>(kind); }
  template <typename Kind>
  void read_kind(std::uint32_t number, Kind& kind, const Path& path) {
    const match::Range known = match::numbers_of(kind);
    if (number >= known.min && number <= known.max) {
      kind = static_cast<Kind>(number);
    } else {
      fault.note(path, *match::check_number(path.text(false), number, known));
    }
  }

  void write(match::RoleSet roles, const auto& access, auto& message, const Path& path) {
    codec::write_list(*this, roles.list(), *access.open(message), path);
  }
  void read(const auto& access, const auto& message, match::RoleSet& roles, const Path& path) {
    std::vector<match::Role> list;
    codec::read_list(*this, access.get(message), list, path);
    roles = match::RoleSet(list);
  }

  void write(const std::same_as<Names> auto& names, const auto& access, auto& message, const Path& path) {
    if (names) codec::write_list(*this, *names, *access.open(message)->mutable_names(), path);
  }
  void read(const auto& access, const auto& message, Names& names, const Path& path) {
    if (access.has(message)) codec::read_list(*this, access.get(message).names(), names.emplace(), path);
  }

  void write(const std::vector<collision::Part>& parts, const auto& access, auto& message, const Path&) {
    encode_parts(parts, *access.open(message));
  }
  void read(const auto& access, const auto& message, std::vector<collision::Part>& parts, const Path& path) {
    if (const auto found = decode_parts(access.get(message), parts)) fault.note(path, {path.text(), *found});
  }

  // The fields of these three are the config's own.
  void write(const match::Ruleset& ruleset, const auto&, v1::Config& config, const Path&) {
    config.set_ruleset_name(ruleset.name);
    config.set_ruleset_version(ruleset.version);
  }
  void read(const auto&, const v1::Config& config, match::Ruleset& ruleset, const Path&) {
    ruleset = {config.ruleset_name(), config.ruleset_version()};
  }
  void write(const match::SectorGridConfig& grid, const auto&, v1::Config& config, const Path&) {
    config.set_sector_scheme(number_of(grid.scheme));
    config.set_sector_size(grid.sector_size);
  }
  void read(const auto&, const v1::Config& config, match::SectorGridConfig& grid, const Path&) {
    read_kind(config.sector_scheme(), grid.scheme, Path("sector_scheme"));
    grid.sector_size = config.sector_size();
  }
  void write(const match::LockstepConfig& lockstep, const auto&, v1::Config& config, const Path&) {
    codec::write_fields(*this, lockstep, config);
  }
  void read(const auto&, const v1::Config& config, match::LockstepConfig& lockstep, const Path&) {
    codec::read_fields(*this, config, lockstep);
  }
};

}  // namespace

std::string encode_config(const MatchConfig& config) {
  v1::Config message;
  Dialect dialect;
  codec::write_fields(dialect, config, message);
  if (config.budgets.filled_in != 0) message.mutable_budgets()->set_filled_in(config.budgets.filled_in);
  return message.SerializeAsString();
}

base::Result<MatchConfig, FieldError> decode_config(std::string_view bytes) {
  v1::Config message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return FieldError{"config", std::to_string(bytes.size()) + " bytes that are no message of a config"};
  }
  MatchConfig config;
  Dialect dialect;
  codec::read_fields(dialect, message, config);
  config.budgets.filled_in = message.budgets().filled_in();
  if (dialect.fault.error()) return *dialect.fault.error();
  return config;
}

std::uint32_t format_version_of(const MatchConfig& config) {
  std::uint32_t version = kFormatVersionOfAnyConfig;
  match::for_each_field_within(config, [&](const auto& field, const auto& owner, auto) {
    if (field.format_version > version && !match::is_as_by_default(field, owner))
      version = field.format_version;
  });
  SWEEPD_ASSERT(version <= kFormatVersion);
  return version;
}

std::uint32_t format_version_of(std::string_view config_bytes) {
  const auto config = decode_config(config_bytes);
  return config ? format_version_of(*config) : kFormatVersionOfAnyConfig;
}

}  // namespace sweepd::replay
