#!/bin/sh
# Shows everything at work: run.sh RNICGEN OUTPUT CAPTURE
set -eu
rnicgen=$1 out=$2 capture=$3

step() { # name, where it lies, command: its last line becomes a row of the table
	name=$1 where=$2
	shift 2
	echo "== rnicgen $*"
	"$rnicgen" "$@" >"$out/last.txt"
	cat "$out/last.txt"
	rows="$rows$name|$(tail -n 1 "$out/last.txt")|$where
"
}

rows=
step generate "$out/rtl" generate --out "$out/rtl"
step cosim "$out/cosim.json" cosim --messages 50000 --json "$out/cosim.json"
step replay "$out/replay.json" replay --json "$out/replay.json" "$capture"
step vectors "$out/vectors" vectors --out "$out/vectors"
echo 'profile: falcon' >"$out/falcon.yaml"
step falcon "$out/falcon.json" cosim --config "$out/falcon.yaml" --streams 16 --messages 50000 --json "$out/falcon.json"
rm -f "$out/last.txt"

printf '\n%-9s  %-22s  %s\n' step 'result lies in' result
printf '%s' "$rows" | while IFS='|' read -r name result where; do
	printf '%-9s  %-22s  %s\n' "$name" "$where" "$result"
done
