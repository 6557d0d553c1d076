// SPDX-License-Identifier: MIT
//
// Protects a server from a replay that takes over the process which verifies it: that process computes and
// answers, and can neither read the signing key nor reach anything else.
#include "verification/verifier_sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "base/sanitizers.h"

namespace sweepd::verification::verifier_sandbox_test {
namespace {

using Act = std::function<long()>;

constexpr Sandbox kWhole{.has_seccomp = true, .has_landlock = true};
constexpr int kNotConfined = 99;

/// The errno of `act` in a process of its own, 0 where it could do it; that process is confined so.
int errno_within(const std::function<bool()>& confine, const Act& act) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (!confine()) ::_exit(kNotConfined);
    ::_exit(act() < 0 ? errno : 0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int errno_within(const Sandbox& sandbox, const Act& act) {
  return errno_within([&sandbox] { return enter_sandbox(sandbox); }, act);
}

int errno_outside(const Act& act) {
  return errno_within([] { return true; }, act);
}

class VerifierSandbox : public ::testing::Test {
 protected:
  void SetUp() override {
    if (base::kHasSanitizer) GTEST_SKIP() << "the runtime of a sanitizer needs more system calls";
    if (!available_sandbox().is_whole())
      GTEST_SKIP() << "the system has no " << available_sandbox().missing();
    std::string name = (std::filesystem::temp_directory_path() / "sandbox-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    key_ = (folder_ / "signing_key.pem").string();
    std::ofstream(key_) << "secret";
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&any), sizeof any), 0);
    socklen_t size = sizeof address_;
    ASSERT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address_), &size), 0);
    ASSERT_EQ(::listen(listener_, 4), 0);
  }
  void TearDown() override {
    if (folder_.empty()) return;
    ::close(socket_);
    ::close(listener_);
    std::filesystem::remove_all(folder_);
  }

  /// That it could do `act` unconfined, and what keeps it from that.
  static void expect_denied(const char* what, const Sandbox& sandbox, int error, const Act& act) {
    EXPECT_EQ(errno_outside(act), 0) << what << ", outside";
    EXPECT_EQ(errno_within(sandbox, act), error) << what;
  }

  std::filesystem::path folder_;
  std::string key_;
  int socket_ = -1;
  int listener_ = -1;
  sockaddr_in address_{};
};

TEST_F(VerifierSandbox, CannotReadTheSigningKeyNorAnyOtherFile) {
  const Act open_key = [this] { return ::open(key_.c_str(), O_RDONLY); };
  const Act open_folder = [this] { return ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY); };
  const Act write_key = [this] { return ::open(key_.c_str(), O_WRONLY | O_TRUNC); };
  const Act make_file = [this] { return ::open((folder_ / "new").c_str(), O_WRONLY | O_CREAT, 0600); };
  for (const Act& act : {open_key, open_folder, make_file, write_key}) {
    expect_denied("all of it", kWhole, ENOENT, act);
    expect_denied("seccomp alone", {.has_seccomp = true}, ENOENT, act);
    expect_denied("Landlock alone", {.has_landlock = true}, EACCES, act);
  }
}

TEST_F(VerifierSandbox, CannotReadWhatSlippedThroughOpen) {
  const int key = ::open(key_.c_str(), O_RDWR | O_CLOEXEC);
  char byte = 0;
  expect_denied("read", kWhole, EPERM, [&] { return ::read(key, &byte, 1); });
  expect_denied("pread", kWhole, EPERM, [&] { return ::pread(key, &byte, 1, 0); });
  expect_denied("write", kWhole, EPERM, [&] { return ::write(key, "x", 1); });
  ::close(key);
}

