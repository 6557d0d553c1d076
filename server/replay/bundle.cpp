// SPDX-License-Identifier: MIT
#include "replay/bundle.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "match/snapshot.h"
#include "replay/bundle_evidence.h"
#include "replay/compression.h"
#include "replay/config_codec.h"
#include "replay/file_format.h"
#include "replay/footer_codec.h"
#include "replay/little_endian.h"
#include "replay/player.h"
#include "replay/rules_digest.h"
#include "replay/seeker.h"
#include "replay/sha256.h"
#include "replay/tick_decoder.h"
#include "replay/tick_encoder.h"
#include "sweepd/replay/v1/bundle.pb.h"

namespace sweepd::replay {
namespace {

constexpr int kCompressionLevel = 9;
constexpr std::size_t kBundleStartBytes = kBundleMagic.size() + sizeof(kBundleVersion);

std::string signed_bytes(std::string_view content) { return "sweepd bundle 1\n" + std::string(content); }

template <std::size_t kSize>
std::string bytes_text(const std::array<std::uint8_t, kSize>& bytes) {
  return {bytes.begin(), bytes.end()};
}

FileFault fault_of(std::string what) { return {.record = "bundle", .what = std::move(what)}; }

FileFault too_large() { return fault_of("the ticks are too much for a bundle: take fewer"); }

/// The records of some ticks as they stand in the replay.
base::Result<std::string, FileFault> read_ticks(const Reader& reader, const BundleRange& range) {
  TickEncoder encoder;
  for (std::size_t chunk = reader.chunk_of(range.first);
       chunk < reader.chunks().size() && reader.chunks()[chunk].first_tick <= range.last; ++chunk) {
    const auto records = reader.read_chunk(chunk);
    if (!records) return records.error();
    for (const TickRecord& record : *records) {
      if (record.tick >= range.first && record.tick <= range.last) encoder.add(record);
    }
  }
  std::string bytes = encoder.take();
  if (bytes.size() > kContentBytesMax) return too_large();
  return bytes;
}

/// False: it is too large.
bool set_start(const match::Match& match, v1::BundleContent& content) {
  if (match.tick() == 0) return true;
  const std::string bytes = match.save();
  v1::KeyFrame& start = *content.mutable_start();
  start.set_tick(match.tick());
  start.set_digest(match.digest());
  start.set_version(match::kSnapshotVersion);
  start.set_content(compress(bytes, kCompressionLevel));
  return bytes.size() <= kContentBytesMax;
}

void set_evidence(const Moment& moment, v1::BundleContent& content) {
  add_claims(moment, content);
  if (moment.tick == content.at_tick()) add_participants(moment, content);
}

void set_replay(const Reader& reader, std::string_view file, v1::BundleContent& content) {
  encode(reader.head(), *content.mutable_header());
  encode(reader.footer()->ending, *content.mutable_footer());
  content.mutable_footer()->set_link(reader.footer()->records_digest);
  if (reader.footer()->receipt) encode(*reader.footer()->receipt, *content.mutable_footer());
  content.set_replay_sha256(sha256({file}));
}

std::optional<FileFault> set_ticks(const Reader& reader, const BundleRange& range,
                                   v1::BundleContent& content) {
  const auto ticks = read_ticks(reader, range);
  if (!ticks) return ticks.error();
  content.mutable_ticks()->set_first_tick(range.first);
  content.mutable_ticks()->set_tick_count(range.last - range.first + 1);
  content.mutable_ticks()->set_content(compress(*ticks, kCompressionLevel));
  return std::nullopt;
}

/// The match before the first tick, and what the ticks come to.
std::optional<FileFault> set_played(const Reader& reader, const BundleRange& range,
                                    v1::BundleContent& content) {
  auto seeker = Seeker::open(reader, PlayedPast::kAsConfigured);
  if (!seeker) return seeker.error();
  if (auto fault = seeker->seek(range.first - 1)) return fault;
  if (!set_start(seeker->match(), content)) return too_large();
  while (seeker->match().tick() < range.last) {
    const auto output = seeker->next();
    if (!output) return output.error();
    set_evidence(moment_of(seeker->match(), **output), content);
  }
  return std::nullopt;
}

std::string sealed(const v1::BundleContent& content, const SigningKey& key) {
  v1::Bundle bundle;
  bundle.set_content(content.SerializeAsString());
  bundle.set_public_key(bytes_text(key.public_key().bytes));
  bundle.set_signature(bytes_text(key.sign(signed_bytes(bundle.content()))));
  std::string bytes(kBundleMagic);
  append_number(bytes, kBundleVersion);
  return bytes + bundle.SerializeAsString();
}

/// A bundle that is being checked.
class BundleCheck {
 public:
  using Fault = std::optional<FileFault>;

