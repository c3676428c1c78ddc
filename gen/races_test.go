package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rxRace is two nearly simultaneous events on stream 1. Their outcome must equal that of the events in sequence, in one order or the
// other, never a mixture.
type rxRace struct {
	setUp, one, other, probe func(b *rxBench, at int)
}

// rxOutcome is the complete output.
type rxOutcome struct {
	places     []placementBeat
	deliveries []rxDelivery
}

// run returns the outcome if the other event occurs the given number of cycles after the first, or before it if negative.
func (x rxRace) run(b *rxBench, behind int) (o rxOutcome) {
	b.reset()
	for i := range uint32(4) {
		b.row(i, rxRow(i))
	}
	b.opened(2, rxDomain)
	b.settle()
	x.setUp(b, 0)
	b.settle()
	x.one(b, b.cycle+20)
	x.other(b, b.cycle+20+behind)
	for range 40 + max(behind, -behind) {
		b.clock()
	}
	b.settle()
	x.probe(b, 0)
	b.settle()
	for _, p := range received[placementBeat](b.rig, "place") {
		o.places = append(o.places, p.meaning())
	}
	o.deliveries = b.delivered()
	return o
}

// check shifts the other event from before to after the first: the outcome must change exactly once.
func (x rxRace) check(t *testing.T, b *rxBench) {
	t.Helper()
	first, last := x.run(b, -100), x.run(b, 100)
	require.NotEqual(t, first, last, "the order makes no difference")
	was := first
	for behind := -9; behind <= 9; behind++ {
		got := x.run(b, behind)
		if assert.ObjectsAreEqual(got, last) {
			was = last
		}
		require.Equal(t, was, got, "%d cycles after", behind)
	}
	require.Equal(t, last, was)
}

func segmentAt(octets func() []byte) func(b *rxBench, at int) {
	return func(b *rxBench, at int) {
		b.segments = append(b.segments, rxSegment{1, octets()})
		sendAt(b.rig, "record", at, recordBeatOf(1, octets()))
	}
}

func rowAt(row stagRow) func(b *rxBench, at int) {
	return func(b *rxBench, at int) { sendAt(b.rig, "row", at, row.beat(2)) }
}

func openingAt(open bool) func(b *rxBench, at int) {
	return func(b *rxBench, at int) { sendAt(b.rig, "opening", at, openingBeat{1, open, rxDomain}) }
}

// rxRaceKinds are segments that access row 2, or need a posted receive request or an expected response.
var rxRaceKinds = map[string]struct {
	segment                         func() []byte
	reaches, receives, awaits, asks bool
	executor                        int
}{
	"Write":           {segment: func() []byte { return wire.AppendWrite(nil, rxSTag(2), rxRow(2).Base+5, true, []byte{1, 2, 3}) }, reaches: true},
	"Send":            {segment: func() []byte { return wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, []byte{1, 2, 3}) }, reaches: true, receives: true},
	"Send Invalidate": {segment: func() []byte { return wire.AppendSend(nil, wire.OpSendInv, rxSTag(2), 1, 0, true, nil) }, reaches: true, receives: true},
	"Immediate Data":  {segment: func() []byte { return wire.AppendImmediate(nil, true, 1, 77) }, receives: true},
	"Read Request": {segment: func() []byte {
		return wire.AppendReadRequest(nil, 3, wire.ReadRequest{ReadMessageSize: 9, DataSourceSTag: rxSTag(2), DataSourceTO: rxRow(2).Base})
	}, reaches: true, asks: true},
	"Atomic Request": {segment: func() []byte {
		return wire.AppendAtomicRequest(nil, 3, wire.AtomicRequest{RemoteSTag: rxSTag(2), RemoteTO: rxRow(2).Base + 5})
	}, reaches: true, asks: true},
	"Read Response": {segment: func() []byte { return wire.AppendReadResponse(nil, rxSTag(2), rxRow(2).Base+5, true, make([]byte, 8)) }, reaches: true, awaits: true},
	"Atomic Response": {segment: func() []byte {
		return wire.AppendAtomicResponse(nil, 1, wire.AtomicResponse{OriginalRequestIdentifier: 1})
	}, reaches: true, awaits: true, executor: executorAtomic},
}

