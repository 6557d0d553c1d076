// SPDX-License-Identifier: MIT
#include "config_codec.h"

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "clock_codec.h"
#include "codec/field_codec.h"
#include "shape_codec.h"
#include "subunits.h"
#include "sweepd/config_fields.h"
#include "sweepd/config_message.h"

namespace sweepd::internal {
namespace {

using codec::Path;
using Layers = std::optional<std::vector<std::string>>;
using Roles = std::optional<std::vector<Role>>;

FieldError less_than_0(double units, const std::string& field) {
  if (field.ends_with("speed_max")) return {ErrorCode::kOutOfRange, "", "is less than 0"};
  if (field.ends_with("tolerance_max")) {
    return {ErrorCode::kInvalidArgument, "", "is " + std::to_string(units) + "; must be 0 or more"};
  }
  return {ErrorCode::kOutOfRange, "",
          "is " + std::to_string(units) + "; must be at least " + std::to_string(0.0)};
}

/// A template may be checked before the masks are: what the match has the server says.
constexpr std::uint32_t kMasksMax = 256;

struct Dialect {
  codec::FirstFault<FieldError> fault{{"playfield", "claims", "layer_limits"}};

  static bool is_left_out(const auto&, const auto&, const auto&) { return false; }
  /// What a server tells is what holds: a number of 0 is one.
  template <typename Value>
  static bool is_given(const auto& access, const auto& message) {
    if constexpr (codec::Structure<Value>) return access.has(message);
    return true;
  }

  /// The SDK's enumerators are in the order of the contract's, which begin with UNSPECIFIED.
  template <typename Kind>
  static int number_of(Kind kind) {
    if (std::is_same_v<Kind, ExitReason>) return static_cast<int>(kind);  // It has kNone.
    return swapped<Kind>(static_cast<int>(kind) + 1);
  }
  /// A value of a newer server is read as the SDK's first.
  template <typename Wire, typename Kind>
  void read_kind(Wire number, Kind& kind, const Path&) {
    if constexpr (std::is_same_v<Kind, ExitReason>) {
      kind = v1::ExitReason_IsValid(number) ? static_cast<Kind>(number) : ExitReason::kNone;
    } else {
      const bool is_known = google::protobuf::GetEnumDescriptor<Wire>()->FindValueByNumber(number) != nullptr;
      kind = is_known && number != 0 ? static_cast<Kind>(swapped<Kind>(number) - 1) : Kind();
    }
  }

  void write(std::same_as<double> auto units, const auto& access, auto& message, const Path& path) {
    std::int32_t subunits = 0;
    Checked error = to_subunits(units, "", &subunits);
    if (!error && subunits < 0) error = less_than_0(units, path.text());
    note(std::move(error), path);
    access.set(message, static_cast<std::uint32_t>(subunits));
  }
  void read(const auto& access, const auto& message, double& units, const Path&) {
    units = access.get(message) / kSubunitsPerUnit;
  }

  void write(const Box& box, const auto& access, auto& message, const Path& path) {
    note(internal::encode(box, access.open(message)), path);
  }
  void read(const auto& access, const auto& message, Box& box, const Path&) {
    box = internal::decode(access.get(message));
  }

  void write(const std::vector<Part>& parts, const auto& access, auto& message, const Path& path) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      v1::Part* const part = access.open(message)->Add();
      note(encode_shape(parts[i], kMasksMax, part), path.entry(static_cast<int>(i)));
      part->set_layer(parts[i].layer);
    }
  }
  void read(const auto& access, const auto& message, std::vector<Part>& parts, const Path&) {
    for (const v1::Part& part : access.get(message)) parts.push_back(internal::decode(part));
  }

  void write_entry(const BitMask& mask, v1::BitMask& message, const Path& path) {
    note(internal::encode(mask, &message), path);
  }
  void read_entry(const v1::BitMask& message, BitMask& mask) { mask = internal::decode(message); }

  void write(const std::same_as<Roles> auto& roles, const auto& access, auto& message, const Path& path) {
    if (roles) codec::write_list(*this, *roles, *access.open(message)->mutable_roles(), path);
  }
  void read(const auto& access, const auto& message, Roles& roles, const Path&) {
    if (!access.has(message)) return;
    roles.emplace();
    for (const int role : access.get(message).roles())
      roles->push_back(internal::decode(static_cast<v1::Role>(role)));
  }

  void write(const std::same_as<Layers> auto& layers, const auto& access, auto& message, const Path& path) {
    if (layers) codec::write_list(*this, *layers, *access.open(message)->mutable_layers(), path);
  }
  void read(const auto& access, const auto& message, Layers& layers, const Path& path) {
    if (access.has(message)) codec::read_list(*this, access.get(message).layers(), layers.emplace(), path);
  }

 private:
  /// The first two sector schemes are the other way round in the contract.
  template <typename Kind>
  static int swapped(int number) {
    return std::is_same_v<Kind, SectorScheme> && number <= 2 ? 3 - number : number;
  }

  void note(Checked error, const Path& path) {
    if (error) fault.note(path, std::move(*error).within(path.text()));
  }
};

}  // namespace

Checked encode(const MatchConfig& config, v1::MatchConfig* out) {
  Dialect dialect;
  codec::write_fields(dialect, config, *out);
  if (!dialect.fault.error()) return {};
  return FieldError(*dialect.fault.error()).within("config");
}

MatchConfig decode(const v1::MatchConfig& config) {
  MatchConfig out;
  Dialect dialect;
  codec::read_fields(dialect, config, out);
  return out;
}

}  // namespace sweepd::internal

namespace sweepd {

Result<std::string> config_message(const MatchConfig& config) {
  v1::MatchConfig message;
  if (const auto error = internal::encode(config, &message)) return error->status();
  return message.SerializeAsString();
}

}  // namespace sweepd
