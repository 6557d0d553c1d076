// SPDX-License-Identifier: MIT
#include "tools/sweepctl/rules_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tools/sweepctl/config_check.h"
#include "tools/sweepctl/match_file.h"
#include "wire/replay_codec.h"

namespace sweepd::tools {
namespace {

namespace fs = std::filesystem;

Status rules_error(const std::string& what) { return Status(ErrorCode::kInvalidArgument, what); }

Result<std::vector<std::string>> files_in(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  }
  if (error) return rules_error(path + ": cannot be read: " + error.message());
  if (files.empty()) return rules_error(path + ": has no match file (.toml)");
  std::ranges::sort(files);
  return files;
}

}  // namespace

Result<std::vector<replay::ApprovedRules>> read_rules(const std::string& path) {
  const auto files = files_in(path);
  if (!files) return files.status();
  if (files->size() > wire::kApprovedRulesMax) {
    return rules_error(path + ": has " + std::to_string(files->size()) + " match files; at most " +
                       std::to_string(wire::kApprovedRulesMax) + " are read");
  }
  std::vector<replay::ApprovedRules> rules;
  for (const std::string& name : *files) {
    const MatchFile file = read_match_file(name);
    if (!file.errors.empty()) return rules_error(file.errors.front());
    auto config = checked_config(file.config);
    if (!config) return rules_error(file.located(config.status()));
    rules.push_back({fs::path(name).stem().string(), std::move(*config)});
  }
  return rules;
}

}  // namespace sweepd::tools
