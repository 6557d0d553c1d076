// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "tools/sweepctl/match_file_parts.h"
#include "tools/sweepctl/nearest_word.h"

namespace sweepd::tools {
namespace {

std::string quotes(const std::string& name) { return "\"" + name + "\""; }

std::string pair_field(std::size_t index) { return "collides[" + std::to_string(index) + "]"; }

/// The place of a pair in the list, or its length.
std::size_t find_pair(const std::vector<CollidingLayers>& pairs, const std::string& a, const std::string& b) {
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const CollidingLayers& pair) {
    return (pair.layer_a == a && pair.layer_b == b) || (pair.layer_a == b && pair.layer_b == a);
  });
  return static_cast<std::size_t>(found - pairs.begin());
}

/// `name = [others]` in [collides]. A pair may stand there from either side, or from both.
void read_row(const TomlField& row, const LayerNames& layers, FilePosition name_position,
              std::vector<CollidingLayers>& pairs) {
  for (const TomlField& item : row.to_list()) {
    std::string other;
    if (!layers.to_layer(item, other)) continue;
    const std::string& name = row.value().key;
    const std::size_t index = find_pair(pairs, name, other);
    if (index < pairs.size()) continue;
    pairs.push_back({name, other});
    item.place(pair_field(index));
    item.place(pair_field(index) + ".layer_b");
    row.notes().places.add(pair_field(index) + ".layer_a", {row.key(), name_position});
  }
}

/// The layers of an entry of [[contacts]]: the place of their pair in the list, if they collide.
std::optional<std::size_t> read_contact_pair(TomlTable& contact, const LayerNames& layers,
                                             const std::vector<CollidingLayers>& pairs) {
  const auto field = contact.require("layers");
  if (!field || !field->expect(TomlKind::kList, "a list of two names from layers")) return std::nullopt;
  const std::vector<TomlField> items = field->to_list();
  if (items.size() != 2) {
    field->fail("has " + std::to_string(items.size()) + " entries; must have two names from layers");
    return std::nullopt;
  }
  std::string a;
  std::string b;
  const bool is_layer_a = layers.to_layer(items[0], a);
  const bool is_layer_b = layers.to_layer(items[1], b);
  if (!is_layer_a || !is_layer_b) return std::nullopt;
  const std::size_t index = find_pair(pairs, a, b);
  if (index < pairs.size()) return index;
  field->fail("are " + quotes(a) + " and " + quotes(b) +
              ", which do not collide; must be a pair from [collides]");
  return std::nullopt;
}

/// The rules of `contact` become those of its pair, unless another entry has been about it.
void apply_contact(TomlTable& contact, std::size_t index, const CollidingLayers& rules,
                   std::map<std::size_t, std::string>& taken, std::vector<CollidingLayers>& pairs) {
  const auto [first, is_new] = taken.emplace(index, contact.origin().key());
  if (!is_new) {
    contact.origin().fail("is about the same layers as " + first->second + "; must be one entry for a pair");
    return;
  }
  CollidingLayers pair = rules;
  pair.layer_a = pairs[index].layer_a;
  pair.layer_b = pairs[index].layer_b;
  pairs[index] = pair;
  for (const std::string& key : contact.known()) {
    const auto field = key == "layers" ? std::nullopt : contact.find(key);
    if (field) field->place(pair_field(index) + "." + key);
  }
}

void read_matrix(const TomlField& matrix, const LayerNames& layers, std::vector<CollidingLayers>& pairs) {
  TomlTable table(matrix);
  for (const std::string& name : layers.names()) table.find(name);
  for (const TomlValue& item : matrix.value().items) {
    const bool is_row = matrix.value().kind == TomlKind::kTable && layers.is_known(item.key);
    if (!is_row) continue;
    // The rows are no fields of the config: the pairs are.
    const TomlField row(item, matrix.key() + "." + item.key, "", matrix.notes());
    read_row(row, layers, item.key_position, pairs);
  }
  if (layers.are_complete()) table.finish();
}

}  // namespace

bool LayerNames::is_known(const std::string& name) const {
  return !are_complete_ || std::find(names_.begin(), names_.end(), name) != names_.end();
}

bool LayerNames::to_layer(const TomlField& field, std::string& layer) const {
  if (!field.expect(TomlKind::kText, "a name from layers")) return false;
  if (!is_known(field.value().text)) {
    field.fail("is " + quotes(field.value().text) + ", which is no layer; " +
               suggestion(field.value().text, names_));
    return false;
  }
  return field.to_text(layer);
}

LayerNames read_layers(TomlTable& file, MatchConfig& config) {
  const auto layers = file.require("layers");
  if (!layers) return {config.layers, false};
  const std::size_t errors = layers->notes().errors.size();
  std::map<std::string, const TomlValue*> seen;
  for (const TomlField& item : layers->to_list()) {
    std::string name;
    if (!item.to_text(name)) continue;
    const auto [first, is_new] = seen.emplace(name, &item.value());
    if (is_new) {
      config.layers.push_back(name);
      continue;
    }
    const FilePosition position = first->second->position;
    item.fail("is " + quotes(name) + ", the name of another layer (line " + std::to_string(position.line) +
              ", column " + std::to_string(position.column) + "); names must be unique");
  }
  return {config.layers, layers->notes().errors.size() == errors};
}

void read_collides(TomlTable& file, const LayerNames& layers,
                   const std::function<void(TomlTable&, CollidingLayers&)>& read_rules, MatchConfig& config) {
  const auto matrix = file.find("collides");
  const auto contacts = file.find("contacts");
  if (matrix) read_matrix(*matrix, layers, config.collides);
  if (!contacts) return;
  std::map<std::size_t, std::string> taken;
  for (const TomlField& item : contacts->to_list()) {
    TomlTable contact(item);
    const auto index = read_contact_pair(contact, layers, config.collides);
    CollidingLayers rules;
    read_rules(contact, rules);
    if (index) apply_contact(contact, *index, rules, taken, config.collides);
    contact.finish();
  }
}

}  // namespace sweepd::tools
