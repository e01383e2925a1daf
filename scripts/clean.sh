#!/usr/bin/env bash
# Stops the private servers and removes all that was built here. The cache for other clones stays.
. "$(dirname "$0")/lib.sh"

"$ROOT/scripts/cluster.sh" stop-all
say "removing target/"
rm -rf "$(socket_root)" "$STATE" "$TARGET"
note "kept for other clones: $CACHE"
