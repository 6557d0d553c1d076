// SPDX-License-Identifier: MIT
#include "runtime/loop/loop_metrics.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "runtime/feed/reason_names.h"

namespace sweepd::runtime {
namespace {

using Loops = std::vector<const Loop*>;

constexpr std::array<const char*, kTickPhases> kPhaseNames{"step", "journal", "tell"};
constexpr std::array<const char*, kMatchStates - 1> kStateNames{"WAITING", "RUNNING", "PAUSED"};
/// By number of WhenFull.
constexpr std::array<const char*, kWhenFullEnd> kWhenFullNames{"", "DISCONNECT", "GAP", "COALESCE"};

const std::vector<double> kBounds(TimeFigures::kBoundsSeconds.begin(), TimeFigures::kBoundsSeconds.end());

Labels label_of(std::size_t loop) { return {{"loop", std::to_string(loop)}}; }

HistogramSample sample_of(Labels labels, const TimeFigures& times) {
  HistogramSample sample{.labels = std::move(labels), .counts = {}, .sum = times.sum_seconds()};
  for (std::size_t bucket = 0; bucket <= kBounds.size(); ++bucket) {
    sample.counts.push_back(times.count(bucket));
  }
  return sample;
}

/// `times(figures)`, loop by loop.
template <typename Times>
auto histogram_by_loop(const Loops& loops, Times times) {
  return [&loops, times] {
    std::vector<HistogramSample> samples;
    for (std::size_t i = 0; i < loops.size(); ++i) {
      samples.push_back(sample_of(label_of(i), times(loops[i]->figures())));
    }
    return samples;
  };
}

/// `value(loop)`, loop by loop.
template <typename Value>
Metrics::Values by_loop(const Loops& loops, Value value) {
  return [&loops, value] {
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < loops.size(); ++i) {
      samples.push_back({label_of(i), static_cast<double>(value(*loops[i]))});
    }
    return samples;
  };
}

/// The same of a count among the figures.
Metrics::Values by_loop(const Loops& loops, OwnCount LoopFigures::*count) {
  return by_loop(loops, [count](const Loop& loop) { return (loop.figures().*count).value(); });
}

/// `count(figures)` of all loops.
template <typename Count>
double sum(const Loops& loops, Count count) {
  std::uint64_t sum = 0;
  for (const Loop* loop : loops) sum += count(loop->figures()).value();
  return static_cast<double>(sum);
}

std::vector<HistogramSample> phase_samples(const Loops& loops) {
  std::vector<HistogramSample> samples;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    for (std::size_t phase = 0; phase < kTickPhases; ++phase) {
      Labels labels = label_of(i);
      labels.emplace_back("phase", kPhaseNames[phase]);
      samples.push_back(sample_of(std::move(labels), loops[i]->figures().phases[phase]));
    }
  }
  return samples;
}

std::vector<Sample> state_samples(const Loops& loops) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    for (std::size_t state = 0; state < kStateNames.size(); ++state) {
      Labels labels = label_of(i);
      labels.emplace_back("state", kStateNames[state]);
      samples.push_back({std::move(labels), static_cast<double>(loops[i]->figures().matches[state].value())});
    }
  }
  return samples;
}

std::vector<Sample> rejection_samples(const Loops& loops) {
  std::vector<Sample> samples;
  for (std::size_t reason = 1; reason < match::kRejectionReasonsEnd; ++reason) {
    const std::string name(name_of(static_cast<match::RejectionReason>(reason)));
    if (name.empty()) continue;
    const auto count = [reason](const LoopFigures& figures) -> const OwnCount& {
      return figures.rejections[reason];
    };
    samples.push_back({{{"reason", name}}, sum(loops, count)});
  }
  const auto not_listed = [](const LoopFigures& figures) -> const OwnCount& {
    return figures.rejections_not_listed;
  };
  samples.push_back({{{"reason", "NOT_LISTED"}}, sum(loops, not_listed)});
  return samples;
}

