# Makes sure that there is what browser tests need: Chromium, and what is asked for of `firefox`,
# `webkit` and `java`; that of CHROME_PATH and FIREFOX_PATH, the system's, or Debian's packages. With
# Chromium comes a text face as broad as those that most visitors read.
installed() {
  for program; do
    [ -n "$program" ] && command -v "$program" >/dev/null && return
  done
  return 1
}

# What is lacking is installed from these packages, or else asked for with these words.
install() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $1 >/dev/null && return
  fi
  echo "The browser tests need $2" >&2
  exit 1
}

installed "$CHROME_PATH" chromium chromium-browser google-chrome google-chrome-stable ||
  install "chromium chromium-headless-shell fonts-inter" "Chromium or Chrome: install one, or set CHROME_PATH to its executable."
for more; do
  case $more in
    firefox)
      installed "$FIREFOX_PATH" firefox-esr firefox ||
        install firefox-esr "Firefox: install it, or set FIREFOX_PATH to its executable."
      ;;
    webkit)
      { installed WebKitWebDriver && installed xvfb-run; } ||
        install "webkit2gtk-driver xvfb" "WebKitGTK's driver and Xvfb (Debian: webkit2gtk-driver and xvfb)."
      ;;
    java) installed java || install default-jre-headless "Java 17 or later for the Nu Html Checker." ;;
  esac
done
