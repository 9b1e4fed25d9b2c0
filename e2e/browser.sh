# Makes sure that there is a browser for the tests: CHROME_PATH, the system's, or Debian's package.
for browser in "$CHROME_PATH" chromium chromium-browser google-chrome google-chrome-stable; do
  [ -n "$browser" ] && command -v "$browser" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium chromium-headless-shell >/dev/null && exit 0
fi
echo "The browser tests need Chromium or Chrome: install one, or set CHROME_PATH to its executable." >&2
exit 1
