// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/sweepctl/toml_reader.h"
#include "sweepd/types.h"

/// The parts of a match file, each from the file's outermost table into the config.
namespace sweepd::app {

inline constexpr std::array<Word<Role>, 3> kRoleWords{
    {{"player", Role::kPlayer}, {"stage", Role::kStage}, {"observer", Role::kObserver}}};

/// The names of layers that other parts of a file may use.
class LayerNames {
 public:
  /// `are_complete`: false where some could not be read; then no name is held against anybody.
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
/// [collides] and [[contacts]]: pairs in the order of the file, each once.
void read_collides(TomlTable& file, const LayerNames& layers, MatchConfig& config);
void read_clearable_layers(TomlTable& file, const LayerNames& layers, MatchConfig& config);
/// Of roles and of layers.
void read_limits(TomlTable& file, const LayerNames& layers, MatchConfig& config);
void read_scoring(TomlTable& file, const LayerNames& layers, MatchConfig& config);
/// Clock, late and early frames, history.
void read_time(TomlTable& file, MatchConfig& config);
/// How hit claims are judged.
void read_claims(TomlTable& file, MatchConfig& config);
/// Slots, ids, objects, reconnecting, the stage's handover.
void read_participants(TomlTable& file, MatchConfig& config);
/// Playfield and broadphase.
void read_world(TomlTable& file, MatchConfig& config);
/// Ruleset and seed.
void read_rules(TomlTable& file, MatchConfig& config);
/// `folder`: what the paths of pictures are relative to.
void read_masks(TomlTable& file, const std::filesystem::path& folder, MatchConfig& config);

/// A list of roles; given and empty is nobody.
void read_roles(TomlTable& table, const std::string& key, std::optional<std::vector<Role>>& roles);

}  // namespace sweepd::app
