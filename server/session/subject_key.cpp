// SPDX-License-Identifier: MIT
#include "session/subject_key.h"

#include <string>
#include <string_view>

namespace sweepd::session {
namespace {

/// No claim of a ticket has such a character, and no address.
constexpr char kSeparator = '\x1f';

std::string_view take_part(std::string_view& text) {
  const std::size_t end = std::min(text.find(kSeparator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

}  // namespace

runtime::BudgetKey key_of(const identity::Subject& subject) {
  if (subject.name.empty()) return {};
  return {subject.name + kSeparator + subject.issuer + kSeparator + subject.tenant};
}

identity::Subject subject_of(const runtime::BudgetKey& key) {
  std::string_view text = key.text();
  if (text.find(kSeparator) == std::string_view::npos) return {};
  identity::Subject subject;
  subject.name = take_part(text);
  subject.issuer = take_part(text);
  subject.tenant = take_part(text);
  return subject;
}

}  // namespace sweepd::session
