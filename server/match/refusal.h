// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "collision/world.h"
#include "match/frame.h"
#include "match/rejection.h"
#include "match/shape_config.h"
#include "match/templates/template_config.h"
#include "match/templates/template_rule.h"

namespace sweepd::match {

/// Why one change was refused; where a part is at fault, which. Where it is for a limit of the config, the
/// numbers.
struct Refusal {
  static constexpr std::uint64_t kWithoutEnd = ~std::uint64_t{0};

  RejectionReason reason = RejectionReason::kMalformed;
  std::uint8_t part = 0;
  TemplateRule rule = TemplateRule::kNone;
  bool is_of_all_objects = false;  ///< kTooManyParts: of the participant's objects, and not of this one.
  bool is_of_match = false;        ///< kTooManyObjects, kTooManyParts: of all participants, by a budget.
  std::uint64_t found = 0;
  std::uint64_t limit = 0;
  std::uint32_t place = 0;  ///< Index of the limit, or of the template, in its list in the config.
  /// kRegion, kVelocity: what was found. It is told, and not counted: counts are in key frames, where these
  /// two never had numbers.
  struct Vector {
    std::int64_t x = 0;
    std::int64_t y = 0;
  };
  std::optional<Vector> vector = {};
};

/// The world's verdict in the words of the contract; nothing where the change was made.
std::optional<Refusal> refusal_of(collision::ChangeResult result);

/// A refusal for people: where in the frame, and what was found against which limit.
struct RefusalText {
  std::string field;
  std::string message;
  std::optional<BrokenRule> broken_rule =
      {};  ///< The same for programs, where a rule of the config is broken.
};

/// What a refusal says that has no words of its own. Descriptions never fail: a refused change ends no
/// server.
inline constexpr const char* kUndescribed = "the change is refused";

/// What the texts of one tick have in common.
struct RefusalContext {
  Tick tick = 0;  ///< In progress.
  std::uint32_t layer_count = 1;
  std::uint32_t objects_per_participant_max = 0;
  std::span<const MaskConfig> masks;
  std::span<const ObjectTemplate> templates = {};
};

/// "spawns[2]", where `index` is the place in the column or list `name`.
std::string indexed_field(const char* name, std::size_t index);

/// kTooManyObjects: which limit, as its path within the config.
std::string rule_of_object_count(const Refusal& refusal, const RefusalContext& context);
/// `who`: has them.
std::string describe_object_count(const std::string& who, Refusal refusal, const RefusalContext& context);

RefusalText describe_spawn(Refusal refusal, std::size_t index, const collision::ObjectSpec& spec,
                           const Participant& participant, const RefusalContext& context);
/// `position`: of the object, where it exists.
RefusalText describe_reshape(Refusal refusal, std::size_t index, const Reshape& reshape,
                             std::optional<collision::Point> position, const RefusalContext& context);
/// `part_count`: of the object, where it exists.
RefusalText describe_layer_change(Refusal refusal, std::size_t index, const LayerChange& change,
                                  std::size_t part_count, const RefusalContext& context);
/// `index`: in Frame::moves. `parts`: of the object, where it exists.
RefusalText describe_move(Refusal refusal, std::size_t index, std::size_t relative_moves, const Move& move,
                          std::span<const collision::Part> parts);
/// `index`: in Frame::teleports. `parts`: of the object, where it exists.
RefusalText describe_teleport(Refusal refusal, std::size_t index, const Move& teleport,
                              std::span<const collision::Part> parts);
RefusalText describe_motion(Refusal refusal, std::size_t index, const MotionChange& motion);
RefusalText describe_disable(Refusal refusal, std::size_t index, const Disable& disable,
                             const RefusalContext& context);
/// A change that names an object and can fail in nothing else. `field`: where it names the object.
RefusalText describe_object(Refusal refusal, std::string field, ObjectId object);

}  // namespace sweepd::match
