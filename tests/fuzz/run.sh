#!/usr/bin/env bash
# Runs every fuzzer for a while, with what the runs before have found. Usage: tests/fuzz/run.sh [SECONDS]
# SECONDS: of each fuzzer; 60 without. Stops at the first failure and names the input that causes it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

seconds=${1:-60}
[[ "$seconds" =~ ^[1-9][0-9]*$ ]] || { echo "fuzz/run.sh: '$seconds' is no number of seconds" >&2; exit 2; }

deploy/install-packages.sh asan
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzzers

# Which there are, CMake has written down: name, bytes of an input at most, folder of seeds, seed writer.
count=0
while read -r fuzzer bytes_max seeds seed_writer; do
  echo "== $fuzzer: $seconds s"
  [[ -z "$seed_writer" ]] || "build/fuzz/bin/$seed_writer" "$seeds"
  "build/fuzz/bin/$fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len="$bytes_max" \
    -artifact_prefix=build/fuzz/ "build/fuzz/fuzz/$fuzzer/found" "$seeds" </dev/null
  count=$((count + 1))
done <build/fuzz/fuzz/fuzzers.txt
echo "fuzz/run.sh: $count fuzzers ran for $seconds s each and found nothing"
