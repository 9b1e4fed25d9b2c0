# Makes sure that there are wrk and nginx to measure with: the system's, or Debian's packages.
command -v wrk >/dev/null && command -v nginx >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  # Without a runlevel, Debian doesn't start the server that it installs.
  apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq wrk nginx-light libnginx-mod-http-brotli-static >/dev/null && exit 0
fi
echo "The benchmarks need wrk and nginx: install both (Debian: apt-get install wrk nginx-light)." >&2
exit 1