  Fault open(std::string_view bytes);
  Fault decode();
  Fault play(const std::function<void(const Moment&)>& visit);
  Bundle& bundle() { return bundle_; }

 private:
  Fault decode_range();
  Fault restore(std::unique_ptr<match::Match>& match) const;
  Fault compare(const v1::BundleContent& found) const;
  Fault compare_rules() const;
  Fault compare_cast(const Cast& cast, const match::Match& match) const;
  Fault compare_ending(const match::Match& match) const;

  v1::BundleContent content_;
  Bundle bundle_;
};

BundleCheck::Fault BundleCheck::open(std::string_view bytes) {
  if (!is_bundle(bytes)) return fault_of("this is no bundle: it begins otherwise");
  if (bytes.size() > kBundleBytesMax) {
    return fault_of("it is larger than " + std::to_string(kBundleBytesMax) + " bytes");
  }
  if (bytes.size() < kBundleStartBytes) return fault_of("it ends within its first bytes");
  const auto version = read_number<std::uint32_t>(bytes.substr(kBundleMagic.size()));
  if (version != kBundleVersion) {
    return FileFault{.kind = FaultKind::kUnsupportedVersion,
                     .record = "bundle",
                     .what = "it is of version " + std::to_string(version) + "; this build reads " +
                             std::to_string(kBundleVersion)};
  }
  bytes.remove_prefix(kBundleStartBytes);
  v1::Bundle message;
  Signature signature{};
  const bool is_read = message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) &&
                       message.public_key().size() == bundle_.packer.bytes.size() &&
                       message.signature().size() == signature.size();
  if (!is_read) return fault_of("it is no message of one");
  std::ranges::copy(message.public_key(), bundle_.packer.bytes.begin());
  std::ranges::copy(message.signature(), signature.begin());
  if (!bundle_.packer.verifies(signed_bytes(message.content()), signature)) {
    return fault_of("it is not what its packer has signed");
  }
  if (!content_.ParseFromString(message.content())) return fault_of("its content is no message of one");
  return std::nullopt;
}

BundleCheck::Fault BundleCheck::decode() {
  auto fault = replay::decode(content_.header(), bundle_.head);
  if (!fault) fault = replay::decode(content_.footer(), bundle_.footer.ending);
  if (!fault) fault = replay::decode(content_.footer(), bundle_.footer.receipt);
  bundle_.footer.records_digest = content_.footer().link();
  if (fault) return fault_of(*fault);
  if (!match::is_known_digest_version(bundle_.head.digest_version))
    return FileFault{.kind = FaultKind::kUnsupportedVersion,
                     .record = "bundle",
                     .what = "its match has digests of a version that this build does not know"};
  auto config = decode_config(bundle_.head.config_bytes);
  if (!config) return fault_of("config." + config.error().field + ": " + config.error().description);
  bundle_.config = std::move(*config);
  bundle_.replay_sha256 = content_.replay_sha256();
  const auto& receipt = bundle_.footer.receipt;
  const bool is_good =
      !receipt || check_receipt(*receipt, receipt->public_key,
                                {bundle_.head, bundle_.footer.ending, bundle_.footer.records_digest});
  if (!is_good) return fault_of("the receipt is not over what it says");
  if (bundle_.replay_sha256.size() != kSha256Bytes) return fault_of("it has no SHA-256 of a replay");
  if (auto rules_fault = compare_rules()) return rules_fault;
  return decode_range();
}

BundleCheck::Fault BundleCheck::decode_range() {
  BundleRange& range = bundle_.range;
  range = {content_.at_tick(), content_.first_tick(), content_.last_tick()};
  const bool is_range = range.first >= 1 && range.first <= range.at && range.at <= range.last &&
                        range.last <= bundle_.footer.ending.tick_count &&
                        range.last - range.first < kBundleTicksMax;
  if (!is_range) return fault_of("its ticks are none that a bundle can have");
  const Tick before = content_.has_start() ? content_.start().tick() : 0;
  if (content_.has_start() && before == 0)
    return fault_of("it has a match before the first tick, which is that of its config");
  if (before + 1 != range.first) return fault_of("it does not begin with the match before its first tick");
  return std::nullopt;
}

BundleCheck::Fault BundleCheck::restore(std::unique_ptr<match::Match>& match) const {
  match::MatchConfig config = bundle_.config;
  config.broadphase = match::MatchConfig().broadphase;  // It changes nothing but the time.
  if (!content_.has_start()) {
    auto created = match::Match::create(std::move(config), bundle_.head.digest_version);
    if (!created) return fault_of("no match can have its config: " + created.error().description);
    match = std::move(*created);
    return std::nullopt;
  }
  const v1::KeyFrame& start = content_.start();
  if (start.version() != match::kSnapshotVersion) {
    return FileFault{.kind = FaultKind::kUnsupportedVersion,
                     .record = "bundle",
                     .what = "the match before its first tick is of a version that this build does not know"};
  }
  const auto content = decompress(start.content(), kContentBytesMax);
  if (!content) return fault_of("the match before its first tick cannot be unpacked, or is too large");
  auto restored = match::Match::restore(std::move(config), *content, bundle_.head.digest_version);
  if (!restored)
    return fault_of("the match before its first tick: " + restored.error().place + ": " +
                    restored.error().description);
  match = std::move(*restored);
  const bool is_same = match->tick() == start.tick() && match->digest() == start.digest();
  return is_same ? Fault() : fault_of("the match before its first tick is of another tick or digest");
}

BundleCheck::Fault BundleCheck::play(const std::function<void(const Moment&)>& visit) {
  std::unique_ptr<match::Match> match;
  if (auto fault = restore(match)) return fault;
  const auto content = decompress(content_.ticks().content(), kContentBytesMax);
  auto records = content ? TickDecoder::open(*content) : TickFault{.what = "they cannot be unpacked"};
  if (!records) return fault_of("its ticks: " + records.error().what);
  Player player(std::move(match));
  Cast cast;
  v1::BundleContent found;
  found.set_at_tick(content_.at_tick());
  for (Tick tick = bundle_.range.first; tick <= bundle_.range.last; ++tick) {
    auto record = records->is_done() ? TickFault{tick, "there is no such tick"} : records->next();
    if (!record) return FileFault{.record = "bundle", .tick = tick, .what = record.error().what};
    cast.note(record->inputs);
    const auto divergence = player.play(std::move(*record));
    if (divergence) return FileFault{.record = "bundle", .tick = tick, .what = divergence->what};
    const Moment moment = moment_of(player.match(), *player.output());
    set_evidence(moment, found);
    if (visit) visit(moment);
  }
  if (!records->is_done()) return fault_of("ticks follow after its last");
  if (auto fault = compare_cast(cast, player.match())) return fault;
  if (auto fault = compare_ending(player.match())) return fault;
  return compare(found);
}

/// What the receipt vouches for is compared with what is played, as far as the ticks reach.
BundleCheck::Fault BundleCheck::compare_rules() const {
  const std::string& told = bundle_.head.rules_digest;
  if (!told.empty() && told != rules_digest(bundle_.config))
    return fault_of("the digest of its rules is not that of its config");
  match::MatchConfig config = bundle_.config;
  config.broadphase = match::MatchConfig().broadphase;  // It changes nothing but the time.
  const auto match = match::Match::create(std::move(config), bundle_.head.digest_version);
  if (!match) return fault_of("no match can have its config: " + match.error().description);
  const bool is_same = match.value()->digest() == bundle_.head.initial_digest;
  return is_same ? Fault() : fault_of("the digest of the config is not what it says");
}

BundleCheck::Fault BundleCheck::compare_cast(const Cast& cast, const match::Match& match) const {
  const Cast& told = bundle_.footer.ending.cast;
  const bool is_whole = bundle_.range.first == 1 && bundle_.range.last == bundle_.footer.ending.tick_count;
  if (is_whole && !told.has_same_participants(cast))
    return fault_of("its participants are not those who joined");
  const auto is_told = [&told](const Join& join) {
    return told.omitted > 0 || join.role == match::Role::kObserver ||
           std::ranges::find(told.participants, join) != told.participants.end();
  };
  bool are_told = std::ranges::all_of(cast.participants, is_told);
  for (const match::Participant& one : match.participants())
    are_told = are_told && is_told({one.name, one.role, one.number});
  return are_told ? Fault() : fault_of("who plays in its ticks is none of the replay's participants");
}

BundleCheck::Fault BundleCheck::compare_ending(const match::Match& match) const {
  const Ending& ending = bundle_.footer.ending;
  if (match.tick() != ending.tick_count) return std::nullopt;
  const std::vector<match::Score> scores = scores_of(match);
  const bool is_same = match.digest() == ending.final_digest &&
                       match.ended() == (ending.reason == EndReason::kMatchEnded) &&
                       std::ranges::equal(scores, ending.scores, is_equal);
  return is_same ? Fault()
                 : fault_of("its last tick is not that of the replay: digest, end or scores differ");
}

BundleCheck::Fault BundleCheck::compare(const v1::BundleContent& found) const {
  v1::BundleContent told;
  told.set_at_tick(content_.at_tick());
  *told.mutable_claims() = content_.claims();
  *told.mutable_participants() = content_.participants();
  if (told.SerializeAsString() == found.SerializeAsString()) return std::nullopt;
  return fault_of("its claims and counters are not what its ticks come to");
}

}  // namespace