TEST_F(VerifierSandbox, CannotReachTheNetwork) {
  expect_denied("socket", kWhole, EPERM, [] { return ::socket(AF_INET, SOCK_STREAM, 0); });
  expect_denied("unix", kWhole, EPERM, [] { return ::socket(AF_UNIX, SOCK_STREAM, 0); });
  expect_denied("connect", kWhole, EPERM, [this] {
    return ::connect(socket_, reinterpret_cast<const sockaddr*>(&address_), sizeof address_);
  });
}

TEST_F(VerifierSandbox, CannotStartAProcess) {
  const Act fork = [] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    return static_cast<long>(child);
  };
  const Act spawn = [] {
    pid_t child = 0;
    char name[] = "true";
    char* arguments[] = {name, nullptr};
    errno = ::posix_spawn(&child, "/bin/true", nullptr, nullptr, arguments, nullptr);
    return errno == 0 ? 0L : -1L;
  };
  const Act exec = [] {
    char name[] = "true";
    char* arguments[] = {name, nullptr};
    return static_cast<long>(::execve("/bin/true", arguments, nullptr));
  };
  expect_denied("fork", kWhole, EPERM, fork);
  expect_denied("spawn", kWhole, EPERM, spawn);
  expect_denied("execve", kWhole, EPERM, exec);
}

TEST_F(VerifierSandbox, CannotTouchOtherProcesses) {
  expect_denied("kill", kWhole, EPERM, [] { return ::kill(::getppid(), 0); });
  expect_denied("process_vm_readv", kWhole, EPERM, [this] {
    char here = 0;
    const iovec local{.iov_base = &here, .iov_len = 1};
    const iovec remote{.iov_base = &listener_, .iov_len = 1};
    return ::syscall(SYS_process_vm_readv, ::getpid(), &local, 1, &remote, 1, 0);
  });
  expect_denied("ptrace", kWhole, EPERM, [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); });
}

TEST_F(VerifierSandbox, CannotMakeMemoryExecutable) {
  expect_denied("mmap", kWhole, EPERM, [] {
    void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? -1L : 0L;
  });
  expect_denied("mprotect", kWhole, EPERM, [] {
    void* page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return ::mprotect(page, 4096, PROT_READ | PROT_EXEC);
  });
}

TEST_F(VerifierSandbox, CannotGoRoundTheListBySystemCallsThatDoTheSame) {
  expect_denied("memfd_create", kWhole, EPERM, [] { return ::memfd_create("x", 0); });
  EXPECT_EQ(errno_within(kWhole, [] { return ::syscall(SYS_io_uring_setup, 1, nullptr); }), EPERM);
  EXPECT_EQ(
      errno_within(kWhole, [this] { return ::syscall(SYS_openat2, AT_FDCWD, key_.c_str(), nullptr, 0); }),
      ENOENT);
  EXPECT_EQ(errno_within(kWhole, [] { return ::syscall(SYS_open_by_handle_at, 0, nullptr, 0); }), EPERM);
}

TEST_F(VerifierSandbox, ComputesAndAnswers) {
  EXPECT_EQ(errno_within(kWhole,
                         [] {
                           std::vector<char> memory(std::size_t{64} << 20, 'x');
                           memory.resize(memory.size() * 2);
                           memory.shrink_to_fit();
                           char random = 0;
                           if (::getrandom(&random, 1, 0) != 1) return -1L;
                           return static_cast<long>(::write(STDOUT_FILENO, "", 0));
                         }),
            0);
  EXPECT_EQ(errno_within(kWhole, []() -> long { ::abort(); }), 128 + SIGABRT);
}

TEST(Sandbox, SaysWhatIsMissing) {
  EXPECT_EQ((Sandbox{.has_seccomp = true, .has_landlock = true}.missing()), "");
  EXPECT_EQ((Sandbox{.has_seccomp = true}.missing()), "Landlock");
  EXPECT_EQ((Sandbox{.has_landlock = true}.missing()), "seccomp");
  EXPECT_EQ(Sandbox{}.missing(), "seccomp and Landlock");
}

}  // namespace
}  // namespace sweepd::verification::verifier_sandbox_test
