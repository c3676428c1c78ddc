package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// SN and RMSN go from 2^32-1 to 0, in all orders of arrival.
func TestNumbersWrap(t *testing.T) {
	for _, kind := range []spec.QPType{spec.QPRC, spec.QPXRCInitiator} {
		for o := spec.Strong; o <= spec.Unordered; o++ {
			for seed := range uint64(10) {
				for _, start := range []uint32{1<<32 - 5, 1<<32 - 16} {
					testWrap(t, newSetup(kind, o, spec.CompleteInError), seed, start)
				}
			}
		}
	}
}

// testWrap lets both nodes execute 10 Sends, 10 Writes with Immediate, 10 Reads and 10 Fetch and Adds.
func testWrap(t *testing.T, s setup, seed uint64, start uint32) {
	b := newBench(t, s, seed)
	octets := uint32(2*mtu + 5)
	if s.ordering == spec.Unordered {
		octets = 13
	}
	for n, e := range b.node {
		e.SetNumbers(start)
		for id := range uint32(20) {
			b.receive(n, falcon.ReceiveRequest{ID: uint64(id), Local: buffer(id*0x100, 0x100)})
		}
		for id := range uint32(40) {
			w := []falcon.WorkRequest{
				{Kind: spec.Send, Local: source(id, octets)},
				{Kind: spec.Write, Suffix: spec.Immediate, Local: source(id, octets)},
				{Kind: spec.Read, Local: sink(id*0x100, octets)},
				{Kind: spec.FetchAdd, Data: 1, Local: sink(id*0x100, 8)},
			}[id%4]
			w.ID, w.RKey, w.VA = uint64(id), remoteKey, remoteVA
			if w.Kind == spec.FetchAdd {
				w.VA += 0x1000
			}
			b.post(t, n, w)
		}
	}
	b.run(t)
	for n, e := range b.node {
		assert.Empty(t, b.events(n))
		sent, received := b.completions(n)
		require.Len(t, sent, 40)
		require.Len(t, received, 20)
		for i, c := range append(sent, received...) {
			assert.Equal(t, falcon.Success, c.Status)
			if s.ordering != spec.Unordered && (i < 40 || s.kind == spec.QPRC) {
				assert.EqualValues(t, i%40, c.ID)
			}
		}
		assert.EqualValues(t, 10, e.Memory().Word(remoteAt+0x1000))
	}
}
