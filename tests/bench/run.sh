#!/usr/bin/env bash
# Measures sweepd against the library peers and prints the table of ratios. Usage: tests/bench/run.sh [OPTION…]
#   --plot   measure cost against the number of boxes instead, and draw tests/bench/growth.svg
#   others   go to broadphase_table (--help tells them); --strict exits with 1 if a target is missed
# Installs the peers' packages and builds first. As root or with sudo, from any folder, on a quiet machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

deploy/install-packages.sh bench
cmake --preset release -DSWEEPD_BUILD_BENCHMARKS=ON >/dev/null
cmake --build --preset release --target broadphase_table broadphase_bench claim_bench match_bench replay_bench \
  snapshot_bench world_bench

if [ "${1:-}" != --plot ]; then
  exec build/release/bin/broadphase_table "$@"
fi
shift
columns=$(mktemp)
trap 'rm -f "$columns"' EXIT
build/release/bin/broadphase_table --growth "$columns" "$@"
gnuplot -e "data='$columns'; picture='tests/bench/growth.svg'" tests/bench/growth.gp
echo "tests/bench/growth.svg"
