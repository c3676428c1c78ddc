package system

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Sweeps go from the smallest to the given.
func TestSweeps(t *testing.T) {
	w := readWorkload(t, strings.Replace(smallWorkload, "nodes: 4", "nodes: 12", 1))
	var sizes, loads []string
	for _, x := range w.Sizes(testEngine) {
		sizes = append(sizes, fmt.Sprint(x.Nodes))
	}
	for _, x := range w.Loads(testEngine) {
		loads = append(loads, fmt.Sprint(x.Flows[0].Outstanding))
	}
	assert.Equal(t, "2 3 5 9 12", strings.Join(sizes, " "))
	assert.Equal(t, "1 2 4 8 16", strings.Join(loads, " "))
}

// Loads leave out rates that are too high.
func TestLoadsOfRates(t *testing.T) {
	w := readWorkload(t, "flows: [{from: 0, to: 1, transactions: 5, rate: 900000, mix: [{steps: [{operation: write}]}]}]")
	assert.Len(t, w.Loads(testEngine), 5)
}

// Nodes are not negative.
func TestNegativeNodes(t *testing.T) {
	for _, text := range []string{"1--5", "-1", "1--1", "--1"} {
		_, err := ParseNodes([]string{text})
		assert.ErrorContains(t, err, "allowed", text)
	}
}

// Limits that two fields have together.
func TestMoreIsRefused(t *testing.T) {
	for _, c := range []struct{ from, to, message string }{
		{"from: 1-\n    to: 0", "from: 0\n    to: 1-\n    streams: 30", "flows is 90 streams at node 0; allowed"},
		{"count: 4, octets: 64", "base: 268435400, count: 1, octets: 64", "268435456 octets in all"},
		{"    mix: [{steps: [{operation: write, octets: 64}", "    outstanding: 9\n    mix: [{back_to_back: true, steps: [{operation: write}, {operation: read}", "is 2 back to back, of 9 transactions"},
		{"mix: [{steps: [{operation: write, octets: 64}", "mix: [{back_to_back: true, steps: [{operation: cmp_swap, until: swapped}", "that is not back to back"},
		{"mix: [{steps: [{operation: write, octets: 64}", "mix: [{back_to_back: true, steps: [{operation: write}, {operation: send, reply: true}", "a send alone"},
		{"nodes: 4", "nodes: -1", "nodes is -1; allowed: 2 to 256"},
		{"transactions: 5", "transactions: 5\n    rate: 1e-18", "rate is 1e-18; allowed: 0, or 1e-06"},
		{"count: 4, octets: 64", "base: 4, count: 4, octets: 64", "base is 4; allowed: a multiple of 8"},
		{"operation: write, octets: 64", "operation: write, octets: 16, at: 18446744073709551608", "16 octets at 18446744073709551608; allowed: within the 64 octets"},
	} {
		text := strings.Replace(smallWorkload, c.from, c.to, 1)
		require.NotEqual(t, smallWorkload, text, c.to)
		w := readWorkload(t, text)
		assert.ErrorContains(t, w.Check(testEngine), c.message)
	}
}
