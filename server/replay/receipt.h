// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "replay/ending.h"
#include "replay/head.h"
#include "replay/signing_key.h"

namespace sweepd::replay {

/// What a receipt's signature is over. All numbers are little-endian; `text` is its length, 4 bytes, and its
/// bytes:
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
/// The final digest is no cryptographic one: it tells which match this was to who plays it again, and the
/// signature tells who says so. Its check ends with playing the match again and comparing.
std::string receipt_bytes(const Head& head, const Ending& ending);

/// Who vouches for a match, and how.
struct Receipt {
  PublicKey public_key = {};
  Signature signature = {};
};

Receipt sign_receipt(const SigningKey& key, const Head& head, const Ending& ending);

/// Whether the receipt is one of `key` for exactly this.
bool check_receipt(const Receipt& receipt, const PublicKey& key, const Head& head, const Ending& ending);

}  // namespace sweepd::replay
