// SPDX-License-Identifier: MIT
#include "tools/sweepctl/trusted_keys.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "identity/strict_json.h"
#include "tools/sweepctl/small_file.h"
#include "tools/sweepctl/utc_time.h"

namespace sweepd::tools {
namespace {

using identity::Json;

constexpr std::size_t kKeysFileBytesMax = std::size_t{1} << 20;
constexpr std::size_t kKeyPemBytesMax = 64 * 1024;
constexpr std::size_t kKeyIdBytesMax = 256;
constexpr std::size_t kKeyPathBytesMax = 4096;

Status refusal(const std::string& what) { return Status(ErrorCode::kInvalidArgument, what); }

Result<replay::PublicKey> read_key(const std::filesystem::path& path) {
  const auto pem = read_small_file(path, kKeyPemBytesMax);
  if (!pem.ok()) return pem.status();
  const auto key = replay::PublicKey::from_pem(*pem);
  if (!key) return refusal("is no public key of Ed25519 in PEM, or has several");
  return *key;
}

std::string take_time(const Json& value, std::optional<std::int64_t>& time) {
  time = value.is_string() ? seconds_of_utc(value.get_ref<const std::string&>()) : std::nullopt;
  return time ? "" : "is no time such as 2026-11-25T18:00:00Z";
}

/// What is wrong with an entry; empty: nothing. `file`: as the entry has it.
std::string take_members(const Json& entry, TrustedKey& key, std::string& file) {
  for (const auto& [name, value] : entry.items()) {
    std::string fault;
    const bool is_text = identity::is_plain_text(value, name == "id" ? kKeyIdBytesMax : kKeyPathBytesMax);
    if (name == "id" || name == "file") {
      if (is_text) (name == "id" ? key.id : file) = value.get<std::string>();
      fault = is_text ? "" : "is no such text";
    } else if (name == "not_before") {
      fault = take_time(value, key.not_before);
    } else if (name == "not_after") {
      fault = take_time(value, key.not_after);
    } else {
      fault = "is not known";
    }
    if (!fault.empty()) return "the member \"" + name + "\" " + fault;
  }
  if (key.id.empty() || file.empty()) return "\"id\" and \"file\" have to be there";
  return "";
}

}  // namespace

Result<TrustedKeys> TrustedKeys::read_pem(const std::string& path) {
  const auto key = read_key(path);
  if (!key.ok()) return key.status();
  TrustedKeys keys;
  keys.keys_.push_back({.id = std::filesystem::path(path).filename().string(), .key = *key});
  return keys;
}

Result<TrustedKeys> TrustedKeys::read(const std::string& path) {
  const auto text = read_small_file(path, kKeysFileBytesMax);
  if (!text.ok()) return text.status();
  const auto json = identity::parse_json_object(*text);
  if (!json) return refusal(json.error().text);
  const Json* list = identity::find_member(*json, "keys");
  if (list == nullptr || !list->is_array() || json->size() != 1) {
    return refusal("has to have \"keys\", a list, and nothing else");
  }
  if (list->size() > kKeysMax) return refusal("has more than " + std::to_string(kKeysMax) + " keys");
  TrustedKeys keys;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string place = "keys[" + std::to_string(i) + "]: ";
    const Json& entry = (*list)[i];
    if (!entry.is_object()) return refusal(place + "is no object");
    TrustedKey key;
    std::string file;
    if (const auto fault = take_members(entry, key, file); !fault.empty()) return refusal(place + fault);
    if (keys.has(key.id)) return refusal(place + "the id is another key's, too");
    const auto read = read_key(std::filesystem::path(path).parent_path() / file);
    if (!read.ok()) return refusal(place + file + " " + read.status().message());
    key.key = *read;
    keys.keys_.push_back(std::move(key));
  }
  return keys;
}

bool TrustedKeys::has(const std::string& id) const {
  return std::ranges::any_of(keys_, [&](const TrustedKey& key) { return key.id == id; });
}

TrustedKeys::Choice TrustedKeys::choose(const replay::PublicKey& key, const std::string& id,
                                        std::int64_t time) const {
  Choice choice{.fault = "the receipt is of a key that is not trusted"};
  if (!id.empty()) choice.fault = "the receipt is not of the key " + id;
  for (const TrustedKey& trusted : keys_) {
    if (trusted.key != key || (!id.empty() && trusted.id != id)) continue;
    if (trusted.not_before && time < *trusted.not_before) {
      choice.fault = "the key " + trusted.id + " is good from " + utc_text(*trusted.not_before) + " on";
    } else if (trusted.not_after && time > *trusted.not_after) {
      choice.fault = "the key " + trusted.id + " was good until " + utc_text(*trusted.not_after);
    } else {
      return {.key = &trusted};
    }
  }
  return choice;
}

}  // namespace sweepd::tools
