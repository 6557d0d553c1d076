// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sweepd/types.h"
#include "tools/sweepctl/toml_reader.h"

/// The parts of a match file that are not simply fields of the config: match_file_fields.h has the others.
namespace sweepd::tools {

/// The names of layers that other parts of a file may use.
class LayerNames {
 public:
  /// `are_complete`: false where some could not be read; then no unknown name is an error.
  LayerNames(const std::vector<std::string>& names, bool are_complete)
      : names_(names), are_complete_(are_complete) {}

  /// Notes an error if the field is no name of a layer.
  bool to_layer(const TomlField& field, std::string& layer) const;
  bool is_known(const std::string& name) const;
  const std::vector<std::string>& names() const { return names_; }
  bool are_complete() const { return are_complete_; }

 private:
  const std::vector<std::string>& names_;
  bool are_complete_;
};

/// `config` has to outlive the names.
LayerNames read_layers(TomlTable& file, MatchConfig& config);
/// [collides] and [[contacts]]: pairs in the order of the file, each once. `read_rules`: what an entry of
/// [[contacts]] says of its pair besides the layers.
void read_collides(TomlTable& file, const LayerNames& layers,
                   const std::function<void(TomlTable&, CollidingLayers&)>& read_rules, MatchConfig& config);
/// `{layer = "player", circle = [x, y, radius]}`, or box, capsule, mask; of a shape of a template.
bool read_part(const TomlField& field, const LayerNames& layers, Part& part);
/// `folder`: what the paths of pictures are relative to.
void read_masks(TomlTable& file, const std::filesystem::path& folder, MatchConfig& config);

}  // namespace sweepd::tools
