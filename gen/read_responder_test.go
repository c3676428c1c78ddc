package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

type readRequestBeat struct {
	Stream  int
	Number  uint32
	Address uint64
	Length  uint32
	Sink    struct {
		STag uint32
		TO   uint64
	}
}

func randomRead(r *rand.Rand, length uint32) readRequestBeat {
	q := readRequestBeat{Stream: r.IntN(8), Number: r.Uint32N(requestNumbers), Address: operand(r), Length: length}
	q.Sink.STag, q.Sink.TO = r.Uint32(), operand(r)
	return q
}

// segments splits a Read into commands, with headers as encoded by model/wire.
func (q readRequestBeat) segments(most uint32) (list []txCommandBeat) {
	for done := uint32(0); ; {
		n := min(q.Length-done, most)
		last := done+n == q.Length
		h := wire.TaggedHeader(wire.OpReadResponse, q.Sink.STag, q.Sink.TO+uint64(done), last)
		list = append(list, txCommandBeat{Stream: q.Stream, Kind: sentRead, Final: last, Number: q.Number, HeaderLength: 14,
			Header: padded(h.AppendEncode(nil)), Address: q.Address + uint64(done), PayloadLength: int(n)})
		if done += n; last {
			return list
		}
	}
}

// message is the response to a Read, with its header as encoded by model/wire.
func (q readRequestBeat) message() txMessageBeat {
	h := wire.TaggedHeader(wire.OpReadResponse, q.Sink.STag, q.Sink.TO, true)
	return txMessageBeat{Stream: q.Stream, Kind: sentRead, Number: q.Number, HeaderLength: 14, Header: padded(h.AppendEncode(nil)),
		Address: q.Address, Length: q.Length}
}

// Each Read becomes its response in the same cycle.
func TestReadResponder(t *testing.T) {
	r := random(11)
	b := openRig(t, rdmap.ReadResponder(txConfig(64, 1024)), 1)
	var want []txMessageBeat
	for _, length := range []uint32{0, 1, 1 << 31, 1<<32 - 1, 300, r.Uint32(), r.Uint32()} {
		q := randomRead(r, length)
		send(b, "req", q)
		want = append(want, q.message())
	}
	b.stall(100, 100)
	b.rest(30)
	same(t, want, received[txMessageBeat](b, "message"))
	assert.Equal(t, b.stream("req").at, b.stream("message").at)
}
