#!/usr/bin/env bash
# certify.sh KERNELS OUT: certifies each line `PROGRAM SCHEDULE TARGET [NAME]` of KERNELS, whatever became of the ones before, and
# looks at each certificate with hexproof-check. Leaves in OUT/NAME/ (if it is not given, the name of the program without .py)
# the certificate, report.json, report.html, results.sarif and junit.xml, and ends with the first exit code that is not 0. A list
# that cannot be read, or a line that is none, ends it before anything is certified; so does a folder OUT/NAME with files that
# certify.sh did not make, and only its own files are ever removed. Proofs are kept in $HEXPROOF_CACHE (a file, or
# redis://HOST), and what became of a kernel that is proved in the folder $HEXPROOF_KEPT, where these are set: as long as
# program, schedule, what the schedule reads, target and the program hexproof are the same bytes, it is not certified again,
# and hexproof-check looks at its files. (The environment, and a file that the schedule looked for in vain, are not among these.)
set -uo pipefail
fail() { echo "certify.sh: $1" >&2; exit "${2:-1}"; }
[ $# -eq 2 ] || { echo "usage: certify.sh KERNELS OUT" >&2; exit 1; }
kernels=$1 out=$2 kept=${HEXPROOF_KEPT:-} worst=0
[ -n "$out" ] || fail "OUT is empty: which folder is it?"
options=(--quiet --no-run)
[ -z "${HEXPROOF_CACHE:-}" ] || options+=(--cache "$HEXPROOF_CACHE")
[ -z "${GITHUB_ACTIONS:-}" ] || options+=(--annotate github)
# Two builds of one version may judge differently: the bytes count.
version=$(hexproof --version && sha256sum <"$(command -v hexproof)") || fail "there is no hexproof in the PATH" 2
list=$(cat -- "$kernels") || fail "cannot read $kernels" 2

# What the command line names, as one digest.
inputs_of() { { sha256sum "$1" "$2" "$0"; echo "$3 $version"; } | sha256sum; }

# The files of a rule of make that has one on each line behind the first; below this folder by their names from here.
files_of() {
  sed -e 1d -e 's/^ //' -e 's/ \\$//' -e 's/\\\([ #:]\)/\1/g' -e 's/\$\$/$/g' "$1" |
    while IFS= read -r file; do echo "${file#"$PWD"/}"; done
}
digests_of() { files_of "$1" | tr '\n' '\0' | xargs -0 sha256sum --; }

# Are they what they were?
unchanged() { sha256sum --check --status "$1" >/dev/null 2>&1 </dev/null; }

# What a folder OUT/NAME holds. The mark, which is the first to be made, tells it from a folder of anything else.
mark=.certify.sh
own=("$mark" inputs.d inputs.sha256 report.json report.html results.sarif junit.xml certificate)
is_own() { [ -e "$1/$mark" ] || [ -z "$(ls -A -- "$1" 2>/dev/null)" ]; }

# By links, where both are on one disk: who changes one changes both, and hexproof-check sees it.
copy() {
  local name
  mkdir -p -- "$2" || return
  for name in "${own[@]}"; do
    [ ! -e "$1/$name" ] || cp -rlf -- "$1/$name" "$2" 2>/dev/null || cp -r -- "$1/$name" "$2" || return
  done
}

programs=() schedules=() targets=() names=()
declare -A of=()
while read -r program schedule target name rest; do
  [[ -z $program || $program == '#'* ]] && continue
  [[ -n $target && -z $rest ]] ||
    fail "$kernels: '$program $schedule $target $name $rest' is no line: PROGRAM SCHEDULE TARGET [NAME]"
  [ -n "$name" ] || { name=${program##*/} && name=${name%.py}; }
  [[ $name != */* && $name != .* && -n $name ]] || fail "'$name' is no name of a folder below $out"
  [ -z "${of[$name]:-}" ] ||
    fail "$kernels: $program ($target) and ${of[$name]} would both go to $out/$name; a fourth word is another name"
  of[$name]="$program ($target)"
  programs+=("$program") schedules+=("$schedule") targets+=("$target") names+=("$name")
done <<<"$list"
[ ${#programs[@]} -gt 0 ] || fail "there is no kernel in $kernels"
mapfile -t given < <(realpath -m -- "${programs[@]}" "${schedules[@]}")
for name in "${names[@]}"; do
  folder=$out/$name
  is_own "$folder" || fail "$folder holds files that certify.sh did not make; nothing was written" 2
  whole=$(realpath -m -- "$folder")
  for file in "${given[@]}"; do
    [[ $file != "$whole"/* ]] || fail "the input $file lies in $folder; nothing was written" 2
  done
done

for k in "${!programs[@]}"; do
  program=${programs[k]} schedule=${schedules[k]} target=${targets[k]} folder=$out/${names[k]}
  mkdir -p -- "$folder" && touch -- "$folder/$mark" || fail "cannot make $folder" 2
  (cd -- "$folder" && rm -rf -- "${own[@]:1}") || fail "cannot empty $folder" 2
  before=${kept:+$(inputs_of "$program" "$schedule" "$target")}
  before=${before:+$kept/${before%% *}}
  if [ -n "$before" ] && unchanged "$before/inputs.sha256" && hexproof-check "$before/certificate" >/dev/null </dev/null; then
    copy "$before" "$folder" || fail "cannot write to $folder" 2
    touch "$before"
    echo "$program: exit code 0, as before"
    continue
  fi
  hexproof certify "$program" "$schedule" --target "$target" "${options[@]}" -o "$folder/certificate" \
    --json "$folder/report.json" --sarif "$folder/results.sarif" --junit "$folder/junit.xml" \
    --depfile "$folder/inputs.d" </dev/null
  code=$?
  if [ $code -eq 0 ]; then
    hexproof report "$folder/certificate" -o "$folder/report.html" </dev/null
    hexproof-check "$folder/certificate" --solver "cvc5 --lang=smt2" </dev/null || code=$?
  elif [ -e "$folder/report.json" ]; then
    hexproof report "$folder/report.json" -o "$folder/report.html" </dev/null
  fi
  if [ $code -eq 0 ] && [ -n "$before" ] && digests_of "$folder/inputs.d" >"$folder/inputs.sha256"; then
    rm -rf "$before" "$before.new"
    mkdir -p "$kept" && copy "$folder" "$before.new" && mv "$before.new" "$before"
  fi
  echo "$program: exit code $code"
  [ $worst -ne 0 ] || worst=$code
done
# What nobody asked for in a month goes.
[ -z "$kept" ] || find "$kept" -mindepth 1 -maxdepth 1 -type d -mtime +30 -exec test -e "{}/$mark" \; -exec rm -rf {} + 2>/dev/null
exit $worst
