// SPDX-License-Identifier: MIT
//
// What there is, and where: world, encounters, region, ray; now or after an earlier tick.
#include <cstdio>
#include <iostream>

#include "tools/sweepctl/command.h"
#include "tools/sweepctl/json.h"
#include "tools/sweepctl/match_text.h"

namespace sweepd::tools {
namespace {

/// What all of them are asked with.
struct Query {
  std::string match_id;
  Tick at_tick = 0;
  bool json = false;
  std::vector<double> numbers;  ///< A box, or the ends of a ray.
  std::uint32_t hits_max = 100;
  ObjectId object = 0;
};

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", number);
  return text;
}

std::string place_text(Vec2 place) { return number_text(place.x) + ", " + number_text(place.y); }

std::string object_text(const ObjectState& object) {
  std::string text = "object " + std::to_string(object.id) + " of " + std::to_string(object.owner) + " at " +
                     place_text(object.position) + ", " + std::to_string(object.parts.size()) + " parts";
  const auto& [velocity, acceleration] = object.motion;
  if (velocity.x != 0 || velocity.y != 0) text += ", moving by " + place_text(velocity);
  if (acceleration.x != 0 || acceleration.y != 0) text += ", faster by " + place_text(acceleration);
  return text + (object.is_disabled ? ", disabled" : "");
}

std::string object_json(const ObjectState& object) {
  JsonObject json;
  json.add("object", object.id).add("owner", object.owner);
  json.add_json("x", number_text(object.position.x)).add_json("y", number_text(object.position.y));
  json.add_json("velocity_x", number_text(object.motion.velocity.x));
  json.add_json("velocity_y", number_text(object.motion.velocity.y));
  json.add("parts", object.parts.size());
  json.add_json("disabled", object.is_disabled ? "true" : "false");
  return json.text();
}

std::string part_text(const PartName& name) {
  return "object " + std::to_string(name.object) + " part " + std::to_string(name.part);
}

JsonObject part_json(const PartName& name) {
  return JsonObject().add("object", name.object).add("part", name.part);
}

/// One line for each answer, or a JSON array of all.
template <typename Answers, typename Text, typename Json>
int print(const Answers& answers, bool json, const Text& text, const Json& to_json) {
  std::vector<std::string> values;
  for (const auto& answer : answers) {
    if (json) {
      values.push_back(to_json(answer));
    } else {
      std::cout << text(answer) << '\n';
    }
  }
  if (json) std::cout << json_array(values) << '\n';
  std::cout.flush();
  return kExitOk;
}

int print_world(const Query& query, const ServerChoice& server) {
  const auto world = make_client(server).get_world(query.match_id, query.at_tick);
  if (!world.ok()) return fail(world.status(), server);
  return print(world->objects, query.json, object_text, object_json);
}

int print_encounters(const Query& query, const ServerChoice& server) {
  Client client = make_client(server);
  const auto match = client.get_match(query.match_id);
  if (!match.ok()) return fail(match.status(), server);
  const auto encounters = client.list_encounters(query.match_id, query.object, query.at_tick);
  if (!encounters.ok()) return fail(encounters.status(), server);
  const MatchConfig& config = match->config;
  return print(
      *encounters, query.json, [&](const Encounter& encounter) { return encounter_text(encounter, config); },
      [&](const Encounter& encounter) { return encounter_json(encounter, config); });
}

int print_region(const Query& query, const ServerChoice& server) {
  const Box box{query.numbers[0], query.numbers[1], query.numbers[2], query.numbers[3]};
  const auto parts = make_client(server).query_region(query.match_id, box, {}, query.at_tick);
  if (!parts.ok()) return fail(parts.status(), server);
  return print(*parts, query.json, part_text, [](const PartName& part) { return part_json(part).text(); });
}

int print_ray(const Query& query, const ServerChoice& server) {
  const Vec2 from{query.numbers[0], query.numbers[1]};
  const Vec2 to{query.numbers[2], query.numbers[3]};
  const auto hits = make_client(server).cast_ray(query.match_id, from, to, {}, query.hits_max, query.at_tick);
  if (!hits.ok()) return fail(hits.status(), server);
  return print(
      *hits, query.json,
      [](const RayHit& hit) { return part_text(hit.part) + " after " + number_text(hit.distance); },
      [](const RayHit& hit) {
        return part_json(hit.part).add_json("distance", number_text(hit.distance)).text();
      });
}

using Print = int (*)(const Query&, const ServerChoice&);

CLI::App* add_query(CLI::App& app, Invocation& invocation, const std::string& name,
                    const std::string& description, const std::string& example,
                    const std::shared_ptr<Query>& query, Print print) {
  CLI::App* command = add_command(app, invocation, name, description, example);
  command->add_option("MATCH", query->match_id, "Id of the match")->required();
  command->add_option("--at-tick", query->at_tick, "After this tick (default: the last)")->type_name("TICK");
  command->add_flag("--json", query->json, "As a JSON array");
  command->callback([&invocation, query, print] {
    invocation.run = [&invocation, query, print] { return print(*query, invocation.server); };
  });
  return command;
}

}  // namespace

void add_query_commands(CLI::App& app, Invocation& invocation) {
  const auto query = std::make_shared<Query>();
  add_query(app, invocation, "world", "Lists the objects of a match",
            "  sweepctl world \"$match\" --at-tick 312", query, print_world);
  add_query(app, invocation, "encounters", "Lists the open encounters of a match",
            "  sweepctl encounters \"$match\" --object 1000002", query, print_encounters)
      ->add_option("--object", query->object, "Only of this object")
      ->type_name("ID");
  add_query(app, invocation, "region", "Lists the parts that touch a box",
            "  sweepctl region \"$match\" 0 0 480 640", query, print_region)
      ->add_option("BOX", query->numbers, "MIN_X MIN_Y MAX_X MAX_Y, in units")
      ->required()
      ->expected(4);
  CLI::App* ray = add_query(app, invocation, "ray", "Lists what a straight line meets, in its order",
                            "  sweepctl ray \"$match\" 0 0 480 640 --hits 1", query, print_ray);
  ray->add_option("LINE", query->numbers, "FROM_X FROM_Y TO_X TO_Y, in units")->required()->expected(4);
  ray->add_option("--hits", query->hits_max, "At most so many")->capture_default_str();
}

}  // namespace sweepd::tools
