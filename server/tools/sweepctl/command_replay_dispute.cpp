// SPDX-License-Identifier: MIT
//
// A dispute: a picture of a moment of a replay, and a bundle of the ticks around it.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "replay/bundle.h"
#include "tools/sweepctl/command.h"
#include "tools/sweepctl/file_verification.h"
#include "tools/sweepctl/hex.h"
#include "tools/sweepctl/inspection_limits.h"
#include "tools/sweepctl/moment_text.h"
#include "tools/sweepctl/replay_files.h"
#include "tools/sweepctl/replay_picture.h"
#include "tools/sweepctl/replay_text.h"
#include "tools/sweepctl/scene.h"
#include "tools/sweepctl/small_file.h"
#include "tools/sweepctl/testimony_text.h"
#include "tools/sweepctl/verification_report.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

struct ShowOptions {
  std::string path;
  std::uint64_t around = 0;
  std::uint32_t ticks = 12;
  std::string svg;
  std::vector<match::ObjectId> objects;
  std::vector<double> region;
  InspectionLimits limits;
};

/// Nothing where the numbers are no box within the range of coordinates.
std::optional<collision::Box> box_of(const std::vector<double>& units) {
  constexpr double kUnitsMax = 8'388'607;
  for (const double unit : units) {
    if (!(unit >= -kUnitsMax && unit <= kUnitsMax)) return std::nullopt;
  }
  const auto subunits = [&units](std::size_t i) { return static_cast<collision::Subunits>(units[i] * 256); };
  const collision::Box box{subunits(0), subunits(1), subunits(2), subunits(3)};
  return collision::is_inverted(box) ? std::nullopt : std::optional(box);
}

std::string title_of(const ShowOptions& options, const verification::AnyReplay& replay) {
  const std::string& match_id = replay.reader().head().match_id;
  return (match_id.empty() ? options.path : "Match " + match_id) + ", tick " +
         std::to_string(options.around) + " of " + std::to_string(replay.reader().tick_count());
}

int show(const ShowOptions& options) {
  PictureOptions picture{.objects = options.objects};
  if (!options.region.empty()) {
    picture.region = box_of(options.region);
    if (!picture.region) return fail_with("--region", "is no box: MIN_X MIN_Y MAX_X MAX_Y");
  }
  const auto replay = open_any_replay(options.path);
  if (!replay.ok()) return fail_with(options.path, replay.status().message());
  const auto scene = read_scene(*replay, options.around, options.ticks);
  if (!scene.ok()) return fail_with(options.path, scene.status().message());
  picture.title = title_of(options, *replay);
  const Status written = write_replay(options.svg, draw_picture(*scene, replay->reader().config(), picture));
  return written.ok() ? kExitOk : fail_with(options.svg, written.message());
}

void add_show(CLI::App& replay, Invocation& invocation) {
  const auto options = std::make_shared<ShowOptions>();
  CLI::App* command = add_local_command(replay, invocation, "show",
                                        "Draws a moment of a replay or an input log: objects with their "
                                        "shapes and ids, their ways, claims with "
                                        "what was measured, and a scale",
                                        "  sweepctl replay show match.swpr --around 312 --svg hit.svg");
  command->add_option("FILE", options->path, "The replay (.swpr), or an input log (.swpi)")->required();
  command->add_option("--around", options->around, "The tick that is drawn")->type_name("TICK")->required();
  command->add_option("--svg", options->svg, "The picture to write")->type_name("FILE")->required();
  command->add_option("--ticks", options->ticks, "Of the ways, before and after")
      ->type_name("TICKS")
      ->check(CLI::Range(0u, kSceneTicksMax).description(""))
      ->capture_default_str();
  command
      ->add_option("--object", options->objects,
                   "What to look at; several times for several. Without it: what claims are about, else what "
                   "touches, else all")
      ->type_name("ID");
  command->add_option("--region", options->region, "What to show: MIN_X MIN_Y MAX_X MAX_Y, in units")
      ->expected(4);
  add_limit_options(*command, options->limits);
  command->callback([&invocation, options] {
    invocation.run = [options] {
      return inspect_within(options->limits, {options->path}, [&] { return show(*options); });
    };
  });
}

struct BundleOptions {
  std::string path;
  std::uint64_t around = 0;
  std::uint64_t ticks = 120;
  std::string signing_key;
  std::string key;
  std::string output;
  InspectionLimits limits;
};