// soil fills every slot of stream 1's rings with stale entries.
func soil(b *rxBench) {
	b.opened(1, rxDomain)
	b.settle()
	for range b.ref.c.ReceiveDepth {
		send(b.rig, "post", postBeat{1, 0xBAD, 0xBAD, 0xBAD, 1})
	}
	for range b.ref.c.ORD {
		send(b.rig, "expecting", expectingBeat{1, executorAtomic, 0xBAD, 0xBAD, 0xBAD, 1})
	}
	b.settle()
	send(b.rig, "ring_opening", openingBeat{1, true, rxDomain})
	b.settle()
}

// Each event that a segment depends on, and each opening or end of its stream, occurs before or after it, in every cycle around its
// acceptance.
func TestRxCheckRaces(t *testing.T) {
	b := openRx(t, rxConfig(), 4)
	for name, kind := range rxRaceKinds {
		post := func(b *rxBench, at int) {
			sendAt(b.rig, "post", at, postBeat{1, 0xAB, rxSTag(2), rxRow(2).Base + 5, 100})
		}
		expect := func(b *rxBench, at int) {
			sendAt(b.rig, "expecting", at, expectingBeat{1, kind.executor, 1, rxSTag(2), rxRow(2).Base + 5, 8})
		}
		credit := func(b *rxBench, at int) { sendAt(b.rig, "credit", at, creditBeat{1, 1}) }
		// setUp opens the stream with everything that the segment needs, except one thing.
		setUp := func(without string, row stagRow) func(b *rxBench, at int) {
			return func(b *rxBench, _ int) {
				soil(b)
				rowAt(row)(b, 0)
				if without == "opening" {
					openingAt(false)(b, 0)
				} else {
					openingAt(true)(b, 0)
				}
				b.settle()
				if kind.receives && without != "post" {
					post(b, 0)
				}
				if kind.awaits && without != "expecting" {
					expect(b, 0)
				}
				if kind.asks && without != "opening" {
					for msn := range uint32(2) {
						segmentAt(func() []byte { return wire.AppendReadRequest(nil, msn+1, wire.ReadRequest{}) })(b, 0)
					}
					if without != "credit" {
						credit(b, 0)
					}
				}
				b.settle()
			}
		}
		gone, moved := rxRow(2), rxRow(2)
		gone.Valid, gone.Address, gone.Length = false, 0xBAD, 0xBAD
		moved.Address += 0x10_0000
		// Probes whether the stream is open afterwards, and its access to row 2.
		probe := func(b *rxBench, _ int) {
			segmentAt(func() []byte { return wire.AppendWrite(nil, rxSTag(3), rxRow(3).Base, true, []byte{9}) })(b, 0)
			b.settle()
			segmentAt(func() []byte { return wire.AppendWrite(nil, rxSTag(2), rxRow(2).Base, true, []byte{8}) })(b, 0)
		}
		race := func(says string, one, other func(b *rxBench, at int), setUp func(b *rxBench, at int)) {
			t.Run(fmt.Sprintf("%s and %s", name, says), func(t *testing.T) {
				rxRace{setUp: setUp, one: one, other: other, probe: probe}.check(t, b)
			})
		}
		it := segmentAt(kind.segment)
		if kind.reaches {
			race("its region is set", it, rowAt(rxRow(2)), setUp("", gone))
			race("its region is invalidated", it, rowAt(gone), setUp("", rxRow(2)))
			if name != "Send Invalidate" {
				race("its region moves", it, rowAt(moved), setUp("", rxRow(2)))
			}
		}
		if kind.receives {
			race("its receive request", it, post, setUp("post", rxRow(2)))
		}
		if kind.awaits {
			race("its expected response", it, expect, setUp("expecting", rxRow(2)))
		}
		if kind.asks {
			race("the response to an earlier one", it, credit, setUp("credit", rxRow(2)))
		}
		race("a failure", it, func(b *rxBench, at int) { sendAt(b.rig, "failure", at, failed(1, 0x33)) }, setUp("", rxRow(2)))
		race("the end of its stream", it, openingAt(false), setUp("", rxRow(2)))
		if name != "Read Request" && name != "Atomic Request" && name != "Read Response" && name != "Atomic Response" { // an opening clears the state that they need
			race("the opening of its stream", it, openingAt(true), setUp("opening", rxRow(2)))
		}
	}
}

