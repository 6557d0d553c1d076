// SPDX-License-Identifier: MIT
#include "verification/verifier_sandbox.h"

#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>

#include "base/sanitizers.h"

namespace sweepd::verification {
namespace {

/// Of Landlock's first version; each later one adds more.
constexpr std::uint64_t kLandlockRights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
    LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM;

/// 0: there is none.
long landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : version;
}

/// Rights that no rule gives are taken away, and there is no rule.
bool enter_landlock() {
  const landlock_ruleset_attr attributes{.handled_access_fs = kLandlockRights};
  const long rules = ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (rules < 0) return false;
  const bool is_entered = ::syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  ::close(static_cast<int>(rules));
  return is_entered;
}

bool has_seccomp_filters() {
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

class SeccompFilter {
 public:
  SeccompFilter() : filter_(::seccomp_init(SCMP_ACT_ERRNO(EPERM))) {}

  void allow(int call) { add(SCMP_ACT_ALLOW, call, {}); }
  void allow(int call, const scmp_arg_cmp& condition) { add(SCMP_ACT_ALLOW, call, {&condition, 1}); }
  /// To libraries that look for an optional file it is not there.
  void hide(int call) { add(SCMP_ACT_ERRNO(ENOENT), call, {}); }
  bool load() { return is_whole_ && ::seccomp_load(filter_.get()) == 0; }

 private:
  struct Free {
    void operator()(void* filter) const { ::seccomp_release(filter); }
  };
  struct Conditions {
    const scmp_arg_cmp* first = nullptr;
    unsigned count = 0;
  };

  void add(std::uint32_t action, int call, const Conditions& conditions) {
    is_whole_ =
        is_whole_ && filter_ != nullptr &&
        ::seccomp_rule_add_array(filter_.get(), action, call, conditions.count, conditions.first) == 0;
  }

  std::unique_ptr<void, Free> filter_;
  bool is_whole_ = true;
};

scmp_arg_cmp argument_is(unsigned argument, std::uint64_t value) {
  return {.arg = argument, .op = SCMP_CMP_EQ, .datum_a = value, .datum_b = 0};
}

/// Of mmap and mprotect.
scmp_arg_cmp is_not_executable() {
  return {.arg = 2, .op = SCMP_CMP_MASKED_EQ, .datum_a = PROT_EXEC, .datum_b = 0};
}

bool enter_seccomp() {
  // The runtime of a sanitizer makes system calls that no computing needs.
  if (base::kHasSanitizer) return true;
  SeccompFilter filter;
  for (const int call : {SCMP_SYS(exit),
                         SCMP_SYS(exit_group),
                         SCMP_SYS(rt_sigreturn),
                         SCMP_SYS(rt_sigaction),
                         SCMP_SYS(rt_sigprocmask),
                         SCMP_SYS(sigaltstack),
                         SCMP_SYS(restart_syscall),
                         SCMP_SYS(munmap),
                         SCMP_SYS(mremap),
                         SCMP_SYS(brk),
                         SCMP_SYS(madvise),
                         SCMP_SYS(futex),
                         SCMP_SYS(sched_yield),
                         SCMP_SYS(sched_getaffinity),
                         SCMP_SYS(clock_gettime),
                         SCMP_SYS(gettimeofday),
                         SCMP_SYS(getrandom),
                         SCMP_SYS(getpid),
                         SCMP_SYS(gettid),
                         SCMP_SYS(close),
                         SCMP_SYS(fstat),
                         SCMP_SYS(sysinfo)}) {
    filter.allow(call);
  }
  for (const int call :
       {SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(access), SCMP_SYS(faccessat),
        SCMP_SYS(stat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(readlink), SCMP_SYS(readlinkat)}) {
    filter.hide(call);
  }
  filter.allow(SCMP_SYS(mmap), is_not_executable());
  filter.allow(SCMP_SYS(mprotect), is_not_executable());
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    filter.allow(SCMP_SYS(write), argument_is(0, static_cast<std::uint64_t>(descriptor)));
  }
  // abort() sends itself a signal.
  filter.allow(SCMP_SYS(tgkill), argument_is(0, static_cast<std::uint64_t>(::getpid())));
  return filter.load();
}

}  // namespace

std::string Sandbox::missing() const {
  std::string text = has_seccomp ? "" : "seccomp";
  if (!has_landlock) text += text.empty() ? "Landlock" : " and Landlock";
  return text;
}

Sandbox available_sandbox() {
  return {.has_seccomp = has_seccomp_filters(), .has_landlock = landlock_version() > 0};
}

bool enter_sandbox(const Sandbox& wanted) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  const Sandbox available = available_sandbox();
  if (wanted.has_landlock && available.has_landlock && !enter_landlock()) return false;
  return !wanted.has_seccomp || !available.has_seccomp || enter_seccomp();
}

}  // namespace sweepd::verification
