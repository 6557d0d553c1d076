// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frame_builder.h"
#include "object_ids.h"
#include "sweepd/status.h"

namespace sweepd::internal {

/// What a FrameAuthor writes to: the frame in progress and the ids that it may use.
struct FrameDraft {
  FrameDraft() = default;
  FrameDraft(const MatchConfig& config, ObjectIds block);

  /// What has to be known of a template.
  struct Kind {
    std::string name;
    bool ends_by_itself = false;  ///< The server may remove such an object without being told to.
  };

  FrameBuilder frame;
  ObjectIds ids;
  std::vector<bool> clearable_layers;  ///< By index.
  std::vector<Kind> templates;         ///< By place.
  std::uint32_t last_claim_number = 0;
};

/// Where a FrameAuthor has its draft from.
class DraftSource {
 public:
  /// Null: nothing can be changed now, and `why` says why.
  virtual FrameDraft* draft(Status* why) = 0;

  // In the words of errors.
  virtual const char* owner() const = 0;                          ///< Whose the block of ids is.
  virtual std::string all_ids(const ObjectIds& block) const = 0;  ///< Which are in use when all are.

 protected:
  ~DraftSource() = default;
};

}  // namespace sweepd::internal
