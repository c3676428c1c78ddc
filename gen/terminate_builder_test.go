package gen_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

type inboundRequestBeat struct {
	Stream        int
	Kind          int
	Number        uint32
	ResponseMsn   uint32
	STag          uint32
	Address       uint64
	Term          struct{ Layer, Etype, Code int }
	HeaderLength  int
	SegmentLength int
	Body          []byte
}

// randomTerminate returns a Terminate that includes headerLength octets of a header, as model/wire could have sent it.
func randomTerminate(r *rand.Rand, headerLength int) inboundRequestBeat {
	q := inboundRequestBeat{Stream: r.IntN(8), Kind: kindEnd, Number: r.Uint32N(requestNumbers), ResponseMsn: r.Uint32(), STag: r.Uint32(),
		Address: r.Uint64(), HeaderLength: headerLength, SegmentLength: r.IntN(1 << 16), Body: noise(r, 52)}
	q.Term.Layer, q.Term.Etype, q.Term.Code = r.IntN(16), r.IntN(16), r.IntN(256)
	q.Body[0] &^= 0x80
	if headerLength == 14 {
		q.Body[0] |= 0x80
	}
	return q
}

// message returns the expected message: the Terminate as encoded by model/wire.
func (q inboundRequestBeat) message(t testing.TB) txMessageBeat {
	t.Helper()
	c := txMessageBeat{Stream: q.Stream, Kind: kindClose, Number: q.Number, Header: padded(nil)}
	if q.Kind == kindClose {
		return c
	}
	terminate := wire.Terminate{Code: wire.TerminateCode{Layer: wire.Layer(q.Term.Layer), EType: uint8(q.Term.Etype), Code: uint8(q.Term.Code)}}
	if q.HeaderLength > 0 {
		terminate.LengthValid, terminate.HasDDP, terminate.DDPSegmentLength = true, true, uint16(q.SegmentLength)
		require.NoError(t, terminate.DDP.Decode(q.Body[:min(18, q.HeaderLength)]))
	}
	if q.HeaderLength == 46 {
		terminate.HasRDMAP = true
		require.NoError(t, terminate.ReadRequest.Decode(q.Body[18:46]))
	}
	segment := wire.AppendTerminate(nil, terminate)
	c.Kind, c.HeaderLength, c.Header = kindEnd, len(segment), padded(segment)
	return c
}

func TestTerminateBuilderUnderStalls(t *testing.T) {
	r := random(13)
	var requests []inboundRequestBeat
	var want []txMessageBeat
	for i := range 1000 {
		q := randomTerminate(r, []int{0, 14, 18, 46}[i%4])
		if r.IntN(5) == 0 {
			q.Kind = kindClose
		}
		requests, want = append(requests, q), append(want, q.message(t))
	}
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, rdmap.TerminateBuilder(streamsOf(8)), 1)
		b.stall(idle, pressure)
		send(b, "req", requests...)
		b.rest(50)
		got := received[txMessageBeat](b, "message")
		same(t, want, got)
		for _, c := range got {
			c.octets(t)
		}
		assert.Equal(t, b.stream("req").at, b.stream("message").at, "in the same cycle")
	})
}

// The octets are written by hand from RFC 5040 Figure 10 and section 4.8.
func TestTerminateByHand(t *testing.T) {
	ddp := "4147" + "00000000" + "00000002" + "00000001" + "00000000"
	tagged, untagged := "C140"+"AABBCCDD"+"0102030405060708", "4141"+"00000000"+"00000001"+"00000009"+"00000000"
	read := "11111111" + "2222222222222222" + "00000400" + "33333333" + "4444444444444444"
	for _, row := range []struct {
		says string
		body string
		n    int
		want string
	}{
		{"no header", tagged, 0, ddp + "11030000"},
		{"tagged", tagged + "EE", 14, ddp + "1103C000" + "0123" + tagged},
		{"untagged", untagged + "EE", 18, ddp + "1103C000" + "0123" + untagged},
		{"Read Request", untagged + read + "EEEE", 46, ddp + "1103E000" + "0123" + untagged + read},
	} {
		t.Run(row.says, func(t *testing.T) {
			q := inboundRequestBeat{Kind: kindEnd, HeaderLength: row.n, SegmentLength: 0x123, Body: make([]byte, 52)}
			q.Term.Layer, q.Term.Etype, q.Term.Code = 1, 1, 3
			_, err := hex.Decode(q.Body, []byte(row.body))
			require.NoError(t, err)
			b := openRig(t, rdmap.TerminateBuilder(streamsOf(8)), 1)
			send(b, "req", q)
			b.rest(50)
			c := received[txMessageBeat](b, "message")[0]
			assert.Equal(t, row.want, strings.ToUpper(fmt.Sprintf("%x", c.octets(t))))
		})
	}
}
