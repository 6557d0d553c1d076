// SPDX-License-Identifier: MIT
//
// Protects people who hand sweepctl a file or point it at a server: match files, pictures, traces, keys and
// replays of any bytes are read, or refused in words that say where; and what a server names as it likes
// comes out as JSON and as lines that no terminal obeys.
#include <grpcpp/support/byte_buffer.h>
#include <zlib.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "base/assert.h"
#include "base/visible_text.h"
#include "event_decoder.h"
#include "fuzz/decoders/decoder_table.h"
#include "fuzz/decoders/memory_file.h"
#include "fuzz/decoders/messages.h"
#include "fuzz/decoders/played_trace.h"
#include "fuzz/replay/sealed_replay.h"
#include "match_codec.h"
#include "receipt.h"
#include "replay/bundle.h"
#include "replay/little_endian.h"
#include "replay/signing_key.h"
#include "sweepd/replay/v1/bundle.pb.h"
#include "tools/load/frame_bytes.h"
#include "tools/load/server_metrics.h"
#include "tools/load/tick_fit.h"
#include "tools/load/trace_loop.h"
#include "tools/load/update_reader.h"
#include "tools/sweepctl/config_check.h"
#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/match_file.h"
#include "tools/sweepctl/match_text.h"
#include "tools/sweepctl/png_mask.h"
#include "tools/sweepctl/replay_text.h"
#include "tools/sweepctl/toml_tree.h"
#include "tools/sweepctl/trace_match.h"
#include "tools/sweepctl/trace_parser.h"
#include "tools/sweepctl/verification_report.h"
#include "unit/tools/sweepctl/match_file_writer.h"
#include "verification/input_log_verification.h"

