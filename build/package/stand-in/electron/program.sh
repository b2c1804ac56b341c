#!/bin/sh
# A stand-in for Electron's program. It runs the commands of the program beside it by Node 24: the
# one that STAND_IN_NODE names, else the one it was packaged with, else the one in the search path.
# It is not the product and draws no window.
# It ends as Electron does where that cannot begin: as root in its sandbox (electron_main_delegate.cc),
# and on Linux without a display (ozone's X11 platform).
program=$(readlink -f "$0")
case " $* " in
  *' --no-sandbox '*) ;;
  *)
    if [ "$(id -u)" = 0 ]; then
      echo '[1:0101/000000.000000:FATAL:electron_main_delegate.cc] Running as root without --no-sandbox is not supported. See https://crbug.com/638180.' >&2
      exit 133
    fi
    ;;
esac
case " $* " in
  *' --ozone-platform=headless '*) ;;
  *)
    if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
      echo '[1:0101/000000.000000:ERROR:ozone_platform_x11.cc] Missing X server or $DISPLAY' >&2
      echo '[1:0101/000000.000000:ERROR:env.cc] The platform failed to initialize.  Exiting.' >&2
      exit 1
    fi
    ;;
esac
here=$(dirname "$program")
packaged=$(cat "$here/stand-in/node")
for node in "${STAND_IN_NODE:-}" "$packaged" node; do
  case "$("$node" --version 2>/dev/null)" in
    v24.*) exec "$node" --import "$here/stand-in/guard.ts" "$here/stand-in/start.ts" "$program" "$@" ;;
  esac
done
echo "signing-desk: this stand-in needs Node 24; name it with STAND_IN_NODE" >&2
exit 1
