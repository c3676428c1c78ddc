package system

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const smallWorkload = `
nodes: 4
flows:
  - name: a
    from: 1-
    to: 0
    transactions: 5
    objects: {count: 4, octets: 64}
    mix: [{steps: [{operation: write, octets: 64}]}]
`

// Each replacement makes the small workload impossible; the message names the field, its value and what is allowed.
func TestWorkloadIsRefused(t *testing.T) {
	for _, c := range []struct{ from, to, message string }{
		{"nodes: 4", "nodes: 1", "nodes is 1; allowed: 2 to 256"},
		{"nodes: 4", "nodes: 257", "nodes is 257; allowed: 2 to 256"},
		{"nodes: 4", "nodes: 4\nrtl: 4", "rtl is 4; allowed: 0 to 3"},
		{"nodes: 4", "nodes: 4\nrtl: x", `nodes "x"; allowed: all, a number, a range`},
		{"nodes: 4", "nodes: 4\nrtl: 3-1", `nodes "3-1"; allowed: all, a number, a range`},
		{"nodes: 4", "nodes: 4\nnode: 3", "line 3: field node not found"},
		{"nodes: 4", "nodes: 4\nclock_mhz: 0", "clock_mhz is 0; allowed: 1 to 10000"},
		{"nodes: 4", "nodes: 4\nnetwork: {link_gbps: 0}", "network.link_gbps is 0; allowed: 0.001 to 1000000"},
		{"nodes: 4", "nodes: 4\nnetwork: {link_latency: 2s}", "network.link_latency is 2s; allowed: 0s to 1s"},
		{"nodes: 4", "nodes: 4\nnetwork: {link_latency: 5}", `line 3: duration "5"; allowed: a number with a unit`},
		{"nodes: 4", "nodes: 4\nnetwork: {buffer_octets: -1}", "network.buffer_octets is -1; allowed: 0 to 1073741824"},
		{"nodes: 4", "nodes: 4\nmemory: {kind: flash}", `memory.kind is "flash"; allowed: ideal, dram`},
		{"from: 1-", "from: 0", "without a pair of different nodes; allowed: an initiator and another node"},
		{"from: 1-", "from: []", "flows[0].from is empty; allowed: all, or a list of nodes"},
		{"to: 0", "to: 0\n    neighbors: -1", "flows[0].neighbors is -1; allowed: 0 to 255"},
		{"to: 0", "to: 0\n    streams: 65", "flows[0].streams is 65; allowed: 1 to 64"},
		{"to: 0", "to: 0\n    streams: 30", "flows is 90 streams at node 0; allowed: streams of the configuration, 64"},
		{"transactions: 5", "think: 1us", "flows[0].transactions is 0; allowed: a number, or 0 and a duration in for"},
		{"transactions: 5", "transactions: 5\n    for: 1us", "flows[0].transactions is 5; allowed: a number, or 0 and a duration in for"},
		{"transactions: 5", "transactions: 5\n    outstanding: 17", "flows[0].outstanding is 17; allowed: 1 to 16"},
		{"transactions: 5", "transactions: 5\n    rate: -1", "flows[0].rate is -1; allowed: 0, or 1e-06 to 1e+06 in a microsecond"},
		{"transactions: 5", "transactions: 5\n    rate: 1\n    think: 1us", "flows[0].think is 1µs; allowed: 0s with a rate"},
		{"count: 4,", "count: 4, pick: best,", `flows[0].objects.pick is "best"; allowed: first, own, uniform, hot, next`},
		{"count: 4,", "count: 4, share: 2,", "flows[0].objects.share is 2; allowed: 0 to 1"},
		{"octets: 64}", "octets: 60}", "flows[0].objects.octets is 60; allowed: a multiple of 8, 8 to 268435456"},
		{"count: 4,", "count: 8000000,", "octets, 8000000 times 64; allowed: 268435456 octets in all"},
		{"operation: write, octets: 64", "operation: write, octets: 65", "flows[0].mix[0].steps[0] is 65 octets at 0; allowed: within the 64 octets of an object"},
		{"operation: write, octets: 64", "operation: write, at: 8, octets: 64", "is 64 octets at 8; allowed: within the 64 octets of an object"},
		{"operation: write, octets: 64", "operation: erase", `steps[0].operation is "erase"; allowed: write, read, send, fetch_add, cmp_swap`},
		{"operation: write, octets: 64", "operation: send", "steps[0].reply is false; allowed: true"},
		{"operation: write, octets: 64", "operation: fetch_add, at: 4", "steps[0].at is 4; allowed: a multiple of 8"},
		{"operation: write, octets: 64", "operation: fetch_add, octets: 16", "steps[0].octets is 16; allowed: 8, or left out"},
		{"nodes: 4", "---\nfoo: 3\n---\nnodes: 4", "field foo not found"},
		{"nodes: 4", "nodes: 4\nrtl: 1-9", "rtl is 9; allowed: 0 to 3"},
		{"transactions: 5", "transactions: 5\n    rate: 1\n---\nfoo: 3\n---", "allowed: one"},
		{"operation: write, octets: 64", "operation: write, until: swapped", `steps[0].until is "swapped"; allowed: swapped, of a cmp_swap`},
		{"operation: write, octets: 64", "operation: cmp_swap, swap: yours", `value "yours"; allowed: a number, mine`},
		{"mix: [{steps", "mix: [{weight: 1001, steps", "flows[0].mix[0].weight is 1001; allowed: 1 to 1000"},
		{"[{steps", "[{steps: [{operation: write}]}, {steps", `flows[0].mix[1].name is "write" twice; allowed: each once`},
		{"[{steps: [{operation: write, octets: 64}]}]", "[]", "flows[0].mix is empty; allowed: at least one transaction"},
		{"[{operation: write, octets: 64}]", "[]", "flows[0].mix[0].steps is empty; allowed: at least one step"},
	} {
		t.Run(c.to, func(t *testing.T) {
			text := strings.Replace(smallWorkload, c.from, c.to, 1)
			require.NotEqual(t, smallWorkload, text)
			w, err := ReadWorkload(strings.NewReader(text))
			if err == nil {
				err = w.Check(testEngine)
			}
			assert.ErrorContains(t, err, c.message)
		})
	}
	w := readWorkload(t, smallWorkload)
	assert.NoError(t, w.Check(testEngine))
}

func TestNodes(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int
	}{
		{"all", []int{0, 1, 2, 3, 4}}, {"2", []int{2}}, {"[1, 3-]", []int{1, 3, 4}}, {"[1-2, 2, 0]", []int{0, 1, 2}}, {"[]", nil},
	} {
		w := readWorkload(t, "rtl: "+c.text)
		assert.Equal(t, c.want, w.RTL.of(5), c.text)
	}
}

// A flow to neighbors goes around.
func TestNeighbors(t *testing.T) {
	w := readWorkload(t, "nodes: 4\nflows: [{from: [0, 3], to: all, neighbors: 2}]")
	var pairs [][2]int
	for from, to := range w.Flows[0].pairs(4) {
		pairs = append(pairs, [2]int{from, to})
	}
	assert.Equal(t, [][2]int{{0, 1}, {0, 2}, {3, 0}, {3, 1}}, pairs)
}
