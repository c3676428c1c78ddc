package cases

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

// failures are one segment of every error kind that ends a stream.
var failures = []struct {
	kind    wire.ErrorKind
	segment func(t *T) []byte
}{
	{wire.ErrShortHeader, func(t *T) []byte { return t.plain(wire.OpSend)[:17] }},
	{wire.ErrDDPVersion, func(t *T) []byte { return control("dv", 2)(t.plain(wire.OpWrite)) }},
	{wire.ErrQueueNumber, func(t *T) []byte { return control("queue_number", 4)(t.plain(wire.OpSend)) }},
	{wire.ErrRDMAPVersion, func(t *T) []byte { return control("rv", 0)(t.plain(wire.OpWrite)) }},
	{wire.ErrOpcode, func(t *T) []byte { return control("opcode", 0xC)(t.plain(wire.OpSend)) }},
	{wire.ErrTaggedFlag, func(t *T) []byte { return control("t", 1)(t.plain(wire.OpSend)) }},
	{wire.ErrQueueMismatch, func(t *T) []byte { return control("queue_number", 2)(t.plain(wire.OpSend)) }},
	{wire.ErrMessageOffset, func(t *T) []byte { return control("mo", 1)(t.plain(wire.OpReadRequest)) }},
	{wire.ErrLength, func(t *T) []byte { return sized(t.plain(wire.OpImmediate), 27) }},
	{wire.ErrAtomicOpcode, func(t *T) []byte { return t.broken(func(r *wire.AtomicRequest) { r.AOpCode = 3 }) }},
	{wire.ErrSTag, func(t *T) []byte { return t.broken(func(r *wire.AtomicRequest) { r.RemoteSTag++ }) }},
	{wire.ErrTOWrap, func(t *T) []byte { return t.broken(func(r *wire.AtomicRequest) { r.RemoteTO = allOnes }) }},
	{wire.ErrBounds, func(t *T) []byte { return t.broken(func(r *wire.AtomicRequest) { r.RemoteTO = t.base - 8 }) }},
	{wire.ErrAlignment, func(t *T) []byte { return t.broken(func(r *wire.AtomicRequest) { r.RemoteTO += 4 }) }},
}

// broken is a FetchAdd of word 0, changed.
func (t *T) broken(change func(r *wire.AtomicRequest)) []byte {
	r := t.fetchAdd(0, 1, 0)
	change(&r)
	return wire.AppendAtomicRequest(nil, 1, r)
}

// afterErrors sends more traffic behind an error: nothing of it takes effect on that stream, all of it on
// another.
func afterErrors(l *list) {
	for _, f := range failures {
		l.add(fmt.Sprintf("after/%v/same_stream", f.kind), fmt.Sprintf("error %v, then on the same stream a FetchAdd and a Send", f.kind), flags(AfterError), func(t *T) {
			t.send(0, f.segment(t))
			t.request(0, t.fetchAdd(0, 0x1_0000_0001, 0))
			t.send(0, t.plain(wire.OpSend))
		})
		l.add(fmt.Sprintf("after/%v/other_stream", f.kind), fmt.Sprintf("error %v between requests of another stream, which goes on", f.kind),
			flags(AfterError, StreamIsolation), func(t *T) {
				t.request(1, t.fetchAdd(0, 1, 0))
				t.send(0, f.segment(t))
				t.request(1, t.fetchAdd(0, 2, 0))
				t.request(0, t.fetchAdd(0, 4, 0))
				t.request(1, t.fetchAdd(0, 8, 0))
			})
	}
	for _, m := range wire.Messages {
		l.add("after/alignment/then/"+m.Name, fmt.Sprintf("a misaligned FetchAdd, then on the same stream %s: it has a record, and its octets come with it", m.Title),
			flags(AfterError), func(t *T) {
				t.send(0, t.broken(func(r *wire.AtomicRequest) { r.RemoteTO += 1 }))
				t.send(0, t.plain(m.Opcode))
			})
	}
	l.add("after/error_behind_error", "a misaligned FetchAdd, then broken segments: each has a record, and none a second Terminate", flags(AfterError), func(t *T) {
		t.send(0, t.broken(func(r *wire.AtomicRequest) { r.RemoteTO += 2 }))
		for _, f := range failures {
			t.send(0, f.segment(t))
		}
	})
	l.add("after/every_stream", "a FetchAdd before and a CmpSwap behind an error on each of two streams, alternating", flags(AfterError, StreamIsolation), func(t *T) {
		for s := range 2 {
			t.request(s, t.fetchAdd(s, 1, 0))
		}
		for s := range 2 {
			t.send(s, failures[s].segment(t))
		}
		for s := range 2 {
			t.request(s, t.cmpSwap(s, 0, allOnes, 0, 0))
		}
	})
	for gap := range 4 {
		l.add(fmt.Sprintf("after/%d_others_between", gap), fmt.Sprintf("segments of 3 octets, one beat each: an error, %d errors of other streams, and the first stream again", gap),
			flags(AfterError, ShortHeader), func(t *T) {
				for s := range gap + 1 {
					t.send(s, t.plain(wire.OpSend)[:3])
				}
				t.send(0, t.plain(wire.OpSend)[:3])
			})
	}
	l.add("after/first_and_last_stream", "an error on the first stream leaves the last one alone", flags(AfterError, StreamIsolation), func(t *T) {
		t.send(First, t.broken(func(r *wire.AtomicRequest) { r.RemoteTO += 2 }))
		t.request(Last, t.fetchAdd(0, 1, 0))
		t.request(First, t.fetchAdd(0, 1, 0))
	})
	l.add("after/valid_records_do_not_end", "all kinds of valid messages, then a FetchAdd: only an error ends a stream", flags(MixedTraffic), func(t *T) {
		for _, m := range wire.Messages {
			t.send(0, t.plain(m.Opcode))
		}
		t.request(0, t.fetchAdd(0, 1, 0))
	})
}
