#!/usr/bin/env bash
# certify.sh KERNELS OUT: certifies each line `PROGRAM SCHEDULE TARGET` of KERNELS, whatever became of the ones before, and looks
# at each certificate with hexproof-check. Leaves in OUT/NAME/ the certificate, report.json, report.html, results.sarif and
# junit.xml, and ends with the first exit code that is not 0. Proofs are kept in $HEXPROOF_CACHE, a file, where it is set.
set -uo pipefail
[ $# -eq 2 ] || { echo "usage: certify.sh KERNELS OUT" >&2; exit 1; }
kernels=$1 out=$2 worst=0
options=(--quiet --no-run)
[ -z "${HEXPROOF_CACHE:-}" ] || options+=(--cache "$HEXPROOF_CACHE")
[ -z "${GITHUB_ACTIONS:-}" ] || options+=(--annotate github)

while read -r program schedule target; do
  [[ -z $program || $program == '#'* ]] && continue
  folder=$out/$(basename "$program" .py)
  mkdir -p "$folder"
  hexproof certify "$program" "$schedule" --target "$target" "${options[@]}" -o "$folder/certificate" \
    --json "$folder/report.json" --sarif "$folder/results.sarif" --junit "$folder/junit.xml" </dev/null
  code=$?
  if [ $code -eq 0 ]; then
    hexproof report "$folder/certificate" -o "$folder/report.html" </dev/null
    hexproof-check "$folder/certificate" --solver "cvc5 --lang=smt2" </dev/null || code=$?
  elif [ -e "$folder/report.json" ]; then
    hexproof report "$folder/report.json" -o "$folder/report.html" </dev/null
  fi
  echo "$program: exit code $code"
  [ $worst -ne 0 ] || worst=$code
done <"$kernels"
exit $worst
