package system

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A flow for a duration begins what fits into it, from the first transaction on, not from the start of the simulation.
func TestForCountsFromTheStart(t *testing.T) {
	for text, want := range map[string]uint64{"for: 4ns": 1, "for: 200ns": 1, "for: 200ns, outstanding: 3": 3, "for: 30us, think: 10us": 3} {
		_, r := runOn(t, readWorkload(t, "flows: [{from: 0, to: 1, "+text+", mix: [{steps: [{operation: read}]}]}]"), false)
		require.NotEmpty(t, r.Rows, text)
		assert.Equal(t, want, r.Rows[0].Count, text)
	}
}

// Objects one after the other begin with the first; own is by number among the streams of the flow to the target.
func TestPickSequences(t *testing.T) {
	f := Flow{Outstanding: 1, Mix: []Mix{{Weight: 1}}}
	i := newInitiator(&connection{flow: &f, slots: 1}, 1)
	for n := range 9 {
		assert.Equal(t, n%4, i.pick(Objects{Count: 4, Pick: Next}))
	}
	w := readWorkload(t, "nodes: 4\nflows: [{from: all, to: all, streams: 2, mix: []}, {from: 0, to: 1, mix: []}]")
	list, _, _ := w.connections()
	seen := map[[2]int][]int{}
	for _, c := range list {
		k := [2]int{0, c.to.node}
		if c.flow == &w.Flows[1] {
			k[0] = 1
		}
		seen[k] = append(seen[k], c.index)
	}
	for node := range 4 {
		assert.Equal(t, []int{0, 1, 2, 3, 4, 5}, seen[[2]int{0, node}])
	}
	assert.Equal(t, []int{0}, seen[[2]int{1, 1}])
}

// Operations that are in progress together use different local memory, that of their connection.
func TestSlotsAreApart(t *testing.T) {
	w := readWorkload(t, "flows: [{from: 0, to: 1, streams: 2, outstanding: 3, objects: {octets: 512}, mix: [{back_to_back: true, steps: [{operation: write, octets: 300}, {operation: read, octets: 8}, {operation: write, octets: 500}]}]}]")
	list, local, _ := w.connections()
	used := map[uint64]bool{}
	for _, c := range list {
		i := newInitiator(c, 1)
		for range 3 {
			tr := i.begin(0)
			for n := range tr.mix.Steps {
				b := (&operation{transaction: tr, step: &tr.mix.Steps[n], number: n}).work(1).Local
				assert.False(t, used[b.TO], "%#x", b.TO)
				used[b.TO] = true
				assert.LessOrEqual(t, b.TO+512, local[0])
			}
		}
	}
	assert.Len(t, used, 18)
}

// An Atomic Write is of the number of its transaction, also with several in progress.
func TestAtomicWriteNumbers(t *testing.T) {
	s, _ := runOn(t, readWorkload(t, "flows: [{from: 0, to: 1, transactions: 12, outstanding: 4, objects: {count: 12, octets: 64, pick: next}, mix: [{steps: [{operation: read, octets: 64}, {operation: atomic_write, at: 16}]}]}]"), false)
	for n := range uint64(12) {
		assert.Equal(t, n+1, binary.BigEndian.Uint64(s.nodes[1].read(targetAddress+64*n+16, 8)))
	}
}
