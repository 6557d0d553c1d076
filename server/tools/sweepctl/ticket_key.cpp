// SPDX-License-Identifier: MIT
#include "tools/sweepctl/ticket_key.h"

#include "identity/ticket_issuer.h"
#include "tools/sweepctl/private_file.h"

namespace sweepd::tools {
namespace {

constexpr std::size_t kTicketKeyBytesMax = 64 * 1024;
constexpr mode_t kAnyRightOfOthers = 077;

}  // namespace

Result<identity::Jwk> read_ticket_key(const std::string& path) {
  const auto text = read_private_file(path, kTicketKeyBytesMax, kAnyRightOfOthers);
  if (!text.ok()) return text.status();
  const auto key = identity::parse_private_key(*text);
  if (!key.ok()) return Status(ErrorCode::kInvalidArgument, key.error().text);
  return *key;
}

}  // namespace sweepd::tools
