// SPDX-License-Identifier: MIT
#include "identity/token_parts.h"

#include "identity/base64url.h"
#include "identity/strict_json.h"
#include "identity/ticket.h"

namespace sweepd::identity {

std::optional<TokenParts> split_token(std::string_view token) {
  const std::size_t first = token.find('.');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = token.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  // A third point fails as a letter of the signature.
  const auto header = from_base64url(token.substr(0, first));
  const auto claims = from_base64url(token.substr(first + 1, second - first - 1));
  const auto signature = from_base64url(token.substr(second + 1));
  if (!header || !claims || !signature) return std::nullopt;
  return TokenParts{*header, *claims, *signature, token.substr(0, second)};
}

std::optional<std::string> token_text(std::string_view token, std::string_view verdict) {
  const auto parts = token.size() <= kTicketBytesMax ? split_token(token) : std::nullopt;
  if (!parts) return std::nullopt;
  const auto header = parse_json_object(parts->header);
  const auto claims = parse_json_object(parts->claims);
  if (!header.ok() || !claims.ok()) return std::nullopt;
  Json text = {{"header", *header}, {"claims", *claims}};
  if (!verdict.empty()) text["verdict"] = verdict;
  return text.dump(2);
}

}  // namespace sweepd::identity