// An opening and an update of its stream in the same cycle: the update is dropped, or applies to the newly opened stream.
func TestRxCheckOpeningRaces(t *testing.T) {
	b := openRx(t, rxConfig(), 4)
	setUp := func(b *rxBench, _ int) {
		soil(b)
		openingAt(true)(b, 0)
		b.settle()
	}
	for name, x := range map[string]rxRace{
		"an expected response": {
			other: func(b *rxBench, at int) {
				sendAt(b.rig, "expecting", at, expectingBeat{1, executorAtomic, 1, rxSTag(2), rxRow(2).Base, 8})
			},
			probe: func(b *rxBench, _ int) { // the second one has no request
				for msn := range uint32(2) {
					segmentAt(func() []byte {
						return wire.AppendAtomicResponse(nil, msn+1, wire.AtomicResponse{OriginalRequestIdentifier: 1})
					})(b, 0)
				}
			},
		},
		"a response": {
			other: func(b *rxBench, at int) { sendAt(b.rig, "credit", at, creditBeat{1, 1}) },
			probe: func(b *rxBench, _ int) {
				for msn := range uint32(3) {
					segmentAt(func() []byte { return wire.AppendReadRequest(nil, msn+1, wire.ReadRequest{}) })(b, 0)
				}
			},
		},
		"a failure": {
			other: func(b *rxBench, at int) { sendAt(b.rig, "failure", at, failed(1, 0x33)) },
			probe: segmentAt(func() []byte { return wire.AppendWrite(nil, rxSTag(3), rxRow(3).Base, true, []byte{9}) }),
		},
	} {
		t.Run(name, func(t *testing.T) {
			x.setUp, x.one = setUp, openingAt(true)
			x.check(t, b)
		})
	}
	x := rxRace{setUp: setUp, one: func(b *rxBench, at int) { sendAt(b.rig, "ring_opening", at, openingBeat{1, true, rxDomain}) },
		other: func(b *rxBench, at int) {
			sendAt(b.rig, "post", at, postBeat{1, 5, rxSTag(2), rxRow(2).Base, 100})
		}, probe: segmentAt(func() []byte { return wire.AppendImmediate(nil, false, 1, 5) })}
	t.Run("a receive request", func(t *testing.T) { x.check(t, b) })
}

// Failures of two blocks, or of one and an opening, in one cycle and around it: one leaves per stream and opening, and streams do not
// wait for each other.
func TestFailureGatherRaces(t *testing.T) {
	blocks := []string{"placement", "atomic", "order", "tx", "work"}
	b := openRig(t, host.FailureGather(streamsOf(4)), 1)
	for i, one := range blocks {
		for j, other := range blocks {
			for behind := range 5 {
				for stream := range 2 { // the same stream, or another
					if one == other && behind == 0 {
						continue
					}
					b.reset()
					b.rest(10)
					sendAt(b, one, b.cycle+5, failed(1, i))
					sendAt(b, other, b.cycle+5+behind, failed(1+stream, j))
					b.rest(20)
					got := received[failureBeat](b, "out")
					require.Len(t, got, 1+stream, "%s and %s", one, other)
				}
			}
		}
		for behind := -6; behind <= 6; behind++ {
			b.reset()
			b.rest(10)
			send(b, one, failed(1, 0))
			b.rest(10)
			require.Len(t, received[failureBeat](b, "out"), 1)
			sendAt(b, "opening", b.cycle+20, openingBeat{1, true, 0})
			sendAt(b, one, b.cycle+20+behind, failed(1, 1))
			b.rest(40)
			first := received[failureBeat](b, "out")
			if behind >= 0 { // an opening goes first
				require.Len(t, first, 1, "%s, %d", one, behind)
			}
			sendAt(b, one, b.cycle+20, failed(1, 2))
			b.rest(40)
			require.Len(t, append(first, received[failureBeat](b, "out")...), 1, "%s, %d", one, behind)
		}
	}
}
