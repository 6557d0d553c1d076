// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <utility>

#include "identity/rights_table.h"

namespace sweepd::identity {
namespace {

struct RightWord {
  Right right;
  const char* word;
  const char* meaning;
};

constexpr RightWord kRightWords[] = {
    {Right::kNo, "–", "refused"},
    {Right::kYes, "yes", "allowed"},
    {Right::kIfTicketSays, "ticket", "if the ticket has `create`"},
    {Right::kIfMatchAllows, "match",
     "if the match's config lists the role for it; by default it lists the stage for ControlClock, and "
     "nothing else"},
    {Right::kAtAdminListener, "admin", "on the admin listener only"},
    {Right::kInPart, "part",
     "allowed, but the answers have neither the seed nor the counters of others, unless the match's config "
     "says so"},
};

std::string word_of(Right right) {
  return std::find_if(std::begin(kRightWords), std::end(kRightWords),
                      [right](const RightWord& row) { return row.right == right; })
      ->word;
}

std::string cell_text(const RightsCell& cell) {
  if (cell.own == cell.other) return word_of(cell.own);
  return word_of(cell.own) + " / " + word_of(cell.other);
}

}  // namespace

std::string rights_markdown() {
  std::string text = "| rpc |";
  std::string line = "|---|";
  for (const PrincipalKind kind : kPrincipalKinds) {
    text.append(" ").append(name_of(kind)).append(" |");
    line += "---|";
  }
  text.append("\n").append(line).append("\n");
  for (const RightsRow& row : rights_rows()) {
    text.append("| ").append(row.rpc).append(" |");
    for (const RightsCell& cell : row.cells) text.append(" ").append(cell_text(cell)).append(" |");
    text += "\n";
  }
  text += "\nOf two words the first is for a match of one's own, the second for any other.";
  for (const RightWord& row : kRightWords) {
    text.append(" ").append(row.word).append(": ").append(row.meaning).append(".");
  }
  return text + "\n";
}

}  // namespace sweepd::identity
