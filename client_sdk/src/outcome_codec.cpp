// SPDX-License-Identifier: MIT
#include "outcome_codec.h"

#include "object_codec.h"
#include "shape_codec.h"

namespace sweepd::internal {

Checked encode(const Selection& selection, std::uint32_t layer_count, v1::Selection* out) {
  for (std::size_t i = 0; i < selection.layers.size(); ++i) {
    if (auto error = check_layer(selection.layers[i], layer_count)) {
      error->field.clear();  // The element itself, not a field of it.
      return std::move(*error).at(i).within("layers");
    }
    out->add_layers(selection.layers[i]);
  }
  if (!selection.region) return {};
  if (auto error = encode(*selection.region, out->mutable_region()))
    return std::move(*error).within("region");
  return {};
}

}  // namespace sweepd::internal
