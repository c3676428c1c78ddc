package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An element that has been sent is not checked again (I-111).
func TestSentElement(t *testing.T) {
	i := newInitiator(t, newSetup(spec.QPRC, spec.Strong, spec.CompleteInError))
	region := regions[1]
	require.NoError(t, i.e.SetRegion(8, region))
	i.work(falcon.WorkRequest{ID: 1, Kind: spec.Write, Local: append([]falcon.Element{{Key: memory.STag(8, region.Key), VA: sourceAt, Length: mtu}}, source(mtu, mtu)...)})
	first, some := i.e.Transmit(i.qp[0])
	require.True(t, some)
	require.NoError(t, i.e.SetRegion(8, memory.Region{}))
	list := i.all()
	require.Len(t, list, 1)
	assert.False(t, list[0].CE)
	assert.Equal(t, i.octets(0, sourceAt+mtu, mtu), list[0].Payload)
	i.ack(sent{Request: first})
	i.ack(list[0])
	done, _ := i.completions(0)
	require.Len(t, done, 1)
	assert.Equal(t, falcon.Success, done[0].Status)
}

// A Read with Fence waits for pulls of earlier work requests, not for its own.
func TestFencedRead(t *testing.T) {
	i := newInitiator(t, newSetup(spec.QPRC, spec.Strong, spec.Verbs))
	i.work(falcon.WorkRequest{ID: 1, Kind: spec.Read, Local: sink(0, 8)})
	i.work(falcon.WorkRequest{ID: 2, Kind: spec.Read, Fence: true, Local: sink(0x1000, 3*mtu)})
	list := i.all()
	require.Len(t, list, 1)
	i.respond(list[0], nil)
	assert.Len(t, i.all(), 3)
}

// SE is set only if the message takes a receive, and in its last packet.
func TestSolicited(t *testing.T) {
	i := newInitiator(t, newSetup(spec.QPRC, spec.Strong, spec.Verbs))
	for _, w := range []falcon.WorkRequest{{Kind: spec.Write}, {Kind: spec.Write, Suffix: spec.Immediate}, {Kind: spec.Send}} {
		w.Solicited, w.Local = true, source(0, 2*mtu)
		i.work(w)
	}
	i.work(falcon.WorkRequest{Kind: spec.Read, Solicited: true, Local: sink(0, 8)})
	var se []bool
	for _, s := range i.all() {
		se = append(se, s.SE)
	}
	assert.Equal(t, []bool{false, false, false, true, false, true, false}, se)
}

// A Read of no octets has the sink of its first element (I-122).
func TestEmptyRead(t *testing.T) {
	i := newInitiator(t, newSetup(spec.QPRC, spec.Strong, spec.Verbs))
	i.work(falcon.WorkRequest{ID: 1, Kind: spec.Read})
	i.work(falcon.WorkRequest{ID: 2, Kind: spec.Read, Local: []falcon.Element{{Key: 0x99, VA: 7}, {Key: 0x11, VA: 8}}})
	list := i.all()
	require.Len(t, list, 2)
	for n, want := range []falcon.Element{{}, {Key: 0x99, VA: 7}} {
		assert.Equal(t, want, falcon.Element{Key: list[n].SinkKey, VA: list[n].SinkVA, Length: list[n].Packet.Length})
	}
}
