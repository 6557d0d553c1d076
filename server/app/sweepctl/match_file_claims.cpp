// SPDX-License-Identifier: MIT
#include "app/sweepctl/match_file_parts.h"

namespace sweepd::app {
namespace {

constexpr std::array<Word<ClaimPolicy>, 3> kPolicyWords{
    {{"observe", ClaimPolicy::kObserve}, {"warn", ClaimPolicy::kWarn}, {"enforce", ClaimPolicy::kEnforce}}};

}  // namespace

void read_claims(TomlTable& file, MatchConfig& config) {
  const auto field = file.find("claims");
  if (!field) return;
  TomlTable table(*field);
  table.word("policy", kPolicyWords, config.claims.policy);
  table.number("rewind_ticks_max", {0, 3600}, config.claims.rewind_ticks_max);
  table.length("tolerance_max", config.claims.tolerance_max);
  table.number("delay_allowance_ticks", {0, 3600}, config.claims.delay_allowance_ticks);
  table.number("hits_per_shot_max", {0, 65'535}, config.claims.hits_per_shot_max);
  table.finish();
}

}  // namespace sweepd::app