/// A match that moves to another loop may have rows in both: the later one has the higher count.
std::vector<Sample> refused_participant_samples(const Loops& loops) {
  std::map<std::pair<MatchId, match::ParticipantNumber>, std::uint64_t> most;
  for (const Loop* loop : loops) {
    for (const auto& row : loop->figures().refused_participants.rows()) {
      std::uint64_t& rejections = most[{row.match, row.number}];
      rejections = std::max(rejections, row.rejections);
    }
  }
  std::vector<Sample> samples;
  for (const auto& [who, rejections] : most)
    samples.push_back({{{"match_id", who.first}, {"participant", std::to_string(who.second)}},
                       static_cast<double>(rejections)});
  return samples;
}

std::vector<Sample> claim_samples(const Loops& loops) {
  std::vector<Sample> samples;
  for (std::size_t verdict = 1; verdict < match::kVerdictsEnd; ++verdict) {
    const auto count = [verdict](const LoopFigures& figures) -> const OwnCount& {
      return figures.claims[verdict];
    };
    const std::string name(name_of(static_cast<match::Verdict>(verdict)));
    samples.push_back({{{"verdict", name}}, sum(loops, count)});
  }
  return samples;
}

std::vector<Sample> over_budget_samples(const Loops& loops) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < kEndCauses; ++i) {
    const auto cause = static_cast<EndCause>(i);
    if (!is_over_budget(cause)) continue;
    const auto count = [i](const LoopFigures& figures) -> const OwnCount& {
      return figures.matches_ended_for[i];
    };
    samples.push_back({{{"budget", std::string(name_of(cause))}}, sum(loops, count)});
  }
  return samples;
}

std::vector<Sample> slow_reader_samples(const Loops& loops) {
  std::vector<Sample> samples;
  for (std::size_t policy = 1; policy < kWhenFullEnd; ++policy) {
    const auto count = [policy](const LoopFigures& figures) -> const OwnCount& {
      return figures.slow_readers[policy];
    };
    samples.push_back({{{"outcome", kWhenFullNames[policy]}}, sum(loops, count)});
  }
  return samples;
}

}  // namespace

LoopMetrics::LoopMetrics(Metrics& metrics, std::vector<const Loop*> loops) : loops_(std::move(loops)) {
  add_times(metrics);
  add_counts(metrics);
  add_pulses(metrics);
  add_queues(metrics);
  add_reasons(metrics);
}

void LoopMetrics::add_times(Metrics& metrics) {
  metrics_.push_back(metrics.computed_histograms(
      "sweepd_tick_seconds", "How long ticks took, all phases.", kBounds,
      histogram_by_loop(loops_,
                        [](const LoopFigures& figures) -> const TimeFigures& { return figures.tick; })));
  metrics_.push_back(metrics.computed_histograms(
      "sweepd_tick_phase_seconds",
      "How long a phase of a tick took: step, frames apply, objects move and meet; journal, what happened is "
      "kept; tell, streams are told.",
      kBounds, [this] { return phase_samples(loops_); }));
  metrics_.push_back(metrics.computed_histograms(
      "sweepd_tick_lateness_seconds", "How late ticks that were due by time began.", kBounds,
      histogram_by_loop(loops_,
                        [](const LoopFigures& figures) -> const TimeFigures& { return figures.lateness; })));
}

