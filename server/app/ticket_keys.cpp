// SPDX-License-Identifier: MIT
#include "app/ticket_keys.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

#include "runtime/telemetry/log.h"

namespace sweepd::app {
namespace {

constexpr const char* kPart = "ticket_keys";

struct KeyFile {
  std::string text = {};
  mode_t mode = 0;
};

/// One byte more than a key set may have tells that a file is too large.
std::optional<KeyFile> read_file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return std::nullopt;
  KeyFile file{std::string(identity::kKeySetBytesMax + 1, '\0')};
  struct stat status = {};
  ssize_t size = -1;
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
    size = ::read(descriptor, file.text.data(), file.text.size());
  ::close(descriptor);
  if (size < 0) return std::nullopt;
  file.text.resize(static_cast<std::size_t>(size));
  file.mode = status.st_mode & 07777;
  return file;
}

/// A key of HS256 issues tickets, and so does the right to write the file.
std::optional<std::string> find_lax_mode(const identity::KeySet& keys, mode_t mode) {
  const bool has_secret = std::ranges::any_of(keys.keys(), [](const identity::TicketKey& key) {
    return key.key.algorithm() == identity::Algorithm::kHs256;
  });
  const mode_t wrong = has_secret ? S_IRWXG | S_IRWXO : S_IWGRP | S_IWOTH;
  if ((mode & wrong) == 0) return std::nullopt;
  std::ostringstream text;
  text << (has_secret ? "may be read or written by others than its owner, and has a key of HS256"
                      : "may be written by others than its owner")
       << " (mode 0" << std::oct << mode << "): chmod " << (has_secret ? "600" : "go-w");
  return text.str();
}

}  // namespace

TicketKeys::TicketKeys(session::Gate& gate, TicketOptions options, runtime::Health* health,
                       runtime::Metrics* metrics)
    : gate_(gate), options_(std::move(options)), health_(health), file_({options_.keys}) {
  if (metrics != nullptr) {
    file_.show(*metrics, "sweepd_ticket_key_reloads_total",
               "Times that the file of ticket keys was read again, by what came of it.");
  }
  thread_.every(runtime::KeyFiles::kLookPeriod, [this] { reload_if_changed(); });
}

std::optional<std::string> TicketKeys::load() {
  if (options_.keys.empty()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto keys = read();
  return keys.ok() ? std::nullopt : std::optional(keys.error());
}

base::Result<std::size_t, std::string> TicketKeys::read() {
  file_.begin_reading();
  const auto file = read_file(options_.keys);
  if (!file) return "cannot read the ticket keys, " + options_.keys.string();
  const std::string name = "the ticket keys, " + options_.keys.string();
  auto keys = identity::KeySet::parse(file->text);
  if (!keys.ok()) return name + ": " + keys.error().text;
  if (const auto lax = find_lax_mode(*keys, file->mode)) return name + ": " + *lax;
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
  file_.count(keys.ok());
  if (keys.ok()) return keys;
  runtime::log_error(keys.error() + "; those from before are good further on");
  if (health_ != nullptr) health_->set_failing(kPart, keys.error());
  return keys;
}

void TicketKeys::reload_if_changed() {
  {
    const std::lock_guard lock(mutex_);
    if (!file_.is_due()) return;
  }
  (void)reload();  // It has said what is wrong.
}

}  // namespace sweepd::app
