// SPDX-License-Identifier: MIT
#include "tools/sweepctl/world_text.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "tools/sweepctl/json.h"

namespace sweepd::tools {
namespace {

const char* name_of(DepartureReason reason) {
  switch (reason) {
    case DepartureReason::kLeftView:
      return "LEFT_VIEW";
    case DepartureReason::kDespawned:
      return "DESPAWNED";
    case DepartureReason::kExpired:
      return "EXPIRED";
    case DepartureReason::kLeftPlayfield:
      return "LEFT_PLAYFIELD";
    case DepartureReason::kConsumed:
      return "CONSUMED";
    case DepartureReason::kDestroyed:
      return "DESTROYED";
    case DepartureReason::kOwnerLeft:
      return "OWNER_LEFT";
  }
  return "";
}

/// Of its parts, each once.
std::string layers_of(const WorldObject& object, const MatchConfig& config) {
  std::set<std::uint32_t> layers;
  for (const Part& part : *object.parts) layers.insert(part.layer);
  std::string text;
  for (const std::uint32_t layer : layers) {
    const std::string name = layer < config.layers.size() ? config.layers[layer] : std::to_string(layer);
    text += (text.empty() ? "" : ",") + name;
  }
  return text;
}

std::string number(double value) {
  std::ostringstream out;
  out.precision(12);
  out << value;
  return out.str();
}

struct Line {
  const char* kind;
  Tick tick;
  const WorldObject& object;
  Vec2 position;
  const char* reason;  ///< Empty: it has appeared.
};

std::string text_of(const Line& line, const MatchConfig& config) {
  std::string text = "t=" + std::to_string(line.tick) + " " + line.kind + " " +
                     layers_of(line.object, config) + " " + std::to_string(line.object.id) + " of " +
                     std::to_string(line.object.owner) + " at " + number(line.position.x) + ", " +
                     number(line.position.y);
  if (line.object.tag != 0) text += " tag " + std::to_string(line.object.tag);
  return *line.reason == '\0' ? text : text + ": " + line.reason;
}

std::string json_of(const Line& line, const MatchConfig& config) {
  JsonObject json;
  json.add("kind", line.kind).add("tick", line.tick);
  json.add("object", line.object.id).add("owner", line.object.owner);
  json.add("layers", layers_of(line.object, config));
  json.add_json("x", number(line.position.x)).add_json("y", number(line.position.y));
  if (line.object.tag != 0) json.add("tag", std::to_string(line.object.tag));
  if (*line.reason != '\0') json.add("reason", line.reason);
  return json.text();
}

}  // namespace

std::vector<std::string> world_lines(const WorldView& view, const WorldNews& news, const MatchConfig& config,
                                     bool json) {
  std::vector<std::string> lines;
  const auto add = [&](const Line& line) {
    lines.push_back(json ? json_of(line, config) : text_of(line, config));
  };
  if (news.begins_anew) lines.push_back(world_line(view, json));
  for (const WorldDeparture& departure : news.departed)
    add({"DEPARTS", view.tick(), departure.object, departure.position, name_of(departure.reason)});
  for (const ObjectId id : news.appeared) {
    if (const WorldObject* object = view.find(id))
      add({"APPEARS", view.tick(), *object, *view.position_at(id, view.tick()), ""});
  }
  return lines;
}

std::string world_line(const WorldView& view, bool json) {
  const std::size_t objects = view.objects().size();
  const std::size_t participants = view.participants().size();
  if (json) {
    JsonObject line;
    line.add("kind", "WORLD").add("tick", view.tick());
    line.add("objects", objects).add("participants", participants).add("waiting", view.waiting());
    return line.text();
  }
  return "t=" + std::to_string(view.tick()) + " WORLD " + std::to_string(objects) + " objects of " +
         std::to_string(participants) + " participants" +
         (view.waiting() > 0 ? ", " + std::to_string(view.waiting()) + " wait" : "");
}

}  // namespace sweepd::tools
