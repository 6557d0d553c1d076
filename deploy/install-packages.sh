#!/usr/bin/env bash
# Installs the Debian packages that are missing. Usage: deploy/install-packages.sh [LIST]
#   build:      what programs and tests are built with, for the presets `release` and `debug` (default)
#   release:    that, and what the tests of tests/run.sh run: benchmarks, profilers, Prometheus
#   asan, tsan: `build`, the second compiler with its sanitizers, Prometheus
#   test:       all of these
#   bench:      what `build` needs, the benchmarks and their plots
#   profiling:  only what deploy/profile-cpu.sh and deploy/profile-heap.sh need, also on a machine that only runs a server
# Idempotent; as root or with sudo.
set -euo pipefail

build_packages=(
  g++ cmake ninja-build pkg-config    # compiler, build; gRPC's CMake files look for RE2 by pkg-config
  ccache                              # second builds in seconds
  libgrpc++-dev protobuf-compiler-grpc protobuf-compiler libprotobuf-dev  # rpc and wire format
  libboost-dev                        # Asio: timers, posted work, signals
  libwslay-dev                        # frames of WebSocket
  libcli11-dev libspdlog-dev          # options, logs
  libtomlplusplus-dev libpng-dev      # matches described in files, and pictures of masks
  libxxhash-dev                       # digests
  libssl-dev openssl                  # random tokens, receipts, tickets; the quickstart's certificates
  nlohmann-json3-dev                  # tickets and their keys
  libzstd-dev                         # replays
  libsqlite3-dev                      # the journal
  libseccomp-dev                      # verifiers of strangers' replays may compute, and nothing else
  prometheus-cpp-dev                  # metrics
  libhwy-dev                          # SIMD, chosen at run time
  libgtest-dev libgmock-dev xz-utils  # GoogleTest and recorded matches: the presets build and run the tests, too
)
test_packages=(
  prometheus                          # puts the queries of dashboard and alerts to a server; not started as a service
  python3-jwt python3-cryptography    # tickets of another implementation, to verify and to be verified by
  python3-grpcio python3-protobuf     # the recipe of a leaderboard (deploy/leaderboard), tests/second_judge
  nodejs                              # issues a ticket by the recipe of deploy/README.md; the client of proto/README.md
  curl jq                             # asking a server by HTTP and removing a key, as deploy/README.md says
  doxygen                             # the reference of the SDK
  haproxy                             # the front of the gRPC door (deploy/haproxy); not started as a service, either
)
# The TypeScript SDK, and packages of the client of proto/README.md. Node.js of elsewhere brings npm, and takes no second one.
command -v npm >/dev/null || test_packages+=(npm)
sanitizer_packages=(
  clang-14 llvm-14 libclang-rt-14-dev # second compiler, sanitizers and their symbols
  lld-14                              # links sanitizer builds
)
bench_packages=(
  libbenchmark-dev                    # Google Benchmark
  libcgal-dev libbullet-dev libbox2d-dev  # the peers; Boost.Geometry came with Asio
)
plot_packages=(gnuplot-nox python3)        # python3: tests/bench/scale.py
profiling_packages=(linux-perf heaptrack python3)

# Of these only the programs are wanted.
service_packages=(prometheus haproxy)

fail() { echo "install-packages: $*" >&2; exit 1; }

case "${1:-build}" in
  build) wanted=("${build_packages[@]}") ;;
  release) wanted=("${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}" "${profiling_packages[@]}") ;;
  asan | tsan) wanted=("${build_packages[@]}" "${test_packages[@]}" "${sanitizer_packages[@]}") ;;
  test)
    wanted=("${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}" "${profiling_packages[@]}"
      "${sanitizer_packages[@]}")
    ;;
  bench) wanted=("${build_packages[@]}" "${bench_packages[@]}" "${plot_packages[@]}") ;;
  profiling) wanted=("${profiling_packages[@]}") ;;
  *) fail "usage: deploy/install-packages.sh [build|release|asan|tsan|test|bench|profiling]" ;;
esac

command -v dpkg-query >/dev/null || fail "this is no Debian system; install what the list in $0 names by hand"
missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "install-packages: all ${#wanted[@]} packages are in place"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail "missing: ${missing[*]}; run this as root, or install sudo"
  as_root=(sudo)
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run_apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1
}

# What brings a service is wanted for its programs: while this runs, none is started. A policy that is there already stays;
# one that a run of this has left behind, as it was killed, goes.
policy=/usr/sbin/policy-rc.d
policy_marker="# Made by sweepd's deploy/install-packages.sh, for as long as it runs."
if [ -e "$policy" ] && grep -qxF "$policy_marker" "$policy"; then "${as_root[@]}" rm -f "$policy"; fi
missing_services=()
for package in "${service_packages[@]}"; do
  if [[ " ${missing[*]} " == *" $package "* ]]; then missing_services+=("$package"); fi
done
if [ ${#missing_services[@]} -gt 0 ] && [ ! -e "$policy" ]; then
  printf '#!/bin/sh\n%s\nexit 101\n' "$policy_marker" | "${as_root[@]}" tee "$policy" >/dev/null
  "${as_root[@]}" chmod 755 "$policy"
  trap 'rm -f "$log"; "${as_root[@]}" rm -f "$policy"' EXIT
fi

echo "install-packages: installing ${missing[*]}"
# A package list that is old, or not there at all, fails the first try: only then is a new one fetched.
if ! run_apt install -y --no-install-recommends "${missing[@]}"; then
  echo "install-packages: fetching the package lists"
  run_apt update || { cat "$log" >&2; fail "apt-get update failed"; }
  run_apt install -y --no-install-recommends "${missing[@]}" || { cat "$log" >&2; fail "apt-get install failed"; }
fi
# Nor is it at the next start of the machine.
if command -v systemctl >/dev/null; then
  for service in "${missing_services[@]}"; do
    "${as_root[@]}" systemctl disable "$service" >/dev/null 2>&1 || true
  done
fi
echo "install-packages: installed ${#missing[@]} packages"
