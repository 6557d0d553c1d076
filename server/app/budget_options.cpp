// SPDX-License-Identifier: MIT
#include "app/budget_options.h"

#include <map>
#include <string>
#include <vector>

namespace sweepd::app {
namespace {

using collision::BroadphaseKind;

constexpr std::uint64_t kHistoryMostMib = 1'048'576;

std::map<std::string, BroadphaseKind> broadphases_by_name() {
  std::map<std::string, BroadphaseKind> kinds;
  for (const BroadphaseKind kind : collision::kBroadphaseKinds) kinds.emplace(name_of(kind), kind);
  return kinds;
}

void describe_budget(CLI::App& app, const char* name, std::uint32_t& budget, const char* what) {
  app.add_option(name, budget, what)
      ->check(CLI::Range(match::kBudgetRange.min, match::kBudgetRange.max))
      ->type_name("N")
      ->capture_default_str()
      ->group("Budgets of a match");
}

void describe_broadphases(CLI::App& app, match::BudgetMaxima& maxima) {
  const auto kinds = broadphases_by_name();
  const auto offer = [&maxima, kinds](const std::vector<std::string>& names) {
    maxima.broadphases = 0;
    for (const std::string& name : names) {
      maxima.broadphases |= std::uint32_t{1} << static_cast<std::uint32_t>(kinds.at(name));
    }
  };
  app.add_option_function<std::vector<std::string>>(
         "--broadphases", offer, "Broadphases that matches may have, with commas between them")
      ->delimiter(',')
      ->check(CLI::IsMember(kinds))
      ->type_name("NAMES")
      ->default_str("all")
      ->group("Budgets of a match");
}

void describe_memory(CLI::App& app, match::BudgetMaxima& maxima) {
  describe_budget(app, "--match-mask-bytes-max", maxima.mask_bytes_max,
                  "Bytes of the rows of all its bit masks");
  const auto set_history = [&maxima](std::uint64_t mebibytes) {
    maxima.history_bytes_max = mebibytes * kMebibyte;
  };
  app.add_option_function<std::uint64_t>("--match-history-mib-max", set_history,
                                         "What its history takes at most, at 10 bytes for each tick of "
                                         "history_ticks and object of objects_max")
      ->check(CLI::Range(std::uint64_t{1}, kHistoryMostMib))
      ->type_name("MIB")
      ->default_str(std::to_string(maxima.history_bytes_max / kMebibyte))
      ->group("Budgets of a match");
}

}  // namespace

void describe_budgets(CLI::App& app, match::BudgetMaxima& maxima) {
  describe_budget(app, "--match-objects-max", maxima.objects_max,
                  "Objects of a match: at most, and where its config does not say; as are the next five");
  describe_budget(app, "--match-parts-max", maxima.parts_max, "Parts of all its objects");
  describe_budget(
      app, "--match-overlapping-pairs-max", maxima.overlapping_pairs_max,
      "Pairs of its parts that overlap; a tick that exceeds it, or one of the next two, ends the match");
  describe_budget(app, "--match-tests-per-tick-max", maxima.tests_per_tick_max,
                  "Exact tests of its shapes in a tick");
  describe_budget(app, "--match-events-per-tick-max", maxima.events_per_tick_max,
                  "Encounters that begin or end in a tick");
  describe_budget(app, "--match-selected-objects-max", maxima.selected_objects_max,
                  "Objects that the selections of one participant look at in a tick");
  describe_memory(app, maxima);
  describe_broadphases(app, maxima);
}

}  // namespace sweepd::app