namespace sweepd::fuzz {
namespace {

using namespace sweepd::tools;

const QuietMessages kQuiet;

void check(const Status& error) { SWEEPD_ASSERT(!error.ok() && !error.message().empty()); }

/// One line for the terminal.
void check_line(const std::string& text) { SWEEPD_ASSERT(base::visible(text) == text); }

void check_lines(const std::string& text) {
  std::string visible;
  base::append_visible_lines(visible, text);
  SWEEPD_ASSERT(visible == text);
}

void check_json(const std::string& text) { SWEEPD_ASSERT(is_json(text)); }

void check_tree(const TomlValue& value, FilePosition owner) {
  SWEEPD_ASSERT(!describe(value).empty() && owner <= value.position);
  for (const TomlValue& item : value.items) check_tree(item, {});
}

void read_toml(std::string_view bytes) {
  const auto document = parse_toml(bytes);
  if (const auto* error = std::get_if<FileError>(&document)) {
    return SWEEPD_ASSERT(!error->message.empty() && error->position.line >= 1 && error->position.column >= 1);
  }
  check_tree(std::get<TomlValue>(document), {});
}

v1::MatchConfig contract_of(const MatchConfig& config) {
  v1::MatchConfig message;
  SWEEPD_ASSERT(!internal::encode(config, &message));
  return message;
}

/// Pictures are in a folder that is not there.
void read_match_file(std::string_view bytes) {
  const std::string kPath = "/nowhere/match.toml";
  const MatchFile file = parse_match_file(bytes, kPath);
  for (const std::string& error : file.errors) SWEEPD_ASSERT(error.starts_with(kPath + ":"));
  if (!file.errors.empty()) return;
  if (const Status status = tools::check_config(file.config); !status.ok()) {
    return SWEEPD_ASSERT(status.field().starts_with("config.") && file.located(status).starts_with(kPath));
  }
  const v1::MatchConfig message = contract_of(file.config);
  const MatchFile again = parse_match_file(match_file_of(message), kPath);
  SWEEPD_ASSERT(again.errors.empty());
  SWEEPD_ASSERT(contract_of(again.config).SerializeAsString() == message.SerializeAsString());
}

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

/// A picture whose chunks have the sums that they should have.
std::string with_good_sums(std::string_view bytes) {
  std::string file("\x89PNG\r\n\x1a\n", 8);
  const std::size_t begin = file.size();
  file += bytes;
  for (std::size_t at = begin; at + 12 <= file.size();) {
    const std::size_t size = big_endian(file, at);
    if (size > file.size() - at - 12) break;
    const auto* content = reinterpret_cast<const Bytef*>(file.data() + at + 4);
    const auto sum = static_cast<std::uint32_t>(::crc32(0, content, static_cast<uInt>(size + 4)));
    for (std::size_t i = 0; i < 4; ++i) file[at + 8 + size + i] = static_cast<char>(sum >> (24 - 8 * i));
    at += 12 + size;
  }
  return file;
}

void read_picture(std::string_view bytes) {
  for (const std::string& file : {std::string(bytes), with_good_sums(bytes)}) {
    const auto mask = read_png_mask(memory_file(file), 128, 1);
    if (!mask.ok()) {
      check(mask.status());
      continue;
    }
    SWEEPD_ASSERT(mask->width() >= 1 && mask->width() <= BitMask::kPixelsMax);
    SWEEPD_ASSERT(mask->height() >= 1 && mask->height() <= BitMask::kPixelsMax);
    SWEEPD_ASSERT(std::ranges::any_of(mask->rows(), [](char byte) { return byte != 0; }));
  }
}

/// What a trace becomes for `sweepctl load`: each message is one.
void check_loops(const Trace& trace) {
  for (const load::TraceLoop& loop : load::make_trace_loops(trace)) {
    for (std::uint32_t tick = 0; tick < loop.ticks(); ++tick) {
      char acknowledgement[load::kAcknowledgementBytes];
      load::write_acknowledgement(tick, acknowledgement);
      std::string frame(loop.frame(tick));
      frame.append(acknowledgement, sizeof acknowledgement);
      SWEEPD_ASSERT(message_of<v1::PlayRequest>(frame).has_value());
    }
    SWEEPD_ASSERT(message_of<v1::PlayRequest>(loop.opening(0)).has_value());
    SWEEPD_ASSERT(message_of<v1::PlayRequest>(loop.restart(loop.ticks() - 1)).has_value());
  }
}

void read_trace(std::string_view bytes) {
  constexpr std::uint64_t kTicksPlayedMax = 40;
  std::istringstream input{std::string(bytes)};
  const auto trace = parse_trace(input);
  if (!trace.ok()) {
    check(trace.status());
    return SWEEPD_ASSERT(trace.status().message().starts_with("trace line "));
  }
  if (trace->last_tick > kTicksPlayedMax) return;
  play(*trace);
  check_loops(*trace);
}

void read_hex(std::string_view bytes) {
  SWEEPD_ASSERT(from_hex(to_hex(bytes)) == bytes);
  const auto read = from_hex(bytes);
  if (read) SWEEPD_ASSERT(from_hex(to_hex(*read)) == read);
}

void read_metrics(std::string_view bytes) {
  const load::MetricsPage page = load::parse_metrics(bytes);
  const load::MetricsChange change = load::change_of({}, page);
  SWEEPD_ASSERT(change.counters.size() <= page.counters.size());
  SWEEPD_ASSERT(change.gauges.size() <= page.gauges.size());
}

/// In two pieces, as it may come.
void read_load_response(std::string_view bytes) {
  static load::ResponseReader reader;
  const std::string_view first = bytes.substr(0, bytes.size() / 2);
  const std::string_view rest = bytes.substr(first.size());
  const grpc::Slice slices[] = {{first.data(), first.size()}, {rest.data(), rest.size()}};
  if (reader.read(grpc::ByteBuffer(slices, 2)) != load::ResponseReader::Kind::kUpdate) return;
  const v1::EventColumns& events = reader.update().events();
  SWEEPD_ASSERT(events.object_b_size() == events.object_a_size());
  SWEEPD_ASSERT(events.reason().empty() || events.reason_size() == events.object_a_size());
  load::TickFit fit(60);
  const load::TimePoint now{std::chrono::hours(1)};
  SWEEPD_ASSERT(fit.observe(reader.update().tick(), now) == load::Duration(0));
  SWEEPD_ASSERT(fit.observe(1, now) >= load::Duration(0) && fit.due(reader.update().tick()) >= fit.due(0));
}

/// What is printed of a match and of contacts in it, as its server names them.
void tell_match(std::string_view bytes) {
  const auto message = message_of<v1::Match>(bytes);
  if (!message) return;
  const MatchInfo match = internal::decode(*message);
  check_line(match_line(match));
  check_line(scores_text(match));
  check_json(match_json(match, "localhost:7777"));
  const auto layer = static_cast<std::uint32_t>(match.tick);
  check_line(event_text({.kind = EventKind::kExit, .layer_a = layer}, match.config));
  check_json(event_json({.kind = EventKind::kExit, .layer_a = layer}, match.config));
  check_line(encounter_text({.layer_b = layer}, match.config));
  check_json(encounter_json({.layer_b = layer}, match.config));
}

void tell_receipt(std::string_view bytes) {
  if (const auto message = message_of<v1::Receipt>(bytes)) {
    check_line(checked_receipt_text(internal::decode(*message)));
  }
}

/// As it is, and with the sums that it should have.
void tell_replay(std::string_view bytes) {
  for (const std::string& file : {std::string(bytes), replay::sealed_replay(bytes)}) {
    const auto verification = verification::verify_any(file);
    check_line(verification_text(verification));
    check_json(report_json({.request = {.file = "file"}, .verification = verification}));
    const auto reader = replay::Reader::open(file);
    if (!reader) continue;
    check_lines(replay_info_text(*reader));
    check_json(replay_info_json("file", *reader));
  }
}

/// Signed by a key of the fuzzer's own: every change of a bundle would end at its signature.
std::string signed_bundle(std::string_view content) {
  static const auto kKey = replay::SigningKey::generate();
  replay::v1::Bundle bundle;
  bundle.set_content(std::string(content));
  const auto signature = kKey.sign("sweepd bundle 1\n" + bundle.content());
  const auto public_key = kKey.public_key().bytes;
  bundle.set_signature(std::string(signature.begin(), signature.end()));
  bundle.set_public_key(std::string(public_key.begin(), public_key.end()));
  std::string file(replay::kBundleMagic);
  replay::append_number(file, replay::kBundleVersion);
  return file + bundle.SerializeAsString();
}

void read_bundle(std::string_view content) {
  std::uint64_t ticks = 0;
  const auto bundle = replay::check_bundle(signed_bundle(content), [&](const auto&) { ++ticks; });
  if (!bundle) return check_line(replay::text_of(bundle.error()));
  SWEEPD_ASSERT(ticks == bundle->range.last - bundle->range.first + 1);
  SWEEPD_ASSERT(bundle->range.at >= bundle->range.first && bundle->range.at <= bundle->range.last);
}

/// The SDK and the server's own code have to be of one mind.
void read_key(std::string_view bytes) {
  const std::string pem(bytes);
  const auto key = replay::PublicKey::from_pem(pem);
  const auto sdk_key = PublicKey::from_pem(pem);
  SWEEPD_ASSERT(key.has_value() == sdk_key.ok());
  if (key) SWEEPD_ASSERT(key->to_pem() == sdk_key->to_pem());
  const auto signing_key = replay::SigningKey::from_pem(pem);
  if (signing_key) SWEEPD_ASSERT(replay::SigningKey::from_pem(signing_key->to_pem()).has_value());
}

constexpr Decoder kDecoders[] = {
    {"toml", read_toml},
    {"match_file", read_match_file},
    {"picture", read_picture},
    {"trace", read_trace},
    {"hex", read_hex},
    {"metrics", read_metrics},
    {"load_response", read_load_response},
    {"match", tell_match},
    {"receipt", tell_receipt},
    {"replay", tell_replay},
    {"key", read_key},
    {"bundle", read_bundle},
};

}  // namespace
}  // namespace sweepd::fuzz

SWEEPD_FUZZ_DECODERS(sweepd::fuzz::kDecoders)