Result<replay::SigningKey> read_signing_key(const std::string& path) {
  const auto pem = read_small_file(path, kPemBytesMax);
  if (!pem.ok()) return pem.status();
  auto key = replay::SigningKey::from_pem(*pem);
  if (!key) return Status(ErrorCode::kInvalidArgument, "is no private key of Ed25519 in PEM");
  return std::move(*key);
}

/// The packer signs what is packed, so it verifies it before.
int verify_before(const BundleOptions& options, const std::string& bytes) {
  FileVerificationOptions verification{.limits = verifier_limits(options.limits)};
  if (!options.key.empty()) {
    auto keys = TrustedKeys::read_pem(options.key);
    if (!keys.ok()) return fail_with(options.key, keys.status().message());
    verification.keys = std::move(*keys);
  }
  const VerificationReport report = verify_bytes(verification, {.file = options.path}, bytes);
  if (exit_code_of(report) != kExitOk) print_error(report_text(report));
  return exit_code_of(report);
}

int pack(const BundleOptions& options, const std::string& bytes) {
  const auto key = read_signing_key(options.signing_key);
  if (!key.ok()) return fail_with(options.signing_key, key.status().message());
  const auto reader = replay::Reader::open(bytes);
  if (!reader) return fail_with(options.path, text_of(reader.error()));
  const std::uint64_t count = reader->tick_count();
  if (options.around < 1 || options.around > count) {
    return fail_with(options.path, "tick " + std::to_string(options.around) + " is asked for; must be 1 to " +
                                       std::to_string(count));
  }
  const replay::BundleRange range{
      .at = options.around,
      .first = options.around > options.ticks ? options.around - options.ticks : 1,
      .last = std::min(count, options.around + options.ticks)};
  const auto bundle = replay::make_bundle(*reader, bytes, range, *key);
  if (!bundle) return fail_with(options.path, text_of(bundle.error()));
  const Status written = write_replay(options.output, *bundle);
  return written.ok() ? kExitOk : fail_with(options.output, written.message());
}

/// The file may be replaced at any time: it is read once, and what is packed are the bytes that were
/// verified.
int bundle(const BundleOptions& options) {
  const auto bytes = read_replay(options.path);
  if (!bytes.ok()) {
    (void)fail_with(options.path, bytes.status().message());
    return kExitUnreadable;
  }
  if (const int exit_code = verify_before(options, *bytes); exit_code != kExitOk) return exit_code;
  return inspect_within(options.limits, {options.path}, [&] { return pack(options, *bytes); });
}

void add_bundle(CLI::App& replay, Invocation& invocation) {
  const auto options = std::make_shared<BundleOptions>();
  CLI::App* command = add_local_command(
      replay, invocation, "bundle",
      "Verifies a replay and packs the ticks around one of its own, with claims, counters and the receipt, "
      "as "
      "one signed file",
      "  sweepctl replay bundle match.swpr --around 312 --signing-key referee.pem --output hit.swpb");
  command->add_option("FILE", options->path, "The replay")->required();
  command->add_option("--around", options->around, "The tick that it is about")
      ->type_name("TICK")
      ->required();
  command->add_option("--ticks", options->ticks, "Before and after that")
      ->type_name("TICKS")
      ->check(CLI::Range(std::uint64_t{0}, replay::kBundleTicksMax / 2 - 1).description(""))
      ->capture_default_str();
  command
      ->add_option("--signing-key", options->signing_key,
                   "Private key (PEM, Ed25519) of who packs it: openssl genpkey -algorithm ed25519")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--key", options->key, "Public key (PEM) of the server that must have signed the replay")
      ->type_name("FILE");
  command->add_option("--output", options->output, "The file to write")->type_name("FILE")->required();
  add_limit_options(*command, options->limits);
  command->callback([&invocation, options] { invocation.run = [options] { return bundle(*options); }; });
}

struct BundleCheckOptions {
  std::string path;
  std::string key;
  std::string packer_key;  ///< Empty: any packer will do, and takes_any_packer says so.
  bool takes_any_packer = false;
  InspectionLimits limits;
};

/// Says a verdict that is not VERIFIED in the words of `verify`; its exit code.
int refuse_bundle(const BundleCheckOptions& options, replay::ReplayVerdict verdict, const std::string& what) {
  fail_with(options.path, std::string(replay::name_of(verdict)) + ": " + what);
  return exit_code_of(verdict);
}

