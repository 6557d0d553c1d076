// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "replay/ending.h"
#include "replay/head.h"
#include "replay/signing_key.h"
#include "replay/statement.h"

namespace sweepd::replay {

/// What the signature of a receipt of version 1 is over; of matches whose digests are of version 1. All
/// numbers are little-endian; `text` is its length, 4 bytes, and its bytes:
///
///   "sweepd receipt 1\n"        17 bytes
///   match id                    text
///   config digest               32 bytes: SHA-256 of the config as it stands in the replay
///   engine version              text
///   digest version              4 bytes
///   nonce                       text
///   end reason                  1 byte: EndReason
///   number of ticks             8 bytes
///   final digest                8 bytes
///   number of participants      4 bytes; then for each: number, 4 bytes; role, 1 byte; name, text
///   participants not listed     8 bytes
///   number of scores            4 bytes; then for each: number, 4 bytes; 1 if it has left, else 0, 1 byte;
///                               score, 8 bytes, two's complement; name, text
///
/// It is weaker than version 2: that the inputs are those of the match rests on the final digest, whose 64
/// bits can be solved for.
std::string receipt_bytes(const Head& head, const Ending& ending);

/// Who vouches for a match, and how. A receipt of version 2 has a statement (statement.h), and its signature
/// is over "sweepd receipt 2\n" and the statement's bytes: with it over the chain of all records.
struct Receipt {
  PublicKey public_key = {};
  Signature signature = {};
  std::string statement = {};  ///< Empty: version 1.

  std::uint32_t version() const { return statement.empty() ? 1 : 2; }
};

/// Of the version that the match's digests are for.
Receipt sign_receipt(const SigningKey& key, const Attested& attested);

/// Whether the receipt is one of `key` for exactly this.
bool check_receipt(const Receipt& receipt, const PublicKey& key, const Attested& attested);

}  // namespace sweepd::replay
