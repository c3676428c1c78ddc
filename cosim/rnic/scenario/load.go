package scenario

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// load keeps every stream as busy as its limits allow, in both directions.
type load struct {
	*stage
	source *area // source of Writes, Sends and Reads; never written
	sink   *area // target of everything else
	words  *area // targets of Atomics, some shared by all streams
	room   int   // octets left for long messages in this round
}

// loadOctets is the part of the source in use.
const loadOctets = 1 << 18

// loadBudget is the number of messages per round and direction, shared among the streams; the first may have more.
const loadBudget = 2048

func newLoad(s *stage) (l *load, err error) {
	l = &load{stage: s}
	for _, a := range []struct {
		to     **area
		octets uint64
		rights memory.Rights
	}{{&l.source, loadOctets, memory.LocalRead | memory.RemoteRead}, {&l.sink, 1 << 40, memory.LocalWrite | memory.RemoteWrite},
		{&l.words, 1 << 20, memory.RemoteAtomic}} {
		if *a.to, err = s.region(a.octets, a.rights); err != nil {
			return nil, err
		}
	}
	if err = s.fill(l.source, loadOctets); err == nil {
		err = s.fill(l.words, 4096)
	}
	return l, err
}

// most returns how much of depth a stream uses: all of it on the first.
func (l *load) most(stream uint32, depth int) int {
	if stream == l.streams[0] {
		return depth
	}
	return min(depth, max(2, loadBudget/len(l.streams)))
}

// length draws a message length: no octets, one segment or, while the budget lasts, several.
func (l *load) length() int {
	switch n := l.rand.IntN(3 * l.config.MaxPayload); {
	case n%5 == 0:
		return 0
	case n%5 == 1 && l.room >= n:
		l.room -= n
		return 1 + n
	}
	return 1 + l.rand.IntN(min(l.config.MaxPayload, 512))
}

func (l *load) from(octets int) rdmap.Buffer {
	return rdmap.Buffer{STag: l.source.stag(), TO: l.source.Base + uint64(l.rand.IntN(loadOctets-octets))}
}

// to allocates part of the sink; own is set if the device writes it.
func (l *load) to(stream uint32, octets int, own bool) rdmap.Buffer {
	to := l.sink.next(octets, 1)
	if own && octets > 0 {
		l.touches(stream, l.sink, to, octets)
	}
	return rdmap.Buffer{STag: l.sink.stag(), TO: to}
}

// work draws a work request of one kind; own is set if the device posts it.
func (l *load) work(stream uint32, op wire.Opcode, own bool) rdmap.WorkRequest {
	n := l.length()
	w := rdmap.WorkRequest{Stream: stream, Opcode: op, Length: uint32(n), Signaled: l.rand.IntN(4) > 0}
	switch {
	case op.Is(spec.Write):
		w.Local, w.Remote = l.from(n), l.to(stream, n, !own)
	case op.Is(spec.ReadRequest):
		w.Local, w.Remote = l.to(stream, n, own), l.from(n)
	case op.Is(spec.Requests): // their responses have one word
		w.Local = l.to(stream, memory.WordOctets, own)
		word := uint64(l.rand.IntN(8)) // shared by all streams
		if own := l.rand.IntN(2) == 0; !l.config.RetirePort {
			word = 8 + uint64(stream) // the order of Atomics of different streams is unobservable
		} else if own {
			word = 8 + uint64(stream)%256
		}
		w.Remote = rdmap.Buffer{STag: l.words.stag(), TO: l.words.Base + 8*word}
		if !own {
			l.touches(uint32(l.config.Streams), l.words, w.Remote.TO, memory.WordOctets)
		}
		w.Operands = rdmap.Operands{AOpCode: wire.FetchAdd, Data: l.rand.Uint64(), Mask: l.rand.Uint64(), CompareMask: ^uint64(0)}
	case op.Is(spec.Send):
		w.Local = l.from(n)
	case op.Is(spec.Immediate):
		w.Operands.Data = l.rand.Uint64()
	}
	return w
}

var loadOpcodes = slices.Concat(spec.Write.All(), spec.Requests.All(), spec.Send.All(), spec.Immediate.All(), spec.Requests.All())

func takesReceive(op wire.Opcode) bool {
	return op.Is(spec.Send | spec.Immediate)
}

// round posts the maximum for every stream: receive requests and work requests at the device, and at the peer as many messages as
// the device can take. Everything before must be complete.
func (l *load) round() error { return l.busy(l.streams) }

// oneRound is a round of one stream alone.
func (l *load) oneRound(stream uint32) error { return l.busy([]uint32{stream}) }

func (l *load) busy(streams []uint32) error {
	biggest := 3 * l.config.MaxPayload
	l.room = 1 << 13 * l.config.BusBytes
	for _, stream := range streams {
		receives := l.most(stream, l.config.ReceiveDepth)
		for range receives {
			if err := l.receive(stream, l.sink, biggest); err != nil {
				return err
			}
		}
		for used := 0; used < receives; {
			op := loadOpcodes[l.rand.IntN(len(loadOpcodes))]
			if takesReceive(op) {
				used++
			}
			if err := l.postPeer(l.work(stream, op, false)); err != nil {
				return err
			}
		}
		for range l.most(stream, l.config.IRD) {
			if err := l.postPeer(l.work(stream, loadOpcodes[1+l.rand.IntN(2)], false)); err != nil {
				return err
			}
		}
		for range l.most(stream, l.config.SendDepth) {
			op := loadOpcodes[l.rand.IntN(len(loadOpcodes))]
			if takesReceive(op) {
				if err := l.receivePeer(stream, l.sink, biggest); err != nil {
					return err
				}
			}
			if err := l.post(l.work(stream, op, true)); err != nil {
				return err
			}
		}
	}
	return l.accepted()
}

// accepted waits until the device has all receive requests, so that their messages may be sent.
func (l *load) accepted() error {
	for range restRounds {
		if l.ReceivesWaiting() == 0 {
			return nil
		}
		out, err := l.Run(250, 0)
		if err != nil {
			return err
		}
		l.out.Completions, l.out.Events = append(l.out.Completions, out.Completions...), append(l.out.Events, out.Events...)
		for _, s := range out.Segments {
			l.peer.Send(s.Stream, s.Octets)
			l.stirred = true
		}
	}
	return fail("%d receive requests are not taken", l.ReceivesWaiting())
}
