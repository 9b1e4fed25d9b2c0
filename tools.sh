# Says in one sentence each what this machine lacks before anything is built.
missing=0
lack() { echo "$1" >&2; missing=1; }
command -v cargo >/dev/null || lack "Rust is missing: install it from https://rustup.rs"
command -v cc >/dev/null || lack "A C compiler is missing: install gcc or clang (Debian: apt-get install build-essential)"
command -v npm >/dev/null || lack "npm is missing: install Node.js 20.19 or later from https://nodejs.org"
if ! command -v node >/dev/null; then
  lack "Node.js is missing: install version 20.19 or later from https://nodejs.org"
elif [ "$(node -p 'const [major, minor] = process.versions.node.split(".").map(Number); major > 20 || (major === 20 && minor >= 19)')" != true ]; then
  lack "Node.js $(node --version) is too old: install version 20.19 or later from https://nodejs.org"
fi
exit $missing