/// The exit code; a key that the bundle should have, and has not, is told. `whose`: "packer".
int check_key(const BundleCheckOptions& options, const std::string& path, const replay::PublicKey* found,
              const std::string& whose) {
  if (path.empty()) return kExitOk;
  const auto pem = read_small_file(path, kPemBytesMax);
  if (!pem.ok()) return fail_with(path, pem.status().message());
  const auto key = replay::PublicKey::from_pem(*pem);
  if (!key) return fail_with(path, "is no public key of Ed25519 in PEM, or has several");
  if (found == nullptr)
    return refuse_bundle(options, replay::ReplayVerdict::kBadSignature, "there is no " + whose);
  if (*found == *key) return kExitOk;
  return refuse_bundle(options, replay::ReplayVerdict::kBadSignature,
                       "the key of its " + whose + " is not that of " + path);
}

std::string key_text(const replay::PublicKey& key) {
  return to_hex({reinterpret_cast<const char*>(key.bytes.data()), key.bytes.size()});
}

constexpr const char* kUnchecked = ", which is UNCHECKED";

int check_bundle(const BundleCheckOptions& options) {
  const auto bytes = read_replay(options.path);
  if (!bytes.ok()) return fail_with(options.path, bytes.status().message());
  std::vector<std::string> claims;
  const auto bundle = replay::check_bundle(*bytes, [&claims](const replay::Moment& moment) {
    for (const match::ClaimVerdict& verdict : moment.claims) {
      claims.push_back("tick " + std::to_string(moment.tick) + ": " + claim_text(moment, verdict));
    }
  });
  if (!bundle) {
    const bool is_unsupported = bundle.error().kind == replay::FaultKind::kUnsupportedVersion;
    return refuse_bundle(
        options,
        is_unsupported ? replay::ReplayVerdict::kUnsupportedVersion : replay::ReplayVerdict::kMalformed,
        text_of(bundle.error()));
  }
  const auto& receipt = bundle->footer.receipt;
  const int packer = check_key(options, options.packer_key, &bundle->packer, "packer");
  const int server = check_key(options, options.key, receipt ? &receipt->public_key : nullptr, "receipt");
  if (packer != kExitOk || server != kExitOk) return std::max(packer, server);
  // VERIFIED is of a packer that was asked for; any other may have written anything.
  std::cout << visible(options.path)
            << (options.packer_key.empty() ? ": UNCHECKED, match " : ": VERIFIED, match ")
            << id_text(bundle->head.match_id) << ", ticks " << bundle->range.first << " to "
            << bundle->range.last << " around " << bundle->range.at << ", packed by the key "
            << key_text(bundle->packer) << (options.packer_key.empty() ? kUnchecked : "") << ", "
            << (receipt ? "receipt of the key " + key_text(receipt->public_key) : "without a receipt")
            << (receipt && options.key.empty() ? kUnchecked : "") << ", replay "
            << to_hex(bundle->replay_sha256) << '\n';
  for (const std::string& claim : claims) std::cout << claim << '\n';
  std::cout.flush();
  return kExitOk;
}

void add_check_bundle(CLI::App& replay, Invocation& invocation) {
  const auto options = std::make_shared<BundleCheckOptions>();
  CLI::App* command = add_local_command(
      replay, invocation, "check-bundle",
      "Says whether a bundle is what it says, by its signature and by playing it, and what is in it: "
      "VERIFIED, or UNCHECKED with --any-packer, or the word and exit code of verify: 10 "
      "UNSUPPORTED_VERSION, "
      "11 MALFORMED, 14 BAD_SIGNATURE. What stands in it is its packer's word, so say whose key that must "
      "be, "
      "or --any-packer",
      "  sweepctl replay check-bundle hit.swpb --packer-key referee_public.pem --key server.pem");
  command->add_option("FILE", options->path, "The bundle (.swpb)")->required();
  CLI::Option* packer =
      command->add_option("--packer-key", options->packer_key, "Public key (PEM) of who must have packed it")
          ->type_name("FILE");
  CLI::Option* any_packer = command->add_flag("--any-packer", options->takes_any_packer,
                                              "Any packer will do: then it proves nothing");
  any_packer->excludes(packer);
  command->add_option("--key", options->key, "Public key (PEM) of the server whose receipt it must have")
      ->type_name("FILE");
  add_limit_options(*command, options->limits);
  command->callback([&invocation, options, packer, any_packer] {
    if (packer->count() + any_packer->count() == 0) throw CLI::RequiredError("--packer-key or --any-packer");
    invocation.run = [options] {
      return inspect_within(options->limits, {options->path}, [&] { return check_bundle(*options); });
    };
  });
}

}  // namespace

void add_replay_dispute_commands(CLI::App& replay, Invocation& invocation) {
  add_show(replay, invocation);
  add_bundle(replay, invocation);
  add_check_bundle(replay, invocation);
}

}  // namespace sweepd::tools
