// SPDX-License-Identifier: MIT
#include "session/official_rules.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "replay/file_format.h"
#include "replay/rules_digest.h"
#include "sweepd/v1/types.pb.h"
#include "wire/config_codec.h"

namespace sweepd::session {
namespace {

namespace fs = std::filesystem;

base::Result<match::MatchConfig, std::string> read_config(const fs::path& path,
                                                          const match::BudgetMaxima& maxima) {
  const auto wrong = [&](const std::string& what) { return path.string() + ": " + what; };
  std::ifstream file(path, std::ios::binary);
  std::string bytes(replay::kConfigBytesMax + 1, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (bytes.size() > replay::kConfigBytesMax)
    return wrong("has more than " + std::to_string(replay::kConfigBytesMax) + " bytes");
  v1::MatchConfig message;
  if (bytes.empty() || !message.ParseFromString(bytes))
    return wrong("is none that sweepctl check --compile wrote");
  auto config = wire::decode_config(message);
  auto error = config ? match::find_error(*config) : std::optional(config.error());
  match::MatchConfig filled = config ? *config : match::MatchConfig();
  if (!error) error = match::fill_budgets(maxima, filled);
  if (error) return wrong(error->field + ": " + error->description);
  return std::move(*config);
}

base::Result<std::vector<fs::path>, std::string> files_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".rules") files.push_back(entry.path());
  }
  if (error) return folder.string() + ": cannot be read: " + error.message();
  if (files.empty()) return folder.string() + ": has no rules (NAME.rules, see sweepctl check --compile)";
  if (files.size() > OfficialRules::kFilesMax)
    return folder.string() + ": has " + std::to_string(files.size()) + " rules; at most " +
           std::to_string(OfficialRules::kFilesMax) + " are allowed";
  std::ranges::sort(files);
  return files;
}

}  // namespace

base::Result<OfficialRules, std::string> OfficialRules::read(const fs::path& folder,
                                                             const match::BudgetMaxima& maxima) {
  const auto files = files_in(folder);
  if (!files) return files.error();
  OfficialRules official;
  for (const fs::path& path : *files) {
    auto config = read_config(path, maxima);
    if (!config) return config.error();
    const std::string name = path.stem().string();
    if (name.size() > replay::kRulesNameBytesMax)
      return path.string() + ": a name has at most " + std::to_string(replay::kRulesNameBytesMax) + " bytes";
    official.by_digest_.emplace(replay::rules_digest(*config), name);
    official.rules_.push_back({name, std::move(*config)});
  }
  return official;
}

const match::MatchConfig* OfficialRules::find(std::string_view name) const {
  const auto found = std::ranges::find(rules_, name, &replay::ApprovedRules::name);
  return found == rules_.end() ? nullptr : &found->config;
}

std::string OfficialRules::name_of(const match::MatchConfig& config) const {
  if (rules_.empty()) return {};
  const auto found = by_digest_.find(replay::rules_digest(config));
  return found == by_digest_.end() ? std::string() : found->second;
}

}  // namespace sweepd::session
