// SPDX-License-Identifier: MIT
#include "report.h"

#include <algorithm>
#include <iostream>

#include "demo_match.h"

namespace sweepd::demo {
namespace {

constexpr std::chrono::milliseconds kBetweenLines{220};

const char* verb_of(std::uint32_t layer, std::uint32_t other) {
  if (layer == kGraze) return "grazes";
  if (other == kItem) return "collects";
  if (layer == kPlayer && other == kEnemyBullet) return "is hit by";
  if (layer == kPlayer) return "collides with";
  return "hits";
}

// A ship in trouble is always told.
bool is_news(const Event& event) {
  const auto [lower, higher] = std::minmax(event.layer_a, event.layer_b);
  return lower == kPlayer && higher != kItem;
}

}  // namespace

Report::Report(MatchConfig config, NameOf name_of)
    : config_(std::move(config)), name_of_(std::move(name_of)) {}

void Report::tell(const Event& event) {
  if (event.kind == EventKind::kExit) {
    ++exits_;
    return;
  }
  ++enters_;
  ++counts_[std::minmax(event.layer_a, event.layer_b)];
  if (!is_news(event) && !may_print()) return;
  std::cout << "t=" << event.tick << " " << words_of(event);
  if (unprinted_ > 0) std::cout << "   (and " << unprinted_ << " more since the last line)";
  std::cout << std::endl;
  unprinted_ = 0;
}

void Report::tell_news(Tick tick, const std::string& news) {
  std::cout << "t=" << tick << " ** " << news << std::endl;
}

void Report::print_counts() const {
  for (const auto& [layers, count] : counts_) {
    std::cout << "  " << config_.layers[layers.first] << " x " << config_.layers[layers.second] << ": "
              << count << '\n';
  }
}

bool Report::may_print() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_print_) {
    ++unprinted_;
    return false;
  }
  next_print_ = now + kBetweenLines;
  return true;
}

// The players' side comes first: its layers are the lower ones.
std::string Report::words_of(const Event& event) const {
  const std::string a = name_of_(event.object_a, event.layer_a, event.part_a);
  const std::string b = name_of_(event.object_b, event.layer_b, event.part_b);
  if (event.layer_a <= event.layer_b) return a + " " + verb_of(event.layer_a, event.layer_b) + " " + b;
  return b + " " + verb_of(event.layer_b, event.layer_a) + " " + a;
}

}  // namespace sweepd::demo
