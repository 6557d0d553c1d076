// SPDX-License-Identifier: MIT
#include "bench/report.h"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <optional>
#include <string>

#include "bench/verdict.h"

namespace sweepd::bench {
namespace {

constexpr int kSceneWidth = 15;

/// Three significant digits at least, and never an exponent.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  return text;
}

std::string number(const std::optional<double>& value) { return value ? number(*value) : "–"; }

/// `text` flush right: std::setw counts the bytes of a dash, not its width.
std::string column(const std::string& text, std::size_t width) {
  const auto letters = static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
  return std::string(width > letters ? width - letters : 0, ' ') + text;
}

std::vector<std::string> names_of(const std::vector<SceneFigures>& scenes) {
  std::vector<std::string> names;
  for (const ContenderInfo& contender : contenders()) {
    const bool has_played = std::ranges::any_of(
        scenes, [&](const SceneFigures& figures) { return figures.find(contender.name) != nullptr; });
    if (has_played) names.push_back(contender.name);
  }
  return names;
}

}  // namespace

void print_costs(const std::vector<SceneFigures>& scenes, std::ostream& out) {
  const std::vector<std::string> names = names_of(scenes);
  out << "Median cost of a tick in µs\n"
      << std::left << std::setw(kSceneWidth) << "scene" << column("boxes", 8);
  for (const std::string& name : names) out << column(name, name.size() + 2);
  out << '\n';
  for (const SceneFigures& figures : scenes) {
    out << std::left << std::setw(kSceneWidth) << figures.scene
        << column(std::to_string(figures.box_count), 8);
    for (const std::string& name : names) {
      const Figure* figure = figures.find(name);
      const bool is_there = figure != nullptr && figure->ticks > 0;
      out << column(is_there ? number(figure->median_us) : "–", name.size() + 2);
    }
    out << '\n';
  }
}

bool print_verdicts(const std::vector<SceneFigures>& scenes, std::ostream& out) {
  bool all_met = true;
  out << '\n'
      << kChampion << " against the best library peer, and against plain code (at most " << kToPlainMax
      << ")\n"
      << std::left << std::setw(kSceneWidth) << "scene" << column("best library peer", 20)
      << column("ratio", 9) << column("target", 9) << column("to plain", 10) << '\n';
  for (const SceneFigures& figures : scenes) {
    const Verdict verdict = judge(figures);
    out << std::left << std::setw(kSceneWidth) << verdict.scene << column(verdict.best_peer, 20)
        << column(number(verdict.ratio), 9) << column(number(verdict.target), 9)
        << column(number(verdict.to_plain), 10) << (verdict.is_met ? "  pass" : "  FAIL") << '\n';
    all_met = all_met && verdict.is_met;
  }
  const auto print_bound = [&](const char* what, const std::optional<double>& value, double most) {
    if (!value) return;
    out << what << ' ' << number(*value) << ", at most " << most << (*value <= most ? "  pass" : "  FAIL")
        << '\n';
    all_met = all_met && *value <= most;
  };
  print_bound("Growth from 1k to 100k boxes: exponent", growth(scenes), kGrowthMax);
  print_bound("200 spawns and 200 despawns a tick (boss_stream to bullet_hell):", churn_ratio(scenes),
              kChurnMax);
  return all_met;
}

void write_columns(const std::vector<SceneFigures>& scenes, std::ostream& out) {
  const std::vector<std::string> names = names_of(scenes);
  out << "boxes";
  for (const std::string& name : names) out << ' ' << name;
  out << '\n';
  for (const SceneFigures& figures : scenes) {
    out << figures.box_count;
    for (const std::string& name : names) {
      const Figure* figure = figures.find(name);
      const bool is_there = figure != nullptr && figure->ticks > 0;
      out << ' ' << (is_there ? number(figure->median_us) : "NaN");
    }
    out << '\n';
  }
}

void write_json(const std::vector<SceneFigures>& scenes, std::ostream& out) {
  out << "{\"scenes\": [";
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    out << (i == 0 ? "\n" : ",\n") << "  {\"scene\": \"" << scenes[i].scene
        << "\", \"boxes\": " << scenes[i].box_count << ", \"contenders\": [";
    const std::vector<Figure>& figures = scenes[i].figures;
    for (std::size_t j = 0; j < figures.size(); ++j) {
      out << (j == 0 ? "\n" : ",\n") << "    {\"name\": \"" << figures[j].contender
          << "\", \"median_us\": " << figures[j].median_us << ", \"fastest_us\": " << figures[j].fastest_us
          << ", \"ticks\": " << figures[j].ticks << ", \"agrees\": " << (figures[j].agrees ? "true" : "false")
          << '}';
    }
    out << "]}";
  }
  out << "\n]}\n";
}

bool report_disagreements(const std::vector<SceneFigures>& scenes, std::ostream& out) {
  bool all_agree = true;
  for (const SceneFigures& figures : scenes) {
    for (const Figure& figure : figures.figures) {
      if (figure.agrees) continue;
      out << figure.contender << " is WRONG in " << figures.scene << ": other pairs than the reference\n";
      all_agree = false;
    }
  }
  return all_agree;
}

}  // namespace sweepd::bench
