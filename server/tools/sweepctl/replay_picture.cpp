// SPDX-License-Identifier: MIT
#include "tools/sweepctl/replay_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <set>

#include "tools/sweepctl/label_places.h"
#include "tools/sweepctl/moment_text.h"
#include "tools/sweepctl/part_drawing.h"
#include "tools/sweepctl/picture_region.h"
#include "tools/sweepctl/picture_view.h"
#include "tools/sweepctl/svg.h"

namespace sweepd::tools {
namespace {

using replay::MomentObject;

constexpr double kWidth = 1280;
constexpr SvgRectangle kFrame{{70, 64}, 960, 720};
constexpr double kLegendX = kFrame.corner.x + kFrame.width + 20;
constexpr double kLegendRows = 26;
constexpr double kTextY = kFrame.corner.y + kFrame.height + 70;
constexpr double kLineHeight = 18;
constexpr std::size_t kTextLinesMax = 24;

/// Told apart with most kinds of colour blindness; further layers begin anew.
constexpr const char* kColours[] = {"#4477aa", "#ee6677", "#228833", "#b8a000", "#66aacc",
                                    "#aa3377", "#555555", "#dd7722", "#7755bb", "#887755"};

const char* colour_of(collision::LayerId layer) { return kColours[layer % std::size(kColours)]; }

const char* colour_of(match::Verdict verdict) {
  return verdict == match::Verdict::kConfirmed ? "#117733" : "#cc0000";
}

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

std::string text_style(double size, const char* colour, const char* more = "") {
  return "font-size=\"" + number_text(size) + "\" fill=\"" + colour + "\" " + more;
}

/// Letters with a bright edge: they can be read on whatever is below them.
std::string label_style(const char* colour) {
  return text_style(kLabelSize, colour,
                    "stroke=\"white\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"");
}

class Picture {
 public:
  Picture(const Scene& scene, const match::MatchConfig& config, const PictureOptions& options);
  std::string draw(const PictureOptions& options);

 private:
  std::vector<std::string> words() const;
  void draw_grid();
  void draw_ways();
  void draw_way(match::ObjectId object, const std::vector<WaySpot>& way);
  void draw_objects();
  void draw_object(const MomentObject& object);
  void draw_claim(const SceneClaim& claim);
  void draw_ghost(const MomentObject& object, const char* colour);
  void label(const SvgRectangle& named, const std::string& text, const char* colour);
  void label_objects();
  void draw_legend();
  void draw_scale();
  void write(double top, const std::vector<std::string>& lines);
  bool is_seen(const MomentObject& object) const;
  SvgRectangle bounds_of(const MomentObject& object) const;

  const Scene& scene_;
  const match::MatchConfig& config_;
  const std::set<match::ObjectId> interest_;
  const PictureView view_;
  const std::vector<std::string> words_;
  Svg svg_;
  PartDrawing parts_;
  LabelPlaces labels_;
  std::size_t labels_left_out_ = 0;
};

std::vector<std::string> cut(std::vector<std::string> lines) {
  if (lines.size() > kTextLinesMax) {
    const std::size_t more = lines.size() - kTextLinesMax;
    lines.resize(kTextLinesMax);
    lines.push_back("and " + std::to_string(more) + " more");
  }
  return lines;
}

double height_of(const std::vector<std::string>& lines) {
  return kTextY + kLineHeight * static_cast<double>(lines.size() + 2);
}

Picture::Picture(const Scene& scene, const match::MatchConfig& config, const PictureOptions& options)
    : scene_(scene),
      config_(config),
      interest_(objects_of_interest(scene, options)),
      view_(region_of(scene, config, options), kFrame),
      words_(cut(words())),
      svg_(kWidth, height_of(words_)),
      parts_(svg_, view_, config.masks),
      labels_(kFrame) {}

/// What happened, claims first.
std::vector<std::string> Picture::words() const {
  std::vector<std::string> lines;
  for (const SceneClaim& claim : scene_.claims) {
    lines.push_back("tick " + std::to_string(claim.tick) + ": " + claim_text(scene_.moment, claim.verdict));
  }
  for (const auto& told :
       {event_lines(scene_.moment, config_, 0), encounter_lines(scene_.moment, config_, 0)}) {
    lines.insert(lines.end(), told.text.begin(), told.text.end());
  }
  return lines;
}

SvgRectangle Picture::bounds_of(const MomentObject& object) const {
  Surround surround;
  for (const collision::Box& box : boxes_of(object)) surround.add(box);
  return view_.rectangle_of(surround.box(0, 0));
}

bool Picture::is_seen(const MomentObject& object) const {
  return !boxes_of(object).empty() && bounds_of(object).overlaps(view_.frame());
}

void Picture::draw_grid() {
  const double step = view_.grid_step();
  const std::string style = text_style(11, "#666666");
  for (double x = std::ceil(view_.left() / step) * step; x <= view_.right(); x += step) {
    const double at = view_.x_of(x * 256);
    svg_.line({at, kFrame.corner.y}, {at, kFrame.corner.y + kFrame.height}, R"(stroke="#e4e4e4")");
    svg_.text({at - 10, kFrame.corner.y + kFrame.height + 16}, number_text(x), style);
  }
  for (double y = std::ceil(view_.top() / step) * step; y <= view_.bottom(); y += step) {
    const double at = view_.y_of(y * 256);
    svg_.line({kFrame.corner.x, at}, {kFrame.corner.x + kFrame.width, at}, R"(stroke="#e4e4e4")");
    svg_.text({8, at + 4}, number_text(y), style);
  }
}

void Picture::draw_way(match::ObjectId object, const std::vector<WaySpot>& way) {
  const bool is_followed = interest_.contains(object);
  const std::string colour = is_followed ? "#222222" : "#aaaaaa";
  std::vector<Spot> before, after;
  for (const WaySpot& spot : way) {
    if (spot.tick <= scene_.moment.tick) before.push_back(view_.spot_of(spot.position));
    if (spot.tick >= scene_.moment.tick) after.push_back(view_.spot_of(spot.position));
  }
  svg_.polyline(before, "fill=\"none\" stroke=\"" + colour + "\"");
  svg_.polyline(after, "fill=\"none\" stroke-dasharray=\"3 4\" stroke=\"" + colour + "\"");
  if (!is_followed) return;
  for (const WaySpot& spot : way) svg_.circle(view_.spot_of(spot.position), 1.8, "fill=\"" + colour + "\"");
}

void Picture::draw_ways() {
  for (const auto& [object, way] : scene_.ways) draw_way(object, way);
}

void Picture::draw_object(const MomentObject& object) {
  const bool is_followed = interest_.contains(object.id);
  for (const collision::Part& part : object.parts) {
    const std::string colour = colour_of(part.layer);
    parts_.draw(part, object.trajectory.position,
                "fill=\"" + colour + "\" fill-opacity=\"" + (object.is_disabled ? "0.05" : "0.25") +
                    "\" stroke=\"" + colour + "\" stroke-width=\"" + (is_followed ? "2.5" : "1.2") + "\"" +
                    (object.is_disabled ? " stroke-dasharray=\"4 3\"" : ""));
  }
  const Spot middle = view_.spot_of(object.trajectory.position);
  svg_.line({middle.x - 3, middle.y}, {middle.x + 3, middle.y}, R"(stroke="#222222")");
  svg_.line({middle.x, middle.y - 3}, {middle.x, middle.y + 3}, R"(stroke="#222222")");
}

void Picture::draw_objects() {
  for (const MomentObject& object : scene_.moment.objects) {
    if (is_seen(object)) draw_object(object);
  }
}

void Picture::draw_ghost(const MomentObject& object, const char* colour) {
  for (const collision::Part& part : object.parts) {
    parts_.draw(
        part, object.trajectory.position,
        std::string("fill=\"none\" stroke-width=\"2\" stroke-dasharray=\"6 4\" stroke=\"") + colour + "\"");
  }
}

/// The two as they were after the tick judged, and the line that was measured between their boxes.
void Picture::draw_claim(const SceneClaim& claim) {
  const char* colour = colour_of(claim.verdict.verdict);
  const std::string at = " at tick " + std::to_string(claim.verdict.tick_judged);
  if (claim.shot) draw_ghost(*claim.shot, colour);
  if (claim.target) draw_ghost(*claim.target, colour);
  if (claim.shot)
    label(bounds_of(*claim.shot), "shot " + std::to_string(claim.verdict.claim.shot) + at, colour);
  if (claim.target) {
    label(bounds_of(*claim.target), "target " + std::to_string(claim.verdict.claim.target) + at, colour);
  }
  if (!claim.verdict.evidence) return;
  const collision::Box& shot = claim.verdict.evidence->shot_box;
  const collision::Box& target = claim.verdict.evidence->target_box;
  const auto nearest = [](std::int64_t min, std::int64_t max, std::int64_t other_min,
                          std::int64_t other_max) {
    const std::int64_t low = std::max(min, other_min), high = std::min(max, other_max);
    return low <= high ? (low + high) / 2 : max < other_min ? max : min;
  };
  const Spot from{
      view_.x_of(static_cast<double>(nearest(shot.min_x, shot.max_x, target.min_x, target.max_x))),
      view_.y_of(static_cast<double>(nearest(shot.min_y, shot.max_y, target.min_y, target.max_y)))};
  const Spot to{view_.x_of(static_cast<double>(nearest(target.min_x, target.max_x, shot.min_x, shot.max_x))),
                view_.y_of(static_cast<double>(nearest(target.min_y, target.max_y, shot.min_y, shot.max_y)))};
  svg_.line(from, to, std::string("stroke-width=\"3\" stroke=\"") + colour + "\"");
  label({{std::min(from.x, to.x), std::min(from.y, to.y)}, std::abs(to.x - from.x), std::abs(to.y - from.y)},
        verdict_name(claim.verdict.verdict) + ", margin " + units_text(claim.verdict.evidence->margin),
        colour);
}

void Picture::label(const SvgRectangle& named, const std::string& text, const char* colour) {
  if (!named.overlaps({{kFrame.corner.x - 1, kFrame.corner.y - 1}, kFrame.width + 2, kFrame.height + 2}))
    return;
  if (const auto place = labels_.place(named, text)) {
    svg_.text(*place, text, label_style(colour));
  } else {
    ++labels_left_out_;
  }
}

/// Those of interest first: they get the room.
void Picture::label_objects() {
  for (const bool is_followed : {true, false}) {
    for (const MomentObject& object : scene_.moment.objects) {
      if (interest_.contains(object.id) != is_followed || !is_seen(object)) continue;
      const std::string id = std::to_string(object.id);
      const std::string owner = is_followed ? " of " + participant_text(scene_.moment, object.owner) : "";
      label(bounds_of(object), id + owner, is_followed ? "#000000" : "#555555");
    }
  }
}

void Picture::draw_legend() {
  std::set<collision::LayerId> layers;
  for (const MomentObject& object : scene_.moment.objects) {
    for (const collision::Part& part : object.parts) layers.insert(part.layer);
  }
  double y = kFrame.corner.y + 12;
  const auto row = [&](const std::string& style, const std::string& text) {
    if (y > kFrame.corner.y + kLegendRows * 24) return;
    svg_.rectangle({{kLegendX, y - 10}, 16, 12}, style);
    svg_.text({kLegendX + 24, y}, text, text_style(13, "#222222"));
    y += 24;
  };
  for (const collision::LayerId layer : layers) {
    const std::string colour = colour_of(layer);
    row("fill=\"" + colour + "\" fill-opacity=\"0.25\" stroke=\"" + colour + "\"",
        layer_text(config_, layer));
  }
  row(R"(fill="none" stroke="#555555" stroke-dasharray="4 3")", "disabled");
  if (scene_.claims.empty()) return;
  row(R"(fill="none" stroke-width="2" stroke="#117733" stroke-dasharray="6 4")", "claim, confirmed");
  row(R"(fill="none" stroke-width="2" stroke="#cc0000" stroke-dasharray="6 4")", "claim, not confirmed");
}

void Picture::draw_scale() {
  const double units = view_.grid_step();
  const double pixels = units * view_.pixels_per_unit();
  const double y = kFrame.corner.y + kFrame.height + 38;
  svg_.rectangle({{kFrame.corner.x, y - 6}, pixels, 6}, R"(fill="#222222")");
  svg_.text({kFrame.corner.x + pixels + 8, y},
            number_text(units) + " units; way before the tick solid, after it dashed, a dot for each tick",
            text_style(12, "#222222"));
}

void Picture::write(double top, const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    svg_.text({kFrame.corner.x, top + kLineHeight * static_cast<double>(i)}, lines[i],
              text_style(12, "#222222", "font-family=\"monospace\""));
  }
}

std::string Picture::draw(const PictureOptions& options) {
  svg_.rectangle({{0, 0}, kWidth, height_of(words_)}, R"(fill="white")");
  svg_.text({kFrame.corner.x, 28}, options.title, text_style(18, "#000000"));
  svg_.text({kFrame.corner.x, 50},
            std::to_string(scene_.moment.objects.size()) + " objects, " +
                std::to_string(scene_.moment.encounters.size()) + " open encounters, " +
                std::to_string(scene_.claims.size()) + " claims; coordinates in units",
            text_style(13, "#444444"));
  draw_grid();
  svg_.begin_clip(kFrame);
  const auto playfield = collision::translate(config_.playfield, scene_.moment.playfield_origin);
  if (playfield && config_.playfield != collision::kWholeRange) {
    svg_.rectangle(view_.rectangle_of(*playfield), R"(fill="none" stroke="#999999" stroke-width="2")");
  }
  draw_ways();
  draw_objects();
  for (const SceneClaim& claim : scene_.claims) draw_claim(claim);
  label_objects();
  svg_.end_clip();
  svg_.rectangle(kFrame, R"(fill="none" stroke="#222222")");
  draw_legend();
  draw_scale();
  write(kTextY, words_);
  if (labels_left_out_ > 0) {
    write(kTextY + kLineHeight * static_cast<double>(words_.size()),
          {std::to_string(labels_left_out_) + " labels have no room; show less with --object or --region"});
  }
  return svg_.finish();
}

}  // namespace

std::string draw_picture(const Scene& scene, const match::MatchConfig& config,
                         const PictureOptions& options) {
  return Picture(scene, config, options).draw(options);
}

}  // namespace sweepd::tools
