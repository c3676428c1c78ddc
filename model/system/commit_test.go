package system

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What the target reads for a flush is a line of every page of the range, for a verification every line of it.
func TestLinesOfCommits(t *testing.T) {
	for _, c := range []struct {
		step  string
		lines uint64
	}{
		{"flush, at: 4000, octets: 90", 1}, {"flush, at: 4000, octets: 96", 1}, {"flush, at: 4000, octets: 97", 2}, {"flush, at: 4000, octets: 200", 2}, {"flush, at: 4095, octets: 4098", 3},
		{"verify, octets: 64", 1}, {"verify, at: 63, octets: 2", 2}, {"verify, at: 4090, octets: 4200", 67}, {"read, at: 63, octets: 2", 2},
	} {
		_, r := runOn(t, readWorkload(t, "flows: [{from: 0, to: 1, transactions: 1, objects: {octets: 16384}, mix: [{steps: [{operation: "+c.step+"}]}]}]"), false)
		assert.Equal(t, c.lines, r.Nodes[1].LinesRead, c.step)
	}
}

// A word stays on chip while it is in use, and is read again afterwards.
func TestWordsLeaveTheChip(t *testing.T) {
	_, r := runOn(t, readWorkload(t, "flows: [{from: 0, to: 1, transactions: 20, mix: [{steps: [{operation: fetch_add}]}]}]"), false)
	assert.Equal(t, uint64(20), r.Nodes[1].LinesRead)
}

// A flush waits for the writes of other streams that memory has been asked for.
func TestFlushWaitsForWritesOfOthers(t *testing.T) {
	flushes := func(writer string) float64 {
		_, r := runOn(t, readWorkload(t, "nodes: 3\nmemory: {latency: 2us}\nflows: [{name: w, from: 1, to: "+writer+", streams: 2, for: 60us, outstanding: 2, mix: [{steps: [{operation: write, octets: 64}]}]}, {name: f, from: 2, to: 0, for: 50us, objects: {base: 65536}, mix: [{steps: [{operation: flush, octets: 64}]}]}]"), false)
		return r.Rows[2].Latency.P50
	}
	idle, busy := flushes("2"), flushes("0")
	assert.Greater(t, busy, idle+1500)
}
