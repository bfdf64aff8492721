# What the scripts share: installing packages, configuring and building. Sourced, after `set -euo pipefail`.
# shellcheck shell=bash
#
# Everything that is said here goes to stderr: the output of scripts/run is the program's.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." >/dev/null && pwd)"
# shellcheck source=scripts/lib/packages
source "$root/scripts/lib/packages"

say() { printf '== %s\n' "$*" >&2; }

fail() {
  printf '%s: %s\n' "scripts/$(basename "$0")" "$*" >&2
  exit 1
}

# The packages among the arguments that are not installed, one per line.
missing_packages() {
  local package installed
  # dpkg-query fails when it does not know one of the names; what it does know is printed all the same.
  # shellcheck disable=SC2016
  installed="$(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)"
  for package in "$@"; do
    grep --quiet --line-regexp --fixed-strings "$package installed" <<<"$installed" || printf '%s\n' "$package"
  done
}

# Runs apt-get as root. Its output goes to the file in $1.
apt_get() {
  local log="$1" as_root=()
  shift
  ((EUID == 0)) || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get --assume-yes --quiet -o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1 </dev/null
}

# Whether this user may install packages: as root, by a sudo that asks nothing, or by one that can ask.
can_install() {
  ((EUID == 0)) && return
  command -v sudo >/dev/null || return
  sudo -n true 2>/dev/null || { [[ -t 0 && -t 2 ]] && sudo -v; }
}

# Installs those of the packages in the arguments that are missing. With GOSSAMER_SKIP_INSTALL=1 it
# trusts that they are there: for systems without apt-get.
install_missing() {
  [[ "${GOSSAMER_SKIP_INSTALL:-0}" != 1 ]] || return 0
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    fail "this system has no apt-get; install what Debian calls: $* - then run with GOSSAMER_SKIP_INSTALL=1"
  fi
  local missing=()
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0

  can_install || fail "installing needs root or sudo; as root, run: apt-get install ${missing[*]}"
  say "installing ${missing[*]}"
  local log
  log="$(mktemp "${TMPDIR:-/tmp}/gossamer-install.XXXXXX")"
  # The package lists may be good enough without an update: only a failed installation counts.
  apt_get "$log" update -o APT::Update::Error-Mode=any || true
  if apt_get "$log" install --no-install-recommends "${missing[@]}"; then
    rm -f "$log"
  elif grep --quiet -E 'Temporary failure|Could not (resolve|connect)|Failed to fetch|Network is unreachable' "$log"; then
    fail "no network to install from; with one, run: apt-get install ${missing[*]} (log: $log)"
  elif grep --quiet -E 'Unable to locate|no installation candidate' "$log"; then
    fail "this system's packages are too old or too few (Debian 12 has all): ${missing[*]} (log: $log)"
  else
    fail "apt-get failed; install by hand: apt-get install ${missing[*]} (log: $log)"
  fi
}

# Runs the rest of the arguments, saying $1 before and how long it took after. The output goes to
# build/logs/$2.log, and is shown only if the command fails.
quietly() {
  local what="$1" log="$root/build/logs/$2.log" begin=$SECONDS
  shift 2
  mkdir -p "$root/build/logs"
  say "$what"
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 100 "$log" >&2
    fail "$what: failed after $((SECONDS - begin)) s; all of its output is in ${log#"$root/"}"
  fi
  ((SECONDS - begin < 5)) || say "$what: done in $((SECONDS - begin)) s"
}

# Configures preset $1 if it never was, if the presets changed, or if the repository was moved since.
configure_preset() {
  local build="$root/build/$1" fresh=()
  if [[ -e "$build/CMakeCache.txt" ]] &&
    ! grep --quiet --line-regexp --fixed-strings "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    fresh=(--fresh)
  elif [[ -e "$build/build.ninja" && ! "$root/CMakePresets.json" -nt "$build/build.ninja" ]]; then
    return
  fi
  quietly "configuring $1" "$1-configure" cmake -S "$root" --preset "$1" "${fresh[@]}"
}

# Configures preset $1 and builds it: all of it, or the targets that follow.
build_preset() {
  local preset="$1" targets=()
  shift
  (($# == 0)) || targets=(--target "$@")
  configure_preset "$preset"
  quietly "building $preset" "$preset-build" \
    cmake --build "$root/build/$preset" --parallel "$(nproc)" "${targets[@]}"
}
