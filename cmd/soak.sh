#!/bin/sh
# 1,100,000 messages on rnic in mixes of peers, stalls, latencies and errors, the last 100,000 with the extension commit; prints a table of the results.
set -e
bin=$1 out=$2
row() {
	name=$1 messages=$2
	shift 2
	"$bin" cosim --quiet --json "$out/soak.json" --messages "$messages" "$@" > /dev/null
	awk -v name="$name" -F '[:,]' '/"cycles"/ {c = $2} /"messages"/ {m = $2} /"mismatches"/ {w = $2} /"seed"/ {s = $2} /"messages_per_second"/ {p = $2}
		END {printf "%-44s %8d %6d %10d %10d %12.0f\n", name, m, s, c, w, p}' "$out/soak.json"
}
printf '%-44s %8s %6s %10s %10s %12s\n' 'rnic against' messages seed cycles mismatches 'messages/s'
row 'model' 200000 --peer model --seed 11
row 'rtl' 200000 --peer rtl --seed 12
row 'rtl, random stalls' 100000 --peer rtl --seed 13 --stall random:96
row 'model, long stalls' 50000 --peer model --seed 14 --stall bursts:128
row 'rtl, memory 1..200 cycles' 100000 --peer rtl --seed 15 --memory-latency 1..200
row 'model, 1 % errors' 150000 --peer model --seed 16 --error-rate 0.01
row 'rtl, 1 % errors' 100000 --peer rtl --seed 17 --error-rate 0.01
row 'rtl, 10 % errors, memory 1..200 cycles' 50000 --peer rtl --seed 18 --error-rate 0.1 --memory-latency 1..200
row 'model, 3 % errors, stalls, 1..50 cycles' 50000 --peer model --seed 19 --error-rate 0.03 --stall random:96 --memory-latency 1..50
printf 'extensions: [commit]\n' > "$out/commit.yaml"
row 'rtl, commit, 1 % errors' 50000 --peer rtl --seed 20 --error-rate 0.01 --config "$out/commit.yaml"
row 'model, commit, 3 % errors, stalls, 1..50' 50000 --peer model --seed 21 --error-rate 0.03 --stall random:96 --memory-latency 1..50 --config "$out/commit.yaml"
