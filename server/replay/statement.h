// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "replay/ending.h"
#include "replay/head.h"
#include "replay/signing_key.h"

namespace sweepd::replay {

/// What a receipt is about.
struct Attested {
  const Head& head;
  const Ending& ending;
  const std::string& records_digest;  ///< The last link of the file's records (record_chain.h).
};

/// "1f4be37c90a2d865": the first 8 bytes of SHA-256 over the 32 bytes of a key.
std::string key_id(const PublicKey& key);

/// What this build says of it, for a key to sign: the bytes of a v1::Statement.
std::string statement_of(const Attested& attested, const PublicKey& key);

/// Whether the statement, whichever build made it, is about exactly this and says that of this key. One of a
/// version that is not known here is not.
bool is_statement_of(std::string_view statement, const Attested& attested, const PublicKey& key);

}  // namespace sweepd::replay
