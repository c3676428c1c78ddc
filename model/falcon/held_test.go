package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
)

// Xoff, ORD, credits, the windows and a fence hold requests back.
func TestHeldBack(t *testing.T) {
	s := newSetup(spec.QPRC, spec.Weak, spec.Verbs)
	s.ord = 2
	i := newInitiator(t, s)
	for id := range uint64(4) {
		i.work(falcon.WorkRequest{ID: id, Kind: spec.FetchAdd, Local: sink(uint32(8*id), 8)})
	}
	i.e.SetXoff(true)
	assert.Empty(t, i.all())
	i.e.SetXoff(false)
	list := i.all()
	assert.Len(t, list, 2, "ORD")
	i.respond(list[1], nil)
	assert.Empty(t, i.all(), "the third would have the entry of the first in an IRRQ of two")
	i.respond(list[0], nil)
	assert.Len(t, i.all(), 2)

	s = newSetup(spec.QPRC, spec.Strong, spec.Verbs)
	i = newInitiator(t, s)
	i.work(falcon.WorkRequest{ID: 1, Kind: spec.Read, Local: sink(0, 8)})
	i.work(falcon.WorkRequest{ID: 2, Kind: spec.Send, Fence: true, Local: source(0, 2*mtu)})
	list = i.all()
	assert.Len(t, list, 1, "fence")
	i.respond(list[0], nil)
	assert.Len(t, i.all(), 2)

	s = newSetup(spec.QPRC, spec.Strong, spec.Verbs)
	s.credits = spec.Credits{RequestTxPackets: 9, RequestTxBuffers: 3, RequestRxPackets: 9, RequestRxBuffers: 2}
	i = newInitiator(t, s)
	for range 3 {
		i.work(falcon.WorkRequest{Kind: spec.Write, Local: source(0, 4)}) // 32 octets: one buffer
	}
	i.work(falcon.WorkRequest{Kind: spec.Send})
	assert.Len(t, i.all(), 3, "credits")
	assert.Equal(t, spec.Credits{RequestTxPackets: 6, RequestRxPackets: 6, RequestRxBuffers: 2}, i.e.Credits(i.cid[0]))
	i.e.Return(i.cid[0], spec.Credits{RequestTxBuffers: 1})
	assert.Len(t, i.all(), 1)

	// Credits of the function and of the host.
	for _, host := range []bool{false, true} {
		i = newInitiator(t, newSetup(spec.QPRC, spec.Strong, spec.Verbs))
		limit := spec.Credits{RequestTxPackets: 2, RequestTxBuffers: 9, RequestRxPackets: 9, RequestRxBuffers: 9}
		i.e.SetFunctionCredits(1, spec.Credits{}) // another one
		if host {
			i.e.SetHostCredits(limit)
		} else {
			i.e.SetFunctionCredits(0, limit)
		}
		for range 3 {
			i.work(falcon.WorkRequest{Kind: spec.Send})
		}
		assert.Len(t, i.all(), 2)
		i.e.Return(i.cid[0], spec.Credits{RequestTxPackets: 1})
		assert.Len(t, i.all(), 1)
	}

	// 256 messages, of which the oldest is not complete.
	s = newSetup(spec.QPRC, spec.Weak, spec.Verbs)
	s.window = 1 << 16
	s.credits.RequestTxBuffers = 1 << 16
	i = newInitiator(t, s)
	for range 300 {
		i.work(falcon.WorkRequest{Kind: spec.Send})
	}
	list = i.all()
	assert.Len(t, list, 256, "I-72")
	for _, s := range list[1:] {
		i.ack(s)
	}
	assert.Empty(t, i.all())
	i.ack(list[0])
	assert.Len(t, i.all(), 44)

	// 256 RMSNs of pulls.
	s.ord = 256
	i = newInitiator(t, s)
	for range 300 {
		i.work(falcon.WorkRequest{Kind: spec.Read})
	}
	list = i.all()
	assert.Len(t, list, 256)
	for _, s := range list[1:] {
		i.respond(s, nil)
	}
	assert.Empty(t, i.all())
	i.respond(list[0], nil)
	assert.Len(t, i.all(), 44)
}
