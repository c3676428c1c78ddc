package system

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rowsOf returns the rows of transactions, or of operations, by name.
func rowsOf(r *Report, operations bool) map[string]Row {
	rows := map[string]Row{}
	for _, row := range r.Rows {
		if row.Operation == operations {
			rows[row.Name] = row
		}
	}
	return rows
}

// Clients that want one lock repeat their CmpSwap; each changes the object while it alone has the lock, and the last one unlocks it.
func TestLock(t *testing.T) {
	w := readWorkload(t, `
nodes: 5
flows:
  - name: clients
    from: 1-
    to: 0
    transactions: 20
    objects: {octets: 64}
    mix:
      - name: update
        steps:
          - {operation: cmp_swap, compare: 0, swap: mine, until: swapped}
          - {operation: cmp_swap, at: 8, compare: 0, swap: mine, until: swapped}
          - {operation: cmp_swap, at: 8, compare: mine, swap: 0}
          - {operation: fetch_add, at: 16}
          - {operation: cmp_swap, compare: mine, swap: 0}
`)
	s, r := runOn(t, w, false)
	operations := rowsOf(r, true)
	assert.Greater(t, operations["cmp_swap"].Retries, uint64(20), "on the lock")
	assert.Equal(t, uint64(80), rowsOf(r, false)["update"].Count)
	assert.Equal(t, uint64(80), operations["fetch_add"].Count)
	assert.Equal(t, 4*80+operations["cmp_swap"].Retries, operations["cmp_swap"].Count)
	for at, want := range map[uint64]uint64{0: 0, 8: 0, 16: 80} {
		assert.Equal(t, want, binary.LittleEndian.Uint64(s.nodes[0].read(targetAddress+at, 8)))
	}
}

// A host thinks between the end of a transaction and the start of the next.
func TestThink(t *testing.T) {
	_, r := runOn(t, readWorkload(t, "flows: [{from: 0, to: 1, transactions: 20, think: 10us, mix: [{steps: [{operation: fetch_add}]}]}]"), false)
	row := r.Rows[0]
	assert.InDelta(t, 1000/(10_000+row.Latency.P50), row.PerMicrosecond, 0.01)
	_, one := runOn(t, readWorkload(t, "flows: [{from: 0, to: 1, transactions: 1, mix: [{steps: [{operation: fetch_add}]}]}]"), false)
	assert.InDelta(t, one.Rows[0].Latency.Mean, float64(one.Cycles)*4, 0.01*one.Rows[0].Latency.Mean, "a report counts from the first transaction on")
}

// Transactions are drawn by weight, with their steps in order or together.
func TestMix(t *testing.T) {
	_, r := runOn(t, readWorkload(t, `
flows:
  - from: 0
    to: 1
    transactions: 1000
    objects: {octets: 64}
    mix:
      - {name: often, weight: 3, steps: [{operation: read}, {operation: read}]}
      - {name: seldom, weight: 1, back_to_back: true, steps: [{operation: read}, {operation: read}]}
`), false)
	rows := rowsOf(r, false)
	assert.InDelta(t, 750, rows["often"].Count, 50)
	assert.Equal(t, uint64(1000), rows["often"].Count+rows["seldom"].Count)
	assert.Greater(t, rows["often"].Latency.P50, 1.8*rows["seldom"].Latency.P50)
}

// Every way to pick an object.
func TestPick(t *testing.T) {
	for pick, want := range map[Pick]func(counts []int){
		First: func(counts []int) { assert.Equal(t, []int{1000, 0, 0, 0}, counts) },
		Own:   func(counts []int) { assert.Equal(t, []int{0, 0, 1000, 0}, counts) },
		Next:  func(counts []int) { assert.Equal(t, []int{250, 250, 250, 250}, counts) },
		Uniform: func(counts []int) {
			for _, n := range counts {
				assert.InDelta(t, 250, n, 50)
			}
		},
		Hot: func(counts []int) {
			assert.InDelta(t, 500+125, counts[0], 50)
			assert.InDelta(t, 125, counts[3], 40)
		},
	} {
		f := Flow{Outstanding: 1, Mix: []Mix{{Weight: 1}}}
		i := newInitiator(&connection{flow: &f, index: 2, slots: 1}, 1)
		counts := make([]int, 4)
		for range 1000 {
			counts[i.pick(Objects{Count: 4, Pick: pick, Share: 0.5})]++
		}
		want(counts)
	}
}

// A Send is answered with one of its length, on both ends' receive requests, more often than there are any.
func TestReplies(t *testing.T) {
	s, r := runOn(t, readWorkload(t, `
flows:
  - {from: 0, to: 1, transactions: 200, outstanding: 8, mix: [{steps: [{operation: send, octets: 3000, reply: true}]}]}
`), false)
	require.Len(t, r.Rows, 2)
	assert.Equal(t, uint64(200), r.Rows[1].Count)
	assert.Equal(t, r.Nodes[0].SegmentsOut, r.Nodes[1].SegmentsOut)
	assert.Equal(t, uint64(3*200), r.Nodes[0].SegmentsOut)
	local := func(n int) []byte { return s.nodes[n].read(localAddress, 3000) }
	assert.NotEqual(t, local(0), make([]byte, 3000))
	assert.Equal(t, local(0), local(1), "the octets went to and fro")
}

// A CmpSwap that waits for its object is repeated while it has found another value.
func TestUntilSwapped(t *testing.T) {
	o := &operation{transaction: &transaction{initiator: &initiator{connection: &connection{number: 3}}}, step: &Step{Until: "swapped", Compare: Value{Mine: true}}}
	assert.False(t, o.again(4), "its own")
	assert.True(t, o.again(0))
	o.step = &Step{Until: "swapped"}
	assert.False(t, o.again(0))
	assert.True(t, o.again(4))
	o.step.Until = ""
	assert.False(t, o.again(4))
}

// Streams take turns by octets: a short message does not wait for long ones of another stream.
func TestTurns(t *testing.T) {
	_, r := runOn(t, readWorkload(t, `
flows:
  - {name: long, from: 0, to: 1, for: 200us, outstanding: 4, objects: {octets: 65536}, mix: [{steps: [{operation: write, octets: 65536}]}]}
  - {name: short, from: 0, to: 1, for: 200us, mix: [{steps: [{operation: write}]}]}
`), false)
	rows := map[string]Row{}
	for _, row := range r.Rows {
		rows[row.Flow] = row
	}
	assert.Greater(t, rows["long"].Latency.P50, 20_000.0)
	assert.Less(t, rows["short"].Latency.P99, 4_000.0)
}
