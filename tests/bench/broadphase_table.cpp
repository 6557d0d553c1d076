// SPDX-License-Identifier: MIT
//
// Plays every scene with every contender and prints what a tick costs, and how sweepd compares.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "bench/measurement.h"
#include "bench/report.h"
#include "scenes/scene.h"

namespace sweepd::bench {
namespace {

struct Options {
  MeasurementOptions measurement;
  std::vector<std::string> scenes;
  std::string json_file;
  bool is_strict = false;
};

void describe(CLI::App& app, Options& options) {
  app.add_option("--scene", options.scenes, "Only this scene; may be given several times. arena_N: N boxes");
  app.add_option("--contender", options.measurement.contenders,
                 "Only this contender; may be given several times");
  app.add_option("--ticks", options.measurement.ticks,
                 "Timed ticks of each scene (default: as suits its size)");
  app.add_option("--rounds", options.measurement.rounds, "How often the contenders take turns")
      ->capture_default_str();
  app.add_option("--budget", options.measurement.budget_s,
                 "Seconds that one contender may take for one scene")
      ->capture_default_str();
  app.add_option("--json", options.json_file, "Write the figures to this file as well");
  app.add_flag("--strict", options.is_strict, "Exit with 1 if a target is missed");
}

int run(const Options& options) {
  std::vector<SceneFigures> scenes;
  for (const std::string& scene : options.scenes.empty() ? scenes::scene_names() : options.scenes) {
    std::cerr << scene << "…\n";
    scenes.push_back(measure(scene, options.measurement));
  }
  print_costs(scenes, std::cout);
  const bool all_met = print_verdicts(scenes, std::cout);
  if (!options.json_file.empty()) {
    std::ofstream file(options.json_file);
    write_json(scenes, file);
  }
  if (!report_disagreements(scenes, std::cerr)) return 2;
  return options.is_strict && !all_met ? 1 : 0;
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  CLI::App app("Prints what a tick of every scene costs with every broadphase.");
  sweepd::bench::Options options;
  describe(app, options);
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
