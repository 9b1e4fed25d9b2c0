# Says in one sentence each what this machine lacks before anything is built.
missing=0
lack() { echo "$1" >&2; missing=1; }
command -v cargo >/dev/null || lack "Rust is missing: install it from https://rustup.rs"
command -v cc >/dev/null || lack "A C compiler is missing: install gcc or clang (Debian: apt-get install build-essential)"
command -v npm >/dev/null || lack "npm is missing: install Node.js 24 from https://nodejs.org"
if ! command -v node >/dev/null; then
  lack "Node.js is missing: install version 24 from https://nodejs.org"
elif [ "$(node -p 'const [major, minor] = process.versions.node.split(".").map(Number); major >= 24 || (major === 22 && minor >= 16) || (major === 20 && minor >= 19)')" != true ]; then
  lack "Node.js $(node --version) can't be used: install version 24 from https://nodejs.org (20.19 and 22.16 will do, too)"
fi
exit $missing
