// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>
#include <vector>

#include "tools/load/load_result.h"

namespace sweepd::tools::load {
namespace {

constexpr double kWidth = 860, kPanelHeight = 300, kLeft = 80, kRight = 230, kTop = 60, kGap = 90;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kHeight = kTop + 2 * kPanelHeight + kGap + 60;
// Told apart without colour vision, too.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555"};

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< Both 0 to 1, from the lower left.
};

std::string short_number(double value) {
  std::ostringstream out;
  out << std::setprecision(4) << value;
  return out.str();
}

/// 1, 2 or 5 times a power of ten, at least `value`.
double round_up(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (value <= times * power) return times * power;
  }
  return 10 * power;
}

void add_text(std::ostream& svg, double x, double y, const std::string& anchor, const std::string& text) {
  svg << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">" << text << "</text>\n";
}

/// A plot with its axes; values are drawn into it with draw().
class Panel {
 public:
  Panel(std::ostream& svg, double top, const std::string& title, const std::string& x_title, double y_max_ms)
      : svg_(svg), top_(top), y_max_ms_(y_max_ms) {
    svg_ << "<text x=\"" << kLeft << "\" y=\"" << top - 12 << "\" font-weight=\"bold\">" << title
         << "</text>\n";
    add_text(svg_, kLeft + kPlotWidth / 2, top + kPanelHeight + 38, "middle", x_title);
    svg_ << "<text transform=\"translate(22 " << top + kPanelHeight / 2
         << ") rotate(-90)\" text-anchor=\"middle\">milliseconds</text>\n";
    for (int i = 0; i <= 4; ++i) add_y_tick(i / 4.0);
  }

  void add_x_tick(double x, const std::string& label) {
    add_rule(kLeft + x * kPlotWidth, top_, kLeft + x * kPlotWidth, top_ + kPanelHeight);
    add_text(svg_, kLeft + x * kPlotWidth, top_ + kPanelHeight + 18, "middle", label);
  }

  void draw(const Line& line, std::size_t number) {
    const char* colour = kColours[number % std::size(kColours)];
    svg_ << "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" << colour << "\" points=\"";
    for (const auto& [x, ms] : line.points) {
      const double y = std::min(ms / y_max_ms_, 1.0);
      svg_ << kLeft + x * kPlotWidth << ',' << top_ + (1 - y) * kPanelHeight << ' ';
    }
    svg_ << "\"/>\n";
    const double y = top_ + 12 + 22 * static_cast<double>(number);
    const double x = kLeft + kPlotWidth + 14;
    svg_ << "<line x1=\"" << x << "\" y1=\"" << y - 4 << "\" x2=\"" << x + 20 << "\" y2=\"" << y - 4
         << "\" stroke-width=\"2\" stroke=\"" << colour << "\"/>\n";
    add_text(svg_, x + 26, y, "start", line.name);
  }

 private:
  void add_y_tick(double share) {
    const double y = top_ + (1 - share) * kPanelHeight;
    add_rule(kLeft, y, kLeft + kPlotWidth, y);
    add_text(svg_, kLeft - 8, y + 4, "end", short_number(share * y_max_ms_));
  }
  void add_rule(double x1, double y1, double x2, double y2) {
    svg_ << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2
         << "\" stroke=\"#cccccc\"/>\n";
  }

  std::ostream& svg_;
  double top_;
  double y_max_ms_;
};

// Each nine takes as much room as the one before: 0, 90, 99, 99.9, 99.99 %.
constexpr int kNines = 4;

Line distribution(const std::string& name, const Histogram& histogram) {
  Line line{name, {}};
  if (histogram.count() == 0) return line;
  for (int i = 0; i <= 100; ++i) {
    const double x = i / 100.0;
    line.points.emplace_back(x, milliseconds(histogram.quantile(1 - std::pow(10, -x * kNines))));
  }
  return line;
}

double largest(const std::vector<Line>& lines) {
  double all = 0;
  for (const Line& line : lines) {
    for (const auto& [x, ms] : line.points) all = std::max(all, ms);
  }
  return all;
}

void add_distribution(std::ostream& svg, const Measurements& measured) {
  const std::vector<Line> lines = {distribution("update to event", measured.update_to_event),
                                   distribution("beyond the wait", measured.beyond_the_wait),
                                   distribution("tick lateness", measured.tick_lateness),
                                   distribution("age of unread input", measured.input_age),
                                   distribution("sent late by the load", measured.send_lateness)};
  Panel panel(svg, kTop, "Latency distribution", "share of all that is not slower, %",
              round_up(largest(lines)));
  const char* labels[] = {"0", "90", "99", "99.9", "99.99"};
  for (int i = 0; i <= kNines; ++i) panel.add_x_tick(static_cast<double>(i) / kNines, labels[i]);
  for (std::size_t i = 0; i < lines.size(); ++i) panel.draw(lines[i], i);
}

Line over_time(const std::string& name, const LoadResult& result, double end_s,
               Histogram::Duration SecondOfLoad::*value) {
  Line line{name, {}};
  for (const SecondOfLoad& second : result.seconds) {
    line.points.emplace_back(second.time_s / end_s, milliseconds(second.*value));
  }
  return line;
}

void add_seconds(std::ostream& svg, const LoadResult& result) {
  const double end_s = result.seconds.empty() ? 1 : std::max(result.seconds.back().time_s, 1e-3);
  const std::vector<Line> lines = {
      over_time("beyond the wait, p99", result, end_s, &SecondOfLoad::beyond_the_wait_p99),
      over_time("tick lateness, p99", result, end_s, &SecondOfLoad::lateness_p99),
      over_time("tick lateness, p50", result, end_s, &SecondOfLoad::lateness_p50)};
  Panel panel(svg, kTop + kPanelHeight + kGap, "Lateness over time", "seconds", round_up(largest(lines)));
  for (int i = 0; i <= 5; ++i) panel.add_x_tick(i / 5.0, short_number(std::round(i * end_s * 2) / 10));
  for (std::size_t i = 0; i < lines.size(); ++i) panel.draw(lines[i], i);
}

}  // namespace

std::string svg_of(const LoadResult& result) {
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << kWidth << "\" height=\"" << kHeight
      << "\" viewBox=\"0 0 " << kWidth << ' ' << kHeight
      << "\" font-family=\"sans-serif\" font-size=\"13\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  std::ostringstream title;
  title << result.scene << ", " << title_of(result.motion) << ": " << matches_text(result);
  svg << "<text x=\"" << kLeft << "\" y=\"24\" font-size=\"17\" font-weight=\"bold\">" << title.str()
      << "</text>\n";
  add_distribution(svg, result.measured);
  add_seconds(svg, result);
  svg << "</svg>\n";
  return svg.str();
}

}  // namespace sweepd::tools::load
