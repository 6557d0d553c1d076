#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests. Usage: tests/run.sh [STAGE…|all]
#   release  g++, all tests, public headers on their own, the benchmarks' answers (default)
#   asan     clang 14 with AddressSanitizer and UndefinedBehaviorSanitizer, all tests
#   tsan     clang 14 with ThreadSanitizer, the integration tests of what threads share
#   all      the three of them, one after the other
# A stage installs only what it needs. As root or with sudo, from any folder.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(release)
[ "${stages[*]}" != all ] || stages=(release asan tsan)
for stage in "${stages[@]}"; do
  case "$stage" in
    release | asan | tsan) ;;
    *) echo "tests/run.sh: no stage '$stage'; there are release, asan, tsan, and all" >&2; exit 2 ;;
  esac
done

started=$SECONDS
fail() { echo "tests/run.sh: FAILED: $* (after $((SECONDS - started)) s)"; exit 1; }
announce() { echo; echo "== $* (at $((SECONDS - started)) s)"; }

for stage in "${stages[@]}"; do
  announce "$stage: packages"
  deploy/install-packages.sh "$stage" || fail "$stage: packages could not be installed"
  announce "$stage: configure"
  benchmarks=OFF
  [ "$stage" = release ] && benchmarks=QUICK
  cmake --preset "$stage" "-DSWEEPD_BUILD_BENCHMARKS=$benchmarks" >/dev/null || fail "$stage: configure"
  announce "$stage: build"
  cmake --build --preset "$stage" || fail "$stage: build"
  if [ "$stage" = release ]; then
    announce "$stage: public headers on their own"
    cmake --build --preset "$stage" --target all_verify_interface_header_sets || fail "$stage: public headers"
  fi
  announce "$stage: tests"
  ctest --preset "$stage" || fail "$stage: tests"
done

echo
echo "tests/run.sh: all is well: ${stages[*]} in $((SECONDS - started)) s"
