# Shared by bench/compare and bench/growth: the release binary and the Python environment.
set -euo pipefail
bench="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(dirname "$bench")"
firstmile="${FIRSTMILE:-$root/dist/firstmile}"
python="$bench/.venv/bin/python"

# Always, lest an old binary be measured; FIRSTMILE names another one to measure instead.
if [[ -z "${FIRSTMILE:-}" ]]; then
  "$root/script/build"
fi

# The peers, from PyPI, at the versions in peers/requirements.txt.
install_peers() {
  [[ -x "$python" ]] || python3 -m venv "$bench/.venv"
  "$python" -m pip install --quiet --disable-pip-version-check -r "$bench/peers/requirements.txt"
}

build_floor() {
  mkdir -p "$bench/out"
  if [[ "$bench/floor.c" -nt "$bench/out/floor" ]]; then
    cc -O2 -Wall -Wextra -o "$bench/out/floor" "$bench/floor.c" -lisal -lpthread
  fi
}
