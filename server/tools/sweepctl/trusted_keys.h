// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replay/signing_key.h"
#include "sweepd/status.h"

namespace sweepd::tools {

/// A key whose receipts are trusted, and when.
struct TrustedKey {
  std::string id = {};  ///< The user's name for it.
  replay::PublicKey key = {};
  // Seconds since 1970. Absent: for ever.
  std::optional<std::int64_t> not_before = {};
  std::optional<std::int64_t> not_after = {};
};

/// The keys whose receipts are trusted. A server's key is replaced by adding the next one and by saying until
/// when the former one was good.
class TrustedKeys {
 public:
  static constexpr std::size_t kKeysMax = 1024;

  /// One, from a file in PEM: trusted for ever. Its id is the file's name.
  static Result<TrustedKeys> read_pem(const std::string& path);

  /// From a file of JSON: {"keys": [{"id", "file", "not_before", "not_after"}, ...]}. `file` is a public key
  /// in PEM, beside this file if its path is relative; the times are as "2026-11-25T18:00:00Z" and may be
  /// missing.
  static Result<TrustedKeys> read(const std::string& path);

  bool has(const std::string& id) const;

  /// The trusted key that is the one of a receipt; or, for people, why none is. `id`: it has to be that one;
  /// empty: any. `time`: at which it has to be good.
  struct Choice {
    const TrustedKey* key = nullptr;
    std::string fault = {};
  };
  Choice choose(const replay::PublicKey& key, const std::string& id, std::int64_t time) const;

 private:
  std::vector<TrustedKey> keys_;
};

}  // namespace sweepd::tools