void LoopMetrics::add_counts(Metrics& metrics) {
  const auto add = [&](const char* name, const char* help, OwnCount LoopFigures::*count) {
    metrics_.push_back(metrics.computed_counters(name, help, by_loop(loops_, count)));
  };
  add("sweepd_frames_total",
      "Frames that matches were given, applied or not. Not those that are malformed or too large.",
      &LoopFigures::frames);
  add("sweepd_late_frames_total", "Frames for ticks that had run, applied or not.",
      &LoopFigures::late_frames);
  add("sweepd_bunched_frames_total",
      "Frames that applied in a tick in which one of the participant for another tick had applied.",
      &LoopFigures::bunched_frames);
  add("sweepd_updates_total", "Updates that were sent.", &LoopFigures::updates);
  add("sweepd_events_total", "Events that ticks brought.", &LoopFigures::events);
  add("sweepd_matches_created_total", "Matches that began here, or came back from the journal.",
      &LoopFigures::matches_created);
  add("sweepd_matches_ended_total", "Matches that ended.", &LoopFigures::matches_ended);
  add("sweepd_matches_moved_total", "Matches that moved away from the loop, to one that had less to do.",
      &LoopFigures::matches_moved);
  add("sweepd_ticks_skipped_total", "Ticks that were due while the loop could not run them, and never ran.",
      &LoopFigures::ticks_skipped);
}

void LoopMetrics::add_pulses(Metrics& metrics) {
  const auto seconds = [](Duration time) { return std::chrono::duration<double>(time).count(); };
  metrics_.push_back(metrics.computed_gauges(
      "sweepd_loop_poll_age_seconds", "How long ago the loop last polled; more than 0.1: it stands still.",
      by_loop(loops_, [seconds](const Loop& loop) { return seconds(loop.pulse().age(loop.now())); })));
  metrics_.push_back(metrics.computed_gauges(
      "sweepd_loop_longest_poll_gap_seconds",
      "The longest time between two polls of the loop, of the last minute or two.",
      by_loop(loops_,
              [seconds](const Loop& loop) { return seconds(loop.pulse().longest_gap(loop.now())); })));
  metrics_.push_back(metrics.computed_counters(
      "sweepd_loop_stalls_total", "How often the loop did not poll for a second or longer.",
      by_loop(loops_, [](const Loop& loop) { return loop.pulse().stalls(); })));
}

void LoopMetrics::add_queues(Metrics& metrics) {
  const auto add = [&](const char* name, const char* help, Metrics::Values values) {
    metrics_.push_back(metrics.computed_gauges(name, help, std::move(values)));
  };
  add("sweepd_matches_by_state", "Matches, by what they are doing.",
      [this] { return state_samples(loops_); });
  add("sweepd_frames_waiting", "Frames that wait for their ticks.",
      by_loop(loops_, &LoopFigures::frames_waiting));
  add("sweepd_events_kept", "Events that are kept for streams that have yet to be told, or come back.",
      by_loop(loops_, &LoopFigures::events_kept));
  add("sweepd_sight_bytes",
      "Memory for who sees which events, of matches with rules of visibility. Not more than a few words for "
      "each event that is kept, and for each encounter that is open.",
      by_loop(loops_, &LoopFigures::sight_bytes));
  add("sweepd_posted_work_waiting", "Work that has been posted to the loop and has yet to run.",
      by_loop(loops_, [](const Loop& loop) { return loop.posted_waiting(); }));
}

void LoopMetrics::add_reasons(Metrics& metrics) {
  const auto add = [&](const char* name, const char* help, Metrics::Values values) {
    metrics_.push_back(metrics.computed_counters(name, help, std::move(values)));
  };
  add("sweepd_rejections_total",
      "Changes and frames that were refused, by the reason; NOT_LISTED: too many at once to keep reasons.",
      [this] { return rejection_samples(loops_); });
  metrics_.push_back(metrics.computed_gauges(
      "sweepd_participant_rejections",
      "Changes and frames that a participant was refused: of those with the most, 16 of each loop; GetMatch "
      "has the rules. Stays after the end of the match until others need the room.",
      [this] { return refused_participant_samples(loops_); }));
  add("sweepd_claims_total", "Claims of hits that were judged, by the verdict.",
      [this] { return claim_samples(loops_); });
  add("sweepd_matches_over_budget_total", "Matches that were ended as they exceeded a budget, by the budget.",
      [this] { return over_budget_samples(loops_); });
  add("sweepd_slow_readers_total", "How often a reader that fell behind was dealt with, by its policy.",
      [this] { return slow_reader_samples(loops_); });
}

}  // namespace sweepd::runtime
