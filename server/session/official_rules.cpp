// SPDX-License-Identifier: MIT
#include "session/official_rules.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/visible_text.h"
#include "replay/file_format.h"
#include "replay/rules_digest.h"
#include "sweepd/v1/types.pb.h"
#include "wire/config_codec.h"

namespace sweepd::session {
namespace {

namespace fs = std::filesystem;

std::string visible_path(const fs::path& path) { return base::visible(path.string()); }

struct CompiledRules {
  match::MatchConfig config = {};
  std::size_t bytes = 0;
  match::Budgets filled = {};
};

base::Result<CompiledRules, std::string> read_rules_file(const fs::path& path,
                                                         const match::BudgetMaxima& maxima) {
  const auto wrong = [&](const std::string& what) { return visible_path(path) + ": " + what; };
  std::error_code status;
  if (!fs::is_regular_file(path, status)) return wrong("is no regular file");  // Nor does a pipe block here.
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
  return CompiledRules{std::move(*config), bytes.size(), filled.budgets};
}

/// A name stands in receipts, and where it is absent people read UNRANKED.
std::optional<std::string> find_name_error(const std::string& name) {
  if (name.size() > replay::kRulesNameBytesMax)
    return "a name has at most " + std::to_string(replay::kRulesNameBytesMax) + " bytes";
  if (!base::is_utf8(name) || base::visible(name) != name) return "a name is of characters that show";
  if (name.empty() || name == "UNRANKED") return "is no name of rules";
  return std::nullopt;
}

base::Result<std::vector<fs::path>, std::string> files_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".rules") files.push_back(entry.path());
  }
  if (error) return visible_path(folder) + ": cannot be read: " + error.message();
  if (files.empty())
    return visible_path(folder) + ": has no rules (NAME.rules, see sweepctl check --compile)";
  if (files.size() > OfficialRules::kFilesMax)
    return visible_path(folder) + ": has " + std::to_string(files.size()) + " rules; at most " +
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
    const std::string name = path.stem().string();
    if (const auto error = find_name_error(name)) return visible_path(path) + ": " + *error;
    auto rules = read_rules_file(path, maxima);
    if (!rules) return rules.error();
    const std::string digest = replay::rules_digest(rules->config);
    official.by_digest_.emplace(digest, official.sources_.size());
    official.sources_.push_back({digest, rules->bytes, rules->filled});
    official.rules_.push_back({name, std::move(rules->config)});
  }
  return official;
}

std::optional<OfficialRules::Entry> OfficialRules::find(std::string_view name) const {
  const auto found = std::ranges::find(rules_, name, &replay::ApprovedRules::name);
  if (found == rules_.end()) return std::nullopt;
  const Source& source = sources_[static_cast<std::size_t>(found - rules_.begin())];
  return Entry{found->config, source.digest, source.bytes};
}

std::string OfficialRules::name_of(const std::string& digest, const match::Budgets& filled) const {
  const auto found = by_digest_.find(digest);
  if (found == by_digest_.end() || sources_[found->second].filled != filled) return {};
  return rules_[found->second].name;
}

}  // namespace sweepd::session
