// SPDX-License-Identifier: MIT
#include "app/ticket_keys.h"

#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

#include "runtime/telemetry/log.h"

namespace sweepd::app {
namespace {

constexpr const char* kPart = "ticket_keys";
constexpr std::chrono::seconds kPeriod{1};

/// One byte more than a key set may have tells that a file is too large.
std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string text(identity::kKeySetBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.fail() && !file.eof())) return std::nullopt;
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace

TicketKeys::TicketKeys(session::Gate& gate, TicketOptions options, runtime::Health* health)
    : gate_(gate), options_(std::move(options)), health_(health) {
  thread_.every(kPeriod, [this] { reload_if_changed(); });
}

std::optional<std::string> TicketKeys::load() {
  if (options_.keys.empty()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto keys = read();
  return keys.ok() ? std::nullopt : std::optional(keys.error());
}

std::optional<TicketKeys::Stamp> TicketKeys::stamp_of_file() const {
  struct stat status = {};
  if (::stat(options_.keys.c_str(), &status) != 0) return std::nullopt;
  return Stamp{status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
               status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
}

// The stamp is taken before: a file that changes while it is read is read again.
base::Result<std::size_t, std::string> TicketKeys::read() {
  read_ = stamp_of_file();
  const auto text = read_file(options_.keys);
  if (!text) return "cannot read the ticket keys, " + options_.keys.string();
  auto keys = identity::KeySet::parse(*text);
  if (!keys.ok()) return "the ticket keys, " + options_.keys.string() + ": " + keys.error().text;
  const std::size_t count = keys->keys().size();
  gate_.use(std::make_shared<const identity::TicketVerifier>(std::move(*keys), options_.rules));
  runtime::log_info("ticket keys are read", {{"file", options_.keys.string()}, {"keys", count}});
  if (health_ != nullptr) health_->set_ok(kPart);
  return count;
}

base::Result<std::size_t, std::string> TicketKeys::reload() {
  if (options_.keys.empty()) return std::size_t{0};
  const std::lock_guard lock(mutex_);
  auto keys = read();
  if (keys.ok()) return keys;
  runtime::log_error(keys.error() + "; those from before are good further on");
  if (health_ != nullptr) health_->set_failing(kPart, keys.error());
  return keys;
}

void TicketKeys::reload_if_changed() {
  {
    const std::lock_guard lock(mutex_);
    if (stamp_of_file() == read_) return;
  }
  (void)reload();  // It has said what is wrong.
}

}  // namespace sweepd::app
