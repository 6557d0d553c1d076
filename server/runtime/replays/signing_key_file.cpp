// SPDX-License-Identifier: MIT
#include "runtime/replays/signing_key_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "runtime/replays/file_error.h"

namespace sweepd::runtime {
namespace {

constexpr std::size_t kKeyFileBytesMax = 64 * 1024;

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

/// What is wrong; empty: nothing.
std::string read_private_file(int descriptor, const std::filesystem::path& path, std::string& content) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) return file_error("read", path, errno);
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    std::ostringstream mode;
    mode << std::oct << (status.st_mode & 07777);
    return path.string() + " may be read or written by others than its owner (mode 0" + mode.str() +
           "); a signing key has to be its owner's alone: chmod 600 " + path.string();
  }
  content.resize(kKeyFileBytesMax);
  const ssize_t size = ::read(descriptor, content.data(), content.size());
  if (size < 0) return file_error("read", path, errno);
  content.resize(static_cast<std::size_t>(size));
  return {};
}

}  // namespace

base::Result<replay::SigningKey, std::string> read_signing_key(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return file_error("read", path, errno);
  std::string pem;
  std::string what = read_private_file(descriptor, path, pem);
  close(descriptor);
  if (!what.empty()) return what;
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