bool is_bundle(std::string_view bytes) { return bytes.starts_with(kBundleMagic); }

base::Result<std::string, FileFault> make_bundle(const Reader& reader, std::string_view file,
                                                 const BundleRange& range, const SigningKey& key) {
  SWEEPD_ASSERT(range.first >= 1 && range.first <= range.at && range.at <= range.last);
  SWEEPD_ASSERT(range.last <= reader.tick_count() && range.last - range.first < kBundleTicksMax);
  if (!reader.footer()) return fault_of("the replay is cut off: it has no receipt");
  v1::BundleContent content;
  set_replay(reader, file, content);
  content.set_at_tick(range.at);
  content.set_first_tick(range.first);
  content.set_last_tick(range.last);
  if (auto fault = set_ticks(reader, range, content)) return *std::move(fault);
  if (auto fault = set_played(reader, range, content)) return *std::move(fault);
  std::string bytes = sealed(content, key);
  if (bytes.size() > kBundleBytesMax) return too_large();
  return bytes;
}

base::Result<Bundle, FileFault> check_bundle(std::string_view bytes,
                                             const std::function<void(const Moment&)>& visit) {
  BundleCheck check;
  auto fault = check.open(bytes);
  if (!fault) fault = check.decode();
  if (!fault) fault = check.play(visit);
  if (fault) return *std::move(fault);
  return std::move(check.bundle());
}

}  // namespace sweepd::replay
