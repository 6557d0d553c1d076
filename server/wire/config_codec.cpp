// SPDX-License-Identifier: MIT
#include "wire/config_codec.h"

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "codec/field_codec.h"
#include "wire/shape_codec.h"

namespace sweepd::wire {
namespace {

using codec::Path;
using match::FieldError;
using Names = std::optional<std::vector<std::string>>;

/// The contract counts the values of an enumeration from 1, behind UNSPECIFIED; the domain mostly does.
template <typename Kind>
constexpr int kOffset = 1 - static_cast<int>(match::numbers_of(Kind()).min);

struct Dialect {
  codec::FirstFault<FieldError> fault{{"clock", "late_frames", "broadphase", "lockstep", "waits",
                                       "clock_control_roles", "slots", "sector_grid"}};

  template <typename Struct, typename Row>
  static bool is_left_out(const Row& row, const Struct& from, const auto&) {
    using Value = codec::ValueOf<Struct, Row>;
    if constexpr (std::is_same_v<Value, match::Ruleset> || std::is_same_v<Value, match::Budgets> ||
                  std::is_same_v<Value, match::Permissions>) {
      return from.*row.member == Value();
    }
    // See encode_mask_rows.
    return std::is_same_v<Struct, match::MaskConfig> && std::string_view(row.name) == "rows";
  }

  /// There is a default for a 0 that might as well be absent, but for no role.
  template <typename Value>
  static bool is_given(const auto& access, const auto& message) {
    if constexpr (requires { access.has(message); }) {
      return access.has(message);
    } else {
      return std::is_same_v<Value, match::Role> ||
             access.get(message) != std::remove_cvref_t<decltype(access.get(message))>();
    }
  }

  void note_count(const Path& path, std::size_t count, const match::Range& range) {
    if (const match::Found error = match::check_count(path.text(), count, range)) fault.note(path, *error);
  }

  template <typename Kind>
  static int number_of(Kind kind) {
    return static_cast<int>(kind) + kOffset<Kind>;
  }
  template <typename Kind>
  void read_kind(int number, Kind& kind, const Path& path) {
    const bool is_of_limits = std::is_same_v<Kind, match::Role> && path.first() == "limits";
    const int last =
        is_of_limits ? v1::ROLE_STAGE : static_cast<int>(match::numbers_of(kind).max) + kOffset<Kind>;
    if (number > 0 && number <= last) {
      kind = static_cast<Kind>(number - kOffset<Kind>);
    } else {
      fault.note(path, {path.text(), refusal<Kind>(number, is_of_limits)});
    }
  }

  void write(match::RoleSet roles, const auto& access, auto& message, const Path& path) {
    codec::write_list(*this, roles.list(), *access.open(message)->mutable_roles(), path);
  }
  void read(const auto& access, const auto& message, match::RoleSet& roles, const Path& path) {
    if (!access.has(message)) return;
    std::vector<match::Role> list;
    codec::read_list(*this, access.get(message).roles(), list, Path("roles", &path));
    roles = match::RoleSet(list);
  }

  void write(const std::same_as<Names> auto& layers, const auto& access, auto& message, const Path& path) {
    if (layers) codec::write_list(*this, *layers, *access.open(message)->mutable_layers(), path);
  }
  void read(const auto& access, const auto& message, Names& layers, const Path& path) {
    if (access.has(message)) codec::read_list(*this, access.get(message).layers(), layers.emplace(), path);
  }

  void write(const std::vector<collision::Part>& parts, const auto& access, auto& message, const Path&) {
    for (const collision::Part& part : parts) encode_part(part, *access.open(message)->Add());
  }
  void read(const auto& access, const auto& message, std::vector<collision::Part>& parts, const Path&) {
    parts = decode_parts(access.get(message));
  }

 private:
  template <typename Kind>
  static std::string refusal(int number, bool is_of_limits) {
    const char* known = nullptr;
    if (std::is_same_v<Kind, match::Role>)
      known = is_of_limits ? "PLAYER or STAGE" : "PLAYER, STAGE or OBSERVER";
    if (std::is_same_v<Kind, match::StartTimeout>) known = "START or END_MATCH";
    if (known == nullptr) return "unknown value " + std::to_string(number);
    return known + (" is required, not " + std::to_string(number));
  }
};

/// In LOCKSTEP clients that wait for the ticks to send the next frames must see each of them.
constexpr std::uint32_t kLockstepHeartbeatTicks = 1;

}  // namespace

std::optional<match::Role> decode_role(v1::Role role) {
  if (role < v1::ROLE_PLAYER || role > v1::ROLE_OBSERVER) return std::nullopt;
  return static_cast<match::Role>(role);
}

v1::Role encode_role(match::Role role) { return static_cast<v1::Role>(role); }

base::Result<match::MatchConfig, FieldError> decode_config(const v1::MatchConfig& message) {
  match::MatchConfig config;
  Dialect dialect;
  codec::read_fields(dialect, message, config);
  if (dialect.fault.error()) return *dialect.fault.error();
  if (config.clock == match::ClockKind::kLockstep && message.heartbeat_ticks() == 0) {
    config.heartbeat_ticks = kLockstepHeartbeatTicks;
  }
  return config;
}

void encode_config(const match::MatchConfig& config, v1::MatchConfig& message) {
  Dialect dialect;
  codec::write_fields(dialect, config, message);
}

void encode_mask_rows(const match::MatchConfig& config, v1::MatchConfig& message) {
  for (std::size_t i = 0; i < config.masks.size(); ++i) {
    message.mutable_masks(static_cast<int>(i))->set_rows(config.masks[i].rows);
  }
}

}  // namespace sweepd::wire
