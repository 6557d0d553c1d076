#!/usr/bin/env bash
# Builds, checks and tests the TypeScript SDK from a copy in the build folder: what npm installs and generates stays out of
# the sources. Usage: tests/client_sdk_ts/run.sh SWEEPD PROTOC FOLDER
# Ends with 77 (skipped) where npm is not there.
set -euo pipefail

[ $# -eq 3 ] || { echo "usage: tests/client_sdk_ts/run.sh SWEEPD PROTOC FOLDER" >&2; exit 2; }
command -v npm >/dev/null || { echo "client_sdk_ts: npm is not installed"; exit 77; }
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export SWEEPD=$1 PROTOC=$2 SWEEPD_SOURCE_DIR=$source
work=$3
sdk=$work/client_sdk/ts

# A copy of the sources as they are now; packages of the run before stay.
mkdir -p "$sdk"
find "$sdk" -mindepth 1 -maxdepth 1 ! -name node_modules -exec rm -rf {} +
(cd "$source/client_sdk/ts" && tar -c --exclude=./node_modules --exclude=./dist --exclude=./reference \
  --exclude=./src/generated .) | tar -x -C "$sdk"
ln -sfn "$source/proto" "$work/proto"

# What the packages are built for. Where the system's Node.js is older, one comes as a package, too.
is_new_enough() { node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; }
if ! is_new_enough; then
  case "$(uname -m)" in x86_64) machine=x64 ;; aarch64) machine=arm64 ;; *) echo "client_sdk_ts: Node.js is before 20.19" >&2; exit 1 ;; esac
  [ -x "$work/node/node_modules/node-linux-$machine/bin/node" ] ||
    npm install --silent --no-save --prefix "$work/node" "node-linux-$machine@22"
  export PATH=$work/node/node_modules/node-linux-$machine/bin:$PATH
fi

cd "$sdk"
# Installing takes as long as all else: only where the lock file has changed.
installed=$work/installed-package-lock.json
if ! cmp -s package-lock.json "$installed" || [ ! -d node_modules ]; then
  rm -f "$installed"
  npm ci --prefer-offline --no-audit --no-fund
  cp package-lock.json "$installed"
fi
npm run build
npm run lint
npm test
npm run docs
