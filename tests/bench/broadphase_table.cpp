// SPDX-License-Identifier: MIT
//
// Plays every scene with every contender and prints what a tick costs, how sweepd compares, and what whole
// worlds take.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "bench/measurement.h"
#include "bench/report.h"
#include "bench/world_figures.h"
#include "scenes/scene.h"

namespace sweepd::bench {
namespace {

struct Options {
  MeasurementOptions measurement;
  std::vector<std::string> scenes;
  std::string json_file;
  std::string growth_file;
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
  app.add_option(
      "--growth", options.growth_file,
      "Measure nothing but arenas of growing size, and write what a tick costs to this file: columns "
      "for plotting");
  app.add_flag("--strict", options.is_strict, "Exit with 1 if a target is missed");
}

std::vector<SceneFigures> measure_all(const std::vector<std::string>& names,
                                      const MeasurementOptions& options) {
  std::vector<SceneFigures> scenes;
  for (const std::string& name : names) {
    std::cerr << name << "…\n";
    scenes.push_back(measure(name, options));
  }
  return scenes;
}

int measure_growth(const Options& options) {
  const std::vector<SceneFigures> scenes =
      measure_all({"arena_200", "arena_500", "arena_1000", "arena_2000", "arena_5000", "arena_10000",
                   "arena_20000", "arena_50000", "arena_100000"},
                  options.measurement);
  std::ofstream file(options.growth_file);
  write_columns(scenes, file);
  return report_disagreements(scenes, std::cerr) ? 0 : 2;
}

int run(const Options& options) {
  if (!options.growth_file.empty()) return measure_growth(options);
  const std::vector<SceneFigures> scenes =
      measure_all(options.scenes.empty() ? scenes::scene_names() : options.scenes, options.measurement);
  print_costs(scenes, std::cout);
  bool all_met = print_verdicts(scenes, std::cout);
  if (options.scenes.empty()) all_met = print_worlds(measure_worlds(), std::cout) && all_met;
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
