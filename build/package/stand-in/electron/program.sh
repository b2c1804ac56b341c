#!/bin/sh
# A stand-in for Electron's program. It runs the commands of the program beside it by Node 24: the
# one that STAND_IN_NODE names, else the one it was packaged with, else the one in the search path.
# It is not the product and draws no window.
program=$(readlink -f "$0")
here=$(dirname "$program")
packaged=$(cat "$here/stand-in/node")
for node in "${STAND_IN_NODE:-}" "$packaged" node; do
  case "$("$node" --version 2>/dev/null)" in
    v24.*) exec "$node" --import "$here/stand-in/guard.ts" "$here/stand-in/start.ts" "$program" "$@" ;;
  esac
done
echo "signing-desk: this stand-in needs Node 24; name it with STAND_IN_NODE" >&2
exit 1
