#!/usr/bin/env bash
# Measures sweepd against the library peers and prints the table of ratios. Usage: tests/bench/run.sh [OPTION…]
#   --scale  measure what a core carries instead: matches, beside gRPC alone (scale.py --help tells the options)
#   --plot   measure cost against the number of boxes instead, and draw tests/bench/growth.svg
#   others   go to broadphase_table (--help tells them); --strict exits with 1 if a target is missed
# Installs the peers' packages and builds first. As root or with sudo, from any folder, on a quiet machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

deploy/install-packages.sh bench
cmake --preset release -DSWEEPD_BUILD_BENCHMARKS=ON >/dev/null
cmake --build --preset release --target broadphase_table broadphase_bench claim_bench feed_bench match_bench \
  memory_bench replay_bench snapshot_bench world_bench server_bench grpc_echo attack_table sweepd sweepctl

if [ "${1:-}" = --scale ]; then
  shift
  exec tests/bench/scale.py "$@"
fi
if [ "${1:-}" != --plot ]; then
  exec build/release/bin/broadphase_table "$@"
fi
shift
columns=$(mktemp)
trap 'rm -f "$columns"' EXIT
build/release/bin/broadphase_table --growth "$columns" "$@"
gnuplot -e "data='$columns'; picture='tests/bench/growth.svg'" tests/bench/growth.gp
echo "tests/bench/growth.svg"
