// SPDX-License-Identifier: MIT
#include "runtime/replays/signing_key_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/private_file.h"
#include "runtime/replays/file_error.h"

namespace sweepd::runtime {
namespace {

/// Nothing, or the number of what went wrong.
int write_file(int descriptor, const std::string& content) {
  std::size_t at = 0;
  while (at < content.size()) {
    const ssize_t written = ::write(descriptor, content.data() + at, content.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    at += static_cast<std::size_t>(written);
  }
  return fsync(descriptor) == 0 ? 0 : errno;
}

/// So that the file is still there by its name after a power cut.
int sync_directory(const std::filesystem::path& directory) {
  const int descriptor =
      open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  return error;
}

/// Whole or not at all: a server that is killed in the middle must not find half a key.
std::string make_key(const std::filesystem::path& path, const replay::SigningKey& key) {
  const std::filesystem::path part = path.string() + ".part";
  unlink(part.c_str());  // What is left of a try may be readable to others, and would stay so.
  const int descriptor = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return file_error("create", part, errno);
  const int error = write_file(descriptor, key.to_pem());
  close(descriptor);
  if (error != 0) return file_error("write", part, error);
  std::error_code renamed;
  std::filesystem::rename(part, path, renamed);
  if (renamed) return file_error("write", path, renamed.value());
  const int synced = sync_directory(path.parent_path());
  return synced != 0 ? file_error("write", path, synced) : std::string();
}

}  // namespace

base::Result<replay::SigningKey, std::string> read_signing_key(const std::filesystem::path& path) {
  std::string pem;
  if (std::string what = read_private_file(path, "a signing key", pem); !what.empty()) return what;
  auto key = replay::SigningKey::from_pem(pem);
  if (key) return std::move(*key);
  return path.string() + " has no private key of Ed25519 in PEM without a password";
}

base::Result<replay::SigningKey, std::string> read_or_make_signing_key(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) || error) return read_signing_key(path);
  replay::SigningKey key = replay::SigningKey::generate();
  if (std::string what = make_key(path, key); !what.empty()) return what;
  return key;
}

}  // namespace sweepd::runtime
